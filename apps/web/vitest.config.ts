import { mergeConfig } from 'vite'
import { defineProject } from 'vitest/config'
import { browserTests, testDependencies } from '../../testing/browser-tests.ts'
import { freePort } from '../../testing/free-port.ts'
import type {} from './src/testing/real-server.ts'
import web from './vite.config.ts'

const serverPort = String(await freePort())
const server = `http://127.0.0.1:${serverPort}`

/** Screens are tested as they are drawn: the app in Chromium, in front of a server that the test speaks for, or a real one. */
export default mergeConfig(
  web({ command: 'serve', mode: 'test', isSsrBuild: false }),
  defineProject({
    optimizeDeps: testDependencies,
    server: { proxy: { '/api': server, '/v1': { target: server, ws: true } } },
    test: {
      ...browserTests,
      name: 'browser',
      globalSetup: './src/testing/real-server.ts',
      setupFiles: './src/testing/setup.ts',
      provide: { serverPort },
    },
  }),
)

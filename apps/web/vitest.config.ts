import { mergeConfig } from 'vite'
import { defineProject } from 'vitest/config'
import { browserTests, testDependencies } from '../../testing/browser-tests.ts'
import { freePort } from '../../testing/free-port.ts'
import type {} from './src/testing/real-server.ts'
import web from './vite.config.ts'

const serverPort = String(await freePort())
const server = `http://127.0.0.1:${serverPort}`

/** Screens are tested as rendered: the app in Chromium, with a fake server that the test controls, or with a real one. */
export default mergeConfig(
  web({ command: 'serve', mode: 'test', isSsrBuild: false }),
  defineProject({
    // The worker that keeps the app for a start without a connection belongs to a build.
    define: { 'import.meta.env.PROD': 'false' },
    optimizeDeps: testDependencies,
    server: { proxy: { '/api': server, '/v1': { target: server, ws: true } } },
    test: {
      ...browserTests('browser'),
      globalSetup: './src/testing/real-server.ts',
      setupFiles: './src/testing/setup.ts',
      provide: { serverPort },
    },
  }),
)

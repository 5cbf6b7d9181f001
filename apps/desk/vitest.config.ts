import { mergeConfig } from 'vite'
import { defineProject } from 'vitest/config'
import { browserTests, testDependencies } from '../../testing/browser-tests.ts'
import desk from './vite.config.ts'

/** The desk in Chromium, in front of a server that the test speaks for. */
export default mergeConfig(
  desk,
  defineProject({
    base: '/',
    optimizeDeps: testDependencies,
    test: { ...browserTests, name: 'desk', setupFiles: './src/testing/setup.ts' },
  }),
)

import { mergeConfig } from 'vite'
import { defineProject } from 'vitest/config'
import { browserTests, testDependencies } from '../../testing/browser-tests.ts'
import desk from './vite.config.ts'

/** The desk in Chromium, with a fake server that each test controls. */
export default mergeConfig(
  desk,
  defineProject({
    base: '/',
    optimizeDeps: testDependencies,
    test: { ...browserTests('desk'), setupFiles: './src/testing/setup.ts' },
  }),
)

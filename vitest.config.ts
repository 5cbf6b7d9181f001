import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.{ts,tsx}',
      'tools/**/*.test.{ts,mjs}',
      'bench/**/*.test.ts',
      'nights/**/*.test.ts',
      'e2e/support/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    globalSetup: './tools/vitest-setup.ts',
    // Processes, not threads: tests of the server start native modules, signals and child processes.
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    allowOnly: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})

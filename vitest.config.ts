import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: [
            'packages/**/*.test.ts',
            'apps/**/*.test.ts',
            'testing/**/*.test.ts',
            'tools/**/*.test.{ts,mjs}',
            'bench/**/*.test.ts',
            'replays/**/*.test.ts',
            'e2e/support/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
          environment: 'node',
          globalSetup: './tools/vitest-setup.ts',
          // Processes, not threads: tests of the server start native modules, signals and child processes.
          pool: 'forks',
          // Files share what they import: reading the server again for each would be half of all the work.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      './packages/ui/vitest.config.ts',
      './apps/web/vitest.config.ts',
      './apps/desk/vitest.config.ts',
    ],
    // Tests wait more than they work, for databases, browsers and programs of their own.
    maxWorkers: 3,
    watch: false,
    allowOnly: false,
  },
})

import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { isWholeCheck } from './testing/tiers.ts'

/** Where a second database could make a difference of its own. */
const ABOUT_DATABASES = [
  'apps/server/src/{engine,verify}/**/*.test.ts',
  'apps/server/src/platform/database/**/*.test.ts',
  'apps/server/src/platform/http/{database-trouble.wire,errors,login-sessions}.test.ts',
  'apps/server/src/funds/account-keys.test.ts',
  'testing/test-database.test.ts',
]

const node = {
  test: {
    environment: 'node',
    // Whatever build of React the screens are tested with.
    env: { NODE_ENV: 'test' },
    globalSetup: './tools/vitest-setup.ts',
    // Processes, not threads: tests of the server start native modules, signals and child processes.
    pool: 'forks',
    // Files share what they import: reading the server again for each would be half of all the work.
    isolate: false,
    // Limits for a hang: a busy machine needs three times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
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
    provide: { databases: 'every' },
  },
} satisfies TestProjectConfiguration

/** Whether tests run on both databases is a matter of their project, for its files share what they import. */
const inTwoTiers: readonly TestProjectConfiguration[] = [
  {
    test: {
      ...node.test,
      exclude: [...node.test.exclude, ...ABOUT_DATABASES],
      provide: { databases: 'one' },
    },
  },
  { test: { ...node.test, name: 'databases', include: ABOUT_DATABASES } },
]

export default defineConfig({
  test: {
    projects: [
      ...(isWholeCheck() ? [node] : inTwoTiers),
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

/** A part of the code that is mutated as one, with the tests that should notice. */
export type Slice = {
  readonly name: string
  /** Glob patterns of the files that are mutated; tests and their helpers are left out. */
  readonly files: readonly string[]
  /** Glob patterns of the test files that are run. */
  readonly tests: readonly string[]
}

const SERVER = 'apps/server/src'
const DESK = `${SERVER}/desk`

/** A folder of the desk, with the tests of every desk folder: its calls are tested together. */
const deskSlice = (folder: string): Slice => ({
  name: `desk-${folder}`,
  files: [`${DESK}/${folder}/*.ts`],
  tests: [`${DESK}/**/*.test.ts`],
})

/** A folder of the server, with its own tests. */
const serverSlice = (name: string, folder: string, ...moreTests: readonly string[]): Slice => ({
  name,
  files: [`${SERVER}/${folder}/**/*.ts`],
  tests: [`${SERVER}/${folder}/**/*.test.ts`, ...moreTests],
})

export const SLICES: readonly Slice[] = [
  ...['approvals', 'audit-log', 'exports', 'operators', 'waiting'].map(deskSlice),
  serverSlice('verify', 'verify'),
  serverSlice('sockets', 'platform/sockets', `${SERVER}/trading/private-stream.wire.test.ts`),
  serverSlice('files', 'platform/files'),
  serverSlice('accounts', 'accounts'),
  serverSlice('notices', 'notices'),
  serverSlice('projection', 'engine/projection', `${SERVER}/engine/restore/restore.test.ts`),
  {
    name: 'desk-contract',
    files: ['packages/contract/src/desk/*.ts'],
    tests: ['packages/contract/src/**/*.test.ts', `${DESK}/**/*.test.ts`],
  },
  {
    name: 'web-trading',
    files: ['apps/web/src/features/trading/**/*.ts', 'apps/web/src/features/trading/**/*.tsx'],
    tests: ['apps/web/src/features/trading/**/*.test.ts', 'apps/web/src/features/trading/**/*.test.tsx'],
  },
  {
    name: 'web-live',
    files: ['apps/web/src/live/**/*.ts'],
    tests: ['apps/web/src/live/**/*.test.ts', 'apps/web/src/**/*.test.tsx'],
  },
]

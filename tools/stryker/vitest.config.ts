import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import root from '../../vitest.config.ts'

/** Set by main.ts: glob patterns of the test files, separated by commas. */
const include = (process.env['SLICE_TESTS'] ?? '').split(',')

const [node] = root.test?.projects ?? []
if (typeof node !== 'object' || !('test' in node))
  throw new Error('vitest.config.ts names no project of its own first.')

/** The tests of one slice as Stryker runs them: in Node, in one process, on the embedded database only. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    ...node.test,
    include,
    exclude: ['**/node_modules/**'],
    testNamePattern: '^(?!.*postgres)',
    watch: false,
  },
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../check/run.ts'
import { applied } from './mutation.ts'
import { MUTATIONS } from './list/all.ts'

const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

it('lists at least 24 mutations, each with its own description', () => {
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(24)
  expect(new Set(MUTATIONS.map(({ description }) => description)).size).toBe(MUTATIONS.length)
  for (const { description } of MUTATIONS) expect(description).toMatch(/^[A-Z].*\.$/)
})

it.each(MUTATIONS)('$file: $description', (mutation) => {
  const source = sourceOf(mutation.file)
  expect(applied(source, mutation)).not.toBe(source)
})

const NAMED = [...new Set(MUTATIONS.flatMap(({ tests = [] }) => tests))]
const TEST_FILES = globSync(['{packages,apps}/**/*.test.{ts,tsx}', 'e2e/*.spec.ts'], {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
})

it.each(NAMED)('there are tests at %s', (path) => {
  expect(TEST_FILES.filter((file) => file.startsWith(path))).not.toEqual([])
})

it('rejects a mutation whose text is missing or occurs twice', () => {
  const mutation = { file: 'a.ts', text: 'one', replacement: 'two', description: 'Wrong.' }
  expect(applied('just one', mutation)).toBe('just two')
  expect(() => applied('two', mutation)).toThrow('a.ts contains 0 times: one')
  expect(() => applied('one one', mutation)).toThrow('a.ts contains 2 times: one')
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../check/run.ts'
import { plant } from './bug.ts'
import { BUGS } from './bugs.ts'

const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

it('lists at least 24 bugs, each with a sentence of its own', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(24)
  expect(new Set(BUGS.map(({ says }) => says)).size).toBe(BUGS.length)
  for (const { says } of BUGS) expect(says).toMatch(/^[A-Z].*\.$/)
})

it.each(BUGS)('$file: $says', (bug) => {
  const source = sourceOf(bug.file)
  expect(plant(source, bug)).not.toBe(source)
})

const NAMED = [...new Set(BUGS.flatMap(({ tests = [] }) => tests))]
const TEST_FILES = globSync('{packages,apps}/**/*.test.ts', {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
})

it.each(NAMED)('there are tests at %s', (path) => {
  expect(TEST_FILES.filter((file) => file.startsWith(path))).not.toEqual([])
})

it('refuses a bug whose text is not there, or there twice', () => {
  const bug = { file: 'a.ts', text: 'one', replacement: 'two', says: 'Wrong.' }
  expect(plant('just one', bug)).toBe('just two')
  expect(() => plant('two', bug)).toThrow('a.ts holds 0 times: one')
  expect(() => plant('one one', bug)).toThrow('a.ts holds 2 times: one')
})

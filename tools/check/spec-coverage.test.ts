import { existsSync, readFileSync } from 'node:fs'
import { ENDPOINTS } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

type Row = { readonly line: string; readonly file: string; readonly title: string }

/** The rows of the tables of docs/spec-coverage.md: a line of the specification and the test that fails without it. */
const rows: readonly Row[] = read('docs/spec-coverage.md')
  .split('\n')
  .flatMap((text) => {
    const [, line, file, title] =
      /^\| (.+?) +\| `([^`]+\.(?:test|spec)\.tsx?)` +\| (.+?) +\|$/.exec(text) ?? []
    return line && file && title ? [{ line, file, title }] : []
  })

/** A path in backticks, with its query left out. */
const pathsIn = (line: string): string[] => [...line.matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path)

/** Screens of ours that the specification does not have. */
const OWN = [
  '/rank/strategy',
  '/rank/method',
  '/rank/start',
  '/rank/copy',
  '/mine/terms',
  '/mine/activity',
  '/mine/data',
  '/mine/notices',
  '/mine/strategy',
  '/mine/text',
]

describe('the table of the specification', () => {
  test('has a row for each of its screens, calls and rules', () => {
    expect(rows.length).toBeGreaterThan(140)
  })

  test.each(rows)('$line: its test exists', ({ file, title }) => {
    expect(existsSync(new URL(file, ROOT)), file).toBe(true)
    expect(read(file)).toContain(title)
  })

  test('names every screen of the app but ours', () => {
    const screens = [...read('apps/web/src/app/routes.ts').matchAll(/ path: '([^']+)'/g)].map(
      ([, path = '']) => path,
    )
    const named = rows.flatMap(({ line }) => pathsIn(line))
    expect(screens.length).toBeGreaterThan(30)
    expect(screens.filter((path) => !named.includes(path) && !OWN.includes(path))).toEqual([])
  })

  test('names only calls that the API has', () => {
    const served = ENDPOINTS.map(({ path }) => path)
    const calls = rows.flatMap(({ line }) => pathsIn(line)).filter((path) => /^\/(api|v1)\//.test(path))
    expect(calls.length).toBeGreaterThan(45)
    expect(calls.filter((path) => !served.includes(path as (typeof served)[number]))).toEqual([])
  })
})

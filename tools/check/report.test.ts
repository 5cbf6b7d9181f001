import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repeatFailures } from './repeat.ts'
import { honestReport, journeyArguments, playwrightReport, readJson, type Report } from './report.ts'
import { run } from './run.ts'
import type { Verdict } from './step.ts'

const FILES: Readonly<Record<string, string>> = {
  'none.config.ts': "export default { test: { include: ['*.test.mjs'], watch: false } }",
  'good.test.mjs': `import { expect, it } from 'vitest'
    it('good', () => expect(1).toBe(1))
    it.skip('skipped', () => {})`,
  'always.test.mjs': `import { expect, it } from 'vitest'
    it('good', () => expect(1).toBe(1))
    it('bad', () => expect(1).toBe(2))`,
  // Fails while there is no mark of an earlier run.
  'first-time.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'
    import { expect, it } from 'vitest'
    const mark = new URL('mark', import.meta.url)
    it('good', () => expect(1).toBe(1))
    it('is good the second time', () => {
      const wasHere = existsSync(mark)
      writeFileSync(mark, '')
      expect(wasHere).toBe(true)
    })`,
  'outside.test.mjs': `import { it } from 'vitest'
    it('good', async () => {
      setTimeout(() => { throw new Error('thrown outside any test') })
      await new Promise((resolve) => setTimeout(resolve, 50))
    })`,
  'unloadable.test.mjs': "import './nowhere.mjs'",
}

describe('what failed in a run of vitest', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairlot-report-'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function report(files: readonly string[]): Promise<Report> {
    const path = join(folder, 'report.json')
    rmSync(path, { force: true })
    const args = ['tools/check/vitest.ts', `--report=${path}`, `--root=${folder}`, '--config=none.config.ts']
    const { code } = await run('node', [...args, ...files], { output: 'keep' })
    return honestReport(readJson<Report>(path), code)
  }

  async function judge(file: string): Promise<Verdict & { readonly repeated: readonly string[] }> {
    const repeated: string[] = []
    const verdict = await repeatFailures(await report([file]), (name) => {
      repeated.push(name)
      return report([name])
    })
    return { ...verdict, repeated }
  }

  it('is nothing where all is good, and nothing is repeated', async () => {
    expect(await judge('good.test.mjs')).toEqual({
      isGood: true,
      counts: { passed: 1, failed: 0, skipped: 1 },
      repeated: [],
    })
  })

  it('is unsteady where it passes by itself', async () => {
    expect(await judge('first-time.test.mjs')).toMatchObject({
      isGood: true,
      counts: { passed: 2, failed: 0, skipped: 0 },
      repeated: ['first-time.test.mjs'],
      unsteady: [
        {
          name: 'first-time.test.mjs',
          error: 'is good the second time: expected false to be true // Object.is equality',
        },
      ],
    })
  })

  it('has failed where it fails again', async () => {
    expect(await judge('always.test.mjs')).toEqual({
      isGood: false,
      counts: { passed: 1, failed: 1, skipped: 0 },
      repeated: ['always.test.mjs'],
      unsteady: [],
    })
  })

  it('includes an error that no test asserted, by the file it came from', async () => {
    const { failures } = await report(['outside.test.mjs'])
    expect(failures).toEqual([
      {
        name: 'outside.test.mjs',
        error: 'thrown outside any test',
        counts: { passed: 1, failed: 0, skipped: 0 },
      },
    ])
    expect(await judge('outside.test.mjs')).toMatchObject({
      isGood: false,
      counts: { passed: 1, failed: 1, skipped: 0 },
    })
  })

  it('includes a file that does not load', async () => {
    expect(await judge('unloadable.test.mjs')).toMatchObject({
      isGood: false,
      counts: { passed: 0, failed: 1, skipped: 0 },
      repeated: ['unloadable.test.mjs'],
    })
  })
})

describe('a verdict', () => {
  const passed = { passed: 1, failed: 0, skipped: 0 }
  const failed = { passed: 0, failed: 1, skipped: 0 }
  const good: Report = { counts: passed, failures: [] }
  const nameless = { name: null, error: 'a worker ended', counts: { passed: 0, failed: 0, skipped: 0 } }
  const named = { name: 'a', error: 'wrong', counts: failed }
  const again = (): Promise<Report> => Promise.resolve(good)

  it('forgives an error that nothing names with the failures beside it, never alone', async () => {
    const beside: Report = { counts: failed, failures: [named, nameless] }
    expect(await repeatFailures(beside, again)).toMatchObject({ isGood: true, counts: passed })
    expect(await repeatFailures({ counts: passed, failures: [nameless] }, again)).toEqual({
      isGood: false,
      counts: { ...passed, failed: 1 },
    })
  })

  it('repeats nothing where more failed than chance explains', async () => {
    const failures = Array.from({ length: 21 }, (_, index) => ({ ...named, name: String(index) }))
    const counts = { ...failed, failed: 21 }
    expect(await repeatFailures({ counts, failures }, again)).toEqual({ isGood: false, counts })
  })

  it('is bad for a run without a report, without a test, or with a bad end', () => {
    expect(honestReport(good, 0)).toEqual(good)
    expect(honestReport(good, 1).failures).toEqual([{ ...nameless, error: 'the run ended with 1' }])
    expect(honestReport(null, 0).failures).toEqual([{ ...nameless, error: 'no test ran' }])
    expect(honestReport({ counts: failed, failures: [named] }, 1).failures).toEqual([named])
  })
})

describe('what failed in a run of the journeys', () => {
  const spec = (title: string, status: 'expected' | 'unexpected' | 'flaky', error?: string) => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    tests: [{ projectName: 'phone', status, results: [{ ...(error && { error: { message: error } }) }] }],
  })
  const journeys = {
    stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 3 },
    suites: [
      {
        specs: [spec('good', 'expected')],
        suites: [{ specs: [spec('bad', 'unexpected', '\u001b[31mno\u001b[39m\nmore')] }],
      },
      { specs: [spec('flaky', 'flaky', 'once')] },
    ],
    errors: [{ message: 'a file does not load' }],
  }

  it('are the bad and the flaky ones, and errors outside them', () => {
    const { counts, failures } = playwrightReport(journeys)
    expect(counts).toEqual({ passed: 5, failed: 2, skipped: 3 })
    expect(failures.map(({ name, error }) => [name, error])).toEqual([
      ['a.spec.ts:7 [phone]', 'bad: no'],
      ['a.spec.ts:7 [phone]', 'flaky: once'],
      [null, 'a file does not load'],
    ])
  })

  it('runs again by its line and project', () => {
    expect(journeyArguments('a.spec.ts:7 [phone]')).toEqual(['a.spec.ts:7', '--project=phone'])
  })
})

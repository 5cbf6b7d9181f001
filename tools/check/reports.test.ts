import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultsVerdict, honestCounts, playwrightCounts, vitestCounts } from './reports.ts'
import { run } from './run.ts'

describe('test reports', () => {
  let folder = ''
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fairlot-reports-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it("reads vitest's own report of a run with a good, a bad and a skipped test", async () => {
    write(
      'three.test.mjs',
      `import { it, expect } from 'vitest'
       it('good', () => {})
       it('bad', () => expect(1).toBe(2))
       it.skip('skipped', () => {})`,
    )
    const path = join(folder, 'report.json')
    const args = ['run', '--config=none.ts', `--root=${folder}`, '--reporter=json', `--outputFile=${path}`]
    write('none.ts', "export default { test: { include: ['*.test.mjs'] } }")
    const { code } = await run('vitest', args, { output: 'keep' })
    expect(code).toBe(1)
    expect(vitestCounts(path)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  })

  it('counts a flaky journey as failed', () => {
    const path = write('p.json', '{ "stats": { "expected": 5, "unexpected": 1, "flaky": 2, "skipped": 3 } }')
    expect(playwrightCounts(path)).toEqual({ passed: 5, failed: 3, skipped: 3 })
  })

  it('has no counts where there is no report', () => {
    expect(vitestCounts(join(folder, 'none.json'))).toBeNull()
    expect(playwrightCounts(write('broken.json', '{'))).toBeNull()
  })

  it('never calls a run good that failed outside its tests or ran none', () => {
    const good = { passed: 3, failed: 0, skipped: 0 }
    expect(honestCounts(good, 0)).toEqual(good)
    expect(honestCounts(good, 1).failed).toBe(1)
    expect(honestCounts({ ...good, failed: 2 }, 1).failed).toBe(2)
    expect(honestCounts({ ...good, passed: 0 }, 0).failed).toBe(1)
    expect(honestCounts(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('the faults', () => {
  it('may be left out only where PostgreSQL may be missing', () => {
    expect(faultsVerdict(2, false)).toEqual({ isGood: true, counts: { passed: 0, failed: 0, skipped: 1 } })
    expect(faultsVerdict(2, true)).toEqual({ isGood: false, counts: { passed: 0, failed: 1, skipped: 0 } })
  })

  it.each([false, true])('are good when nothing was lost, PostgreSQL required: %s', (isRequired) => {
    expect(faultsVerdict(0, isRequired).isGood).toBe(true)
    expect(faultsVerdict(1, isRequired).isGood).toBe(false)
  })
})

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCounts } from './counts.ts'
import { reportOf, type ReportOptions } from './report.ts'

const OPTIONS: ReportOptions = { episode: undefined, demandsEveryState: false, seconds: 1 }
const TIMEOUT_MS = 60_000

describe('npm run sim', { timeout: TIMEOUT_MS }, () => {
  const run = (...args: string[]) => {
    const program = resolve(import.meta.dirname, 'run.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  it('exits with 0 and lists the rare states that were not reached', () => {
    const { status, stdout, stderr } = run('--steps', '60', '--seed', '3')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^rare states not reached \(\d+\): .*closed by operator buy/m)
    expect(stdout).toContain('60 steps, seed 3')
    expect(status).toBe(0)
  })

  it('exits with 1 for the same run with --every-state', () => {
    expect(run('--steps', '60', '--seed', '3', '--every-state').status).toBe(1)
  })
})

describe('the report of a simulation', () => {
  it('exits with 1 for a difference, and says where it was and how to repeat it', () => {
    const trouble = { episode: 7, step: 12, command: 'place', problems: ['account 1 figures.balance'] }
    const simulation = { steps: 12, seed: 5, counts: createCounts(), trouble }
    const { errors, exitCode } = reportOf(simulation, 200, OPTIONS)
    expect(exitCode).toBe(1)
    expect(errors).toContain('episode 7, step 12, command place')
    expect(errors).toContain('account 1 figures.balance')
    expect(errors).toContain('again: npm run sim -- --steps 200 --seed 5 --episode 7')
  })

  it('does not require every state of a single episode', () => {
    const simulation = { steps: 12, seed: 5, counts: createCounts(), trouble: null }
    const { lines, exitCode } = reportOf(simulation, 200, { ...OPTIONS, episode: 7, demandsEveryState: true })
    expect(exitCode).toBe(0)
    expect(lines.join('\n')).not.toContain('not reached')
  })

  it('exits with 0 once every state was reached', () => {
    const counts = createCounts()
    for (const name of counts.all.keys()) counts.hit(name)
    const simulation = { steps: 12, seed: 5, counts, trouble: null }
    const { lines, exitCode } = reportOf(simulation, 12, { ...OPTIONS, demandsEveryState: true })
    expect(exitCode).toBe(0)
    expect(lines.at(-1)).toBe('12 steps, seed 5, 1.0 s: 0 violations, 0 differences')
  })
})

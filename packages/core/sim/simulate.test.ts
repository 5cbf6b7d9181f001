import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { availableOf, houseOf, money } from '../src/index.ts'
import { createChapter } from './chapter.ts'
import { createCounts, neverReached, RAREST } from './counts.ts'
import { createRandom } from '../../../testing/random.ts'
import { restart } from './restart.ts'
import { runChapter } from './run-chapter.ts'
import { simulate } from './simulate.ts'

const TIMEOUT_MS = 240_000
/** One that meets them within these steps. */
const SEED = 6

describe('the core does what its reference model does', { timeout: TIMEOUT_MS }, () => {
  it('for 80,000 steps that meet every rare state but the rarest', () => {
    const { trouble, counts } = simulate({ steps: 80_000, seed: SEED })
    expect(trouble).toBeNull()
    expect(neverReached(counts).filter((name) => !RAREST.includes(name))).toEqual([])
  })

  it('for 5,000 steps from a seed of today', () => {
    const seed = randomInt(2 ** 31)
    console.log(`simulation: seed ${seed}`)
    expect(simulate({ steps: 5_000, seed }).trouble).toBeNull()
  })
})

describe('the simulation', { timeout: TIMEOUT_MS }, () => {
  const started = () => {
    const chapter = createChapter(createRandom(2), 1, createCounts())
    expect(runChapter(chapter, 400)).toBeNull()
    return chapter
  }
  it('repeats itself for the same seed', () => {
    const run = () => [...simulate({ steps: 1_000, seed: 4 }).counts.all]
    expect(run()).toEqual(run())
  })

  it('notices the smallest sum that moved without a row', () => {
    const chapter = started()
    const { balances } = chapter.host.core.state.ledger
    const [user, house] = [balances.get(availableOf(1)), balances.get(houseOf('demo', 'fees'))]
    if (!user || !house) throw new Error('the chapter charged no fee')
    user.balance = money(user.balance + 1n)
    house.balance = money(house.balance - 1n)
    // On the account, or on the next row that the house books.
    expect(runChapter(chapter, 400)?.problems.join()).toMatch(/account 1 figures\.balance|creditBalance/)
  })

  it('notices a trigger that is no longer watched', () => {
    const chapter = started()
    const watched = chapter.model.living.find((order) => order.status === 'pending')
    if (!watched) throw new Error('the chapter has no pending order')
    chapter.host.core.triggers.forget(watched.orderId)
    expect(runChapter(chapter, 400)?.problems.join()).toContain(`order ${watched.orderId}`)
  })

  it('notices a journal that lost its last entry', () => {
    const { host, random } = started()
    const { journal, core } = host
    expect(restart(journal, core.state, random).faults).toEqual([])
    journal.entries.pop()
    expect(restart(journal, core.state, random).faults).toContain('I15 a replay leads to another state')
  })
})

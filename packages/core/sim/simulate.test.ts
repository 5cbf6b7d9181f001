import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { availableOf, brokerAccountOf, money } from '../src/index.ts'
import { createEpisode } from './episode.ts'
import { createCounts, neverReached, RAREST } from './counts.ts'
import { createRandom } from '../../../testing/random.ts'
import { restart } from './restart.ts'
import { runEpisode } from './simulate.ts'
import { simulate } from './simulate.ts'

const TIMEOUT_MS = 240_000
/** A seed that reaches them within these steps. */
const SEED = 16

describe('the core agrees with its reference model', { timeout: TIMEOUT_MS }, () => {
  it('for 100,000 steps that reach every rare state except the rarest', () => {
    const { trouble, counts } = simulate({ steps: 100_000, seed: SEED })
    expect(trouble).toBeNull()
    expect(neverReached(counts).filter((name) => !RAREST.includes(name))).toEqual([])
  })

  it('for 5,000 steps from a random seed', () => {
    const seed = randomInt(2 ** 31)
    console.log(`simulation: seed ${seed}`)
    expect(simulate({ steps: 5_000, seed }).trouble).toBeNull()
  })
})

describe('the simulation', { timeout: TIMEOUT_MS }, () => {
  const started = () => {
    const episode = createEpisode(createRandom(8), 1, createCounts())
    expect(runEpisode(episode, 400)).toBeNull()
    return episode
  }
  it('gives the same result for the same seed', () => {
    const run = () => [...simulate({ steps: 1_000, seed: 4 }).counts.all]
    expect(run()).toEqual(run())
  })

  it('detects the smallest amount that moves without a ledger row', () => {
    const episode = started()
    const { balances } = episode.host.core.state.ledger
    const [user, brokerAccount] = [
      balances.get(availableOf(1)),
      balances.get(brokerAccountOf('demo', 'fees')),
    ]
    if (!user || !brokerAccount) throw new Error('the episode charged no fee')
    user.balance = money(user.balance + 1n)
    brokerAccount.balance = money(brokerAccount.balance - 1n)
    // Found in the account, or in the broker's next ledger row.
    expect(runEpisode(episode, 400)?.problems.join()).toMatch(/account 1 figures\.balance|creditBalance/)
  })

  it('detects a trigger that is no longer watched', () => {
    const episode = started()
    const watched = episode.model.active.find((order) => order.status === 'pending')
    if (!watched) throw new Error('the episode has no pending order')
    episode.host.core.triggers.forget(watched.orderId)
    expect(runEpisode(episode, 400)?.problems.join()).toContain(`order ${watched.orderId}`)
  })

  it('detects an alert that is no longer watched', () => {
    const episode = started()
    const [watched] = episode.model.alerts
    if (!watched) throw new Error('the episode has no alert')
    episode.host.core.alerts.forget(watched.id, watched.accountId)
    expect(runEpisode(episode, 400)?.problems.join()).toContain(`alert ${watched.id}`)
  })

  it('detects a journal without its last entry', () => {
    const { host, random } = started()
    const { journal, core } = host
    expect(restart(journal, core.state, random).faults).toEqual([])
    journal.entries.pop()
    expect(restart(journal, core.state, random).faults).toContain('I15 a replay leads to another state')
  })
})

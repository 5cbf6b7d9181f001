import { checkRound } from './check.ts'
import type { Harness } from './harness.ts'
import { lastOutput, ready } from './server.ts'
import type { Tally } from './tally.ts'
import { STILL_MS } from './moving-prices.ts'
import { pause } from '../testing/wait.ts'

/** How long traders trade before a fault strikes, ms. */
const TRADE_MIN_MS = 80
const TRADE_MAX_MS = 450

/**
 * Causes the fault and removes it; resolves with the time of the removal (`performance.now()`). It moves the price of
 * the watched orders while the server cannot receive it.
 */
export type Strike = (harness: Harness, tally: Tally) => Promise<number>

/** A round: trading, fault, recovery, checks. */
export async function playRound(harness: Harness, tally: Tally, strike: Strike): Promise<void> {
  const { server, source, watched, random, desk, cashier } = harness
  source.mode = 'moving'
  await watched.place()
  await cashier?.prepare()
  const load = harness.startLoad()
  desk?.work()
  await pause(random.int(TRADE_MIN_MS, TRADE_MAX_MS))
  const removedAt = await strike(harness, tally)
  await ready(server)
  tally.readyMs.push(performance.now() - removedAt)
  // A restarted server must be told to work again.
  desk?.work()
  await watched.fired()
  tally.watchingMs.push(performance.now() - removedAt)
  await load.stop()
  await desk?.rest()
  source.mode = 'calm'
  await watched.end()
  // An order with a target beyond the last price fires with the next one: prices must be constant during the checks.
  await pause(STILL_MS)
  await checkRound(harness, tally)
  tally.wrong.push(...watched.check(harness.journal))
  if (!server.isRunning()) tally.wrong.push(`the server ended by itself; it printed: ${lastOutput(server)}`)
  tally.rounds += 1
}

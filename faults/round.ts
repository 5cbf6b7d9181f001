import { checkRound } from './check.ts'
import type { Floor } from './floor.ts'
import { lastOutput, ready } from './server.ts'
import type { Tally } from './tally.ts'
import { STILL_MS } from './moving-prices.ts'
import { pause } from '../testing/wait.ts'

/** Traders are let trade so long before a fault strikes, ms. */
const CALM_LEAST_MS = 80
const CALM_MOST_MS = 450

/**
 * Brings the fault about and takes its cause away again; answers when that was (`performance.now()`). It moves the watched
 * orders' price at a moment when nobody hears it.
 */
export type Strike = (floor: Floor, tally: Tally) => Promise<number>

/** Trade, fault, recovery, questions. */
export async function playRound(floor: Floor, tally: Tally, strike: Strike): Promise<void> {
  const { server, source, watched, random, desk, cashier } = floor
  source.mode = 'moving'
  await watched.place()
  await cashier?.prepare()
  const load = floor.startLoad()
  desk?.work()
  await pause(random.int(CALM_LEAST_MS, CALM_MOST_MS))
  const removedAt = await strike(floor, tally)
  await ready(server)
  tally.readyMs.push(performance.now() - removedAt)
  // One that was killed has forgotten that it was at work.
  desk?.work()
  await watched.fired()
  tally.watchingMs.push(performance.now() - removedAt)
  await load.stop()
  await desk?.rest()
  source.mode = 'calm'
  await watched.end()
  // An order placed beyond the last price fires with the next: nothing may move while it is looked at.
  await pause(STILL_MS)
  await checkRound(floor, tally)
  tally.wrong.push(...watched.check(floor.truth))
  if (!server.isRunning()) tally.wrong.push(`the server ended by itself; it printed: ${lastOutput(server)}`)
  tally.rounds += 1
}

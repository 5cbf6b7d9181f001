import type { Trader } from './client.ts'
import type { Harness } from './harness.ts'
import type { Note } from './answer-log.ts'
import type { Strike } from './round.ts'
import type { Tally } from './tally.ts'
import { pause } from '../testing/wait.ts'

const AWAY_TICKS = 8
const JUMP_TICKS = 60
/**
 * 27 lots use so much margin that a fall of 1900 ticks, within the guard's band, brings the level below the stop-out.
 */
const LARGE_LOTS = 270_000
const FALL_TICKS = 1_900
const KINDS = ['takeProfit', 'stopLoss', 'stopOut'] as const
const RACE_MS = 30

/**
 * Two closes race with a take profit, a stop loss or a stop-out of the same order: one wins, the others are rejected.
 */
export const raceCloses: Strike = async (harness, tally) => {
  const { source, watched, random } = harness
  source.mode = 'calm'
  await pause(120)
  const kind = KINDS[tally.rounds % KINDS.length] ?? 'stopOut'
  const racers = kind === 'stopOut' ? [await openLargePosition(harness)] : await openSmall(harness)
  const jumpTicks = { takeProfit: JUMP_TICKS, stopLoss: -JUMP_TICKS, stopOut: -FALL_TICKS }[kind]
  const races = Promise.all(
    racers.map(({ trader, orderId }) => closeTwice(trader, orderId, random.int(0, RACE_MS))),
  )
  await pause(random.int(0, RACE_MS))
  source.set('EURUSD', source.bid('EURUSD') + jumpTicks)
  source.publishAll()
  for (const closes of await races) checkRace(closes, tally)
  source.mode = 'moving'
  watched.jump('always')
  return performance.now()
}

type Racer = { readonly trader: Trader; readonly orderId: number }

const racerOf = (trader: Trader, { orderId, reason }: Note): Racer => {
  if (orderId === null) throw new Error(`an order to race for was not accepted: ${reason}`)
  return { trader, orderId }
}

const openSmall = (harness: Harness): Promise<Racer[]> =>
  Promise.all(harness.traders.map((trader, index) => openBetween(harness, trader, index % 2 === 0)))

/** A position that a fall of the price stops out, on an account that is reset each time. */
async function openLargePosition({ gambler, idOf }: Harness): Promise<Racer> {
  await gambler.reset()
  const note = await gambler.submit({ instrumentId: idOf('EURUSD'), side: 'buy', lots: LARGE_LOTS })
  return racerOf(gambler, note)
}

/** A position with one stop above and one below the price. */
async function openBetween({ source, idOf }: Harness, trader: Trader, isBuy: boolean): Promise<Racer> {
  const near = isBuy ? source.bid('EURUSD') : source.ask('EURUSD')
  const [above, below] = [near + AWAY_TICKS, near - AWAY_TICKS]
  const note = await trader.submit({
    instrumentId: idOf('EURUSD'),
    side: isBuy ? 'buy' : 'sell',
    takeProfit: isBuy ? above : below,
    stopLoss: isBuy ? below : above,
  })
  return racerOf(trader, note)
}

async function closeTwice(trader: Trader, orderId: number, afterMs: number): Promise<readonly Note[]> {
  await pause(afterMs)
  return Promise.all([trader.close(orderId), trader.close(orderId)])
}

function checkRace(closes: readonly Note[], tally: Tally): void {
  const winners = closes.filter(({ reading }) => reading === 'acknowledged')
  const others = closes.filter((close) => !winners.includes(close))
  if (winners.length > 1)
    tally.wrong.push(`order ${winners[0]?.orderId} was closed by ${winners.length} callers`)
  for (const { reason } of others) {
    if (reason !== 'alreadyClosed')
      tally.wrong.push(`a close that came too late was rejected with "${reason}"`)
  }
}

import type { Trader } from './client.ts'
import type { Floor } from './floor.ts'
import type { Note } from './notebook.ts'
import type { Strike } from './round.ts'
import type { Tally } from './tally.ts'
import { pause } from './wait.ts'

const AWAY_TICKS = 8
const JUMP_TICKS = 60

/** Two closes, a take profit or a stop loss, all at once on the same order: exactly one wins, the others are told. */
export const raceCloses: Strike = async (floor, tally) => {
  const { source, watched, traders, chance } = floor
  source.mode = 'calm'
  await pause(120)
  const opened = await Promise.all(
    traders.map((trader, index) => openBetween(floor, trader, index % 2 === 0)),
  )
  const isRising = chance.oneIn(2)
  const races = opened.map(
    ({ trader, note }) => note.orderId !== null && closeTwice(trader, note.orderId, chance.between(0, 25)),
  )
  await pause(chance.between(0, 20))
  source.set('EURUSD', source.bid('EURUSD') + (isRising ? JUMP_TICKS : -JUMP_TICKS))
  source.sayAll()
  for (const closes of await Promise.all(races)) {
    if (closes === false) tally.wrong.push('an order to race for was not accepted')
    else judge(closes, tally)
  }
  source.mode = 'moving'
  watched.jump('always')
  return performance.now()
}

/** A position with one stop above and one below the price. */
async function openBetween({ source, idOf }: Floor, trader: Trader, isBuy: boolean) {
  const near = isBuy ? source.bid('EURUSD') : source.ask('EURUSD')
  const [above, below] = [near + AWAY_TICKS, near - AWAY_TICKS]
  const note = await trader.submit({
    instrumentId: idOf('EURUSD'),
    side: isBuy ? 'buy' : 'sell',
    takeProfit: isBuy ? above : below,
    stopLoss: isBuy ? below : above,
  })
  return { trader, note }
}

async function closeTwice(trader: Trader, orderId: number, afterMs: number): Promise<readonly Note[]> {
  await pause(afterMs)
  return Promise.all([trader.close(orderId), trader.close(orderId)])
}

function judge(closes: readonly Note[], tally: Tally): void {
  const winners = closes.filter(({ told }) => told === 'acknowledged')
  const others = closes.filter((close) => !winners.includes(close))
  if (winners.length > 1)
    tally.wrong.push(`order ${winners[0]?.orderId} was closed by ${winners.length} callers`)
  for (const { reason } of others) {
    if (reason !== 'alreadyClosed') tally.wrong.push(`a close that came too late was told "${reason}"`)
  }
}

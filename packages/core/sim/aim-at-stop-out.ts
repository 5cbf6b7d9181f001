/** Prices that bring an account exactly to its stop-out, which random prices would hardly ever do. */
import type { Instrument } from '../src/index.ts'
import type { Random } from '../../../testing/random.ts'
import { distanceToStopOut, isPriced } from './reference/figures.ts'
import { positionsOf, type ReferenceModel } from './reference/state.ts'

/** How far the bid has to move, in ticks; null where no account reaches its stop-out within `reach` ticks. */
export function aimAtStopOut(
  model: ReferenceModel,
  instrument: Instrument,
  random: Random,
  reach: number,
): number | null {
  const quote = model.quotes.get(instrument.id)
  const order = random.pick([
    null,
    ...model.active.filter(
      ({ status, instrumentId }) => status === 'holding' && instrumentId === instrument.id,
    ),
  ])
  if (!quote || !order || !isPriced(model, order.accountId)) return null
  const adverseSign = netLots(model, order.accountId, instrument.id) >= 0 ? -1 : 1
  const isReached = (ticks: number): boolean => {
    const moved = { ...quote, bid: quote.bid + adverseSign * ticks, ask: quote.ask + adverseSign * ticks }
    const quotes = new Map(model.quotes).set(instrument.id, moved)
    return (distanceToStopOut({ ...model, quotes }, order.accountId) ?? 1n) <= 0n
  }
  if (isReached(0) || !isReached(reach)) return null
  let [least, most] = [0, reach]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (isReached(middle)) most = middle
    else least = middle
  }
  return adverseSign * random.pick([most, most, least, most + 1])
}

const netLots = (model: ReferenceModel, accountId: number, instrumentId: number): number =>
  positionsOf(model, accountId)
    .filter((order) => order.instrumentId === instrumentId)
    .reduce((sum, { side, lots }) => sum + (side === 'buy' ? lots : -lots), 0)

/**
 * Stop-out in the reference model (trading-rules §4): the margin level of all accounts affected is computed on every
 * tick.
 */
import { distanceToStopOut, isPriced, referenceFloating } from './figures.ts'
import { cancel, close, type End } from './deals.ts'
import type { PlainReceiptTick } from '../plain-types.ts'
import { asTick } from './receipt.ts'
import { barOf, isFreshAt, referenceMarket, conversionPairsOf, type ReferenceMarket } from './market.ts'
import { settleAccount } from './due-work.ts'
import {
  byId,
  instrumentOf,
  ordersOf,
  positionsOf,
  type Moment,
  type ReferenceModel,
  type ReferenceOrder,
} from './state.ts'

/** Accounts whose equity depends on an instrument: by a position on it, or by one that converts through it. */
export const accountsOn = (model: ReferenceModel, instrumentId: number): number[] =>
  model.accounts
    .map(({ id }) => id)
    .filter((accountId) =>
      positionsOf(model, accountId).some(
        (order) =>
          order.instrumentId === instrumentId ||
          conversionPairsOf(model, instrumentOf(model, order)).some(({ id }) => id === instrumentId),
      ),
    )

export function* stopOutAll(
  model: ReferenceModel,
  accountIds: readonly number[],
  moment: Moment,
): Generator<void, void, void> {
  for (const accountId of accountIds.toSorted((a, b) => a - b)) {
    if (isStoppedOut(model, accountId) || isSettledNext(moment, accountId))
      yield* settleAccount(model, accountId, moment)
    yield* stopOut(model, accountId, moment)
  }
}

/**
 * Due work of an account comes before its stop-out. Whether the core settled an account that is not stopped out is
 * left open: there it may come now or later.
 */
function isSettledNext({ core, events }: Moment, accountId: number): boolean {
  const next = core[events.length]
  const isDue =
    next?.type === 'swapBooked' || (next?.type === 'orderCancelled' && next.reason === 'withdrawnByOperator')
  return isDue && next.accountId === accountId
}

/**
 * Cancels all pending orders, newest first; then closes the position with the largest loss that can be closed, until
 * the level is above. While none can be closed everything waits.
 */
function* stopOut(
  model: ReferenceModel,
  accountId: number,
  { at, events }: Moment,
): Generator<void, void, void> {
  while (isStoppedOut(model, accountId)) {
    const newest = ordersOf(model, accountId)
      .filter(({ status }) => status === 'pending')
      .toSorted(byId)
      .at(-1)
    const worst = largestLoss(model, accountId, at)
    if (!worst) {
      noteWaiting(model, accountId, at)
      return
    }
    const prices = pricesBehind(model, accountId)
    const end: End = { reason: 'stopOut', trigger: 'stopOut', at, events, prices }
    if (newest) cancel(model, newest, end)
    else close(model, worst, end)
    yield
  }
}

/** The prices of every instrument that the account holds and of every conversion pair. */
export function pricesBehind(model: ReferenceModel, accountId: number): PlainReceiptTick[] {
  const behind = positionsOf(model, accountId).flatMap((order) => {
    const instrument = instrumentOf(model, order)
    return [instrument, ...conversionPairsOf(model, instrument)]
  })
  return model.instruments
    .filter((instrument) => behind.includes(instrument))
    .flatMap(({ id }) => model.quotes.get(id) ?? [])
    .map(asTick)
    .toSorted((a, b) => a.instrumentId - b.instrumentId)
}

/** Notes why the remaining positions cannot be closed now. */
function noteWaiting(model: ReferenceModel, accountId: number, at: number): void {
  for (const order of positionsOf(model, accountId)) {
    const instrument = instrumentOf(model, order)
    const isFresh = isFreshAt(model, model.quotes.get(instrument.id), at)
    const other = isFresh ? 'a stale conversion' : 'a stale price'
    const bar = barOf(model, instrument, at, 'closing')
    const reason =
      bar === 'marketClosed' ? 'a closed market' : bar === 'marketHalted' ? 'the end of a halt' : other
    model.notes.push(`stop-out waits for ${reason}`)
  }
}

/** At or below the stop-out level; an account with a position that never had a price has no level. */
export function isStoppedOut(model: ReferenceModel, accountId: number): boolean {
  const distance = distanceToStopOut(model, accountId)
  if (distance === null) return false
  if (!isPriced(model, accountId)) {
    if (distance <= 0n) model.notes.push('stop-out waits for the price of another position')
    return false
  }
  if (distance === 0n) model.notes.push('margin level exactly at the stop-out')
  if (distance > 0n && distance <= 1_000n) model.notes.push('margin level just above the stop-out')
  return distance <= 0n
}

/** Among open instruments with fresh prices; of equal losses the older position. */
function largestLoss(
  model: ReferenceModel,
  accountId: number,
  at: number,
): { order: ReferenceOrder; market: ReferenceMarket } | null {
  const closable = positionsOf(model, accountId)
    .toSorted(byId)
    .flatMap((order) => {
      const market = referenceMarket(model, instrumentOf(model, order), at, 'closing')
      const profit = referenceFloating(model, order)
      return market && profit !== null ? [{ order, market, profit }] : []
    })
  const [worst, next] = closable.toSorted((a, b) => (a.profit < b.profit ? -1 : a.profit > b.profit ? 1 : 0))
  if (worst && worst.profit === next?.profit) model.notes.push('stop-out between equal losses')
  return worst ?? null
}

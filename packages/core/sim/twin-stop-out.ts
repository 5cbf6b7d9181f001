/** Stop-out once more (trading-rules §4): the level of everybody concerned is worked out on every tick. */
import { distanceToStopOut, isPriced, twinFloating } from './twin-figures.ts'
import { cancel, close, type End } from './twin-deals.ts'
import type { PlainReceiptTick } from './plain.ts'
import { asTick } from './twin-receipt.ts'
import { barOf, isFreshAt, twinMarket, wayOf, type TwinMarket } from './twin-market.ts'
import { settleAccount } from './twin-due.ts'
import {
  byId,
  instrumentOf,
  ordersOf,
  positionsOf,
  type Moment,
  type Twin,
  type TwinOrder,
} from './twin-state.ts'

/** Accounts whose worth depends on an instrument: by a position on it, or by one that converts through it. */
export const accountsOn = (twin: Twin, instrumentId: number): number[] =>
  twin.accounts
    .map(({ id }) => id)
    .filter((accountId) =>
      positionsOf(twin, accountId).some(
        (order) =>
          order.instrumentId === instrumentId ||
          wayOf(twin, instrumentOf(twin, order)).some(({ id }) => id === instrumentId),
      ),
    )

export function* stopOutAll(
  twin: Twin,
  accountIds: readonly number[],
  moment: Moment,
): Generator<void, void, void> {
  for (const accountId of accountIds.toSorted((a, b) => a - b)) {
    if (isStoppedOut(twin, accountId) || isSettledNext(moment, accountId))
      yield* settleAccount(twin, accountId, moment)
    yield* stopOut(twin, accountId, moment)
  }
}

/**
 * What is due on an account comes before it is stopped out. Whether the core has looked at one that is not, nobody can say:
 * there what is due may come now or later.
 */
function isSettledNext({ core, events }: Moment, accountId: number): boolean {
  const next = core[events.length]
  const isDue =
    next?.type === 'swapBooked' || (next?.type === 'orderCancelled' && next.reason === 'withdrawnByOperator')
  return isDue && next.accountId === accountId
}

/**
 * All pending orders, the newest first; then the largest loss that can be closed, until the level is above. While none can
 * be closed the whole waits.
 */
function* stopOut(twin: Twin, accountId: number, { at, events }: Moment): Generator<void, void, void> {
  while (isStoppedOut(twin, accountId)) {
    const newest = ordersOf(twin, accountId)
      .filter(({ status }) => status === 'pending')
      .toSorted(byId)
      .at(-1)
    const worst = largestLoss(twin, accountId, at)
    if (!worst) {
      noteWhy(twin, accountId, at)
      return
    }
    const prices = pricesBehind(twin, accountId)
    const end: End = { reason: 'stopOut', trigger: 'stopOut', at, events, prices }
    if (newest) cancel(twin, newest, end)
    else close(twin, worst, end)
    yield
  }
}

/** Of every instrument that the account holds, and of every pair on the way to its money. */
function pricesBehind(twin: Twin, accountId: number): PlainReceiptTick[] {
  const behind = positionsOf(twin, accountId).flatMap((order) => {
    const instrument = instrumentOf(twin, order)
    return [instrument, ...wayOf(twin, instrument)]
  })
  return twin.instruments
    .filter((instrument) => behind.includes(instrument))
    .flatMap(({ id }) => twin.quotes.get(id) ?? [])
    .map(asTick)
    .toSorted((a, b) => a.instrumentId - b.instrumentId)
}

/** Why the rest cannot be closed now. */
function noteWhy(twin: Twin, accountId: number, at: number): void {
  for (const order of positionsOf(twin, accountId)) {
    const instrument = instrumentOf(twin, order)
    const isFresh = isFreshAt(twin, twin.quotes.get(instrument.id), at)
    const other = isFresh ? 'a stale conversion' : 'a stale price'
    const bar = barOf(twin, instrument, at)
    const why =
      bar === 'marketClosed' ? 'a closed market' : bar === 'marketHalted' ? 'the end of a halt' : other
    twin.notes.push(`stop-out waits for ${why}`)
  }
}

/** At or below the level; an account with a position that never had a price has no level. */
export function isStoppedOut(twin: Twin, accountId: number): boolean {
  const distance = distanceToStopOut(twin, accountId)
  if (distance === null) return false
  if (!isPriced(twin, accountId)) {
    if (distance <= 0n) twin.notes.push('stop-out waits for the price of another position')
    return false
  }
  if (distance === 0n) twin.notes.push('margin level exactly at the stop-out')
  if (distance > 0n && distance <= 1_000n) twin.notes.push('margin level a hair above the stop-out')
  return distance <= 0n
}

/** Among instruments that are open and fresh; of equal losses the older position. */
function largestLoss(
  twin: Twin,
  accountId: number,
  at: number,
): { order: TwinOrder; market: TwinMarket } | null {
  const closable = positionsOf(twin, accountId)
    .toSorted(byId)
    .flatMap((order) => {
      const market = twinMarket(twin, instrumentOf(twin, order), at)
      const profit = twinFloating(twin, order)
      return market && profit !== null ? [{ order, market, profit }] : []
    })
  const [worst, next] = closable.toSorted((a, b) => (a.profit < b.profit ? -1 : a.profit > b.profit ? 1 : 0))
  if (worst && worst.profit === next?.profit) twin.notes.push('stop-out between equal losses')
  return worst ?? null
}

import { dayReference } from '../alerts/alert-level.ts'
import { isSwitchedOff } from '../alerts/fire-alerts.ts'
import { isAtStopLoss } from '../copying/performance-fee.ts'
import { MAX_ALERTS, type Alert, type DayMoveCondition } from '../model/alert.ts'
import { brokerAccountOf, type LedgerKind } from '../model/ledger.ts'
import type { Core } from '../state/running-core.ts'
import type { Account, Exposure, State } from '../state/state.ts'
import { conversionOf, figuresOf } from '../margin/account-figures.ts'
import { exactProfit } from '../money/margin-fee-profit.ts'
import { addFractions, type Fraction } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import type { Order } from '../model/order.ts'
import { closingPrice } from '../model/quote.ts'
import type { TriggerKind, WatchedTrigger } from '../state/trigger-book.ts'
import type { AlertLevel, WatchedAlert } from '../state/alert-book.ts'
import { AWAITED, type WatchedBand } from '../state/margin-watch.ts'

/**
 * Every broken invariant of a core, as a text that names the account or order; empty when all is well. Everything is
 * computed again from its smallest parts, in one pass over accounts, orders, triggers, alerts and watched prices
 * (invariants I1, I4 to I7, I16, I17, I26 and I47).
 */
export const violations = (core: Core): string[] => [
  ...ledgerFaults(core.state),
  ...accountFaults(core.state),
  ...orderFaults(core.state),
  ...triggerFaults(core),
  ...watchFaults(core),
  ...copyingFaults(core.state),
  ...alertFaults(core),
]

/**
 * The broken invariants of one account and its active orders, without a pass over everything else, so that a live
 * server can check a few accounts at a time.
 */
export const violationsOf = (state: State, account: Account): string[] => [
  ...faultsOfAccount(state, account),
  ...faultsOfOrders(state, account.orders.values()),
]

/** Money is only moved, so each kind of it sums to zero. */
function* ledgerFaults(state: State): Generator<string> {
  const sums = { demo: 0n, real: 0n }
  for (const { id, balance } of state.ledger.balances.values()) {
    const kind = ledgerKindOf(state, id)
    if (kind) sums[kind] += balance
    else yield `ledger account ${id} belongs to nobody`
  }
  for (const kind of ['demo', 'real'] as const) {
    if (sums[kind] !== 0n) yield `the ${kind} ledger sums to ${sums[kind]} instead of zero`
  }
}

function ledgerKindOf(state: State, id: string): LedgerKind | undefined {
  const [owner, name] = id.split(':')
  if (owner === 'house') return name === 'demo' || name === 'real' ? name : undefined
  return state.accounts.get(Number(name))?.ledger
}

/** Sums and exposures match the orders, and no balance is below zero without a position. */
function* accountFaults(state: State): Generator<string> {
  for (const account of state.accounts.values()) yield* faultsOfAccount(state, account)
}

/** The same for one account. */
function* faultsOfAccount(state: State, account: Account): Generator<string> {
  const faults = [
    ...sumFaults(account),
    ...balanceFaults(state, account),
    ...exposureFaults(account),
    ...profitFaults(state, account),
  ]
  for (const fault of faults) yield `account ${account.id}: ${fault}`
}

const holdingOf = (account: Account): Order[] =>
  [...account.orders.values()].filter((order) => order.status === 'holding')

function* sumFaults(account: Account): Generator<string> {
  let margin = 0n
  let reserved = 0n
  for (const order of account.orders.values()) {
    if (order.status === 'holding') margin += order.margin
    else reserved += order.margin + order.fee
  }
  if (account.margin !== margin) yield `margin is ${account.margin}, its positions hold ${margin}`
  if (account.reserved !== reserved)
    yield `reserve is ${account.reserved}, its pending orders hold ${reserved}`
}

/** The frozen money of open withdrawals. */
function heldBy(state: State, { id }: Account): bigint {
  let held = 0n
  for (const open of state.cases.values())
    if (open.kind === 'withdrawal' && open.accountId === id) held += open.amount
  return held
}

function* balanceFaults(state: State, account: Account): Generator<string> {
  const { available, frozen } = account
  const held = heldBy(state, account)
  if (frozen.balance !== held) yield `frozen money is ${frozen.balance}, its withdrawals hold ${held}`
  if (available.balance < 0n && holdingOf(account).length === 0)
    yield `balance is ${available.balance} without a position`
  for (const balance of [available, frozen]) {
    if (state.ledger.balances.get(balance.id) !== balance)
      yield `${balance.id} is not the ledger's own balance`
  }
}

function* exposureFaults(account: Account): Generator<string> {
  const folded = new Map<number, Exposure>()
  for (const order of holdingOf(account)) addTo(folded, order)
  for (const instrumentId of new Set([...folded.keys(), ...account.exposures.keys()])) {
    const held = account.exposures.get(instrumentId)
    const expected = folded.get(instrumentId)
    if (!held || !expected || !isSame(held, expected))
      yield `exposure on instrument ${instrumentId} is not that of its positions`
  }
}

function addTo(exposures: Map<number, Exposure>, { instrumentId, side, lots, openPrice }: Order): void {
  const none = { longLots: 0n, longCost: 0n, shortLots: 0n, shortCost: 0n, count: 0 }
  const sum = exposures.get(instrumentId) ?? none
  const [size, cost] = [BigInt(lots), BigInt(lots) * BigInt(openPrice ?? 0)]
  exposures.set(
    instrumentId,
    side === 'buy'
      ? { ...sum, longLots: sum.longLots + size, longCost: sum.longCost + cost, count: sum.count + 1 }
      : { ...sum, shortLots: sum.shortLots + size, shortCost: sum.shortCost + cost, count: sum.count + 1 },
  )
}

const isSame = (a: Exposure, b: Exposure): boolean =>
  a.longLots === b.longLots &&
  a.longCost === b.longCost &&
  a.shortLots === b.shortLots &&
  a.shortCost === b.shortCost &&
  a.count === b.count

/** The displayed open profit is the exact sum over the positions, rounded once per instrument. */
function* profitFaults(state: State, account: Account): Generator<string> {
  const sums = new Map<number, Fraction>()
  for (const order of holdingOf(account)) {
    const profit = profitNow(state, order)
    if (profit) sums.set(order.instrumentId, addFractions(sums.get(order.instrumentId) ?? ZERO, profit))
  }
  const expected = [...sums.values()].reduce(
    (sum, part) => sum + divideRounded(part.numerator, part.denominator),
    0n,
  )
  const { profit } = figuresOf(state, account)
  if (profit !== expected) yield `open profit is ${profit}, its positions make ${expected}`
}

const ZERO: Fraction = { numerator: 0n, denominator: 1n }

function profitNow(state: State, order: Order): Fraction | null {
  const instrument = state.instruments.get(order.instrumentId)
  const quote = state.quotes.get(order.instrumentId)
  const conversion = instrument ? conversionOf(state, instrument) : null
  if (!instrument || !quote || !conversion || order.openPrice === null) return null
  const terms = { ...order, openPrice: order.openPrice }
  return exactProfit(instrument, terms, closingPrice(order.side, quote), conversion.rate)
}

/** An active order is known to its account, is pending or open, and has the fields of its status. */
function* orderFaults(state: State): Generator<string> {
  let listed = 0
  for (const account of state.accounts.values()) listed += account.orders.size
  if (listed !== state.orders.size)
    yield `accounts list ${listed} active orders, the state knows ${state.orders.size}`
  yield* faultsOfOrders(state, state.orders.values())
}

/** The same for some of the orders. */
function* faultsOfOrders(state: State, orders: Iterable<Order>): Generator<string> {
  for (const order of orders) {
    for (const fault of faultsOfOrder(state, order)) yield `order ${order.id}: ${fault}`
  }
}

function* faultsOfOrder(state: State, order: Order): Generator<string> {
  if (state.accounts.get(order.accountId)?.orders.get(order.id) !== order)
    yield `account ${order.accountId} does not list it`
  if (order.id > state.lastOrderId) yield `its id is above the last one given, ${state.lastOrderId}`
  if (!Number.isSafeInteger(order.lots) || order.lots <= 0) yield `holds ${order.lots} lots`
  if (order.margin < 0n || order.fee < 0n) yield `margin ${order.margin} or fee ${order.fee} is below zero`
  const isFilled = order.openPrice !== null && order.openPrice > 0 && order.openedAt !== null
  const isWaiting = order.openPrice === null && order.openedAt === null && order.targetPrice !== null
  if (order.status === 'holding' ? !isFilled : !isWaiting)
    yield `is ${order.status}, but its fields contradict that`
}

const KINDS: readonly TriggerKind[] = ['takeProfit', 'stopLoss', 'trail', 'target', 'expiry']

/**
 * Every active order is watched by the triggers of its status, on the correct side and direction, and by no others.
 */
function* triggerFaults({ state, triggers }: Pick<Core, 'state' | 'triggers'>): Generator<string> {
  const seen = new Set<number>()
  for (const watched of triggers.all()) {
    const order = state.orders.get(watched.orderId)
    if (!order || !isExpected(order, watched)) yield `${nameOf(watched)} is watched, but not expected`
    const key = watched.orderId * KINDS.length + KINDS.indexOf(watched.kind)
    if (seen.has(key)) yield `${nameOf(watched)} is watched twice`
    seen.add(key)
  }
  for (const order of state.orders.values()) {
    for (let place = 0; place < KINDS.length; place++) {
      const kind = KINDS[place]
      if (kind && levelOf(order, kind) !== null && !seen.has(order.id * KINDS.length + place))
        yield `order ${order.id}: its ${kind} is not watched`
    }
  }
}

const nameOf = ({ orderId, kind, level, watch }: WatchedTrigger): string =>
  `order ${orderId}: ${kind} at ${level} on ${watch}`

const isExpected = (order: Order, watched: WatchedTrigger): boolean =>
  levelOf(order, watched.kind) === watched.level &&
  watchOf(order, watched.kind) === watched.watch &&
  watched.instrumentId === (watched.kind === 'expiry' ? null : order.instrumentId)

function levelOf(order: Order, kind: TriggerKind): number | null {
  const isPending = order.status === 'pending'
  switch (kind) {
    case 'target':
      return isPending ? order.targetPrice : null
    case 'expiry':
      return isPending ? order.expiresAt : null
    case 'trail':
      return isPending ? null : trailLevel(order)
    case 'takeProfit':
    case 'stopLoss':
      return isPending ? null : order[kind]
  }
}

function trailLevel({ side, stopLoss, trailingDistance }: Order): number | null {
  if (stopLoss === null || trailingDistance === null) return null
  return side === 'buy' ? stopLoss + trailingDistance + 1 : stopLoss - trailingDistance - 1
}

/** A table of its own, so that it can detect a mistake in the trigger book's. */
const WATCHES = {
  buy: {
    takeProfit: 'bidUp',
    stopLoss: 'bidDown',
    trail: 'bidUp',
    limit: 'askDown',
    stop: 'askUp',
    market: undefined,
  },
  sell: {
    takeProfit: 'askDown',
    stopLoss: 'askUp',
    trail: 'askDown',
    limit: 'bidUp',
    stop: 'bidDown',
    market: undefined,
  },
} as const

const watchOf = (order: Order, kind: TriggerKind): WatchedTrigger['watch'] | undefined =>
  kind === 'expiry' ? 'time' : WATCHES[order.side][kind === 'target' ? order.kind : kind]

/**
 * Every account with margin is watched on every price it depends on. One at or below the stop-out level, as far as
 * its prices are known, is checked on every tick; for all others the current prices lie within their stop-out price
 * bands. Accounts that have just changed are not watched yet, and an unfinished tick has not checked all accounts it
 * concerns.
 */
function* watchFaults({ state, unfinished, marginWatch, dirtyAccounts }: Core): Generator<string> {
  if (unfinished) return
  const watched = new Map<number, WatchedBand[]>()
  for (const band of marginWatch.all()) {
    const bands = watched.get(band.accountId)
    if (bands) bands.push(band)
    else watched.set(band.accountId, [band])
  }
  for (const id of new Set([...watched.keys(), ...state.accounts.keys()])) {
    const account = state.accounts.get(id)
    if (dirtyAccounts.has(id)) continue
    const faults = faultsOfWatch(state, account, watched.get(id) ?? [])
    for (const fault of faults) yield `account ${id}: ${fault}`
  }
}

function* faultsOfWatch(
  state: State,
  account: Account | undefined,
  bands: readonly WatchedBand[],
): Generator<string> {
  const needed = account && account.margin > 0n ? pricesBehind(state, account) : new Set<number>()
  const missing = [...needed].filter((id) => !state.quotes.has(id))
  for (const { instrumentId } of bands)
    if (!needed.has(instrumentId))
      yield `is watched on instrument ${instrumentId}, which it does not depend on`
  // While prices are missing, only they need to be watched.
  for (const id of missing.length > 0 ? missing : needed) {
    const found = bands.find(({ instrumentId }) => instrumentId === id)
    if (!found) yield `is not watched on instrument ${id}`
    else if (account) yield* bandFaults(state, account, found)
  }
}

function* bandFaults(state: State, account: Account, { instrumentId, band }: WatchedBand): Generator<string> {
  const quote = state.quotes.get(instrumentId)
  if (!band || band.bidFloor === AWAITED.bidFloor) return
  const name = `the stop-out price band ${band.bidFloor} to ${band.askCeiling} on instrument ${instrumentId}`
  if (!quote) yield `${name} has no price to lie around`
  else if (quote.bid < band.bidFloor || quote.ask > band.askCeiling)
    yield `${name} does not hold ${quote.bid} / ${quote.ask}`
  const { equity, margin } = figuresOf(state, account)
  if (equity * 100n <= BigInt(state.settings.stopOutLevel) * margin)
    yield `${name} is not safe: equity is ${equity}, margin ${margin}`
  if (account.copy && account.copy.status !== 'ending' && isAtStopLoss(account.copy, equity))
    yield `${name} is not safe: equity is ${equity}, which its copy stop loss has reached`
}

/**
 * A copy is listed once with its owner and its provider and never owes; money between accounts rests nowhere; each of
 * its positions copies one order and is at most as large as when it opened.
 */
function* copyingFaults(state: State): Generator<string> {
  for (const ledger of ['demo', 'real'] as const) {
    const between = state.ledger.balances.get(brokerAccountOf(ledger, 'copying'))?.balance ?? 0n
    if (between !== 0n) yield `${between} of ${ledger} money rests between two accounts`
  }
  for (const account of state.accounts.values()) {
    const { id, copy, ownerId, orders } = account
    if (state.copies.has(id) !== (copy !== null)) yield `account ${id}: the list of copies is wrong`
    if (!copy) continue
    const listed = [state.accounts.get(ownerId)?.copies, state.accounts.get(copy.providerId)?.copiers]
    for (const ids of listed)
      if (ids?.filter((each) => each === id).length !== 1) yield `account ${id}: a copy is not listed once`
    for (const order of orders.values()) {
      if (!order.copied || copy.orders.get(order.copied.orderId) !== order.id)
        yield `order ${order.id}: is not known as the copy of an order`
      else if (order.lots > order.copied.lots) yield `order ${order.id}: has grown`
    }
    if (copy.orders.size !== orders.size) yield `account ${id}: knows ${copy.orders.size} copied orders`
  }
  for (const [strategyId, accountId] of state.strategies)
    if (state.accounts.get(accountId)?.strategy?.id !== strategyId)
      yield `strategy ${strategyId} is not that of its account`
}

function pricesBehind(state: State, account: Account): Set<number> {
  const found = new Set<number>()
  for (const { instrumentId, status } of account.orders.values()) {
    if (status !== 'holding') continue
    found.add(instrumentId)
    for (const leg of state.conversionPaths.get(instrumentId) ?? []) found.add(leg.instrument.id)
  }
  return found
}

/**
 * An account that is not closed has a limited number of alerts, and each of them is watched in one place: at the
 * level of its condition, a tick on the other side of it, or in its pause.
 */
function* alertFaults({ state, alerts }: Pick<Core, 'state' | 'alerts'>): Generator<string> {
  const watched = new Map<number, WatchedAlert>()
  for (const one of alerts.all()) watched.set(one.alertId, one)
  for (const [accountId, ofAccount] of state.alerts) {
    const account = state.accounts.get(accountId)
    if (!account || account.status === 'closed') yield `account ${accountId}: has alerts, but cannot have any`
    if (ofAccount.size === 0 || ofAccount.size > MAX_ALERTS)
      yield `account ${accountId}: has ${ofAccount.size} alerts`
    for (const alert of ofAccount.values()) {
      for (const fault of faultsOfAlert(state, alert, watched.get(alert.id)))
        yield `alert ${alert.id}: ${fault}`
      watched.delete(alert.id)
    }
  }
  for (const id of watched.keys()) yield `alert ${id}: is watched, but has ended`
}

function* faultsOfAlert(state: State, alert: Alert, watched: WatchedAlert | undefined): Generator<string> {
  const { condition, wakesAt, awaitsReturn, expiresAt } = alert
  if (alert.id > state.lastAlertId) yield `its id is above the last one given, ${state.lastAlertId}`
  const endsAt = isSwitchedOff(state, condition) ? 0 : expiresAt
  if (watched && watched.endsAt !== endsAt) yield `ends at ${watched.endsAt}, not at ${endsAt}`
  if (watched?.place === 'asleep') {
    if (wakesAt === 0) yield 'is in a pause, but has not fired'
    if (awaitsReturn) yield 'is in a pause, but waits for the price to come back'
    return
  }
  if (condition.kind === 'marginLevel') {
    if (watched?.place !== 'margin') yield 'the margin level is not watched'
    return
  }
  const instrument = state.instruments.get(condition.instrumentId)
  const isPossible = instrument?.priceDecimals === condition.decimals
  const reference = isPossible && instrument ? dayReference(state, instrument) : undefined
  const isKnown = isPossible && (condition.kind === 'price' || reference !== undefined)
  if (watched?.place !== (isKnown ? 'price' : 'nowhere')) yield `waits at ${watched?.place ?? 'no place'}`
  if (!watched?.level) return
  const level = awaitsReturn ? acrossFrom(watched.level) : watched.level
  if (level.instrumentId !== condition.instrumentId || level.direction !== condition.direction)
    yield `waits for ${level.direction} on instrument ${level.instrumentId}`
  const isRight =
    condition.kind === 'price'
      ? level.side === condition.side && level.level === condition.price * (level.side === 'mid' ? 2 : 1)
      : reference !== undefined &&
        isFirstAfterMove(level, condition, BigInt(reference.bid) + BigInt(reference.ask))
  if (!isRight) yield `waits for ${level.level} of the ${level.side}`
}

/** The level of an alert that waits on the other side of it, one tick away. */
function acrossFrom(at: AlertLevel): AlertLevel {
  const tick = at.side === 'mid' ? 2 : 1
  const isBelow = at.direction === 'below'
  return { ...at, direction: isBelow ? 'above' : 'below', level: at.level + (isBelow ? tick : -tick) }
}

/** True when the move is complete at the level, and not one half tick before it. */
function isFirstAfterMove(
  { level, side }: AlertLevel,
  { move, direction }: DayMoveCondition,
  mid: bigint,
): boolean {
  const sign = direction === 'above' ? 1n : -1n
  const needed = (mid < 0n ? -mid : mid) * BigInt(move)
  const isDone = (value: bigint) => (value - mid) * sign * 1_000_000n >= needed
  return side === 'mid' && isDone(BigInt(level)) && !isDone(BigInt(level) - sign)
}

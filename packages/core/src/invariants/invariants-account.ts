import { conversionOf, figuresOf } from '../margin/account-figures.ts'
import { exactProfit } from '../money/margin-fee-profit.ts'
import { addFractions, divideRounded, type Fraction } from '../money/number.ts'
import type { Order } from '../orders/order.ts'
import { closingPrice } from '../market/quote.ts'
import type { Account, Exposure, State } from '../state.ts'

/** Sums and exposures are those of the orders, and no balance is below zero that must not be. */
export function* accountFaults(state: State): Generator<string> {
  for (const account of state.accounts.values()) yield* faultsOfAccount(state, account)
}

/** The same for one account. */
export function* faultsOfAccount(state: State, account: Account): Generator<string> {
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

/** What open withdrawals hold back. */
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

/** The open profit shown is that of the positions one by one, added exactly and rounded once per instrument. */
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

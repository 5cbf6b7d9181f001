/** What the twin remembers: plain lists, searched from end to end. Nothing is indexed, no sum is kept. */
import type { EndReason, LedgerKind, OrderKind, Side, TradingSettings } from '../src/index.ts'
import type {
  PlainEvent,
  PlainInstrument,
  PlainPosting,
  PlainQuote,
  PlainRequest,
  PlainTransfer,
} from './plain.ts'
import type { TwinHours } from './twin-hours.ts'
import { plus, rounded, times, twinProfit, UNITY, upsideDown, type Quotient } from './twin-money.ts'

export type TwinOrder = {
  readonly orderId: number
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  readonly lots: number
  readonly leverage: number
  readonly targetPrice: number | null
  readonly acceptedPrice: number
  takeProfit: number | null
  stopLoss: number | null
  readonly expiresAt: number | null
  readonly createdAt: number
  margin: bigint
  fee: bigint
  status: 'pending' | 'holding' | 'closed' | 'cancelled'
  openPrice: number | null
  openedAt: number | null
  reason: EndReason
}

export type TwinEntry = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly events: PlainEvent[]
}

export type Twin = {
  readonly settings: { readonly [Name in keyof TradingSettings]: TradingSettings[Name] }
  readonly instruments: readonly PlainInstrument[]
  readonly hours: TwinHours
  readonly quotes: Map<number, PlainQuote>
  readonly accounts: { readonly id: number; readonly ledger: LedgerKind }[]
  /** Pending and holding, by id; ended ones move to `ended`. */
  living: TwinOrder[]
  readonly ended: TwinOrder[]
  readonly rows: PlainPosting[]
  readonly balances: Map<string, { balance: bigint; count: number }>
  readonly requests: TwinEntry[]
}

export const createTwin = (world: Pick<Twin, 'settings' | 'instruments' | 'hours'>): Twin => ({
  ...world,
  quotes: new Map(),
  accounts: [],
  living: [],
  ended: [],
  rows: [],
  balances: new Map(),
  requests: [],
})

export const ordersOf = (twin: Twin, accountId: number): TwinOrder[] =>
  twin.living.filter((order) => order.accountId === accountId)

export const byId = (a: TwinOrder, b: TwinOrder): number => a.orderId - b.orderId

export const balanceAt = (twin: Twin, ledgerAccount: string): bigint =>
  twin.balances.get(ledgerAccount)?.balance ?? 0n

export const userAccount = (accountId: number) => `available:${accountId}` as const

/** Young enough to fill or trigger: by the setting, or by the instrument's own limit where its source is quiet. */
export function isFreshAt(twin: Twin, quote: PlainQuote | undefined, at: number): quote is PlainQuote {
  const instrument = twin.instruments.find(({ id }) => id === quote?.instrumentId)
  return (
    quote !== undefined && at - quote.receivedAt <= (instrument?.freshnessMs ?? twin.settings.freshnessMs)
  )
}

/** The price at which a side is opened, or closed. */
export const openingAt = (side: Side, quote: PlainQuote): number => (side === 'buy' ? quote.ask : quote.bid)
export const closingAt = (side: Side, quote: PlainQuote): number => (side === 'buy' ? quote.bid : quote.ask)

/** Writes one row; the only place where the twin's money moves. */
export function move(twin: Twin, transfer: PlainTransfer, at: number): void {
  const change = (id: string, amount: bigint) => {
    const before = twin.balances.get(id) ?? { balance: 0n, count: 0 }
    const after = { balance: before.balance + amount, count: before.count + 1 }
    twin.balances.set(id, after)
    return after
  }
  const debit = change(transfer.debit, -transfer.amount)
  const credit = change(transfer.credit, transfer.amount)
  twin.rows.push({
    ...transfer,
    at,
    debitBalance: debit.balance,
    debitEntry: debit.count,
    creditBalance: credit.balance,
    creditEntry: credit.count,
  })
}

export type TwinRate = { readonly q: Quotient; readonly quotes: readonly PlainQuote[] }

/**
 * `q` of trading-rules §3: 1 when the currencies are equal, the mid of the pair or its inverse, or through USD. Fixed
 * margin mode counts in the account currency and needs none. Null while a pair has no price.
 */
export function rateNow(twin: Twin, instrument: PlainInstrument): TwinRate | null {
  const { accountCurrency } = twin.settings
  const from = instrument.quoteCurrency
  if (instrument.marginMode === 'fixed' || from === accountCurrency) return { q: UNITY, quotes: [] }
  const hasPair = twin.instruments.some((pair) => joins(pair, from, accountCurrency))
  if (hasPair) return pairRate(twin, from, accountCurrency)
  const first = pairRate(twin, from, 'USD')
  const second = first && pairRate(twin, 'USD', accountCurrency)
  return second && { q: times(first.q, second.q), quotes: [...first.quotes, ...second.quotes] }
}

const joins = (pair: PlainInstrument, a: string, b: string): boolean =>
  (pair.baseCurrency === a && pair.quoteCurrency === b) ||
  (pair.baseCurrency === b && pair.quoteCurrency === a)

function pairRate(twin: Twin, from: string, to: string): TwinRate | null {
  const pair = twin.instruments.find((candidate) => joins(candidate, from, to))
  const quote = pair && twin.quotes.get(pair.id)
  if (!pair || !quote) return null
  const mid = { over: BigInt(quote.bid + quote.ask), under: 2n * 10n ** BigInt(pair.priceDecimals) }
  return { q: pair.baseCurrency === from ? mid : upsideDown(mid), quotes: [quote] }
}

/** For openings: a pair that is open but stale makes them wait; while it is closed its last rate stands. */
export function openingRate(twin: Twin, instrument: PlainInstrument, at: number): TwinRate | null {
  const rate = rateNow(twin, instrument)
  const isUsable = (quote: PlainQuote) => {
    const pair = twin.instruments.find(({ id }) => id === quote.instrumentId)
    return isFreshAt(twin, quote, at) || (pair !== undefined && !twin.hours.isOpen(pair, at))
  }
  return rate?.quotes.every(isUsable) ? rate : null
}

export type TwinFigures = {
  readonly balance: bigint
  readonly profit: bigint
  readonly equity: bigint
  readonly margin: bigint
  readonly reserved: bigint
  readonly free: bigint
}

export function twinFigures(twin: Twin, accountId: number): TwinFigures {
  const orders = ordersOf(twin, accountId)
  const balance = balanceAt(twin, userAccount(accountId))
  const profit = twin.instruments.reduce((sum, instrument) => sum + profitOn(twin, orders, instrument), 0n)
  const held = orders.filter(({ status }) => status === 'holding')
  const waiting = orders.filter(({ status }) => status === 'pending')
  const margin = held.reduce((sum, order) => sum + order.margin, 0n)
  const reserved = waiting.reduce((sum, order) => sum + order.margin + order.fee, 0n)
  const equity = balance + profit
  return { balance, profit, equity, margin, reserved, free: equity - margin - reserved }
}

/** Summed exactly over the instrument's positions, then rounded once. Without a price nothing is known: zero. */
function profitOn(twin: Twin, orders: readonly TwinOrder[], instrument: PlainInstrument): bigint {
  const exact = orders
    .filter((order) => order.instrumentId === instrument.id)
    .map((order) => exactProfitOf(twin, order, instrument))
    .filter((profit) => profit !== null)
  return exact.length === 0 ? 0n : rounded(exact.reduce(plus))
}

function exactProfitOf(twin: Twin, order: TwinOrder, instrument: PlainInstrument): Quotient | null {
  const quote = twin.quotes.get(instrument.id)
  const rate = rateNow(twin, instrument)
  const { openPrice } = order
  if (!quote || !rate || openPrice === null || order.status !== 'holding') return null
  return twinProfit(instrument, { ...order, openPrice }, closingAt(order.side, quote), rate.q)
}

/** What closing now would book: rounded by itself; null while a price for it is missing. */
export function twinFloating(twin: Twin, order: TwinOrder): bigint | null {
  const instrument = twin.instruments.find(({ id }) => id === order.instrumentId)
  const exact = instrument ? exactProfitOf(twin, order, instrument) : null
  return exact && rounded(exact)
}

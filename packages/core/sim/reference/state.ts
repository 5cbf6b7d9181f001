/** What the reference model remembers: plain lists, searched from end to end. Nothing is indexed, no sum is kept. */
import type {
  AccountStatus,
  EndReason,
  LedgerKind,
  OrderKind,
  Side,
  TradingMode,
  TradingSettings,
} from '../../src/index.ts'
import type {
  PlainEvent,
  PlainInstrument,
  PlainNightRate,
  PlainPosting,
  PlainQuote,
  PlainReceiptTick,
  PlainRequest,
  PlainTermsChange,
  PlainTrailedStop,
  PlainTransfer,
} from '../plain.ts'
import type { ReferenceHours } from './trading-hours.ts'

export type ReferenceOrder = {
  readonly orderId: number
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  lots: number
  readonly leverage: number
  readonly targetPrice: number | null
  readonly acceptedPrice: number
  takeProfit: number | null
  stopLoss: number | null
  trailingDistance: number | null
  readonly expiresAt: number | null
  readonly createdAt: number
  margin: bigint
  fee: bigint
  status: 'pending' | 'holding' | 'closed' | 'cancelled'
  openPrice: number | null
  openedAt: number | null
  /** Number of the tick it was filled at; 0 while pending. */
  openedSeq: number
  /** The last 17:00 New York that was booked for it; 0 before the first. */
  financedAt: number
  reason: EndReason
  /** Of a part that was closed: the position it was taken from. */
  readonly parentId: number | null
}

export type ReferenceEntry = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly events: PlainEvent[]
}

/** One command's moment: what it has led to so far, and what the core did, for where the rules leave the time open. */
export type Moment = {
  readonly at: number
  readonly events: PlainEvent[]
  readonly core: readonly PlainEvent[]
}

/** An operator's halt: from `from` (included) to `until` (excluded), epoch ms; Infinity while it lasts. */
export type ReferenceHalt = { readonly instrumentId: number; readonly from: number; until: number }

/** `status` and its reason are an operator's. */
export type ReferenceAccount = {
  readonly id: number
  readonly ledger: LedgerKind
  status: AccountStatus
  statusReason: string
}

/** Money on its way in or out, or corrected; it stays here with its end. */
export type ReferenceCase = {
  readonly id: number
  readonly kind: 'deposit' | 'withdrawal' | 'adjustment'
  readonly accountId: number
  readonly amount: bigint
  /** Of a withdrawal: the part that the house keeps. */
  readonly fee: bigint
  /** Of an adjustment: the operator who asked. */
  readonly askedBy: number
  readonly openedAt: number
  end: string | null
}

/** A 17:00 New York as it was: its prices and rates, and the version of its terms. */
export type ReferenceNight = {
  readonly at: number
  readonly rates: readonly PlainNightRate[]
  readonly prices: Map<number, PlainReceiptTick>
  readonly terms: number
  /** True when a price was missing at first: how soon it ends after that nobody can say. */
  readonly hasWaited: boolean
}

/** Terms that will be in force from a moment on. */
export type ReferenceAnnounced = {
  readonly changeId: number
  readonly effectiveAt: number
  readonly change: PlainTermsChange
}

export type ReferenceModel = {
  settings: { readonly [Name in keyof TradingSettings]: TradingSettings[Name] }
  instruments: readonly PlainInstrument[]
  readonly hours: ReferenceHours
  readonly quotes: Map<number, PlainQuote>
  readonly accounts: ReferenceAccount[]
  readonly cases: ReferenceCase[]
  /** Pending and holding; ended ones move to `ended`, parts of positions among them. */
  living: ReferenceOrder[]
  readonly ended: ReferenceOrder[]
  readonly rows: PlainPosting[]
  readonly balances: Map<string, { balance: bigint; count: number }>
  readonly requests: ReferenceEntry[]
  /** All there ever were. */
  readonly halts: ReferenceHalt[]
  mode: TradingMode
  lastOrderId: number
  /** How many changes of terms have come into force, and how many there have been. */
  termsVersion: number
  lastChangeId: number
  announced: ReferenceAnnounced[]
  /** The last full hour that was told of, and the last 17:00 New York; epoch ms, 0 before the first account. */
  lastMark: number
  lastNight: number
  /** Nights that are not booked for all, oldest first. */
  nights: ReferenceNight[]
  /** Where trailing stops stand since the present command; taken away with its answer. */
  trailed: PlainTrailedStop[]
  /** Rare states that were met and that nobody can see afterwards. */
  readonly notes: string[]
}

export const createReferenceModel = (world: Pick<ReferenceModel, 'settings' | 'hours'>): ReferenceModel => ({
  ...world,
  instruments: [],
  quotes: new Map(),
  accounts: [],
  cases: [],
  living: [],
  ended: [],
  rows: [],
  balances: new Map(),
  requests: [],
  halts: [],
  mode: 'normal',
  lastOrderId: 0,
  termsVersion: 0,
  lastChangeId: 0,
  announced: [],
  lastMark: 0,
  lastNight: 0,
  nights: [],
  trailed: [],
  notes: [],
})

export const ordersOf = (model: ReferenceModel, accountId: number): ReferenceOrder[] =>
  model.living.filter((order) => order.accountId === accountId)

export type ReferencePosition = ReferenceOrder & { openPrice: number; openedAt: number }

export const isHeld = (order: ReferenceOrder): order is ReferencePosition => order.status === 'holding'

export const positionsOf = (model: ReferenceModel, accountId: number): ReferencePosition[] =>
  ordersOf(model, accountId).filter(isHeld)

export const byId = (a: ReferenceOrder, b: ReferenceOrder): number => a.orderId - b.orderId

export function instrumentOf(
  model: ReferenceModel,
  order: Pick<ReferenceOrder, 'instrumentId'>,
): PlainInstrument {
  const found = model.instruments.find(({ id }) => id === order.instrumentId)
  if (!found) throw new Error(`the reference model has no instrument ${order.instrumentId}`)
  return found
}

export const balanceAt = (model: ReferenceModel, ledgerAccount: string): bigint =>
  model.balances.get(ledgerAccount)?.balance ?? 0n

export const userAccount = (accountId: number) => `available:${accountId}` as const
export const frozenAccount = (accountId: number) => `frozen:${accountId}` as const

/** The price at which a side is opened, or closed. */
export const openingAt = (side: Side, quote: Pick<PlainQuote, 'bid' | 'ask'>): number =>
  side === 'buy' ? quote.ask : quote.bid
export const closingAt = (side: Side, quote: Pick<PlainQuote, 'bid' | 'ask'>): number =>
  side === 'buy' ? quote.bid : quote.ask

/** Writes one row; the only place where the reference model's money moves. */
export function move(model: ReferenceModel, transfer: PlainTransfer, at: number): void {
  const change = (id: string, amount: bigint) => {
    const before = model.balances.get(id) ?? { balance: 0n, count: 0 }
    const after = { balance: before.balance + amount, count: before.count + 1 }
    model.balances.set(id, after)
    return after
  }
  const debit = change(transfer.debit, -transfer.amount)
  const credit = change(transfer.credit, transfer.amount)
  model.rows.push({
    ...transfer,
    at,
    debitBalance: debit.balance,
    debitEntry: debit.count,
    creditBalance: credit.balance,
    creditEntry: credit.count,
  })
}

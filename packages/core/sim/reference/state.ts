/** The reference model's state: plain lists, searched from end to end. No index, no sums. */
import type {
  Alert,
  AccountStatus,
  EndReason,
  LedgerKind,
  OpenStatus,
  OrderKind,
  Side,
  TradingMode,
  TradingSettings,
} from '../../src/index.ts'
import type {
  Plain,
  PlainEvent,
  PlainInstrument,
  PlainSwapRate,
  PlainPayout,
  PlainPosting,
  PlainQuote,
  PlainReceiptTick,
  PlainRequest,
  PlainSent,
  PlainTermsChange,
  PlainTrailedStop,
  PlainTransfer,
} from '../plain-types.ts'
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
  /** Number of the tick that filled it; 0 while pending. */
  openedSeq: number
  /** The last 17:00 New York that was booked for it; 0 before the first. */
  financedAt: number
  reason: EndReason
  /** Of a closed part: the position it was taken from. */
  readonly parentId: number | null
}

export type ReferenceEntry = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly events: PlainEvent[]
}

/** The time of a command, its events so far, and what the core did, for where the rules leave the order open. */
export type Moment = {
  readonly at: number
  readonly events: PlainEvent[]
  readonly core: readonly PlainEvent[]
}

/** An operator's halt: from `from` (included) to `until` (excluded), epoch ms; Infinity while it lasts. */
export type ReferenceHalt = {
  readonly instrumentId: number
  readonly from: number
  until: number
  /** When it ends by itself; Infinity: when it is lifted. */
  endsAt: number
}

/** Operators set the status and its reason. */
export type ReferenceAccount = {
  readonly id: number
  readonly ledger: LedgerKind
  status: AccountStatus
  statusReason: string
  /** A freeze by one operator alone, and the status that returns when it lapses. */
  freeze: { readonly lapsesAt: number; readonly status: OpenStatus; readonly reason: string } | null
  /** Freezes with little time between them: when the first began and the last ended. Kept until the account is closed. */
  recentFreeze: { readonly since: number; readonly endedAt: number | null } | null
}

/** A deposit, withdrawal or adjustment; kept after its end. */
export type ReferenceCase = {
  readonly id: number
  readonly kind: 'deposit' | 'withdrawal' | 'adjustment'
  readonly accountId: number
  readonly amount: bigint
  /** Of a withdrawal: the part that the broker keeps. */
  readonly fee: bigint
  /** Of an adjustment: the operator who requested it. */
  readonly askedBy: number
  readonly openedAt: number
  /** Of a deposit in its own currency: what the user sent. */
  readonly sent: PlainSent | null
  /** Of a withdrawal: the payout. */
  readonly payout: PlainPayout | null
  end: string | null
}

/** A 17:00 New York with its prices and rates, and the version of its terms. */
export type ReferenceRollover = {
  readonly at: number
  readonly rates: readonly PlainSwapRate[]
  readonly prices: Map<number, PlainReceiptTick>
  readonly terms: number
  /** True when a price was missing at first: when it ends after that is left open. */
  readonly hasWaited: boolean
}

/** Announced terms. */
export type ReferenceAnnounced = {
  readonly changeId: number
  readonly effectiveAt: number
  readonly change: PlainTermsChange
}

/** The mode of the whole market; `endsAt` and `after` belong to a halt. */
export type ReferenceMode = {
  readonly is: TradingMode
  readonly reason: string
  readonly endsAt: number
  readonly after: { readonly mode: TradingMode; readonly reason: string }
}

/** An alert that has not ended. */
export type ReferenceAlert = Omit<Plain<Alert>, 'wakesAt' | 'awaitsReturn'> & {
  wakesAt: number
  awaitsReturn: boolean
}

export type ReferenceModel = {
  settings: { readonly [Name in keyof TradingSettings]: TradingSettings[Name] }
  instruments: readonly PlainInstrument[]
  readonly hours: ReferenceHours
  /** Each instrument as first defined. */
  readonly firstBands: Pick<PlainInstrument, 'id' | 'suspectBand'>[]
  readonly quotes: Map<number, PlainQuote>
  readonly accounts: ReferenceAccount[]
  readonly cases: ReferenceCase[]
  /** All desk events and events of money cases, oldest first. */
  readonly past: { readonly at: number; readonly event: PlainEvent }[]
  /** Pending orders and open positions; closed ones and closed parts move to `ended`. */
  active: ReferenceOrder[]
  readonly ended: ReferenceOrder[]
  readonly rows: PlainPosting[]
  readonly balances: Map<string, { balance: bigint; count: number }>
  readonly requests: ReferenceEntry[]
  /** All halts ever made. */
  readonly halts: ReferenceHalt[]
  mode: ReferenceMode
  /** From when one operator alone may halt again, by instrument; 0 is the whole market. */
  readonly singleOperatorHaltAllowedFrom: Map<number, number>
  lastOrderId: number
  /** Number of changes of terms that came into force, and of all changes. */
  termsVersion: number
  lastChangeId: number
  announced: ReferenceAnnounced[]
  /** The last full hour that was reported, and the last 17:00 New York; epoch ms, 0 before the first account. */
  lastPriceSnapshot: number
  lastRollover: number
  /** Rollovers that are not booked for all accounts, oldest first. */
  rollovers: ReferenceRollover[]
  /** In the order of their ids. */
  alerts: ReferenceAlert[]
  lastAlertId: number
  /** All prices recorded at a moment, in the order of the records. */
  readonly recordedPrices: { readonly moment: number; readonly prices: readonly PlainReceiptTick[] }[]
  /** Trailing stops moved by the current command; taken out with its result. */
  trailed: PlainTrailedStop[]
  /** Rare states met that cannot be recognised afterwards. */
  readonly notes: string[]
}

export const createReferenceModel = (world: Pick<ReferenceModel, 'settings' | 'hours'>): ReferenceModel => ({
  ...world,
  instruments: [],
  firstBands: [],
  quotes: new Map(),
  accounts: [],
  cases: [],
  past: [],
  active: [],
  ended: [],
  rows: [],
  balances: new Map(),
  requests: [],
  halts: [],
  mode: { is: 'normal', reason: '', endsAt: Infinity, after: { mode: 'normal', reason: '' } },
  singleOperatorHaltAllowedFrom: new Map(),
  lastOrderId: 0,
  termsVersion: 0,
  lastChangeId: 0,
  announced: [],
  lastPriceSnapshot: 0,
  lastRollover: 0,
  rollovers: [],
  alerts: [],
  lastAlertId: 0,
  recordedPrices: [],
  trailed: [],
  notes: [],
})

export const ordersOf = (model: ReferenceModel, accountId: number): ReferenceOrder[] =>
  model.active.filter((order) => order.accountId === accountId)

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

/** Writes one ledger row; the only place where the reference model's money moves. */
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

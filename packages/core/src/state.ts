import type { ConversionLeg } from './money/currency-conversion.ts'
import type { NightRate, TermsSet, TradingMode } from './event.ts'
import type { Instrument } from './terms/instrument.ts'
import {
  availableOf,
  balanceOf,
  createLedger,
  frozenOf,
  type Ledger,
  type LedgerBalance,
  type LedgerKind,
} from './money/ledger.ts'
import type { MoneyCase } from './payments/money-case.ts'
import { NO_MONEY, type Money } from './money/number.ts'
import type { Order } from './orders/order.ts'
import type { Quote } from './market/quote.ts'
import type { ReceiptTick } from './receipt.ts'
import type { TradingSession } from './trading-hours/session-calendar.ts'
import type { AccountStatus, InstrumentSource, Listing, TradingSettings } from './terms/terms.ts'

/** Open positions of one account on one instrument, summed: enough for their profit at any price. */
export type Exposure = {
  longLots: bigint
  longCost: bigint
  shortLots: bigint
  shortCost: bigint
  count: number
}

/** A trading account; it shares its id with its user. */
export type Account = {
  readonly id: number
  readonly ledger: LedgerKind
  readonly available: LedgerBalance
  readonly frozen: LedgerBalance
  /** Living orders by id. */
  readonly orders: Map<number, Order>
  /** Whether it may trade, set by an operator. */
  status: AccountStatus
  /** Why it may not trade as it likes; empty while it may. The user reads it. */
  statusReason: string
  /** By instrument, holding orders only. */
  readonly exposures: Map<number, Exposure>
  /** Sums over the living orders, kept as an index: margin of the holding, reserve of the pending. */
  margin: Money
  reserved: Money
}

/** An accepted request: what was asked is known by its digest, what it did is in the journal. */
export type RememberedRequest = {
  readonly digest: string
  /** When it was accepted, epoch ms. */
  readonly at: number
  /** The journal row that its entry is in. */
  readonly row: number
}

/** A 17:00 New York whose financing is under way: the prices and rates of that moment. */
export type Night = {
  readonly rollover: number
  readonly rates: ReadonlyMap<number, NightRate>
  /** By instrument; one that had no price then is added when it gets its first. */
  readonly prices: Map<number, ReceiptTick>
  /** The version of the terms of that moment. */
  readonly terms: number
}

/**
 * Everything the engine knows, as data. Accounts, orders, ledger, cases, terms and requests follow from the journal alone; quotes are
 * the market's memory and come back with the feed. What runs, and indexes: see `Core`.
 */
export type State = {
  settings: TradingSettings
  readonly instruments: Map<number, Instrument>
  /** What lists show of an instrument. */
  readonly listings: Map<number, Listing>
  readonly sources: Map<number, InstrumentSource>
  /** Trading hours by name. */
  readonly calendar: Map<string, TradingSession>
  /** Announced changes of terms by id, until their moment. */
  readonly announced: Map<number, TermsSet>
  /** Changes of terms that have taken effect so far: what receipts name. 0 before the seed. */
  termsVersion: number
  lastChangeId: number
  /**
   * From each instrument's quote currency to the account currency; null where no pair leads there. None is needed in
   * fixed margin mode, whose money is in the account currency.
   */
  readonly conversionPaths: Map<number, readonly ConversionLeg[] | null>
  /** Quotes from before this moment (epoch ms) are shown and reckoned with, but fill and trigger nothing. */
  readonly freshSince: number
  readonly quotes: Map<number, Quote>
  readonly accounts: Map<number, Account>
  readonly orders: Map<number, Order>
  readonly ledger: Ledger
  /** Cases that wait for their end, by id. */
  readonly cases: Map<number, MoneyCase>
  readonly requests: Map<string, RememberedRequest>
  /** Instruments that an operator has halted, with the reason everyone sees. */
  readonly halts: Map<number, string>
  mode: TradingMode
  /** The last full hour whose prices were marked, epoch ms; 0 before the first account. */
  lastMark: number
  /** The last 17:00 New York whose prices were marked, or the one before the first account; epoch ms, 0 before it. */
  lastNight: number
  /** Nights whose financing is not complete, oldest first. */
  readonly nights: Map<number, Night>
  lastOrderId: number
  lastAccountId: number
  lastCaseId: number
}

/** Settings before the journal names any. */
const NO_SETTINGS: TradingSettings = {
  accountCurrency: '',
  feeType: 'rate',
  demoBalance: NO_MONEY,
  freshnessMs: 0,
  warningLevel: 0,
  stopOutLevel: 0,
  maxLivingOrders: 0,
  noticeMs: 0,
  fourEyesLimit: NO_MONEY,
}

/** A state before the first event: it knows no terms, no account and no price. `freshSince` is epoch ms. */
export function createState(freshSince = 0): State {
  return {
    settings: NO_SETTINGS,
    instruments: new Map(),
    listings: new Map(),
    sources: new Map(),
    calendar: new Map(),
    announced: new Map(),
    termsVersion: 0,
    lastChangeId: 0,
    conversionPaths: new Map(),
    freshSince,
    quotes: new Map(),
    accounts: new Map(),
    orders: new Map(),
    ledger: createLedger(),
    cases: new Map(),
    requests: new Map(),
    halts: new Map(),
    mode: 'normal',
    lastMark: 0,
    lastNight: 0,
    nights: new Map(),
    lastOrderId: 0,
    lastAccountId: 0,
    lastCaseId: 0,
  }
}

/** Puts an empty account into the state. */
export function addAccount(state: State, id: number, ledger: LedgerKind): Account {
  const account: Account = {
    id,
    ledger,
    status: 'active',
    statusReason: '',
    available: balanceOf(state.ledger, availableOf(id)),
    frozen: balanceOf(state.ledger, frozenOf(id)),
    orders: new Map(),
    exposures: new Map(),
    margin: NO_MONEY,
    reserved: NO_MONEY,
  }
  state.accounts.set(id, account)
  state.lastAccountId = Math.max(state.lastAccountId, id)
  return account
}

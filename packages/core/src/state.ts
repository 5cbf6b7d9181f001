import type { ConversionLeg } from './conversion.ts'
import type { NightRate, TermsSet, TradingMode } from './event.ts'
import type { Instrument } from './instrument.ts'
import {
  availableOf,
  balanceOf,
  createLedger,
  frozenOf,
  type Ledger,
  type LedgerBalance,
  type LedgerKind,
} from './ledger.ts'
import { MarginWatch } from './margin-watch.ts'
import type { MoneyCase } from './money-case.ts'
import { NO_MONEY, type Money } from './number.ts'
import { openBy } from './opening-hours.ts'
import type { Order } from './order.ts'
import type { Quote } from './quote.ts'
import type { ReceiptTick } from './receipt.ts'
import type { Session } from './session-calendar.ts'
import type { Underway } from './steps.ts'
import { newSweep, type Sweep } from './sweep.ts'
import type { AccountStatus, InstrumentSource, Listing, TradingSettings } from './terms.ts'
import { TriggerBook } from './trigger-book.ts'

/** Tells whether an instrument may trade at a time; a pure function of its arguments. */
export type IsOpen = (instrument: Instrument, at: number) => boolean

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
 * Everything the engine knows. Accounts, orders, ledger, cases, terms and requests follow from the journal alone; quotes are
 * the market's memory and come back with the feed.
 */
export type State = {
  settings: TradingSettings
  readonly instruments: Map<number, Instrument>
  /** What lists show of an instrument. */
  readonly listings: Map<number, Listing>
  readonly sources: Map<number, InstrumentSource>
  /** Trading hours by name. */
  readonly calendar: Map<string, Session>
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
  readonly isOpen: IsOpen
  /** Quotes from before this moment (epoch ms) are shown and reckoned with, but fill and trigger nothing. */
  readonly freshSince: number
  readonly quotes: Map<number, Quote>
  readonly accounts: Map<number, Account>
  readonly orders: Map<number, Order>
  readonly triggers: TriggerBook
  readonly marginWatch: MarginWatch
  /** Accounts whose safe prices have to be worked out anew. */
  readonly touched: Set<number>
  readonly ledger: Ledger
  /** Cases that wait for their end, by id. */
  readonly cases: Map<number, MoneyCase>
  readonly requests: Map<string, RememberedRequest>
  /** The journal row that what is decided now goes into; the host keeps it. */
  journalRow: number
  /** Instruments that an operator has halted, with the reason everyone sees. */
  readonly halts: Map<number, string>
  mode: TradingMode
  /** The last full hour whose prices were marked, epoch ms; 0 before the first account. */
  lastMark: number
  /** The last 17:00 New York whose prices were marked, or the one before the first account; epoch ms, 0 before it. */
  lastNight: number
  /** Nights whose financing is not complete, oldest first. */
  readonly nights: Map<number, Night>
  readonly sweep: Sweep
  /** What a tick has begun and not finished. Never outlives the process. */
  underway: Underway | null
  /** Orders for which something waits because its amounts are larger than can be booked. Never outlives the process. */
  readonly withheld: Set<number>
  lastOrderId: number
  lastAccountId: number
  lastCaseId: number
}

/** What only the host can tell. */
export type Host = {
  /** A start waits for fresh ticks: when it began, epoch ms. Left out: every quote counts by its age alone. */
  readonly freshSince?: number
  /** In place of the calendar and the sources of the journal: for tests and for looks ahead. */
  readonly isOpen?: IsOpen
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

/** A state before the first event: it knows no terms, no account and no price. */
export function createState(host: Host = {}): State {
  const calendar = new Map<string, Session>()
  const sources = new Map<number, InstrumentSource>()
  return {
    settings: NO_SETTINGS,
    instruments: new Map(),
    listings: new Map(),
    sources,
    calendar,
    announced: new Map(),
    termsVersion: 0,
    lastChangeId: 0,
    conversionPaths: new Map(),
    isOpen: host.isOpen ?? openBy(calendar, sources),
    freshSince: host.freshSince ?? 0,
    quotes: new Map(),
    accounts: new Map(),
    orders: new Map(),
    triggers: new TriggerBook(),
    marginWatch: new MarginWatch(),
    touched: new Set(),
    ledger: createLedger(),
    cases: new Map(),
    requests: new Map(),
    journalRow: 0,
    halts: new Map(),
    mode: 'normal',
    lastMark: 0,
    lastNight: 0,
    nights: new Map(),
    sweep: newSweep(),
    underway: null,
    withheld: new Set(),
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

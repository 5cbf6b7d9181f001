import type { CarriedLoss, Copy, Strategy } from '../model/copying.ts'
import type { DayRollover } from '../calendar/trading-day.ts'
import type { Alert, DayPrices } from '../model/alert.ts'
import type { ConversionLeg } from '../model/currency-conversion.ts'
import type {
  FreezeAlone,
  ModeAndReason,
  RecentFreeze,
  SwapRate,
  RecoveryAnnounced,
  ReferenceAdmitted,
  TermsSet,
  TradingMode,
} from '../model/event.ts'
import type { Instrument } from '../model/instrument.ts'
import {
  availableOf,
  balanceOf,
  createLedger,
  frozenOf,
  type Ledger,
  type LedgerBalance,
  type LedgerKind,
} from '../model/ledger.ts'
import type { OperatorStanding } from '../model/author.ts'
import type { MoneyCase, MoneyDecision } from '../model/money-case.ts'
import { NO_MONEY, type Money } from '../model/number.ts'
import type { Order } from '../model/order.ts'
import type { Quote } from '../model/quote.ts'
import type { ReceiptTick } from '../model/receipt.ts'
import { FIRST_RULES } from '../model/rules.ts'
import type { TradingSession } from '../calendar/trading-session.ts'
import type { AccountStatus, FirstTerms, InstrumentSource, Listing, TradingSettings } from '../model/terms.ts'

/** Open positions of one account on one instrument, summed: enough for their profit at any price. */
export type Exposure = {
  longLots: bigint
  longCost: bigint
  shortLots: bigint
  shortCost: bigint
  count: number
}

/** A trading account. */
export type Account = {
  readonly id: number
  /** The user it belongs to: the own account of a user has the user's id. */
  readonly ownerId: number
  readonly ledger: LedgerKind
  readonly available: LedgerBalance
  readonly frozen: LedgerBalance
  /** Active orders by id. */
  readonly orders: Map<number, Order>
  /** Whether it may trade; set by operators. */
  status: AccountStatus
  /** Reason for a restriction, shown to the user; empty if none. */
  statusReason: string
  /** By instrument, open positions only. */
  readonly exposures: Map<number, Exposure>
  /** Sums over the active orders, kept as an index: margin of positions, reserve of pending orders. */
  margin: Money
  reserved: Money
  /** What it publishes; null for most accounts. */
  strategy: Strategy | null
  /** When its last strategy ended, epoch ms; 0 if none has. */
  strategyEndedAt: number
  /** What makes it a copy; null for users' own accounts, and for a copy that has ended. */
  copy: Copy | null
  /** Copies of its strategies that have not ended, by id. */
  copiers: readonly number[]
  /** The owner's own copies that have not ended, by id. */
  copies: readonly number[]
}

/** An accepted request: its payload is identified by the digest, its effects are in the journal. */
export type AcceptedRequest = {
  readonly digest: string
  /** When it was accepted, epoch ms. */
  readonly at: number
  /** The journal row of its entry. */
  readonly row: number
}

/** A rollover whose swaps are in progress: the prices and rates of 17:00 New York. */
export type OpenRollover = {
  readonly rollover: number
  readonly rates: ReadonlyMap<number, SwapRate>
  /** By instrument; a price missing then is added when it arrives. */
  readonly prices: Map<number, ReceiptTick>
  /** The version of the terms of that moment. */
  readonly terms: number
}

/**
 * The engine's state as data. Accounts, orders, ledger, cases, terms and requests follow from the journal alone;
 * quotes are not journaled; the feed restores them. For indexes and work in progress see `Core`.
 */
export type State = {
  settings: TradingSettings
  readonly instruments: Map<number, Instrument>
  /** Listing data of instruments. */
  readonly listings: Map<number, Listing>
  /** The first terms of each instrument, to which limits refer. */
  readonly firstTerms: Map<number, FirstTerms>
  readonly sources: Map<number, InstrumentSource>
  /** Trading hours by name. */
  readonly calendar: Map<string, TradingSession>
  /** Announced changes of terms by id, until they take effect. */
  readonly announced: Map<number, TermsSet>
  /** Number of changes of terms that took effect, which receipts name. 0 before the seed. */
  termsVersion: number
  lastChangeId: number
  /**
   * From each instrument's quote currency to the account currency; null where no pair converts it. Empty in fixed
   * margin mode.
   */
  readonly conversionPaths: Map<number, readonly ConversionLeg[] | null>
  /** Quotes from before this moment (epoch ms) are shown and used in figures, but fill and trigger nothing. */
  readonly freshSince: number
  readonly quotes: Map<number, Quote>
  readonly accounts: Map<number, Account>
  readonly orders: Map<number, Order>
  readonly ledger: Ledger
  /** Open cases by id. */
  readonly cases: Map<number, MoneyCase>
  readonly requests: Map<string, AcceptedRequest>
  /** Halted instruments, with the reason shown to everyone. */
  readonly halts: Map<number, string>
  /** When halts expire, by instrument, epoch ms. The whole market is `WHOLE_MARKET`. */
  readonly haltEnds: Map<number, number>
  /** From when one operator alone may halt again, by the same ids, epoch ms. */
  readonly singleOperatorHaltAllowedFrom: Map<number, number>
  mode: TradingMode
  /** Why trading is restricted, shown to everyone; empty if it is not. */
  modeReason: string
  /** The mode restored when a halt of the whole market expires. */
  modeAfterHalt: ModeAndReason
  /** Freezes by one operator alone, by account. */
  readonly freezes: Map<number, FreezeAlone>
  /** Present and past freezes, by account. */
  readonly recentFreezes: Map<number, RecentFreeze>
  /** References (prices) admitted by operators that market ticks have not confirmed yet. */
  readonly admitted: Map<number, ReferenceAdmitted>
  /** The version of the rules in force (`rules.ts`). */
  rulesVersion: number
  /** From when the lowest and highest equity between full hours is recorded, epoch ms; 0 from the start of version 5. */
  equityRangesFrom: number
  /** The last full hour with recorded prices, epoch ms; 0 before the first account. */
  lastPriceSnapshot: number
  /** The last 17:00 New York with recorded prices, or the one before the first account; epoch ms, 0 before it. */
  lastRollover: number
  /** Rollovers whose swaps are not complete, oldest first. */
  readonly rollovers: Map<number, OpenRollover>
  /** Alerts that have not ended, by account and id. */
  readonly alerts: Map<number, Map<number, Alert>>
  /** The references of the current trading days. */
  readonly dayPrices: Record<DayRollover, DayPrices>
  lastAlertId: number
  lastOrderId: number
  lastAccountId: number
  lastCaseId: number
  /** Copies that have not ended, by id. */
  readonly copies: Set<number>
  /** Published strategies: the account of each, by the strategy's id. */
  readonly strategies: Map<number, number>
  lastStrategyId: number
  /** Accounts with a strategy that are frozen: since when that counts, epoch ms. */
  readonly frozenProviders: Map<number, number>
  /** Losses of ended copies, by `carriedLossKey`. */
  readonly carriedLosses: Map<string, readonly CarriedLoss[]>
  /** The prices of months' ends whose fees are not all charged, by moment and instrument. */
  readonly monthEnds: Map<number, ReadonlyMap<number, ReceiptTick>>
  /** Whether the two-operator rules apply: from `operatorsAdopted` on. */
  hasOperators: boolean
  readonly operators: Map<number, OperatorStanding>
  /** False in single-operator mode, until two supervising operators have joined. Once true, stays true. */
  hasSecondOperator: boolean
  /** The announced recovery, until it is called off or used; null if none. */
  recovery: RecoveryAnnounced | null
  /** True where one operator may pay withdrawals: real money existed before the two-operator rules took effect. */
  mayPayAlone: boolean
  /** Credits and payouts of the last 24 hours, oldest first. */
  readonly recentCreditsAndPayouts: MoneyDecision[]
}

/** The id of the whole market where halts are kept by instrument. */
export const WHOLE_MARKET = 0

export const OPEN_TRADING: ModeAndReason = { mode: 'normal', reason: '' }

/** Settings before the first terms. */
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

/** A state before the first event, without terms, accounts and prices. `freshSince` is epoch ms. */
export function createState(freshSince = 0): State {
  return {
    settings: NO_SETTINGS,
    instruments: new Map(),
    listings: new Map(),
    firstTerms: new Map(),
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
    haltEnds: new Map(),
    singleOperatorHaltAllowedFrom: new Map(),
    mode: 'normal',
    modeReason: '',
    modeAfterHalt: OPEN_TRADING,
    freezes: new Map(),
    recentFreezes: new Map(),
    admitted: new Map(),
    rulesVersion: FIRST_RULES,
    equityRangesFrom: 0,
    lastPriceSnapshot: 0,
    lastRollover: 0,
    rollovers: new Map(),
    alerts: new Map(),
    dayPrices: {
      newYorkClose: { start: 0, prices: new Map() },
      utcMidnight: { start: 0, prices: new Map() },
    },
    lastAlertId: 0,
    lastOrderId: 0,
    lastAccountId: 0,
    lastCaseId: 0,
    copies: new Set(),
    strategies: new Map(),
    lastStrategyId: 0,
    frozenProviders: new Map(),
    carriedLosses: new Map(),
    monthEnds: new Map(),
    hasOperators: false,
    operators: new Map(),
    hasSecondOperator: false,
    recovery: null,
    mayPayAlone: false,
    recentCreditsAndPayouts: [],
  }
}

/** Adds an empty account to the state: the own account of a user, unless it names another owner. */
export function addAccount(state: State, id: number, ledger: LedgerKind, ownerId = id): Account {
  const account: Account = {
    id,
    ownerId,
    ledger,
    status: 'active',
    statusReason: '',
    available: balanceOf(state.ledger, availableOf(id)),
    frozen: balanceOf(state.ledger, frozenOf(id)),
    orders: new Map(),
    exposures: new Map(),
    margin: NO_MONEY,
    reserved: NO_MONEY,
    strategy: null,
    strategyEndedAt: 0,
    copy: null,
    copiers: NOBODY,
    copies: NOBODY,
  }
  state.accounts.set(id, account)
  state.lastAccountId = Math.max(state.lastAccountId, id)
  return account
}

/** One list for all accounts without copies: most have none. */
const NOBODY: readonly number[] = []

/** The key of a loss that an owner carries into later copies of the same provider. */
export const carriedLossKey = (ownerId: number, providerId: number): string => `${ownerId} ${providerId}`

import { conversionPath, type ConversionLeg } from './conversion.ts'
import type { Event, Request, TradingMode } from './event.ts'
import type { FeeType } from './formula.ts'
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
import { NO_MONEY, type Money } from './number.ts'
import type { Order } from './order.ts'
import type { Quote } from './quote.ts'
import { MarginWatch } from './margin-watch.ts'
import type { Underway } from './steps.ts'
import { TriggerBook } from './trigger-book.ts'

/** What a deployment decides about trading. */
export type TradingSettings = {
  readonly accountCurrency: string
  readonly feeType: FeeType
  readonly demoBalance: Money
  /** Longest age of a quote that may fill or trigger, ms. */
  readonly freshnessMs: number
  /** Margin level in percent at or below which positions are closed. */
  readonly stopOutLevel: number
}

/** Tells whether an instrument may trade at a time; given by the host, a pure function of its arguments. */
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
  /** By instrument, holding orders only. */
  readonly exposures: Map<number, Exposure>
  /** Sums over the living orders, kept as an index: margin of the holding, reserve of the pending. */
  margin: Money
  reserved: Money
}

/** An accepted request and what it did. */
export type RememberedRequest = {
  readonly request: Request
  readonly at: number
  readonly events: readonly Event[]
}

/**
 * Everything the engine knows. Accounts, orders, ledger and requests follow from the journal alone; quotes are the
 * market's memory and come back with the feed.
 */
export type State = {
  settings: TradingSettings
  readonly instruments: Map<number, Instrument>
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
  readonly requests: Map<string, RememberedRequest>
  /** Instruments that an operator has halted, with the reason everyone sees. */
  readonly halts: Map<number, string>
  mode: TradingMode
  /** The last 17:00 New York whose financing is complete, or the one before the first account; epoch ms, 0 before it. */
  lastRollover: number
  /** A night that lacks a price is not tried again before; epoch ms, 0 when none is waiting. */
  rolloverPausedUntil: number
  /** What a tick or the time has begun and not finished. Never outlives the process. */
  underway: Underway | null
  /** Orders for which something waits because its amounts are larger than can be booked. Never outlives the process. */
  readonly withheld: Set<number>
  lastOrderId: number
  lastAccountId: number
}

export type World = {
  settings: TradingSettings
  instruments: readonly Instrument[]
  isOpen: IsOpen
  /** A start waits for fresh ticks: when it began, epoch ms. Left out: every quote counts by its age alone. */
  freshSince?: number
}

/** A state before the first event. */
export function createState(world: World): State {
  const { settings, instruments } = world
  return {
    settings,
    instruments: new Map(instruments.map((instrument) => [instrument.id, instrument])),
    conversionPaths: new Map(
      instruments.map((instrument) => [
        instrument.id,
        instrument.marginMode === 'fixed'
          ? []
          : conversionPath(instruments, instrument.quoteCurrency, settings.accountCurrency),
      ]),
    ),
    isOpen: world.isOpen,
    freshSince: world.freshSince ?? 0,
    quotes: new Map(),
    accounts: new Map(),
    orders: new Map(),
    triggers: new TriggerBook(),
    marginWatch: new MarginWatch(),
    touched: new Set(),
    ledger: createLedger(),
    requests: new Map(),
    halts: new Map(),
    mode: 'normal',
    lastRollover: 0,
    rolloverPausedUntil: 0,
    underway: null,
    withheld: new Set(),
    lastOrderId: 0,
    lastAccountId: 0,
  }
}

/** Puts an empty account into the state. */
export function addAccount(state: State, id: number, ledger: LedgerKind): Account {
  const account: Account = {
    id,
    ledger,
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

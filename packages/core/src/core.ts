import { newSweep, type Sweep } from './due-work/sweep-cursor.ts'
import { MarginWatch } from './margin/margin-watch.ts'
import { TriggerBook } from './orders/trigger-book.ts'
import { createState, type State } from './state.ts'
import type { Underway } from './steps.ts'
import type { Instrument } from './terms/instrument.ts'
import { openBy } from './trading-hours/opening-hours.ts'

/** Tells whether an instrument may trade at a time; a pure function of its arguments. */
export type IsOpen = (instrument: Instrument, at: number) => boolean

/** What a decision reads: the state, and the trading hours that follow from it. */
export type DecisionContext = { readonly state: State; readonly isOpen: IsOpen }

/**
 * The core as it runs: its state, and beside it what is rebuilt from the state (indexes) or lives no longer than the process (work that
 * goes on in slices). Only `transact` and `evolve` change it.
 */
export type Core = DecisionContext & {
  /** Index of the living orders by the prices and times they wait for. */
  readonly triggers: TriggerBook
  /** Index of the accounts by the prices at which their margin level is to be looked at again. */
  readonly marginWatch: MarginWatch
  /** Accounts whose safe prices have to be worked out anew. */
  readonly touched: Set<number>
  /** How far the round over all accounts has come. */
  readonly sweep: Sweep
  /** What a tick has begun and not finished. */
  underway: Underway | null
  /** Orders for which something waits because its amounts are larger than can be booked. */
  readonly withheld: Set<number>
  /** The journal row that what is decided now goes into; the host keeps it. */
  journalRow: number
}

/** What only the host can tell. */
export type Host = {
  /** A start waits for fresh ticks: when it began, epoch ms. Left out: every quote counts by its age alone. */
  readonly freshSince?: number
  /** In place of the calendar and the sources of the journal: for tests. */
  readonly isOpen?: IsOpen
}

/** A core before the first event: it knows no terms, no account and no price. */
export function createCore({ freshSince, isOpen }: Host = {}): Core {
  const state = createState(freshSince)
  return {
    state,
    isOpen: isOpen ?? openBy(state.calendar, state.sources),
    triggers: new TriggerBook(),
    marginWatch: new MarginWatch(),
    touched: new Set(),
    sweep: newSweep(),
    underway: null,
    withheld: new Set(),
    journalRow: 0,
  }
}

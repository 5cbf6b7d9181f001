import { setTimeout as pause } from 'node:timers/promises'
import {
  type Account,
  addToBook,
  type Book,
  isStoppedOut,
  type LedgerKind,
  money,
  type Money,
  NO_MONEY,
  type Pricing,
  type Quote,
  type State,
  type TradingSettings,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { isUnavailable, type Unavailable, UNAVAILABLE } from '../engine/queue.ts'

/** The figures of an account with margin, which say how near it is to its stop-out. */
export type Nearness = { readonly accountId: number; readonly equity: Money; readonly margin: Money }

/** The accounts of one ledger at one set of prices, summed. */
export type LedgerBook = {
  readonly book: Book
  /** The accounts nearest to their stop-out, the nearest first. */
  nearest: Nearness[]
  accounts: number
  accountsWithPositions: number
  positions: number
  balance: Money
  equity: Money
  margin: Money
  /** Accounts at or below the warning level, 100 % and the stop-out level. */
  accountsInMarginCall: number
  underHundred: number
  accountsAtStopOut: number
}

/** A snapshot of all accounts. */
export type BookSnapshot = {
  /** The moment of its prices on the market clock, epoch ms. */
  readonly at: number
  readonly quotes: ReadonlyMap<number, Quote>
  readonly ledgers: Readonly<Record<LedgerKind, LedgerBook>>
}

export type BookSnapshots = {
  /** The last snapshot, or a new one when that is older than a second. */
  latest(): Promise<BookSnapshot | Unavailable>
}

const KEPT_MS = 1_000
/** The number of nearest accounts listed, and the number collected before they are sorted. */
const NEAREST = 50
const SORTED_AT = 4 * NEAREST

/** Takes snapshots on demand; concurrent callers share one. */
export function createBookSnapshots(
  engine: Pick<Engine, 'read' | 'state'>,
  now: () => number,
): BookSnapshots {
  let last: { readonly snapshot: BookSnapshot; readonly until: number } | null = null
  let inProgress: Promise<BookSnapshot | Unavailable> | null = null
  const take = async () => {
    const snapshot = await takeSnapshot(engine, now())
    if (!isUnavailable(snapshot)) last = { snapshot, until: performance.now() + KEPT_MS }
    return snapshot
  }
  return {
    latest: async () => {
      if (last && performance.now() < last.until) return last.snapshot
      return (inProgress ??= take().finally(() => (inProgress = null)))
    },
  }
}

/** Visits every account once, at the prices of the beginning. */
async function takeSnapshot(
  engine: Pick<Engine, 'read' | 'state'>,
  at: number,
): Promise<BookSnapshot | Unavailable> {
  const { instruments, conversionPaths, quotes: live, settings } = engine.state()
  const quotes = new Map(live)
  const pricing = { instruments, conversionPaths, quotes }
  const ledgers = { real: emptyBook(), demo: emptyBook() }
  const failed = await walkAccounts(engine, {
    visit: (account) => addAccount(ledgers[account.ledger], account, pricing, settings),
  })
  for (const book of Object.values(ledgers)) keepNearest(book)
  return failed ?? { at, quotes, ledgers }
}

const emptyBook = (): LedgerBook => ({
  book: new Map(),
  nearest: [],
  accounts: 0,
  accountsWithPositions: 0,
  positions: 0,
  balance: NO_MONEY,
  equity: NO_MONEY,
  margin: NO_MONEY,
  accountsInMarginCall: 0,
  underHundred: 0,
  accountsAtStopOut: 0,
})

function addAccount(
  sums: LedgerBook,
  account: Account,
  pricing: Pricing,
  { warningLevel, stopOutLevel }: Pick<TradingSettings, 'warningLevel' | 'stopOutLevel'>,
): void {
  const profit = addToBook(sums.book, pricing, account)
  const { balance } = account.available
  const equity = money(balance + profit)
  sums.accounts += 1
  sums.balance = money(sums.balance + balance)
  sums.equity = money(sums.equity + equity)
  if (account.exposures.size === 0) return
  const { margin } = account
  sums.accountsWithPositions += 1
  for (const { count } of account.exposures.values()) sums.positions += count
  sums.margin = money(sums.margin + margin)
  if (margin === 0n) return
  if (isAtLevel(warningLevel, equity, margin)) sums.accountsInMarginCall += 1
  if (isAtLevel(HUNDRED, equity, margin)) sums.underHundred += 1
  if (isAtLevel(stopOutLevel, equity, margin)) sums.accountsAtStopOut += 1
  const last = sums.nearest.at(-1)
  // Once the list is sorted, accounts beyond its last one can be skipped.
  if (sums.nearest.length === NEAREST && last && byLevel(last, { equity, margin }) < 0) return
  sums.nearest.push({ accountId: account.id, equity, margin })
  if (sums.nearest.length >= SORTED_AT) keepNearest(sums)
}

const HUNDRED = 100

/** True when equity / margin is at or below a level in percent. */
export const isAtLevel = (level: number, equity: bigint, margin: bigint): boolean =>
  isStoppedOut({ settings: { stopOutLevel: level } }, equity, margin)

/** By equity / margin, compared by multiplying across. */
const byLevel = (a: Pick<Nearness, 'equity' | 'margin'>, b: Pick<Nearness, 'equity' | 'margin'>): number => {
  const [one, other] = [a.equity * b.margin, b.equity * a.margin]
  return one < other ? -1 : one > other ? 1 : 0
}

function keepNearest(sums: LedgerBook): void {
  sums.nearest = sums.nearest.toSorted((a, b) => byLevel(a, b) || a.accountId - b.accountId).slice(0, NEAREST)
}

/** The prices of a snapshot with the current terms. */
export const pricingOf = (
  { instruments, conversionPaths, settings }: State,
  { quotes }: Pick<BookSnapshot, 'quotes'>,
) => ({ instruments, conversionPaths, settings, quotes })

/** The walk blocks the event loop for `SLICE_MS` at a time and pauses for `REST_MS` in between, ms. */
const SLICE_MS = 5
const REST_MS = 5

/** A walk over all accounts. */
export type Walk = {
  /** Called for each account, with the state of that moment. */
  readonly visit: (account: Account, state: State) => void
  /** Stops the walk early. */
  readonly isOver?: () => boolean
}

/**
 * Visits all accounts by id, a few at a time, so that it does not block the event loop. Prices and accounts change
 * meanwhile: a caller that needs the same prices throughout copies them first. `Unavailable` when the engine is
 * unavailable, or has replaced its state during the walk.
 */
export async function walkAccounts(
  engine: Pick<Engine, 'read' | 'state'>,
  walk: Walk,
): Promise<Unavailable | null> {
  const before = engine.state()
  for (let next: number | null = 1; next !== null;) {
    const first: number = next
    const seen = await engine.read((state) =>
      state === before ? { next: visitSome(state, first, walk) } : UNAVAILABLE,
    )
    if (isUnavailable(seen)) return seen
    next = walk.isOver?.() ? null : seen.next
    if (next !== null) await pause(REST_MS)
  }
  return null
}

/** Visits accounts from one on, for a short while; returns the next id, null at the end. */
function visitSome(state: State, first: number, { visit }: Walk): number | null {
  const end = performance.now() + SLICE_MS
  for (let id = first; id <= state.lastAccountId; id += 1) {
    if (performance.now() > end) return id
    const account = state.accounts.get(id)
    if (account) visit(account, state)
  }
  return null
}

import {
  addToBook,
  isStoppedOut,
  money,
  NO_MONEY,
  type Account,
  type Book,
  type LedgerKind,
  type Money,
  type Pricing,
  type Quote,
  type State,
  type TradingSettings,
} from '@fairlot/core'
import type { Engine } from '../../engine/engine.ts'
import { isUnavailable, type Unavailable } from '../../engine/pending-command.ts'
import { walkAccounts } from './in-slices.ts'

/** An account with margin, by how near it is to its stop-out. */
export type Nearness = { readonly accountId: number; readonly equity: Money; readonly margin: Money }

/** What the accounts of one ledger hold at one set of prices. */
export type LedgerBook = {
  readonly book: Book
  /** The nearest to their stop-out, the nearest first. */
  nearest: Nearness[]
  accounts: number
  trading: number
  positions: number
  balance: Money
  equity: Money
  margin: Money
  /** At or below the level of the margin call, of 100 % and of the stop-out. */
  warned: number
  underHundred: number
  stoppedOut: number
}

/** One look at all accounts. */
export type BookRound = {
  /** Of its prices, epoch ms on the market clock. */
  readonly at: number
  readonly quotes: ReadonlyMap<number, Quote>
  readonly ledgers: Readonly<Record<LedgerKind, LedgerBook>>
}

export type BookRounds = {
  /** The last round, or a new one when that is older than a second. */
  latest(): Promise<BookRound | Unavailable>
}

const KEPT_MS = 1_000
/** The nearest that are told, and how many are kept before they are sorted. */
const NEAREST = 50
const SORTED_AT = 4 * NEAREST

/** Works out a round when somebody asks and the last one is old: whoever asks meanwhile waits for the same. */
export function createBookRounds(engine: Pick<Engine, 'read' | 'state'>, now: () => number): BookRounds {
  let last: { readonly round: BookRound; readonly until: number } | null = null
  let underway: Promise<BookRound | Unavailable> | null = null
  const goRound = async () => {
    const round = await bookRound(engine, now())
    if (!isUnavailable(round)) last = { round, until: performance.now() + KEPT_MS }
    return round
  }
  return {
    latest: async () => {
      if (last && performance.now() < last.until) return last.round
      return (underway ??= goRound().finally(() => (underway = null)))
    },
  }
}

/** Looks at every account once, at the prices of its beginning. */
async function bookRound(
  engine: Pick<Engine, 'read' | 'state'>,
  at: number,
): Promise<BookRound | Unavailable> {
  const { instruments, conversionPaths, quotes: live, settings } = engine.state()
  const quotes = new Map(live)
  const pricing = { instruments, conversionPaths, quotes }
  const ledgers = { real: emptyBook(), demo: emptyBook() }
  const failed = await walkAccounts(engine, {
    look: (account) => addAccount(ledgers[account.ledger], account, pricing, settings),
  })
  for (const book of Object.values(ledgers)) keepNearest(book)
  return failed ?? { at, quotes, ledgers }
}

const emptyBook = (): LedgerBook => ({
  ...{ book: new Map(), nearest: [], accounts: 0, trading: 0, positions: 0 },
  ...{ balance: NO_MONEY, equity: NO_MONEY, margin: NO_MONEY, warned: 0, underHundred: 0, stoppedOut: 0 },
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
  sums.trading += 1
  for (const { count } of account.exposures.values()) sums.positions += count
  sums.margin = money(sums.margin + margin)
  if (margin === 0n) return
  if (isAtLevel(warningLevel, equity, margin)) sums.warned += 1
  if (isAtLevel(HUNDRED, equity, margin)) sums.underHundred += 1
  if (isAtLevel(stopOutLevel, equity, margin)) sums.stoppedOut += 1
  const last = sums.nearest.at(-1)
  // Sorted ones tell whom nobody will ask for.
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

/** Prices of a round with the terms of now. */
export const pricingOf = (
  { instruments, conversionPaths, settings }: State,
  { quotes }: Pick<BookRound, 'quotes'>,
) => ({ instruments, conversionPaths, settings, quotes })

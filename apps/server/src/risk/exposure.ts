import type { BookLine, BookTotals, NearAccount } from '@fairlot/contract/desk'
import {
  absolute,
  type Account,
  type BookPosition,
  bookValue,
  figuresOf,
  floatingProfit,
  fromTicks,
  fromUnits,
  type Instrument,
  isPosition,
  type LedgerKind,
  LOTS_DECIMALS,
  money,
  NO_MONEY,
  percentOf,
  type Position,
  type State,
  stopOutPrice,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { isUnavailable, type Unavailable } from '../engine/queue.ts'
import { type BookSnapshot, pricingOf } from './book-snapshots.ts'

/** The users' positions of a ledger by instrument: the largest net value first, instruments without a price last. */
export function exposureOf(
  state: State,
  snapshot: BookSnapshot,
  ledger: LedgerKind,
): { instruments: BookLine[]; totals: BookTotals } {
  const { book, accounts, positions, ...sums } = snapshot.ledgers[ledger]
  const instruments = [...book]
    .flatMap(([id, sum]) => {
      const instrument = state.instruments.get(id)
      return instrument ? [lineOf(state, snapshot, instrument, sum)] : []
    })
    .toSorted((a, b) => size(b) - size(a) || a.instrumentId - b.instrumentId)
  const total = (of: (line: BookLine) => bigint) =>
    money(instruments.reduce((sum, line) => sum + of(line), 0n))
  return {
    instruments,
    totals: {
      accounts,
      accountsWithPositions: sums.accountsWithPositions,
      positions,
      balance: sums.balance,
      equity: sums.equity,
      margin: sums.margin,
      usersProfit: total(({ usersProfit }) => usersProfit),
      netValue: total(({ netValue }) => netValue ?? 0n),
      grossValue: total(({ netValue }) => absolute(netValue ?? 0n)),
      accountsInMarginCall: sums.accountsInMarginCall,
      accountsAtStopOut: sums.accountsAtStopOut,
    },
  }
}

/** Only for sorting. */
const size = ({ netValue }: BookLine): number => (netValue === null ? -1 : Number(absolute(netValue)))

function lineOf(state: State, snapshot: BookSnapshot, instrument: Instrument, sum: BookPosition): BookLine {
  const value = bookValue(pricingOf(state, snapshot), instrument, sum)
  const quote = snapshot.quotes.get(instrument.id)
  return {
    instrumentId: instrument.id,
    code: instrument.code,
    category: state.listings.get(instrument.id)?.category ?? '',
    positions: sum.count,
    accounts: sum.accounts,
    longLots: fromUnits(sum.longLots, LOTS_DECIMALS),
    shortLots: fromUnits(sum.shortLots, LOTS_DECIMALS),
    netLots: fromUnits(sum.longLots - sum.shortLots, LOTS_DECIMALS),
    longValue: value?.long ?? null,
    shortValue: value?.short ?? null,
    netValue: value?.net ?? null,
    usersProfit: sum.profit,
    priceAgeMs: quote ? Math.max(0, snapshot.at - quote.receivedAt) : null,
  }
}

/** Accounts calculated in one slice: a stop-out price is found by iteration, which takes time. */
const AT_ONCE = 5

/** The accounts nearest to their stop-out, at the prices of a snapshot; accounts without positions are left out. */
export async function nearAccounts(
  engine: Pick<Engine, 'read'>,
  snapshot: BookSnapshot,
  ledger: LedgerKind,
): Promise<NearAccount[] | Unavailable> {
  const ids = snapshot.ledgers[ledger].nearest.map(({ accountId }) => accountId)
  const found: NearAccount[] = []
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE)
    const seen = await engine.read((state) => some.flatMap((id) => nearAccountOf(state, snapshot, id) ?? []))
    if (isUnavailable(seen)) return seen
    found.push(...seen)
  }
  return found
}

function nearAccountOf(state: State, snapshot: BookSnapshot, id: number): NearAccount | null {
  const account = state.accounts.get(id)
  if (!account) return null
  const { equity, margin, profit, level } = figuresOf(pricingOf(state, snapshot), account)
  if (!level) return null
  const atStopOut = (BigInt(state.settings.stopOutLevel) * margin) / 100n
  return {
    accountId: id,
    level: percentOf(level),
    equity,
    margin,
    usersProfit: profit,
    distance: money(equity - atStopOut),
    positions: [...account.exposures.values()].reduce((sum, { count }) => sum + count, 0),
    largest: largestOf(state, snapshot, account),
  }
}

function largestOf(state: State, snapshot: BookSnapshot, account: Account): NearAccount['largest'] {
  let largest: Position | null = null
  for (const order of account.orders.values())
    if (isPosition(order) && order.margin > (largest?.margin ?? -1n)) largest = order
  const instrument = largest && state.instruments.get(largest.instrumentId)
  if (!largest || !instrument) return null
  const pricing = pricingOf(state, snapshot)
  const out = stopOutPrice(pricing, account, largest)
  return {
    orderId: largest.id,
    code: instrument.code,
    side: largest.side,
    lots: fromUnits(largest.lots, LOTS_DECIMALS),
    profit: floatingProfit(pricing, largest) ?? NO_MONEY,
    stopOutPrice: out === null ? null : fromTicks(out, instrument.priceDecimals),
  }
}

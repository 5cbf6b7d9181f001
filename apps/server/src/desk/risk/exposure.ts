import type { BookLine, BookTotals } from '@fairlot/contract/desk'
import {
  absolute,
  bookValue,
  fromUnits,
  LOTS_DECIMALS,
  money,
  type BookPosition,
  type Instrument,
  type LedgerKind,
  type State,
} from '@fairlot/core'
import { pricingOf, type BookRound } from './book-rounds.ts'

/** What the clients of a ledger hold: the largest net value first, what has no price last. */
export function exposureOf(
  state: State,
  round: BookRound,
  ledger: LedgerKind,
): { instruments: BookLine[]; totals: BookTotals } {
  const { book, accounts, trading, positions, ...sums } = round.ledgers[ledger]
  const instruments = [...book]
    .flatMap(([id, sum]) => {
      const instrument = state.instruments.get(id)
      return instrument ? [lineOf(state, round, instrument, sum)] : []
    })
    .toSorted((a, b) => size(b) - size(a) || a.instrumentId - b.instrumentId)
  const total = (of: (line: BookLine) => bigint) =>
    money(instruments.reduce((sum, line) => sum + of(line), 0n))
  return {
    instruments,
    totals: {
      ...{ accounts, trading, positions },
      ...{ balance: sums.balance, equity: sums.equity, margin: sums.margin },
      clientsProfit: total(({ clientsProfit }) => clientsProfit),
      netValue: total(({ netValue }) => netValue ?? 0n),
      grossValue: total(({ netValue }) => absolute(netValue ?? 0n)),
      ...{ warned: sums.warned, stoppedOut: sums.stoppedOut },
    },
  }
}

/** To sort by alone. */
const size = ({ netValue }: BookLine): number => (netValue === null ? -1 : Number(absolute(netValue)))

function lineOf(state: State, round: BookRound, instrument: Instrument, sum: BookPosition): BookLine {
  const value = bookValue(pricingOf(state, round), instrument, sum)
  const quote = round.quotes.get(instrument.id)
  return {
    ...{ instrumentId: instrument.id, code: instrument.code },
    category: state.listings.get(instrument.id)?.category ?? '',
    ...{ positions: sum.count, accounts: sum.accounts },
    longLots: fromUnits(sum.longLots, LOTS_DECIMALS),
    shortLots: fromUnits(sum.shortLots, LOTS_DECIMALS),
    netLots: fromUnits(sum.longLots - sum.shortLots, LOTS_DECIMALS),
    ...{ longValue: value?.long ?? null, shortValue: value?.short ?? null, netValue: value?.net ?? null },
    clientsProfit: sum.profit,
    priceAgeMs: quote ? Math.max(0, round.at - quote.receivedAt) : null,
  }
}

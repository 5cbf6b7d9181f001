import type { HouseSummary } from '@fairlot/contract/desk'
import { NO_MONEY, percentOf } from '@fairlot/core'
import type { DeskServices } from '../desk-services.ts'
import { houseDays } from '../reports/report-queries.ts'
import type { BookRound } from './book-rounds.ts'
import { exposureOf } from './exposure.ts'

/** Days of the house's result at a glance. */
const DAYS = 14

/** Exposure, accounts and the result of the house in a few figures. */
export async function houseSummary(
  { deployment: { engine, market }, queries, dayBook }: DeskServices,
  round: BookRound,
): Promise<HouseSummary> {
  await dayBook.counted()
  const ledger = round.ledgers.real.accounts > 0 ? 'real' : 'demo'
  const state = engine.state()
  const { instruments, totals } = exposureOf(state, round, ledger)
  const [largest] = instruments
  const { nearest, underHundred } = round.ledgers[ledger]
  const [first] = nearest
  const days = await houseDays(queries, { at: market.now(), days: DAYS, ledger })
  return {
    ...{ at: round.at, ledger, currency: state.settings.accountCurrency },
    ...{ netValue: totals.netValue, underHundred },
    largest: largest && largest.netValue !== null ? { code: largest.code, netValue: largest.netValue } : null,
    nearest: first
      ? {
          accountId: first.accountId,
          level: percentOf({ numerator: first.equity, denominator: first.margin }),
        }
      : null,
    houseToday: days.at(-1)?.total ?? NO_MONEY,
    houseDays: days.map(({ day, total }) => ({ day, total })),
  }
}

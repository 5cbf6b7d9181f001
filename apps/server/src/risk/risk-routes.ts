import {
  type BrokerSummary,
  exposureFile,
  getBrokerFigures,
  getBrokerSummary,
  getExposure,
  getMoveScenario,
  listLinkedAccounts,
  listNearAccounts,
  type MoveEffect,
  moveFile,
  nearAccountsFile,
} from '@fairlot/contract/desk'
import {
  type Decimal,
  fromUnits,
  type LedgerKind,
  type Money,
  NO_MONEY,
  percentOf,
  type State,
  toUnits,
} from '@fairlot/core'
import type { DeskServices } from '../desk/desk-services.ts'
import { isUnavailable, type Unavailable } from '../engine/queue.ts'
import { createMutex } from '../platform/concurrency.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
import { type BookSnapshot, createBookSnapshots } from './book-snapshots.ts'
import { exposureOf, nearAccounts } from './exposure.ts'
import { findLinkedAccounts, LINKED_DAYS } from './linked-accounts.ts'
import type { DayBook } from './reports/day-book.ts'
import { brokerDays } from './reports/report-queries.ts'
import { runScenario } from './scenario.ts'

/** A hundredth of a percent is one part in 10,000. */
const PERCENT_DECIMALS = 2

type LedgerQuery = { readonly ledger: LedgerKind }
type Move = LedgerQuery & {
  readonly percent: Decimal
  readonly instrumentId: number | null
  readonly category: string | null
}

/** The broker's risk, now and in scenarios. */
export function registerRisk(services: DeskServices, dayBook: DayBook): void {
  const { api, deployment } = services
  const { engine, market } = deployment
  const snapshots = createBookSnapshots(engine, () => market.now())
  api.operator(getBrokerFigures, () => brokerFigures(services))

  const exposure = async ({ ledger }: LedgerQuery) => {
    const snapshot = await snapshots.latest()
    if (isUnavailable(snapshot)) return refuse('engineUnavailable')
    const state = engine.state()
    const currency = state.settings.accountCurrency
    return { at: snapshot.at, currency, ...exposureOf(state, snapshot, ledger) }
  }
  api.list(getExposure, ({ input }) => exposure(input), {
    file: exposureFile,
    rowsOf: ({ instruments }) => instruments.map(withWireName),
  })

  const near = async ({ ledger }: LedgerQuery) => {
    const snapshot = await snapshots.latest()
    const accounts = isUnavailable(snapshot) ? snapshot : await nearAccounts(engine, snapshot, ledger)
    if (isUnavailable(snapshot) || isUnavailable(accounts)) return refuse('engineUnavailable')
    const { stopOutLevel, warningLevel } = engine.state().settings
    const levels = { stopOutLevel: fromUnits(stopOutLevel, 0), warningLevel: fromUnits(warningLevel, 0) }
    return { at: snapshot.at, ...levels, accounts }
  }
  api.list(listNearAccounts, ({ input }) => near(input), {
    file: nearAccountsFile,
    rowsOf: ({ accounts }) => accounts.map((one) => ({ ...withWireName(one), ...one.largest })),
  })

  // Two walks over all accounts at once would take twice as much of every second.
  const [lockLinked, lockScenario] = [createMutex(), createMutex()]
  api.operator(listLinkedAccounts, async ({ input }) => {
    const found = await lockLinked(() =>
      findLinkedAccounts({ queries: services.queries, engine }, { ledger: input.ledger, at: market.now() }),
    )
    if (isUnavailable(found)) return refuse('engineUnavailable')
    const currency = engine.state().settings.accountCurrency
    return { at: market.now(), currency, days: LINKED_DAYS, ...found }
  })

  const scenario = async (input: Move) => {
    const effect = await lockScenario(() => scenarioFor(services, input))
    return isUnavailable(effect) ? refuse('engineUnavailable') : effect
  }
  api.list(getMoveScenario, ({ input }) => scenario(input), { file: moveFile, rowsOf: ({ hits }) => hits })

  api.operator(getBrokerSummary, async () => {
    const snapshot = await snapshots.latest()
    return isUnavailable(snapshot) ? refuse('engineUnavailable') : brokerSummary(services, dayBook, snapshot)
  })
}

/** A row as files have it, which keep the name of the API. */
const withWireName = <Row extends { readonly usersProfit: Money }>({ usersProfit, ...rest }: Row) => ({
  ...rest,
  clientsProfit: usersProfit,
})

async function scenarioFor(
  { deployment: { engine, market } }: Pick<DeskServices, 'deployment'>,
  { ledger, percent, instrumentId, category }: Move,
): Promise<MoveEffect | Refusal | Unavailable> {
  const state = engine.state()
  if (instrumentId !== null && !state.instruments.has(instrumentId)) return refuse('unknownInstrument')
  const instrumentIds = instrumentId === null ? idsOf(state, category) : [instrumentId]
  const part = Number(toUnits(percent, PERCENT_DECIMALS) ?? 0n)
  return runScenario(engine, { ledger, part, instrumentIds }, market.now())
}

/** The instruments of a category, or all. */
const idsOf = ({ instruments, listings }: State, category: string | null): number[] =>
  [...instruments.keys()].filter((id) => category === null || listings.get(id)?.category === category)

/** Days of the broker's result in the summary. */
const DAYS = 14

/** Exposure, nearest stop-out and the broker's result in a summary. */
async function brokerSummary(
  { deployment: { engine, market }, queries }: DeskServices,
  dayBook: DayBook,
  snapshot: BookSnapshot,
): Promise<BrokerSummary> {
  await dayBook.counted()
  const ledger = snapshot.ledgers.real.accounts > 0 ? 'real' : 'demo'
  const state = engine.state()
  const { instruments, totals } = exposureOf(state, snapshot, ledger)
  const [largest] = instruments
  const { nearest, underHundred } = snapshot.ledgers[ledger]
  const [first] = nearest
  const days = await brokerDays(queries, { at: market.now(), days: DAYS, ledger })
  return {
    at: snapshot.at,
    ledger,
    currency: state.settings.accountCurrency,
    netValue: totals.netValue,
    underHundred,
    largest: largest && largest.netValue !== null ? { code: largest.code, netValue: largest.netValue } : null,
    nearest: first
      ? {
          accountId: first.accountId,
          level: percentOf({ numerator: first.equity, denominator: first.margin }),
        }
      : null,
    houseToday: days.at(-1)?.total ?? NO_MONEY,
    positions: totals.positions,
    demoPositions: snapshot.ledgers.demo.positions,
    houseDays: days.map(({ day, total }) => ({ day, total })),
  }
}

/** Market health, shown below the waiting list: fresh prices of open markets, and refused ticks. */
async function brokerFigures({
  deployment,
  queries,
  shared,
}: Pick<DeskServices, 'deployment' | 'queries' | 'shared'>) {
  const { market, engine } = deployment
  const at = market.now()
  const offered = [...engine.state().instruments.values()].filter(
    (instrument) => instrument.isEnabled && market.hours.status(instrument, at).isOpen,
  )
  const fresh = offered.filter(({ id }) => {
    const quote = market.quoteOf(id)
    return quote !== null && at - quote.receivedAt <= market.freshnessMs(id)
  })
  const { refused } = await queries
    .selectFrom('refused_tick')
    .select((select) => select.fn.sum('count').as('refused'))
    .executeTakeFirstOrThrow()
  return {
    freshPrices: fresh.length,
    instruments: offered.length,
    refusedTicks: Number(refused ?? 0),
    unnamedProxies: shared.proxies.unnamed(),
  }
}

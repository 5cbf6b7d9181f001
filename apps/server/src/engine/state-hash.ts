import { createHash } from 'node:crypto'
import type { Core, TradingSession, State } from '@fairlot/core'

/** JSON replacer: money to the last digit, fields of objects sorted by name. */
function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const byId = <Item extends { id: number | string }>(items: Iterable<Item>): Item[] =>
  [...items].toSorted((a, b) => (a.id < b.id ? -1 : 1))

const byNumber = <Value>(values: Iterable<[number, Value]>): [number, Value][] =>
  [...values].toSorted(([a], [b]) => a - b)

/**
 * Everything that follows from the journal, as a text that is the same for equal states. Quotes are left out, and so is the
 * progress of due work, which begins again with each start.
 */
export function describeState({ state, triggers }: Pick<Core, 'state' | 'triggers'>): string {
  return JSON.stringify(
    {
      ...describeAccounts(state),
      ...describeTerms(state),
      ...describeAlerts(state),
      triggers: [...triggers.all()].map((trigger) => JSON.stringify(trigger)).toSorted(),
      requests: [...state.requests].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      halts: byNumber(state.halts),
      haltEnds: byNumber(state.haltEnds),
      singleOperatorHaltAllowedFrom: byNumber(state.singleOperatorHaltAllowedFrom),
      mode: state.mode,
      modeReason: state.modeReason,
      modeAfterHalt: state.modeAfterHalt,
      freezes: byNumber(state.freezes),
      recentFreezes: byNumber(state.recentFreezes),
      admitted: byNumber(state.admitted),
      rulesVersion: state.rulesVersion,
      equityRangesFrom: state.equityRangesFrom,
      lastPriceSnapshot: state.lastPriceSnapshot,
      lastRollover: state.lastRollover,
      nights: byNumber(state.rollovers).map(([rollover, { rates, prices, terms }]) => ({
        rollover,
        terms,
        rates: byNumber(rates),
        prices: byNumber(prices),
      })),
    },
    canonical,
  )
}

const describeAccounts = (state: State) => ({
  accounts: byId(state.accounts.values()).map(
    ({ available: _, frozen: __, exposures, orders, copy, strategy, ...account }) => ({
      ...account,
      exposures: byNumber(exposures),
      orders: [...orders.keys()].toSorted((a, b) => a - b),
      copy: copy && { ...copy, orders: byNumber(copy.orders) },
      // After a start the orders of the last minute may include some from the moment of publication.
      strategy: strategy && { ...strategy, recentOpenings: [] },
    }),
  ),
  // The number of the tick that filled a position matters only until the next tick, and is not in the tables.
  orders: byId(state.orders.values()).map((order) => ({ ...order, openedSeq: 0 })),
  balances: byId(state.ledger.balances.values()).filter(({ entryCount }) => entryCount > 0),
  cases: byId(state.cases.values()),
  lastOrderId: state.lastOrderId,
  lastAccountId: state.lastAccountId,
  strategies: byNumber(state.strategies),
  lastStrategyId: state.lastStrategyId,
  frozenProviders: byNumber(state.frozenProviders),
  carriedLosses: [...state.carriedLosses].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  monthEnds: byNumber(state.monthEnds).map(([moment, prices]) => ({ moment, prices: byNumber(prices) })),
  lastCaseId: state.lastCaseId,
  operators: byNumber(state.operators),
  hasOperators: state.hasOperators,
  hasSecondOperator: state.hasSecondOperator,
  recovery: state.recovery,
  mayPayAlone: state.mayPayAlone,
  // Within one millisecond the tables may have another order.
  recentCreditsAndPayouts: state.recentCreditsAndPayouts
    .map((each) => JSON.stringify(each, canonical))
    .toSorted(),
})

const describeAlerts = ({ alerts, lastAlertId, dayPrices }: State) => ({
  alerts: byId([...alerts.values()].flatMap((ofAccount) => [...ofAccount.values()])),
  lastAlertId,
  dayPrices: Object.entries(dayPrices).map(([day, { start, prices }]) => ({
    day,
    start,
    prices: byNumber(prices),
  })),
})

/** Instruments in the order in which they were added, which determines the conversion paths. */
const describeTerms = (state: State) => ({
  settings: state.settings,
  instruments: [...state.instruments.values()],
  conversionPaths: [...state.conversionPaths].map(([id, path]) => [
    id,
    path?.map(({ instrument, isInverse }) => [instrument.id, isInverse]),
  ]),
  listings: byNumber(state.listings),
  firstTerms: byNumber(state.firstTerms),
  sources: byNumber(state.sources),
  calendar: byName(state.calendar.values()),
  announced: byNumber(state.announced),
  termsVersion: state.termsVersion,
  lastChangeId: state.lastChangeId,
})

const byName = (sessions: Iterable<TradingSession>) =>
  [...sessions]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ holidays, ...session }) => ({ ...session, holidays: byNumber(holidays) }))

export const stateHash = (core: Pick<Core, 'state' | 'triggers'>): string =>
  createHash('sha256').update(describeState(core)).digest('hex')

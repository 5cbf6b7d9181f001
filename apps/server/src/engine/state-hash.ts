import { createHash } from 'node:crypto'
import type { Core, TradingSession, State } from '@fairlot/core'

/** Money to the last digit, and the fields of an object in one order, however it was made. */
function exactly(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const byId = <Item extends { id: number | string }>(items: Iterable<Item>): Item[] =>
  [...items].toSorted((a, b) => (a.id < b.id ? -1 : 1))

const byNumber = <Value>(values: Iterable<[number, Value]>): [number, Value][] =>
  [...values].toSorted(([a], [b]) => a - b)

/**
 * Everything that follows from the journal, written so that equal states read the same. Quotes are not part of it, nor is how far
 * due work has gone through the accounts: that begins anew with each start.
 */
export function describeState({ state, triggers }: Pick<Core, 'state' | 'triggers'>): string {
  return JSON.stringify(
    {
      ...describeAccounts(state),
      ...describeTerms(state),
      triggers: [...triggers.all()].map((trigger) => JSON.stringify(trigger)).toSorted(),
      requests: [...state.requests].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      halts: byNumber(state.halts),
      mode: state.mode,
      lastMark: state.lastMark,
      lastNight: state.lastNight,
      nights: byNumber(state.nights).map(([rollover, { rates, prices, terms }]) => ({
        ...{ rollover, terms },
        rates: byNumber(rates),
        prices: byNumber(prices),
      })),
    },
    exactly,
  )
}

const describeAccounts = (state: State) => ({
  accounts: byId(state.accounts.values()).map(
    ({ available: _, frozen: __, exposures, orders, ...account }) => ({
      ...account,
      exposures: byNumber(exposures),
      orders: [...orders.keys()].toSorted((a, b) => a - b),
    }),
  ),
  // The number of the tick a position was filled at counts only until the next tick, and is not in the tables.
  orders: byId(state.orders.values()).map((order) => ({ ...order, openedSeq: 0 })),
  balances: byId(state.ledger.balances.values()).filter(({ entryCount }) => entryCount > 0),
  cases: byId(state.cases.values()),
  lastOrderId: state.lastOrderId,
  lastAccountId: state.lastAccountId,
  lastCaseId: state.lastCaseId,
})

/** Instruments in the order in which they came: by it currencies find their way to each other. */
const describeTerms = (state: State) => ({
  settings: state.settings,
  instruments: [...state.instruments.values()],
  conversionPaths: [...state.conversionPaths].map(([id, path]) => [
    id,
    path?.map(({ instrument, isInverse }) => [instrument.id, isInverse]),
  ]),
  listings: byNumber(state.listings),
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

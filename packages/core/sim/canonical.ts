/** A state written down so that two equal states read the same, and read back again. */
import { createHash } from 'node:crypto'
import {
  addAccount,
  createCore,
  evolve,
  indexOrder,
  openCase,
  type Account,
  type Core,
  type Entry,
  type Event,
  type LedgerBalance,
  type MoneyCase,
  type Night,
  type Order,
  type RememberedRequest,
  type State,
  type TradingMode,
} from '../src/index.ts'

/** JSON with the exact integers marked, on one line. */
export const show = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : JSON.stringify(value, (_key, part: unknown) =>
        typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
      )

/** What follows from the journal: all but the quotes, which are the market's memory, and the terms, which have events of their own. */
export type Snapshot = {
  readonly accounts: readonly Pick<Account, 'id' | 'ledger' | 'status' | 'statusReason'>[]
  readonly orders: readonly Order[]
  readonly balances: readonly LedgerBalance[]
  readonly cases: readonly MoneyCase[]
  readonly nights: readonly Night[]
  readonly requests: readonly (readonly [string, RememberedRequest])[]
  readonly halts: readonly (readonly [number, string])[]
  readonly mode: TradingMode
  readonly lastMark: number
  readonly lastNight: number
  readonly lastOrderId: number
  readonly lastAccountId: number
  readonly lastCaseId: number
}

export function snapshotOf(state: State): Snapshot {
  return {
    accounts: [...state.accounts.values()].map(({ id, ledger, status, statusReason }) => ({
      ...{ id, ledger, status, statusReason },
    })),
    orders: structuredClone([...state.orders.values()].toSorted((a, b) => a.id - b.id)),
    balances: [...state.ledger.balances.values()]
      .filter(({ entryCount }) => entryCount > 0)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((balance) => ({ ...balance })),
    cases: [...state.cases.values()].toSorted((a, b) => a.id - b.id),
    nights: structuredClone([...state.nights.values()]),
    requests: [...state.requests],
    halts: [...state.halts].toSorted(([a], [b]) => a - b),
    mode: state.mode,
    lastMark: state.lastMark,
    lastNight: state.lastNight,
    lastOrderId: state.lastOrderId,
    lastAccountId: state.lastAccountId,
    lastCaseId: state.lastCaseId,
  }
}

const TERMS: ReadonlySet<Event['type']> = new Set(['termsSet', 'termsTookEffect', 'termsWithdrawn'])

/**
 * As a host does at start: the terms from their own entries, then balances, accounts, and every living order into every index. Of what
 * is due only that there may be something.
 */
export function restore(before: readonly Entry[], snapshot: Snapshot): Core {
  const core = createCore()
  const { state } = core
  for (const entry of before) {
    const events = entry.events.filter(({ type }) => TERMS.has(type))
    if (events.length > 0) evolve(core, { ...entry, request: null, events })
  }
  for (const balance of snapshot.balances) state.ledger.balances.set(balance.id, { ...balance })
  for (const { id, ledger, status, statusReason } of snapshot.accounts) {
    Object.assign(addAccount(state, id, ledger), { status, statusReason })
  }
  for (const order of structuredClone(snapshot.orders)) {
    const account = state.accounts.get(order.accountId)
    if (!account) throw new Error(`order ${order.id} belongs to no account`)
    indexOrder(core, account, order)
  }
  for (const open of snapshot.cases) openCase(state, open)
  for (const night of structuredClone(snapshot.nights)) state.nights.set(night.rollover, night)
  for (const [key, remembered] of snapshot.requests) state.requests.set(key, remembered)
  for (const [instrumentId, reason] of snapshot.halts) state.halts.set(instrumentId, reason)
  Object.assign(core.sweep, { next: 1, isNeeded: true, waiting: Infinity })
  const { mode, lastMark, lastNight, lastOrderId, lastAccountId, lastCaseId } = snapshot
  Object.assign(state, { mode, lastMark, lastNight, lastOrderId, lastAccountId, lastCaseId })
  return core
}

/** The hash of a state, with the sums and exposures that are kept beside the orders, and the terms. */
export function stateHash(state: State): string {
  const sums = [...state.accounts.values()].map(({ id, margin, reserved, exposures }) => ({
    id,
    margin,
    reserved,
    exposures: [...exposures].toSorted(([a], [b]) => a - b),
  }))
  const { settings, instruments, listings, sources, calendar, announced } = state
  const terms = { settings, instruments, listings, sources, calendar, announced }
  const { termsVersion, lastChangeId, conversionPaths } = state
  return createHash('sha256')
    .update(show({ ...snapshotOf(state), ...terms, termsVersion, lastChangeId, conversionPaths, sums }))
    .digest('hex')
}

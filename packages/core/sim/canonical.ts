/** A state written down so that two equal states read the same, and read back again. */
import { createHash } from 'node:crypto'
import {
  addAccount,
  createState,
  indexOrder,
  type LedgerBalance,
  type LedgerKind,
  type Order,
  type RememberedRequest,
  type State,
  type TradingMode,
  type World,
} from '../src/index.ts'

/** JSON with the exact integers marked, on one line. */
export const show = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : JSON.stringify(value, (_key, part: unknown) =>
        typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
      )

/** What follows from the journal: all but the quotes, which are the market's memory. */
export type Snapshot = {
  readonly accounts: readonly { readonly id: number; readonly ledger: LedgerKind }[]
  readonly orders: readonly Order[]
  readonly balances: readonly LedgerBalance[]
  readonly requests: readonly (readonly [string, RememberedRequest])[]
  readonly halts: readonly (readonly [number, string])[]
  readonly mode: TradingMode
  readonly lastRollover: number
  readonly lastOrderId: number
  readonly lastAccountId: number
}

export function snapshotOf(state: State): Snapshot {
  return {
    accounts: [...state.accounts.values()].map(({ id, ledger }) => ({ id, ledger })),
    orders: structuredClone([...state.orders.values()].toSorted((a, b) => a.id - b.id)),
    balances: [...state.ledger.balances.values()]
      .filter(({ entryCount }) => entryCount > 0)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((balance) => ({ ...balance })),
    requests: [...state.requests],
    halts: [...state.halts].toSorted(([a], [b]) => a - b),
    mode: state.mode,
    lastRollover: state.lastRollover,
    lastOrderId: state.lastOrderId,
    lastAccountId: state.lastAccountId,
  }
}

/** As a host does at start: balances first, then accounts, then every living order into every index. */
export function restore(world: World, snapshot: Snapshot): State {
  const state = createState(world)
  const { accounts, orders, balances, requests, halts } = snapshot
  for (const balance of balances) state.ledger.balances.set(balance.id, { ...balance })
  for (const { id, ledger } of accounts) addAccount(state, id, ledger)
  for (const order of structuredClone(orders)) {
    const account = state.accounts.get(order.accountId)
    if (!account) throw new Error(`order ${order.id} belongs to no account`)
    indexOrder(state, account, order)
  }
  for (const [key, remembered] of requests) state.requests.set(key, remembered)
  for (const [instrumentId, reason] of halts) state.halts.set(instrumentId, reason)
  state.mode = snapshot.mode
  state.lastRollover = snapshot.lastRollover
  state.lastOrderId = snapshot.lastOrderId
  state.lastAccountId = snapshot.lastAccountId
  return state
}

/**
 * The hash of a state, with the sums and exposures that are kept beside the orders. What a request did is compared where its
 * entry is.
 */
export function stateHash(state: State): string {
  const sums = [...state.accounts.values()].map(({ id, margin, reserved, exposures }) => ({
    id,
    margin,
    reserved,
    exposures: [...exposures].toSorted(([a], [b]) => a - b),
  }))
  const requests = [...state.requests].map(([key, { at, events }]) => [key, at, events.length])
  return createHash('sha256')
    .update(show({ ...snapshotOf(state), requests, sums }))
    .digest('hex')
}

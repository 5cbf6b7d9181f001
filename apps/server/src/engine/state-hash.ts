import { createHash } from 'node:crypto'
import type { State } from '@fairlot/core'

const exactly = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

const byId = <Item extends { id: number | string }>(items: Iterable<Item>): Item[] =>
  [...items].toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Everything that follows from the journal, written so that equal states read the same. Quotes are not part of it. */
export function describeState(state: State): string {
  return JSON.stringify(
    {
      accounts: byId(state.accounts.values()).map(({ id, ledger, margin, reserved, exposures, orders }) => ({
        id,
        ledger,
        margin,
        reserved,
        exposures: [...exposures].toSorted(([a], [b]) => a - b),
        orders: [...orders.keys()].toSorted((a, b) => a - b),
      })),
      // The number of the tick a position was filled at counts only until the next tick, and is not in the tables.
      orders: byId(state.orders.values()).map((order) => ({ ...order, openedSeq: 0 })),
      balances: byId(state.ledger.balances.values()).filter(({ entryCount }) => entryCount > 0),
      triggers: [...state.triggers.all()].map((trigger) => JSON.stringify(trigger)).toSorted(),
      requests: [...state.requests].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      halts: [...state.halts].toSorted(([a], [b]) => a - b),
      mode: state.mode,
      lastRollover: state.lastRollover,
      lastOrderId: state.lastOrderId,
      lastAccountId: state.lastAccountId,
    },
    exactly,
  )
}

export const stateHash = (state: State): string =>
  createHash('sha256').update(describeState(state)).digest('hex')

import type { AccountUpdate, Decimal } from '@fairlot/contract'
import type { Money } from '@fairlot/core'

/** What a push says about one position. */
export type PositionUpdate = { readonly currentPrice: Decimal; readonly profit: Money }

/** What the last push said about the account. */
export type AccountPulse = {
  readonly level: Decimal | null
  readonly margin: Money
  readonly profit: Money
  readonly positions: ReadonlyMap<number, PositionUpdate>
  /** Epoch ms on the reader's clock. */
  readonly receivedAt: number
}

/** The push in the order of positions; `receivedAt` is epoch ms. */
export const toPulse = (
  { level, margin, profit, orders }: AccountUpdate,
  receivedAt: number,
): AccountPulse => ({
  level,
  margin,
  profit,
  positions: new Map(orders.map(({ id, currentPrice, profit }) => [id, { currentPrice, profit }])),
  receivedAt,
})

/** True when the later push names a position that the earlier did not: it was opened elsewhere, or by its target. */
export const hasNewPosition = (before: AccountPulse | null, after: AccountPulse): boolean =>
  before !== null && [...after.positions.keys()].some((id) => !before.positions.has(id))

/** Remembers the last number of the private messages and tells when one in between is missing. */
export function createSequence(): { isGap: (seq: number) => boolean; restart: () => void } {
  let last: number | null = null
  return {
    isGap: (seq) => {
      const isGap = last !== null && seq > last + 1
      last = last === null ? seq : Math.max(last, seq)
      return isGap
    },
    restart: () => {
      last = null
    },
  }
}

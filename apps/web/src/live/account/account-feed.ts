import type { AccountUpdate, Decimal } from '@fairlot/contract'
import type { Money } from '@fairlot/core'

/** What a push says about one position. */
export type PositionUpdate = { readonly currentPrice: Decimal; readonly profit: Money }

/** What the last push said about the account. */
export type AccountPulse = {
  readonly level: Decimal | null
  readonly margin: Money
  readonly profit: Money
  readonly balance: Money
  readonly reserved: Money
  readonly positions: ReadonlyMap<number, PositionUpdate>
  /** Epoch ms on the reader's clock. */
  readonly receivedAt: number
}

/** The account update as a map of positions; `receivedAt` is epoch ms. */
export const toPulse = (
  { level, margin, profit, balance, reserved, orders }: AccountUpdate,
  receivedAt: number,
): AccountPulse => ({
  level,
  margin,
  profit,
  balance,
  reserved,
  positions: new Map(orders.map(({ id, currentPrice, profit }) => [id, { currentPrice, profit }])),
  receivedAt,
})

/** Follows the one sequence of the private messages. */
export type Sequence = {
  /** Takes the number of a change; true where one before it is missing. Each change has the next number. */
  readonly isGap: (seq: number) => boolean
  /** Takes the number that figures repeat, that of the last change; true where that change is missing. */
  readonly isBehind: (seq: number) => boolean
  /** Another log-in, another sequence. */
  readonly restart: () => void
}

/** Remembers the last number and tells when a change was missed. */
export function createSequence(): Sequence {
  let last: number | null = null
  const take = (seq: number, mostAhead: number): boolean => {
    const isMissing = last !== null && seq > last + mostAhead
    last = last === null ? seq : Math.max(last, seq)
    return isMissing
  }
  return {
    isGap: (seq) => take(seq, 1),
    isBehind: (seq) => take(seq, 0),
    restart: () => {
      last = null
    },
  }
}

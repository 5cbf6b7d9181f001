import type { Money } from '../model/number.ts'

/**
 * The lowest and highest equity of a provider since the last full hour. Flows of money have scaled both: they are in
 * proportion to the equity of now.
 */
export type EquityRange = {
  readonly lowest: Money
  readonly highest: Money
  /** The equity before a flow that left nothing: until the next flow the range is in proportion to it. Null otherwise. */
  readonly emptied: Money | null
}

/**
 * The equities of providers with open positions, by the instruments that they depend on. A tick of any other instrument
 * costs one look-up. In memory only: after a start the ranges begin with the next prices.
 */
export class ProviderEquities {
  /** By account, since the last full hour. */
  readonly ranges = new Map<number, EquityRange>()
  readonly #byInstrument = new Map<number, Set<number>>()
  readonly #byAccount = new Map<number, readonly number[]>()

  /** The instruments behind an account's equity, in place of those before; none: it is not watched. */
  watch(accountId: number, instrumentIds: readonly number[]): void {
    for (const id of this.#byAccount.get(accountId) ?? []) {
      const accounts = this.#byInstrument.get(id)
      accounts?.delete(accountId)
      if (accounts?.size === 0) this.#byInstrument.delete(id)
    }
    this.#byAccount.delete(accountId)
    if (instrumentIds.length === 0) return
    this.#byAccount.set(accountId, instrumentIds)
    for (const id of instrumentIds)
      this.#byInstrument.set(id, (this.#byInstrument.get(id) ?? new Set()).add(accountId))
  }

  /** The watched accounts whose equity depends on an instrument, in no particular order. */
  dependingOn(instrumentId: number): Iterable<number> {
    return this.#byInstrument.get(instrumentId) ?? NONE
  }
}

const NONE: readonly number[] = []

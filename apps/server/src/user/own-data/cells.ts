import { formatDecimal, LOTS_DECIMALS, MONEY_DECIMALS } from '@fairlot/core'

/** A moment by ISO 8601, in UTC; null where there is none. */
export const moment = (at: bigint | number | null): string | null =>
  at === null ? null : new Date(Number(at)).toISOString()

/** Money in full. */
export const amount = (units: bigint): string => formatDecimal(units, MONEY_DECIMALS)

export const lotsText = (units: bigint): string => formatDecimal(units, LOTS_DECIMALS)

export const priceText = (ticks: bigint | null, decimals: number): string | null =>
  ticks === null ? null : formatDecimal(ticks, decimals)

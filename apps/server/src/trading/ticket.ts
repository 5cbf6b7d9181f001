import { toTicks, type Decimal } from '@fairlot/contract'
import type { Instrument, Price } from '@fairlot/core'
import { refuse, type Refusal } from '../plugins/refusal.ts'

/** Prices of a request in ticks of their instrument; null stays null. Refused when one has too many digits. */
export function pricesInTicks<Name extends string>(
  instrument: Instrument,
  prices: Readonly<Record<Name, Decimal | null>>,
): Record<Name, Price | null> | Refusal {
  const read = Object.entries<Decimal | null>(prices).map(([name, value]) => ({
    name,
    value,
    ticks: value === null ? null : toTicks(value, instrument.priceDecimals),
  }))
  const wrong = read.find(({ value, ticks }) => value !== null && ticks === null)
  if (wrong)
    return refuse('priceTooManyDigits', { priceDecimals: instrument.priceDecimals, field: wrong.name })
  return Object.fromEntries(read.map(({ name, ticks }) => [name, ticks])) as Record<Name, Price | null>
}

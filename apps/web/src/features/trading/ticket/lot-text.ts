import { formatDecimal, LOTS_DECIMALS, type Lots } from '@fairlot/core'

/** Decimals that lots of a step need: 2 for a step of 0.01. */
export function lotDecimals(step: Lots): number {
  let decimals = LOTS_DECIMALS
  for (let rest: number = step; decimals > 0 && rest % 10 === 0; rest /= 10) decimals--
  return decimals
}

/** Lots as a plain decimal with the digits of the step: "0.10". */
export const lotText = (lots: Lots, step: Lots): string => {
  const decimals = lotDecimals(step)
  const divisor = 10 ** (LOTS_DECIMALS - decimals)
  // Off its step a size shows all its digits rather than a rounded one.
  return lots % divisor === 0 ? formatDecimal(lots / divisor, decimals) : formatDecimal(lots, LOTS_DECIMALS)
}

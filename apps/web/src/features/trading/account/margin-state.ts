import type { Decimal } from '@fairlot/contract'

/** How safe an account is: nothing to say, at or below the warning level, or shortly above the stop-out. */
export type MarginState = 'calm' | 'warning' | 'near'

export type MarginLimits = { readonly warningLevel: Decimal; readonly stopOutLevel: Decimal }

/** Up to this many times the stop-out level is near it: 60 % for 50 %. */
const NEAR = 1.2

/** The state of a margin level in percent; null is no margin in use. */
export function marginState(
  level: Decimal | null,
  { warningLevel, stopOutLevel }: MarginLimits,
): MarginState {
  if (level === null) return 'calm'
  if (Number(level) <= Number(stopOutLevel) * NEAR) return 'near'
  return Number(level) <= Number(warningLevel) ? 'warning' : 'calm'
}

import { checkPart, type Lots, type RejectionCode } from '@fairlot/core'
import type { OrderView } from '@fairlot/contract'
import { useInstrument } from '../../../live/market/instruments.ts'

/** What decides how small a part may be. */
export type LotRule = { readonly lotStep: Lots; readonly lotMin: Lots }

export type PartRange = { readonly least: Lots; readonly most: Lots }

/** The parts shown as chips, in percent. */
export const SHARES = [25, 50, 75] as const

/**
 * The sizes that can be closed so that part and rest are each a size that could have been opened; null when the position
 * can only be closed as a whole.
 */
export function partRange(held: Lots, { lotStep, lotMin }: LotRule): PartRange | null {
  const least = Math.ceil(lotMin / lotStep) * lotStep
  const most = Math.floor((held - lotMin) / lotStep) * lotStep
  return least <= most ? { least: least as Lots, most: most as Lots } : null
}

/** A share of a position in percent, to the nearest lot step that can be closed; null when no part can be. */
export function partOf(held: Lots, percent: number, rule: LotRule): Lots | null {
  const range = partRange(held, rule)
  if (!range) return null
  const nearest = Math.round((held * percent) / (100 * rule.lotStep)) * rule.lotStep
  return Math.min(Math.max(nearest, range.least), range.most) as Lots
}

type PartProblem = 'unreadable' | 'tooSmall' | 'tooLarge' | 'offStep'

const PROBLEMS: { readonly [Code in RejectionCode]?: PartProblem } = {
  lotsBelowMinimum: 'tooSmall',
  lotsAboveMaximum: 'tooLarge',
  remainderTooSmall: 'tooLarge',
  lotsOffStep: 'offStep',
}

/** Why lots cannot be closed as a part of a position, by the engine's own rule; null when they can. All of it is no part, and fine. */
export function partProblem(part: Lots | null, held: Lots, rule: LotRule): PartProblem | null {
  if (part === null) return 'unreadable'
  if (part === held) return null
  const refused = checkPart(rule, held, part)
  return refused && (PROBLEMS[refused.rejected] ?? 'unreadable')
}

/** The sizes of an order's instrument. An order knows its step; the smallest size comes with the list. */
export function useLotRule({ instrument }: Pick<OrderView, 'instrument'>): LotRule {
  const listing = useInstrument(instrument.id)
  return { lotStep: instrument.lotStep, lotMin: listing?.lotMin ?? instrument.lotStep }
}

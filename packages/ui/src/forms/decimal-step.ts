import { formatDecimal, fractionDigits, parseDecimal } from '@fairlot/core/decimal'
import { rescale } from '@fairlot/core/rounding'

export type StepRange = { step: string; min: string; max?: string | undefined }

/**
 * The next value on the grid of `step`, up (1) or down (-1), kept between min and max. Exact: plain decimals in,
 * plain decimals out, with as many decimals as the step has. Text that is not a number becomes the minimum.
 */
export function stepDecimal(value: string, direction: 1 | -1, { step, min, max }: StepRange): string {
  const decimals = Math.max(...[value, step, min, max ?? ''].map(fractionDigits))
  const units = (text: string) => parseDecimal(text, decimals)
  const [now, size, lowest] = [units(value), units(step), units(min)]
  if (now === null || size === null || lowest === null) return min
  const offGrid = ((now % size) + size) % size
  const next = direction > 0 ? now - offGrid + size : offGrid === 0n ? now - size : now - offGrid
  const highest = (max === undefined ? null : units(max)) ?? next
  const kept = next < lowest ? lowest : next > highest ? highest : next
  return formatDecimal(rescale(kept, decimals, fractionDigits(step)), fractionDigits(step))
}

/** Whether `value` is a plain decimal at or below `limit`. */
export function isAtMost(value: string, limit: string): boolean {
  const decimals = Math.max(fractionDigits(value), fractionDigits(limit))
  const [units, max] = [parseDecimal(value, decimals), parseDecimal(limit, decimals)]
  return units !== null && max !== null && units <= max
}

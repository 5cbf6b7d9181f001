const PLAIN = /^-?\d+(?:\.\d+)?$/

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0

const scaled = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

const written = (value: bigint, decimals: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${value < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`
}

export type StepRange = { step: string; min: string; max?: string | undefined }

/**
 * The next value on the grid of `step`, up (1) or down (-1), kept between min and max. Exact: plain decimals in,
 * plain decimals out, with as many decimals as the step has. Text that is no number becomes the minimum.
 */
export function stepDecimal(value: string, direction: 1 | -1, { step, min, max }: StepRange): string {
  if (!PLAIN.test(value)) return min
  const decimals = Math.max(decimalsOf(value), decimalsOf(step), decimalsOf(min))
  const size = scaled(step, decimals)
  const now = scaled(value, decimals)
  const offGrid = ((now % size) + size) % size
  const next = direction > 0 ? now - offGrid + size : offGrid === 0n ? now - size : now - offGrid
  const lowest = scaled(min, decimals)
  const highest = max === undefined ? next : scaled(max, decimals)
  const kept = next < lowest ? lowest : next > highest ? highest : next
  return written(kept / 10n ** BigInt(decimals - decimalsOf(step)), decimalsOf(step))
}

/** Whether `value` is a plain decimal at or below `limit`. */
export function isAtMost(value: string, limit: string): boolean {
  if (!PLAIN.test(value) || !PLAIN.test(limit)) return false
  const decimals = Math.max(decimalsOf(value), decimalsOf(limit))
  return scaled(value, decimals) <= scaled(limit, decimals)
}

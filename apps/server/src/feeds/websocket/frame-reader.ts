/** A line that could be read: fields as they were sent, none of them believed yet. */
export type FrameTick = {
  readonly code: string
  readonly bid: string | number
  readonly ask: string | number
  readonly time: number | null
}

const LONGEST_CODE = 32

/** The ticks of a text frame: JSON objects, one a line. Each line that is no tick adds to `broken`. */
export function readFrame(text: string): { ticks: FrameTick[]; broken: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const ticks = lines.flatMap((line) => readLine(line) ?? [])
  return { ticks, broken: lines.length - ticks.length }
}

function readLine(line: string): FrameTick | null {
  const { symbol, bid, ask, time = null } = fieldsOf(line)
  if (typeof symbol !== 'string' || symbol === '' || symbol.length > LONGEST_CODE) return null
  if (!isNumeric(bid) || !isNumeric(ask)) return null
  if (time !== null && (typeof time !== 'number' || !Number.isFinite(time))) return null
  return { code: symbol, bid, ask, time: time === null ? null : Math.floor(time) }
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const isNumeric = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_CODE)

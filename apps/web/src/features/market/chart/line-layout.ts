import type { ChartLine } from './chart-port.ts'

const PILL_HEIGHT = 20
const PILL_GAP = 6
const PILL_START = 6

export type PlacedLine = {
  readonly line: ChartLine
  /** Where the line runs; null when its price lies outside the range shown. */
  readonly y: number | null
  readonly pill: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly text: string
  } | null
}

type Size = { readonly height: number }
type Measure = (text: string) => number
type Pill = NonNullable<PlacedLine['pill']>

/**
 * Places the lines of a pane. A labelled line outside the range keeps its pill at the edge, with an arrow that says
 * where the line is; a pill that would cover another moves beside it.
 */
export function placeLines(
  lines: readonly ChartLine[],
  yOf: (price: number) => number,
  measure: Measure,
  { height }: Size,
): readonly PlacedLine[] {
  const pills: Pill[] = []
  return lines.map((line) => {
    const y = yOf(line.price)
    const isInside = y >= 0 && y <= height
    if (line.label === null) return { line, y: isInside ? y : null, pill: null }
    const text = isInside ? line.label : `${line.label} ${y < 0 ? '↑' : '↓'}`
    const pill = besideOthers({ x: PILL_START, y: clamp(y, height), width: measure(text), text }, pills)
    pills.push(pill)
    return { line, y: isInside ? y : null, pill }
  })
}

const clamp = (y: number, height: number): number =>
  Math.min(Math.max(y, PILL_HEIGHT / 2 + 2), height - PILL_HEIGHT / 2 - 2)

function besideOthers(pill: Pill, others: readonly Pill[]): Pill {
  const inTheWay = others.filter((other) => Math.abs(other.y - pill.y) < PILL_HEIGHT)
  const end = Math.max(...inTheWay.map((other) => other.x + other.width + PILL_GAP), PILL_START)
  return { ...pill, x: end }
}

export const PILL = { height: PILL_HEIGHT, paddingX: 9, fontSize: 11, fontWeight: 600 } as const

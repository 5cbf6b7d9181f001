import type { ChartLine } from './chart-port.ts'

export const PILL = { height: 20, paddingX: 9, fontSize: 11, fontWeight: 600 } as const
const GAP = 6
const START = 6
/** The crosshair's figures stand in the first row of the pane. */
const TOP_EDGE = 34
const BOTTOM_EDGE = 12

export type PlacedLine = {
  readonly line: ChartLine
  /** Where the line runs; null when its price lies outside the range shown. */
  readonly y: number | null
  readonly pill: Pill | null
}

type Pill = { readonly x: number; readonly y: number; readonly width: number; readonly text: string }
type Pane = { readonly width: number; readonly height: number }
type Measure = (text: string) => number

/**
 * Places the lines of a pane. A labelled line outside the range keeps its pill at the edge, with an arrow that says
 * where the line is; a pill that would cover another moves beside it, or into the next row when there is no room.
 */
export function placeLines(
  lines: readonly ChartLine[],
  yOf: (price: number) => number,
  measure: Measure,
  pane: Pane,
): readonly PlacedLine[] {
  const pills: Pill[] = []
  return lines.map((line) => {
    const y = yOf(line.price)
    const isInside = y >= 0 && y <= pane.height
    if (line.label === null) return { line, y: isInside ? y : null, pill: null }
    const text = isInside ? line.label : `${line.label} ${y < 0 ? '↑' : '↓'}`
    const wanted = {
      x: START,
      y: isInside ? y : y < 0 ? TOP_EDGE : pane.height - BOTTOM_EDGE,
      width: measure(text),
      text,
    }
    const pill = free(wanted, pills, pane)
    pills.push(pill)
    return { line, y: isInside ? y : null, pill }
  })
}

function free(wanted: Pill, taken: readonly Pill[], pane: Pane): Pill {
  const row = wanted.y < pane.height / 2 ? PILL.height + 2 : -PILL.height - 2
  let pill = wanted
  for (let attempt = 0; attempt <= taken.length; attempt++) {
    const inTheWay = taken.filter((other) => Math.abs(other.y - pill.y) < PILL.height)
    const x = Math.max(START, ...inTheWay.map((other) => other.x + other.width + GAP))
    if (x === START || x + pill.width <= pane.width) return { ...pill, x }
    pill = { ...pill, y: pill.y + row }
  }
  return pill
}

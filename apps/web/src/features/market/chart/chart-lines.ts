import type { FigureTemplate, OverlayTemplate } from 'klinecharts'
import type { ChartLine, ChartTheme, LineTone, PriceScale } from './chart-port.ts'

/** Name of the overlay, and of its figure, that draws all price lines of a chart. */
export const LINES = 'priceLines'

type LinesShown = {
  readonly lines: readonly ChartLine[]
  readonly theme: ChartTheme
  readonly decimals: number
  /** Called with the price axis at each drawing. */
  readonly onScale: (scale: PriceScale) => void
}
/** A function, because the library deep-copies plain data on every change. */
export type LinesModel = () => LinesShown

type LinesAttrs = Pick<LinesShown, 'lines' | 'theme'> & PriceScale

export const linesFigure: FigureTemplate<LinesAttrs> = {
  name: LINES,
  checkEventOn: () => false,
  draw: (ctx, { lines, theme, width, height, yOf }) => {
    ctx.font = pillFont(theme)
    const measure = (text: string) => ctx.measureText(text).width + PILL.paddingX * 2
    drawLines(ctx, placeLines(lines, yOf, measure, { width, height }), width, theme)
  },
}

export const linesOverlay: OverlayTemplate<LinesModel> = {
  name: LINES,
  totalStep: 1,
  createPointFigures: ({ overlay, bounding, yAxis }) => {
    const shown = overlay.extendData()
    const ticks = 10 ** shown.decimals
    const scale: PriceScale = {
      left: bounding.left,
      width: bounding.width,
      height: bounding.height,
      yOf: (price) => yAxis?.convertToPixel(price / ticks) ?? 0,
      priceAt: (y) => (yAxis?.convertFromPixel(y) ?? 0) * ticks,
    }
    shown.onScale(scale)
    const attrs: LinesAttrs = { lines: shown.lines, theme: shown.theme, ...scale }
    return { type: LINES, attrs, ignoreEvent: true }
  },
}

const PILL = { height: 20, paddingX: 9, fontSize: 12, fontWeight: 600 } as const
const GAP = 6
const START = 6
/** The crosshair's figures stand in the first row of the pane. */
const TOP_EDGE = 34
const BOTTOM_EDGE = 12

export type PlacedLine = {
  readonly line: ChartLine
  /** Vertical position; null when the price is outside the visible range. */
  readonly y: number | null
  readonly pill: Pill | null
}

type Pill = { readonly x: number; readonly y: number; readonly width: number; readonly text: string }
type PaneSize = { readonly width: number; readonly height: number }
type Measure = (text: string) => number

/**
 * Places the lines of a pane. A labelled line outside the range keeps its label at the edge, with an arrow towards the line; a label
 * that would cover another moves beside it, or into the next row when there is no space.
 */
export function placeLines(
  lines: readonly ChartLine[],
  yOf: (price: number) => number,
  measure: Measure,
  pane: PaneSize,
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

function free(wanted: Pill, taken: readonly Pill[], pane: PaneSize): Pill {
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

const DASHES = { solid: [], dashed: [5, 4], dotted: [1.5, 3] } as const
const toneColour = (theme: ChartTheme, tone: LineTone): string =>
  tone === 'quiet' ? theme.third : theme[tone]

const pillFont = (theme: ChartTheme): string => `${PILL.fontWeight} ${PILL.fontSize}px ${theme.fontFamily}`

/** Draws lines first and pills above them, so that no line crosses a label. */
function drawLines(
  ctx: CanvasRenderingContext2D,
  placed: readonly PlacedLine[],
  width: number,
  theme: ChartTheme,
): void {
  ctx.save()
  for (const line of placed) drawStroke(ctx, line, width, theme)
  for (const line of placed) drawPill(ctx, line, theme)
  ctx.restore()
}

function drawStroke(
  ctx: CanvasRenderingContext2D,
  { line, y }: PlacedLine,
  width: number,
  theme: ChartTheme,
): void {
  if (y === null) return
  ctx.strokeStyle = toneColour(theme, line.tone)
  ctx.lineWidth = line.stroke === 'dotted' ? 1 : 1.25
  ctx.setLineDash([...DASHES[line.stroke]])
  ctx.beginPath()
  ctx.moveTo(0, Math.round(y) + 0.5)
  ctx.lineTo(width, Math.round(y) + 0.5)
  ctx.stroke()
}

function drawPill(ctx: CanvasRenderingContext2D, { line, pill }: PlacedLine, theme: ChartTheme): void {
  if (!pill) return
  ctx.setLineDash([])
  const isQuiet = line.tone === 'quiet'
  ctx.fillStyle = isQuiet ? theme.page : toneColour(theme, line.tone)
  ctx.beginPath()
  ctx.roundRect(pill.x, pill.y - PILL.height / 2, pill.width, PILL.height, PILL.height / 2)
  ctx.fill()
  if (isQuiet) {
    ctx.strokeStyle = theme.third
    ctx.lineWidth = 1
    ctx.stroke()
  }
  ctx.fillStyle = isQuiet ? theme.ink : theme.onFill
  ctx.font = pillFont(theme)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillText(pill.text, pill.x + PILL.paddingX, pill.y + 0.5)
}

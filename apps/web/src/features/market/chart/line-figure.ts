import type { ChartTheme, LineTone } from './chart-port.ts'
import { PILL, type PlacedLine } from './line-layout.ts'

const DASHES = { solid: [], dashed: [5, 4], dotted: [1.5, 3] } as const
const toneColour = (theme: ChartTheme, tone: LineTone): string =>
  tone === 'quiet' ? theme.third : theme[tone]

export const pillFont = (theme: ChartTheme): string =>
  `${PILL.fontWeight} ${PILL.fontSize}px ${theme.fontFamily}`

/** Draws lines first and pills above them, so that no line crosses a label. */
export function drawLines(
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
  ctx.fillStyle = toneColour(theme, line.tone)
  ctx.beginPath()
  ctx.roundRect(pill.x, pill.y - PILL.height / 2, pill.width, PILL.height, PILL.height / 2)
  ctx.fill()
  ctx.fillStyle = theme.onFill
  ctx.font = pillFont(theme)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillText(pill.text, pill.x + PILL.paddingX, pill.y + 0.5)
}

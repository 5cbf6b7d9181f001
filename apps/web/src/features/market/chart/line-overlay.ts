import type { FigureTemplate, OverlayTemplate } from 'klinecharts'
import type { ChartLine, ChartTheme } from './chart-port.ts'
import { drawLines, pillFont } from './line-figure.ts'
import { PILL, placeLines } from './line-layout.ts'

/** Name of the one overlay, and of its figure, that draws all price lines of a chart. */
export const LINES = 'priceLines'

type LinesShown = {
  readonly lines: readonly ChartLine[]
  readonly theme: ChartTheme
  readonly decimals: number
}
/** A function, because the library deep-copies plain data on every change. */
export type LinesModel = () => LinesShown

type LinesAttrs = LinesShown & {
  readonly width: number
  readonly height: number
  readonly yOf: (price: number) => number
}

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
    const scale = 10 ** shown.decimals
    const attrs: LinesAttrs = {
      ...shown,
      width: bounding.width,
      height: bounding.height,
      yOf: (price) => yAxis?.convertToPixel(price / scale) ?? 0,
    }
    return { type: LINES, attrs, ignoreEvent: true }
  },
}

import {
  dispose,
  init,
  registerFigure,
  registerOverlay,
  type Chart,
  type KLineData,
  type Period,
} from 'klinecharts'
import { overrideAxes } from './chart-axes.ts'
import { indicatorNamed } from './chart-indicators.ts'
import type { ChartBar, ChartLine, ChartOptions, ChartPeriod, ChartPort, ChartSeries } from './chart-port.ts'
import { chartStyles } from './chart-styles.ts'
import { timeWriter } from './chart-time.ts'
import { oncePerFrame } from './frame.ts'
import { linesFigure, linesOverlay, LINES } from './line-overlay.ts'

registerFigure(linesFigure)
registerOverlay(linesOverlay)

const PERIODS: Record<ChartPeriod, Period> = {
  '1min': { type: 'minute', span: 1 },
  '5min': { type: 'minute', span: 5 },
  '15min': { type: 'minute', span: 15 },
  '30min': { type: 'minute', span: 30 },
  '60min': { type: 'hour', span: 1 },
  '1day': { type: 'day', span: 1 },
}
const CANDLES = 'candle_pane'
const EMPTY: ChartSeries = { period: '5min', priceDecimals: 2, bars: [], hasOlder: false }

/** Draws a chart into `box`, which must have a size. Throws when the browser has no canvas. */
export function createChartPort(box: HTMLElement, options: ChartOptions): ChartPort {
  const writer = timeWriter(options.locale)
  let { theme } = options
  let series = EMPTY
  let lines: readonly ChartLine[] = []
  let isStale = false
  let waiting: ChartBar[] = []
  let push: (bar: KLineData) => void = () => undefined

  const chart = init(box, {
    styles: chartStyles(theme, options.words, isStale),
    formatter: { formatDate: ({ timestamp }) => writer.full(timestamp, series.period) },
    decimalFold: { threshold: 100 },
    layout: { pane: { height: 96, minHeight: 56 }, barSpaceLimit: { min: 2, max: 40 } },
  })
  if (!chart) throw new Error('the chart needs a canvas')
  // The library asks for the first place in the tab order; the page's own order is the right one.
  const dom = chart.getDom()
  if (dom) dom.tabIndex = 0
  chart.setOffsetRightDistance(24)
  chart.setBarSpace(8)
  overrideAxes(chart, { lines: () => lines, series: () => series, writer })
  chart.createOverlay({ name: LINES, lock: true, points: [{ value: 0 }], extendData: linesModel() })

  const toPrice = (ticks: number): number => ticks / 10 ** series.priceDecimals
  const toData = (bar: ChartBar): KLineData => ({
    timestamp: bar.time,
    open: toPrice(bar.open),
    high: toPrice(bar.high),
    low: toPrice(bar.low),
    close: toPrice(bar.close),
    volume: bar.volume,
  })

  function linesModel() {
    const shown = { lines, theme, decimals: series.priceDecimals }
    return () => shown
  }
  const redrawLines = () => chart.overrideOverlay({ name: LINES, extendData: linesModel() })
  const restyle = () => chart.setStyles(chartStyles(theme, options.words, isStale))

  chart.setDataLoader({
    getBars: async ({ type, timestamp, callback }) => {
      if (type === 'init') return callback(series.bars.map(toData), { forward: series.hasOlder })
      if (type !== 'forward' || timestamp === null) return callback([], false)
      const asked = series
      const older = await options.loadOlder(timestamp)
      if (asked === series) callback(older.map(toData), { forward: older.length > 0 })
    },
    subscribeBar: ({ callback }) => {
      push = callback
    },
  })

  const frame = oncePerFrame(() => {
    waiting.forEach((bar) => push(toData(bar)))
    waiting = []
  })

  return {
    setBars: (next) => {
      series = next
      waiting = []
      chart.setPeriod(PERIODS[next.period])
      chart.setSymbol({ ticker: '', pricePrecision: next.priceDecimals, volumePrecision: 0 })
      redrawLines()
    },
    pushBar: (bar) => {
      waiting = [...waiting.filter((other) => other.time !== bar.time), bar]
      frame.ask()
    },
    setLines: (next) => {
      const isRangeChanged = rangeKey(next) !== rangeKey(lines)
      lines = next
      redrawLines()
      if (isRangeChanged) chart.overrideYAxis({ paneId: CANDLES })
    },
    setIndicators: (names) => showIndicators(chart, names),
    setStale: (next) => {
      if (next === isStale) return
      isStale = next
      restyle()
    },
    setTheme: (next) => {
      theme = next
      restyle()
      redrawLines()
    },
    destroy: () => {
      frame.cancel()
      dispose(chart)
    },
  }
}

/** Only labelled lines widen the price axis, so the quote's own two never force a new layout. */
const rangeKey = (lines: readonly ChartLine[]): string =>
  lines.flatMap((line) => (line.label === null ? [] : [line.price])).join()

function showIndicators(chart: Chart, names: readonly string[]): void {
  const known = names.flatMap((name) => indicatorNamed(name) ?? [])
  for (const shown of chart.getIndicators()) {
    if (!known.some(({ name }) => name === shown.name)) chart.removeIndicator({ id: shown.id })
  }
  for (const { name, place } of known) {
    if (chart.getIndicators({ name }).length > 0) continue
    chart.createIndicator(place === 'candles' ? { name, paneId: CANDLES } : { name }, place === 'candles')
  }
}

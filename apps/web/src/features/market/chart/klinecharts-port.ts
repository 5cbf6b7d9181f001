import { dispose, init, registerFigure, registerOverlay, type Chart, type Period } from 'klinecharts'
import { createCandleFeed, NOTHING } from './bar-feed.ts'
import { overrideAxes } from './chart-axes.ts'
import { tailOf } from './chart-bars.ts'
import type {
  ChartLine,
  ChartOptions,
  ChartPeriod,
  ChartPort,
  ChartSeries,
  ChartTheme,
} from './chart-port.ts'
import { chartStyles } from './chart-styles.ts'
import { timeWriter, type TimeWriter } from './chart-time.ts'
import { CANDLES, fitPanes, showIndicators } from './indicator-view.ts'
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
const GLIDE_MS = 160
const LEAST_BARS_IN_SIGHT = 12

/** What is shown beside the bars. */
type Shown = { series: ChartSeries; lines: readonly ChartLine[]; isStale: boolean; theme: ChartTheme }

/** Draws a chart into `box`, which must have a size. Throws when the browser has no canvas. */
export function createChartPort(box: HTMLElement, options: ChartOptions): ChartPort {
  const shown: Shown = { series: NOTHING, lines: [], isStale: false, theme: options.theme }
  const writer = timeWriter(options.locale)
  const feed = createCandleFeed(options.loadOlder)
  const chart = createChart(box, shown, options, writer)
  overrideAxes(chart, { lines: () => shown.lines, series: () => shown.series, writer })
  chart.createOverlay({ name: LINES, lock: true, points: [{ value: 0 }], extendData: linesModel(shown) })
  chart.setDataLoader(feed.loader)
  watchNow(chart, options.onNowInSight)
  const resizing = new ResizeObserver(() => fitPanes(chart, box.clientHeight))
  resizing.observe(box)
  const redrawLines = () => chart.overrideOverlay({ name: LINES, extendData: linesModel(shown) })
  const restyle = () => chart.setStyles(chartStyles(shown.theme, options.words, shown.isStale))
  return {
    setBars: (series) => {
      const tail = series.key === shown.series.key ? tailOf(feed.last(), series.bars) : null
      if (tail) return tail.forEach(feed.push)
      shown.series = series
      feed.show(series)
      chart.setPeriod(PERIODS[series.period])
      chart.setSymbol({ ticker: '', pricePrecision: series.priceDecimals, volumePrecision: 0 })
      redrawLines()
    },
    pushBar: feed.push,
    setLines: (lines) => {
      const isRangeChanged = rangeKey(lines) !== rangeKey(shown.lines)
      shown.lines = lines
      redrawLines()
      if (isRangeChanged) chart.overrideYAxis({ paneId: CANDLES })
    },
    setIndicators: (names) => {
      showIndicators(chart, names, shown.series.priceDecimals)
      fitPanes(chart, box.clientHeight)
    },
    setStale: (isStale) => {
      if (isStale === shown.isStale) return
      shown.isStale = isStale
      restyle()
    },
    setTheme: (theme) => {
      shown.theme = theme
      restyle()
      redrawLines()
    },
    goToNow: () => chart.scrollToRealTime(GLIDE_MS),
    destroy: () => {
      feed.stop()
      resizing.disconnect()
      dispose(chart)
    },
  }
}

function createChart(box: HTMLElement, shown: Shown, options: ChartOptions, writer: TimeWriter): Chart {
  const chart = init(box, {
    styles: chartStyles(shown.theme, options.words, shown.isStale),
    formatter: { formatDate: ({ timestamp }) => writer.full(timestamp, shown.series.period) },
    decimalFold: { threshold: 100 },
    layout: { pane: { minHeight: 40 }, barSpaceLimit: { min: 2, max: 40 } },
  })
  if (!chart) throw new Error('the chart needs a canvas')
  const dom = chart.getDom()
  // The library asks for the first place in the tab order; the page's own order is the right one.
  if (dom) dom.tabIndex = 0
  chart.setOffsetRightDistance(24)
  chart.setBarSpace(8)
  chart.setLeftMinVisibleBarCount(LEAST_BARS_IN_SIGHT)
  chart.setRightMinVisibleBarCount(LEAST_BARS_IN_SIGHT)
  return chart
}

/** Calls back when the newest candle scrolls out of view or comes back, and only then. */
function watchNow(chart: Chart, tell: (isInSight: boolean) => void): void {
  let wasInSight = true
  chart.subscribeAction('onVisibleRangeChange', () => {
    const isInSight = chart.getVisibleRange().to >= chart.getDataList().length
    if (isInSight !== wasInSight) tell(isInSight)
    wasInSight = isInSight
  })
}

const linesModel = ({ lines, theme, series }: Shown) => {
  const model = { lines, theme, decimals: series.priceDecimals }
  return () => model
}

/** Only labelled lines widen the price axis, so the quote's own two never force a new layout. */
const rangeKey = (lines: readonly ChartLine[]): string =>
  lines.flatMap((line) => (line.label === null ? [] : [line.price])).join()

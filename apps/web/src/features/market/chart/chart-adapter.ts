import { dispose, init, registerFigure, registerOverlay, type Chart, type Period } from 'klinecharts'
import { figureFormat } from '../../../i18n/number-format.ts'
import { createCandleFeed, NO_SERIES } from './bar-feed.ts'
import { CANDLES, overrideAxes, timeFormatter, type TimeFormatter } from './chart-axes.ts'
import { tailOf } from './bars.ts'
import type {
  ChartLine,
  ChartLook,
  ChartOptions,
  ChartPeriod,
  ChartPort,
  ChartSeries,
  ChartTheme,
  PriceScale,
} from './chart-port.ts'
import { chartStyles } from './chart-styles.ts'
import { fitPanes, showIndicators } from './indicator-view.ts'
import { linesFigure, linesOverlay, LINES } from './chart-lines.ts'

registerFigure(linesFigure)
registerOverlay(linesOverlay)

const LIBRARY_PERIODS: Record<ChartPeriod, Period> = {
  '1min': { type: 'minute', span: 1 },
  '5min': { type: 'minute', span: 5 },
  '15min': { type: 'minute', span: 15 },
  '30min': { type: 'minute', span: 30 },
  '60min': { type: 'hour', span: 1 },
  '1day': { type: 'day', span: 1 },
}
const GLIDE_MS = 160
const MIN_VISIBLE_BARS = 12

/** Current content of the chart. */
type Shown = {
  series: ChartSeries
  lines: readonly ChartLine[]
  isStale: boolean
  look: ChartLook
  theme: ChartTheme
  /** Null before the first drawing. */
  scale: PriceScale | null
  readonly onScale: (scale: PriceScale) => void
}

/** Draws a chart into `box`, which must have a size. Throws when the browser has no canvas. */
export function createChartPort(box: HTMLElement, options: ChartOptions): ChartPort {
  const watchers = new Set<(scale: PriceScale) => void>()
  const shown: Shown = {
    series: NO_SERIES,
    lines: [],
    isStale: false,
    look: 'candles',
    theme: options.theme,
    scale: null,
    onScale: (scale) => {
      shown.scale = scale
      for (const report of watchers) report(scale)
    },
  }
  const formatter = timeFormatter(options.locale)
  const figure = figureFormat(options.locale).decimal
  const feed = createCandleFeed(options.loadOlder)
  const chart = createChart(box, shown, options, { formatter, figure })
  overrideAxes(chart, {
    lines: () => shown.lines,
    series: () => shown.series,
    formatter,
    figure,
    position: options.priceAxis,
  })
  chart.createOverlay({ name: LINES, lock: true, points: [{ value: 0 }], extendData: linesModel(shown) })
  chart.setDataLoader(feed.loader)
  watchNewestBar(chart, options.onNowInSight)
  const stopTaps = watchPriceTaps(chart, box, (price) =>
    options.onPriceTapped(Math.round(price * 10 ** shown.series.priceDecimals)),
  )
  const resizing = new ResizeObserver(() => fitPanes(chart, box.clientHeight, options.priceAxis))
  resizing.observe(box)
  const redrawLines = () => chart.overrideOverlay({ name: LINES, extendData: linesModel(shown) })
  const restyle = () => chart.setStyles(chartStyles(shown.theme, options.labels, shown))
  return {
    setBars: (series) => {
      const tail = series.key === shown.series.key ? tailOf(feed.last(), series.bars) : null
      if (tail) return tail.forEach(feed.push)
      shown.series = series
      feed.show(series)
      chart.setPeriod(LIBRARY_PERIODS[series.period])
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
      fitPanes(chart, box.clientHeight, options.priceAxis)
    },
    setLook: (look) => {
      shown.look = look
      restyle()
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
    watchScale: (report) => {
      watchers.add(report)
      if (shown.scale) report(shown.scale)
      return () => void watchers.delete(report)
    },
    goToNow: () => chart.scrollToRealTime(GLIDE_MS),
    destroy: () => {
      feed.stop()
      stopTaps()
      resizing.disconnect()
      dispose(chart)
    },
  }
}

type Writing = { readonly formatter: TimeFormatter; readonly figure: (price: string) => string }

const A_FIGURE = /^-?\d+(?:\.\d+)?$/

function createChart(
  box: HTMLElement,
  shown: Shown,
  options: ChartOptions,
  { formatter, figure }: Writing,
): Chart {
  const chart = init(box, {
    styles: chartStyles(shown.theme, options.labels, shown),
    formatter: { formatDate: ({ timestamp }) => formatter.full(timestamp, shown.series.period) },
    decimalFold: { threshold: 100 },
    // Called with every figure of tags, legend and indicators, as a text with a decimal point.
    thousandsSeparator: {
      format: (value) => (A_FIGURE.test(String(value)) ? figure(String(value)) : String(value)),
    },
    layout: { pane: { minHeight: 40 }, barSpaceLimit: { min: 2, max: 40 } },
  })
  if (!chart) throw new Error('the chart needs a canvas')
  const dom = chart.getDom()
  // The library puts the chart first in the tab order; it belongs where it stands in the page.
  if (dom) dom.tabIndex = 0
  chart.setOffsetRightDistance(24)
  chart.setBarSpace(8)
  chart.setLeftMinVisibleBarCount(MIN_VISIBLE_BARS)
  chart.setRightMinVisibleBarCount(MIN_VISIBLE_BARS)
  return chart
}

/** Calls back when the newest bar scrolls out of view and when it comes back. */
function watchNewestBar(chart: Chart, report: (isInSight: boolean) => void): void {
  let wasInSight = true
  chart.subscribeAction('onVisibleRangeChange', () => {
    const isInSight = chart.getVisibleRange().to >= chart.getDataList().length
    if (isInSight !== wasInSight) report(isInSight)
    wasInSight = isInSight
  })
}

/** A press that moves farther than this, in px, or lasts longer, in ms, drags the axis. */
const TAP_REACH = 6
const TAP_MS = 500

/** Calls back with the price at a tap on the price axis of the candles. Returns a function that stops it. */
function watchPriceTaps(chart: Chart, box: HTMLElement, report: (price: number) => void): () => void {
  let start: { readonly y: number; readonly at: number } | null = null
  const axisOf = ({ clientX, clientY }: PointerEvent): DOMRect | null => {
    const rect = chart.getDom(CANDLES, 'yAxis')?.getBoundingClientRect()
    const isInside =
      rect && clientX >= rect.left && clientX <= rect.right && clientY >= rect.top && clientY <= rect.bottom
    return isInside ? rect : null
  }
  const press = (event: PointerEvent) => {
    start = axisOf(event) ? { y: event.clientY, at: event.timeStamp } : null
  }
  const release = (event: PointerEvent) => {
    const rect = axisOf(event)
    const isTap =
      start && Math.abs(event.clientY - start.y) <= TAP_REACH && event.timeStamp - start.at <= TAP_MS
    start = null
    if (!rect || !isTap) return
    const point = chart.convertFromPixel([{ y: event.clientY - rect.top }], { paneId: CANDLES })
    const value = [point].flat()[0]?.value
    if (value !== undefined) report(value)
  }
  // In the capture phase, because the library stops some events.
  box.addEventListener('pointerdown', press, true)
  box.addEventListener('pointerup', release, true)
  return () => {
    box.removeEventListener('pointerdown', press, true)
    box.removeEventListener('pointerup', release, true)
  }
}

const linesModel = ({ lines, theme, series, onScale }: Shown) => {
  const model = { lines, theme, decimals: series.priceDecimals, onScale }
  return () => model
}

/** Identifies the lines that widen the price axis: only labelled ones, so that bid and ask never force a new layout. */
const rangeKey = (lines: readonly ChartLine[]): string =>
  lines.flatMap((line) => (line.label === null ? [] : [line.anchor ?? line.price])).join()

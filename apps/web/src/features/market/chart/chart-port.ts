/**
 * The interface between screens and chart. Only the adapter behind it uses the drawing library, which can be replaced without a change
 * of the screens. Prices are integers in ticks, times are epoch ms.
 */
export type ChartPeriod = '1min' | '5min' | '15min' | '30min' | '60min' | '1day'

/** How bars are drawn. */
export const CHART_LOOKS = ['candles', 'hollow', 'line', 'area'] as const
export type ChartLook = (typeof CHART_LOOKS)[number]

/** How long a candle of each period lasts. */
export const PERIOD_MINUTES: Record<ChartPeriod, number> = {
  '1min': 1,
  '5min': 5,
  '15min': 15,
  '30min': 30,
  '60min': 60,
  '1day': 1440,
}

export type ChartBar = {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export type ChartSeries = {
  /** Instrument, source and period; bars with the same key that overlap those drawn continue the chart. */
  readonly key: string
  readonly period: ChartPeriod
  readonly priceDecimals: number
  /** Ascending by time; the last one may still change. */
  readonly bars: readonly ChartBar[]
  readonly hasOlder: boolean
}

export type LineTone = 'quiet' | 'up' | 'down' | 'brass' | 'ink'

export type ChartLine = {
  readonly id: string
  /** In ticks; a fraction is allowed. */
  readonly price: number
  readonly tone: LineTone
  readonly stroke: 'solid' | 'dashed' | 'dotted'
  /** Label at the start of the line; null for none. */
  readonly label: string | null
  /** The price that the axis keeps in view in place of the line's own, so that it stands still while a line is moved. */
  readonly anchor?: number
  /** How the line is moved by hand; left out for one that cannot be moved. */
  readonly handle?: LineHandle
}

/** A line as it would be at another price. */
export type MovedLine = { readonly label: string; readonly tone: LineTone; readonly note: string }

/** How a line is moved by hand. Prices are in ticks. */
export type LineHandle = {
  /** For screen readers: "Stop loss of Buy 0.10 EUR/USD". */
  readonly name: string
  /** True: the line itself moves. False: it stays, and a new line is drawn from it. */
  readonly isLineMoved: boolean
  /** One press of an arrow key. */
  readonly step: number
  /** The nearest price that the line may have. */
  readonly snap: (price: number) => number
  /** The line as it would be at a price. */
  readonly at: (price: number) => MovedLine
}

/** The price axis of the candles as last drawn. Lengths in px from the top of the chart, prices in ticks. */
export type PriceScale = {
  /** From the left edge of the chart to the candles: the width of a price axis on the left. */
  readonly left: number
  readonly width: number
  readonly height: number
  readonly yOf: (price: number) => number
  /** With a fraction. */
  readonly priceAt: (y: number) => number
}

export type ChartTheme = {
  readonly page: string
  readonly ink: string
  readonly second: string
  readonly third: string
  readonly line: string
  readonly brass: string
  readonly up: string
  readonly down: string
  /** Text on a background of ink, brass, up or down. */
  readonly onFill: string
  readonly fontFamily: string
}

export type ChartLabels = {
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
}

export type ChartPort = {
  /** Shows bars: a new key scrolls to the newest bar, the same key keeps the position and adds new bars. */
  readonly setBars: (series: ChartSeries) => void
  /** Adds a bar or updates the last one, with the next animation frame. A bar older than the last is ignored. */
  readonly pushBar: (bar: ChartBar) => void
  /** Replaces all price lines. */
  readonly setLines: (lines: readonly ChartLine[]) => void
  /** Shows the named indicators; unknown names are ignored. */
  readonly setIndicators: (names: readonly string[]) => void
  readonly setLook: (look: ChartLook) => void
  /** Greys the tag of a stale price. */
  readonly setStale: (isStale: boolean) => void
  readonly setTheme: (theme: ChartTheme) => void
  /** Calls back with the price axis now and each time the candles are drawn. Returns a function that stops it. */
  readonly watchScale: (report: (scale: PriceScale) => void) => () => void
  /** Scrolls to the newest bar. */
  readonly goToNow: () => void
  readonly destroy: () => void
}

export type ChartOptions = {
  readonly theme: ChartTheme
  readonly labels: ChartLabels
  /** BCP 47 tag for dates; digits are always Latin. */
  readonly locale: string
  /** Where the price axis stands. Time runs from left to right in every language. */
  readonly priceAxis: 'left' | 'right'
  /** Bars before a time, ascending; an empty list when there are none. */
  readonly loadOlder: (before: number) => Promise<readonly ChartBar[]>
  /** Called when the newest candle scrolls out of view and when it comes back. */
  readonly onNowInSight: (isInSight: boolean) => void
  /** Called with the price in ticks when the price axis is tapped. */
  readonly onPriceTapped: (ticks: number) => void
}

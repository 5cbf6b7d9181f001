/**
 * What the screens know of a chart. The drawing library stands behind this port and nowhere else, so it can be
 * exchanged without touching a screen. Prices are whole ticks, times are epoch ms.
 */
export type ChartPeriod = '1min' | '5min' | '15min' | '30min' | '60min' | '1day'

export type ChartBar = {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export type ChartSeries = {
  /** Instrument and period of these candles; the same key with candles that overlap those drawn continues the drawing. */
  readonly key: string
  readonly period: ChartPeriod
  readonly priceDecimals: number
  /** Ascending in time; the last one may still move. */
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
  /** Written on a pill at the start of the line; null draws the line alone. */
  readonly label: string | null
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
  /** Text on a fill of ink, brass, up or down. */
  readonly onFill: string
  readonly fontFamily: string
}

export type ChartWords = {
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
}

export type ChartPort = {
  /** Shows bars: a new key goes to the newest one, the same key keeps the place and adds what is new. */
  readonly setBars: (series: ChartSeries) => void
  /** Adds a bar or moves the last one; painted with the next animation frame. A bar older than the last is ignored. */
  readonly pushBar: (bar: ChartBar) => void
  /** Replaces all price lines. */
  readonly setLines: (lines: readonly ChartLine[]) => void
  /** Names from the indicator list; an unknown one is ignored. */
  readonly setIndicators: (names: readonly string[]) => void
  /** A stale price loses the ink of its tag. */
  readonly setStale: (isStale: boolean) => void
  readonly setTheme: (theme: ChartTheme) => void
  /** Back to the newest bar. */
  readonly goToNow: () => void
  readonly destroy: () => void
}

export type ChartOptions = {
  readonly theme: ChartTheme
  readonly words: ChartWords
  /** BCP 47 tag for dates; digits are Latin whatever it says. */
  readonly locale: string
  /** Bars before the given time, ascending; an empty list means there are none. */
  readonly loadOlder: (before: number) => Promise<readonly ChartBar[]>
  /** Called when the newest candle scrolls out of view and when it comes back. */
  readonly onNowInSight: (isInSight: boolean) => void
}

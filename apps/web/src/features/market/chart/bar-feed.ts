import type { DataLoader, KLineData } from 'klinecharts'
import type { ChartBar, ChartOptions, ChartSeries } from './chart-port.ts'

/** Feeds bars to the chart library, which pulls the first and the older ones and receives the newest by push. */
type CandleFeed = {
  readonly loader: DataLoader
  readonly show: (series: ChartSeries) => void
  readonly push: (bar: ChartBar) => void
  /** The newest bar shown or pushed; null before the first. */
  readonly last: () => ChartBar | null
  readonly stop: () => void
}

/** The series of a chart before its first bars and after its end. */
export const NO_SERIES: ChartSeries = { key: '', period: '5min', priceDecimals: 2, bars: [], hasOlder: false }

export function createCandleFeed(loadOlder: ChartOptions['loadOlder']): CandleFeed {
  let series = NO_SERIES
  let waiting: readonly ChartBar[] = []
  let last: ChartBar | null = null
  let paint: (bar: KLineData) => void = () => undefined
  const frame = oncePerFrame(() => {
    waiting.forEach((bar) => paint(toData(bar, series)))
    waiting = []
  })
  return {
    loader: {
      getBars: async ({ type, timestamp, callback }) => {
        const requested = series
        const write = (bars: readonly ChartBar[]) => bars.map((bar) => toData(bar, requested))
        if (type === 'init') return callback(write(requested.bars), { forward: requested.hasOlder })
        if (type !== 'forward' || timestamp === null) return callback([], false)
        // After a failure the next scroll to the left end tries again.
        const older = await loadOlder(timestamp).catch(() => null)
        // A response for an instrument or period no longer shown would mix two histories.
        if (requested !== series) return
        callback(write(older ?? []), { forward: older === null || older.length > 0 })
      },
      subscribeBar: ({ callback }) => {
        paint = callback
      },
    },
    show: (next) => {
      series = next
      last = next.bars.at(-1) ?? null
      waiting = []
    },
    last: () => last,
    push: (bar) => {
      if (last && bar.time < last.time) return
      last = bar
      waiting = [...waiting.filter((other) => other.time !== bar.time), bar]
      frame.request()
    },
    stop: () => {
      series = NO_SERIES
      frame.cancel()
    },
  }
}

function toData(bar: ChartBar, { priceDecimals }: ChartSeries): KLineData {
  const scale = 10 ** priceDecimals
  return {
    timestamp: bar.time,
    open: bar.open / scale,
    high: bar.high / scale,
    low: bar.low / scale,
    close: bar.close / scale,
    volume: bar.volume,
  }
}

/** Calls `paint` once with the next animation frame, however often it is requested. */
function oncePerFrame(paint: () => void): { readonly request: () => void; readonly cancel: () => void } {
  let handle = 0
  return {
    request: () => {
      handle ||= requestAnimationFrame(() => {
        handle = 0
        paint()
      })
    },
    cancel: () => {
      cancelAnimationFrame(handle)
      handle = 0
    },
  }
}

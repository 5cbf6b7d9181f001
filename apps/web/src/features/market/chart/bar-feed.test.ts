import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCandleFeed } from './bar-feed.ts'
import type { ChartBar, ChartSeries } from './chart-port.ts'

const bar = (time: number, close = 100): ChartBar => ({
  time,
  open: 100,
  high: 110,
  low: 90,
  close,
  volume: 1,
})
const series = (...bars: ChartBar[]): ChartSeries => ({
  key: '1',
  period: '1min',
  priceDecimals: 1,
  bars,
  hasOlder: true,
})
const symbol = { ticker: '', pricePrecision: 1, volumePrecision: 0 }
const period = { type: 'minute', span: 1 } as const

/** Requests bars as the chart library does. */
const requestBars = (
  feed: ReturnType<typeof createCandleFeed>,
  type: 'init' | 'forward',
  timestamp: number | null = null,
) =>
  new Promise((resolve) => {
    void feed.loader.getBars({
      type,
      timestamp,
      symbol,
      period,
      callback: (data, more) => resolve([data.length, more]),
    })
  })

describe('feeding the chart', () => {
  const frames: FrameRequestCallback[] = []
  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', (paint: FrameRequestCallback) => frames.push(paint))
    vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0))
  })
  afterEach(() => vi.unstubAllGlobals())

  const nextFrame = () => frames.splice(0).forEach((paint) => paint(0))
  const listen = (feed: ReturnType<typeof createCandleFeed>): number[] => {
    const painted: number[] = []
    feed.loader.subscribeBar?.({ symbol, period, callback: ({ close }) => painted.push(close) })
    return painted
  }

  it('returns the bars as prices at the first request', async () => {
    const feed = createCandleFeed(async () => [])
    feed.show(series(bar(1), bar(2)))
    expect(await requestBars(feed, 'init')).toEqual([2, { forward: true }])
  })

  it('paints once per frame, and of one bar only its newest state', () => {
    const feed = createCandleFeed(async () => [])
    const painted = listen(feed)
    feed.show(series(bar(1)))
    for (const close of [101, 102, 103]) feed.push(bar(1, close))
    feed.push(bar(2, 104))
    expect(painted).toEqual([])
    nextFrame()
    expect(painted).toEqual([10.3, 10.4])
  })

  it('ignores a bar older than the last', () => {
    const feed = createCandleFeed(async () => [])
    const painted = listen(feed)
    feed.show(series(bar(1), bar(2)))
    feed.push(bar(1, 105))
    nextFrame()
    expect(painted).toEqual([])
  })

  it('drops bars that wait for a frame when another series is shown', () => {
    const feed = createCandleFeed(async () => [])
    const painted = listen(feed)
    feed.show(series(bar(1)))
    feed.push(bar(1, 105))
    feed.show(series(bar(9)))
    nextFrame()
    expect(painted).toEqual([])
  })

  it('loads older bars until there are none', async () => {
    const history = [[bar(-2), bar(-1)], []]
    const feed = createCandleFeed(async () => history.shift() ?? [])
    feed.show(series(bar(1)))
    expect(await requestBars(feed, 'forward', 1)).toEqual([2, { forward: true }])
    expect(await requestBars(feed, 'forward', -2)).toEqual([0, { forward: false }])
  })

  it('lets older bars be requested again after a failure', async () => {
    const feed = createCandleFeed(() => Promise.reject(new Error('offline')))
    feed.show(series(bar(1)))
    expect(await requestBars(feed, 'forward', 1)).toEqual([0, { forward: true }])
  })

  it('drops older bars that arrive for a series no longer shown', async () => {
    const answers: ((bars: ChartBar[]) => void)[] = []
    const feed = createCandleFeed(() => new Promise((resolve) => answers.push(resolve)))
    feed.show(series(bar(1)))
    const callback = vi.fn()
    const loading = feed.loader.getBars({ type: 'forward', timestamp: 1, symbol, period, callback })
    feed.show(series(bar(9)))
    answers[0]?.([bar(0)])
    await loading
    expect(callback).not.toHaveBeenCalled()
  })
})

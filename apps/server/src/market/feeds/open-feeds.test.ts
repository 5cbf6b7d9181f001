import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InstrumentHistory, RawTick } from './feed.ts'
import { openFeeds, parseFeedSetting, type OpenFeeds } from './open-feeds.ts'
import { createManualPace, folderOf, INSTRUMENTS } from './test-kit.ts'

const NOON = Date.UTC(2025, 5, 2, 12)

async function opened(setting: string, more: object = {}): Promise<OpenFeeds> {
  const feeds = await openFeeds(setting, { instruments: INSTRUMENTS, pace: createManualPace(NOON), ...more })
  if ('problem' in feeds) throw new Error(feeds.problem)
  return feeds
}

/** Ticks of all feeds until `count` have come. */
function firstTicks({ feeds }: OpenFeeds, count: number): Promise<RawTick[]> {
  return new Promise((resolve) => {
    const ticks: RawTick[] = []
    const emit = (tick: RawTick) => {
      ticks.push(tick)
      if (ticks.length === count) for (const feed of feeds) void feed.stop()
      if (ticks.length === count) resolve(ticks)
    }
    for (const feed of feeds) void feed.start(emit)
  })
}

test('auto is the simulated market, which prices all instruments at once', async () => {
  const feeds = await opened('auto')
  expect(INSTRUMENTS.map(({ code }) => feeds.feedOf(code)?.kind)).toEqual(INSTRUMENTS.map(() => 'simulated'))
  const ticks = await firstTicks(feeds, INSTRUMENTS.length)
  expect(ticks.map(({ code }) => code).sort()).toEqual(INSTRUMENTS.map(({ code }) => code).sort())
  expect(ticks[0]?.time).toBe(NOON)
})

test('a seed gives the same ticks again, and no seed gives others each time', async () => {
  const prices = async (setting: string) => firstTicks(await opened(setting), 200)
  expect(await prices('simulated:7')).toEqual(await prices('simulated:7'))
  expect(await prices('simulated:7')).not.toEqual(await prices('simulated:8'))
  expect(await prices('simulated')).not.toEqual(await prices('simulated'))
})

test('simulated history ends where the first tick begins', async () => {
  const feeds = await opened('simulated:7', { startFrom: new Map([['EURUSD', 1.2]]) })
  const histories: InstrumentHistory[] = []
  for await (const history of feeds.feedOf('EURUSD')?.history?.(INSTRUMENTS, NOON) ?? [])
    histories.push(history)
  expect(histories.map(({ code }) => code)).toEqual(INSTRUMENTS.map(({ code }) => code))
  expect(histories[0]?.bars['1min'].at(-1)?.close).toBe(120_000)
  const [first] = await firstTicks(feeds, 1)
  expect(Number(first?.bid)).toBeCloseTo(1.2, 3)
})

test('with a replay the market clock is the recording, and other feeds follow it', async () => {
  const folder = await folderOf({ 'EURUSD_ticks.csv': 'ts_ms,bid,ask\n5000,1.1,1.2\n5400,1.1,1.3\n' })
  const feeds = await opened(`replay:${join(folder, 'EURUSD_ticks.csv')}@50?loop=off,simulated:1`)
  expect(feeds.clock.now()).toBe(5_000)
  expect([feeds.feedOf('EURUSD')?.kind, feeds.feedOf('GBPUSD')?.kind]).toEqual(['recorded', 'simulated'])
  const ticks = await firstTicks(feeds, 10 * INSTRUMENTS.length)
  expect(ticks.every(({ code, source }) => (code === 'EURUSD') === source.startsWith('replay'))).toBe(true)
  // A step of 100 ms is 5 s of this market, so even the quietest ticks in every one.
  const count = (wanted: string) => ticks.filter(({ code }) => code === wanted).length
  expect(count('USDHKD')).toBe(count('USDJPY'))
})

test('reports which files of a folder are not played', async () => {
  const folder = await folderOf({
    'EURUSD_ticks.csv': 'ts_ms,bid,ask\n5000,1.1,1.2\n',
    'ABC_ticks.csv': 'ts_ms,bid,ask\n5000,1.1,1.2\n',
  })
  expect((await opened(`replay:${folder}`)).notices).toEqual([expect.stringContaining('ABC_ticks.csv')])
})

test.each([
  { minutes: 9_999, shown: 9_999, notices: [] },
  {
    minutes: 10_250,
    shown: 10_000,
    notices: [expect.stringContaining('EURUSD 250 bars of a minute before 2014-05-01T04:10:00.000Z')],
  },
])(
  'shows $shown of $minutes minutes before `from`, and reports what is missing',
  async ({ minutes, shown, notices }) => {
    const first = Date.UTC(2014, 4, 1)
    const rows = Array.from({ length: minutes + 1 }, (_, minute) => `${first + minute * 60_000},1.1,1.2`)
    const folder = await folderOf({ 'EURUSD_ticks.csv': ['ts_ms,bid,ask', ...rows, ''].join('\n') })
    const from = first + minutes * 60_000
    const feeds = await opened(`replay:${folder}?from=${from}`)
    const histories: InstrumentHistory[] = []
    for await (const history of feeds.feeds[0]?.history?.(INSTRUMENTS, from) ?? []) histories.push(history)
    const bars = histories[0]?.bars['1min']
    expect(bars).toHaveLength(shown)
    expect(bars?.at(0)?.time).toBe(from - shown * 60_000)
    expect(bars?.at(-1)?.time).toBe(from - 60_000)
    expect(feeds.notices).toEqual(notices)
  },
)

test('reports when the clock runs ahead of real time', async () => {
  const feeds = await opened('simulated', { notBefore: NOON + 60_000 })
  expect(feeds.clock.now()).toBe(NOON + 60_000)
  expect(feeds.notices).toEqual([expect.stringContaining('2025-06-02T12:01:00.000Z')])
})

test.each(['kraken', 'replay:/no/such/folder', 'replay:/no/such/file.csv@3'])(
  'refuses %s',
  async (setting) => {
    expect(await openFeeds(setting, { instruments: INSTRUMENTS })).toEqual({ problem: expect.any(String) })
  },
)

const REPLAY = { kind: 'replay', path: 'day.csv', speed: 1, from: null, isLooping: true }

test.each([
  ['auto', [{ kind: 'simulated', seed: null }]],
  ['simulated', [{ kind: 'simulated', seed: null }]],
  ['simulated:42', [{ kind: 'simulated', seed: '42' }]],
  ['replay:day.csv', [REPLAY]],
  ['replay:day.csv@5', [{ ...REPLAY, speed: 5 }]],
  ['replay:day.csv@0.5?loop=off', [{ ...REPLAY, speed: 0.5, isLooping: false }]],
  ['replay:day.csv?from=1399033500000', [{ ...REPLAY, from: 1_399_033_500_000 }]],
  ['replay:day.csv@5?from=2014-05-02T12:25:00Z', [{ ...REPLAY, speed: 5, from: 1_399_033_500_000 }]],
  ['replay:day.csv?from=2014-05-02T14:25:00+02:00', [{ ...REPLAY, from: 1_399_033_500_000 }]],
  ['replay:/a@b/day.csv', [{ ...REPLAY, path: '/a@b/day.csv' }]],
  ['ws://127.0.0.1:9000', [{ kind: 'websocket', url: 'ws://127.0.0.1:9000' }]],
  ['replay:day.csv, simulated', [REPLAY, { kind: 'simulated', seed: null }]],
])('reads %s', (setting, sources) => {
  expect(parseFeedSetting(setting)).toEqual(sources)
})

test.each([
  ['', 'none of these'],
  ['kraken', '"kraken" is none of these'],
  ['Simulated', 'none of these'],
  ['http://host', 'none of these'],
  ['simulated,', 'none of these'],
  ['simulated:', 'seed'],
  ['simulated:a b', 'seed'],
  ['ws://', 'ws://host:port'],
  ['replay:', 'a file or a folder'],
  ['replay:day.csv@fast', 'speed'],
  ['replay:day.csv@0', 'speed'],
  ['replay:day.csv@-1', 'speed'],
  ['replay:day.csv@', 'speed'],
  ['replay:day.csv?from=yesterday', 'from'],
  ['replay:day.csv?from=2014-05-02T12:25:00', 'zone'],
  ['replay:day.csv?loop=no', 'loop'],
  ['replay:day.csv?speed=2', 'options from and loop'],
  ['simulated,auto', 'one simulated'],
  ['replay:a.csv,replay:b.csv', 'one replay'],
  ['replay:a.csv,ws://host:1', 'live'],
])('refuses "%s" with the reason', (setting, reason) => {
  expect(parseFeedSetting(setting)).toEqual({ problem: expect.stringContaining(reason) })
})

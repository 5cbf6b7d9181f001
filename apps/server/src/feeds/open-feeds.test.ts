import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InstrumentHistory, RawTick } from './feed.ts'
import { openFeeds, type OpenFeeds } from './open-feeds.ts'
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

test('auto is the simulated market, which prices everything at once', async () => {
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
  for await (const told of feeds.feedOf('EURUSD')?.history?.(INSTRUMENTS, NOON) ?? []) histories.push(told)
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
  const count = (asked: string) => ticks.filter(({ code }) => code === asked).length
  expect(count('USDHKD')).toBe(count('USDJPY'))
})

test('tells which files of a folder are not played', async () => {
  const folder = await folderOf({
    'EURUSD_ticks.csv': 'ts_ms,bid,ask\n5000,1.1,1.2\n',
    'ABC_ticks.csv': 'ts_ms,bid,ask\n5000,1.1,1.2\n',
  })
  expect((await opened(`replay:${folder}`)).notices).toEqual([expect.stringContaining('ABC_ticks.csv')])
})

test('says when the clock has to run ahead of real time', async () => {
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

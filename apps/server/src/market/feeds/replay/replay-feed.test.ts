import { expect, test } from 'vitest'
import type { RawTick } from '../feed.ts'
import { createManualPace, folderOf, INSTRUMENTS, instrument } from '../test-kit.ts'
import { openReplay, type Replay, type ReplaySetting } from './replay-feed.ts'

const WEEK_MS = 604_800_000
/** A Friday. */
const START = Date.UTC(2014, 4, 2, 12, 25)
const SECOND = 1_000

const rows = (...offsets: number[]) =>
  [
    'ts_ms,bid,ask',
    ...offsets.map((offset, index) => `${START + offset},1.3800${index},1.3801${index}`),
    '',
  ].join('\n')

async function opened(
  path: string,
  setting: Partial<ReplaySetting> = {},
  notBefore = 0,
  pace = createManualPace(0),
): Promise<Replay> {
  const complete = { path, speed: 1, from: null, isLooping: false, ...setting }
  const replay = await openReplay(complete, { instruments: INSTRUMENTS, pace, notBefore })
  if ('problem' in replay) throw new Error(replay.problem)
  return replay
}

type Received = { at: number; tick: RawTick }

/** Plays until `count` ticks have come, noting what the market clock showed at each. */
function played(
  { feed, clock }: Replay,
  count: number,
  onReopen?: (code: string) => void,
): Promise<Received[]> {
  return new Promise((resolve) => {
    const received: Received[] = []
    const emit = (tick: RawTick) => {
      received.push({ at: clock.now(), tick })
      if (received.length < count) return
      void feed.stop()
      resolve(received)
    }
    void feed.start(emit, onReopen)
  })
}

test('sends each tick when the market clock reaches it, in the order of the file', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, 0, 0, 1, 250, 60 * SECOND) })
  const replay = await opened(folder)
  expect(replay.clock.now()).toBe(START)
  const received = await played(replay, 6)
  expect(received.map(({ tick }) => tick.bid)).toEqual([
    '1.38000',
    '1.38001',
    '1.38002',
    '1.38003',
    '1.38004',
    '1.38005',
  ])
  for (const { at, tick } of received) expect(at).toBe(tick.time)
  expect(received.at(-1)?.tick).toMatchObject({ code: 'EURUSD', ask: '1.38015', time: START + 60 * SECOND })
})

test('a faster replay never sends a tick early, and late by less than a real millisecond', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, 7, 1_001, 1_002, 59_999) })
  for (const { at, tick } of await played(await opened(folder, { speed: 5 }), 5)) {
    expect(at).toBeGreaterThanOrEqual(tick.time ?? Infinity)
    expect(at).toBeLessThan((tick.time ?? 0) + 5)
  }
})

test('shifts a loop by full weeks, sets the clock forward and reopens each instrument', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, 5 * SECOND), 'GBPUSD.csv': rows(1 * SECOND) })
  const pace = createManualPace(0)
  const replay = await opened(folder, { isLooping: true }, 0, pace)
  const reopened: string[] = []
  const received = await played(replay, 8, (code) => reopened.push(code))
  expect(received.map(({ tick }) => (tick.time ?? 0) - START)).toEqual([
    0,
    SECOND,
    5 * SECOND,
    WEEK_MS,
    WEEK_MS + SECOND,
    WEEK_MS + 5 * SECOND,
    2 * WEEK_MS,
    2 * WEEK_MS + SECOND,
  ])
  for (const { at, tick } of received) expect(at).toBe(tick.time)
  expect(reopened).toEqual(['EURUSD', 'GBPUSD', 'EURUSD', 'GBPUSD'])
  // The weeks in between take no time.
  expect(pace.now()).toBe(11 * SECOND)
})

test('a recording of exactly a week loops after two weeks, because time must increase', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, WEEK_MS) })
  const received = await played(await opened(folder, { isLooping: true }), 3)
  expect(received[2]?.tick.time).toBe(START + 2 * WEEK_MS)
})

test('without looping it stops at the end, and the clock continues', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, SECOND) })
  const pace = createManualPace(0)
  const replay = await opened(folder, {}, 0, pace)
  const times: (number | null)[] = []
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  void replay.feed.start(({ time }) => times.push(time) === 2 && resolve())
  await isOver
  await replay.feed.stop()
  pace.advance(WEEK_MS)
  expect(replay.clock.now()).toBe(START + SECOND + WEEK_MS)
  expect(times).toEqual([START, START + SECOND])
  expect(replay.feed.counters()).toEqual({ received: 2, broken: 0 })
})

test('ticks before `from` are history and are not played, nor in later loops', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, 30 * SECOND, 70 * SECOND, 400 * SECOND) })
  const replay = await opened(folder, { from: START + 60 * SECOND, isLooping: true })
  expect(replay.clock.now()).toBe(START + 60 * SECOND)
  const histories = []
  for await (const history of replay.feed.history?.(INSTRUMENTS, replay.clock.now()) ?? [])
    histories.push(history)
  expect(histories.map(({ code }) => code)).toEqual(['EURUSD'])
  const bar = { time: START, open: 138_005, high: 138_006, low: 138_005, close: 138_006, volume: 2 }
  expect(histories[0]?.bars).toEqual({
    '1min': [bar],
    '5min': [bar],
    '15min': [{ ...bar, time: START - 10 * 60 * SECOND }],
    '30min': [{ ...bar, time: Date.UTC(2014, 4, 2, 12) }],
    '60min': [{ ...bar, time: Date.UTC(2014, 4, 2, 12) }],
    '1day': [{ ...bar, time: Date.UTC(2014, 4, 1, 21) }],
  })
  const received = await played(replay, 3)
  expect(received.map(({ tick }) => (tick.time ?? 0) - START)).toEqual([
    70 * SECOND,
    400 * SECOND,
    WEEK_MS + 70 * SECOND,
  ])
})

test('crossed and empty quotes are not part of the history', async () => {
  const text = `ts_ms,bid,ask\n${START},1.5,1.4\n${START},0,0\n${START},-1,1\n${START + 1},1.38,1.38\n${START + 9},1,2\n`
  const replay = await opened(await folderOf({ 'EURUSD.csv': text }), { from: START + 9 })
  for await (const { bars } of replay.feed.history?.([instrument('EURUSD')], START + 9) ?? []) {
    expect(bars['1min']).toEqual([expect.objectContaining({ low: 138_000, high: 138_000, volume: 1 })])
  }
  expect.assertions(1)
})

test('a market that has seen later times gets the recording full weeks later', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0, SECOND) })
  const replay = await opened(folder, {}, START + WEEK_MS + 1)
  expect(replay.clock.now()).toBe(START + 2 * WEEK_MS)
  const [first] = await played(replay, 1)
  expect(first?.tick.time).toBe(START + 2 * WEEK_MS)
  expect((await opened(folder, {}, START)).clock.now()).toBe(START)
})

test('broken lines are counted', async () => {
  const folder = await folderOf({ 'EURUSD.csv': `${rows(0)}nonsense\n${START + 5},1,1.1\n` })
  const replay = await opened(folder)
  await played(replay, 2)
  expect(replay.feed.counters()).toEqual({ received: 2, broken: 1 })
})

test('bars stay fresh for two bars, ticks as usual', async () => {
  const folder = await folderOf({
    'EURUSD.csv': rows(0),
    'GBPUSD_m1.csv': `ts_ms,o,h,l,c\n${START},1,1,1,1\n`,
  })
  const { feed } = await opened(folder)
  expect([feed.freshnessMs('EURUSD'), feed.freshnessMs('GBPUSD')]).toEqual([null, 120_000])
})

test('it prices the instruments of its files', async () => {
  const { feed } = await opened(await folderOf({ 'eurusd.csv': rows(0), 'GBPUSD.csv': rows(0) }))
  expect(feed.covers(['EURUSD', 'USDJPY'])).toEqual(['EURUSD'])
  expect(feed.kind).toBe('recorded')
})

test('a recording that ends before `from` returns a problem', async () => {
  const folder = await folderOf({ 'EURUSD.csv': rows(0) })
  const setting = { path: folder, speed: 1, from: START + WEEK_MS, isLooping: true }
  expect(
    await openReplay(setting, { instruments: INSTRUMENTS, pace: createManualPace(0), notBefore: 0 }),
  ).toEqual({
    problem: expect.stringContaining('no tick at or after 2014-05-09T12:25:00.000Z'),
  })
})

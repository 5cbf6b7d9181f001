import { expect, test } from 'vitest'
import type { Feed, FeedKind, RawTick } from './feed.ts'
import { CLAIM_MS, createFeedRouter } from './feed-router.ts'
import { createManualPace } from './test-kit.ts'

/** A feed whose ticks the test sends by hand. */
function handFeed(name: string, kind: FeedKind, codes: readonly string[] | null = null) {
  let emit: (tick: RawTick) => void = () => undefined
  const feed: Feed = {
    name,
    kind,
    covers: (asked) => asked.filter((code) => codes?.includes(code) ?? true),
    freshnessMs: () => null,
    counters: () => ({ received: 0, broken: 0 }),
    start: (sink) => void (emit = sink),
    stop: () => undefined,
  }
  return { feed, send: (code: string) => emit({ code, bid: '1', ask: '2', time: null, source: name }) }
}

function started(hands: readonly { feed: Feed }[]) {
  const pace = createManualPace(0)
  const router = createFeedRouter(
    hands.map(({ feed }) => feed),
    ['EURUSD', 'GBPUSD'],
    pace,
  )
  const heard: string[] = []
  const reopened: string[] = []
  for (const feed of router.feeds) {
    void feed.start(
      ({ source, code }) => heard.push(`${source} ${code}`),
      (code) => reopened.push(code),
    )
  }
  const nameOf = (code: string) => router.feedOf(code)?.name ?? null
  return { pace, heard, reopened, nameOf }
}

test('the first feed that covers an instrument prices it, alone', () => {
  const recorded = handFeed('replay', 'recorded', ['EURUSD'])
  const simulated = handFeed('simulated', 'simulated')
  const { heard, nameOf } = started([recorded, simulated])
  for (const code of ['EURUSD', 'GBPUSD']) simulated.send(code)
  recorded.send('EURUSD')
  expect(heard).toEqual(['simulated GBPUSD', 'replay EURUSD'])
  expect([nameOf('EURUSD'), nameOf('GBPUSD'), nameOf('OTHER')]).toEqual(['replay', 'simulated', null])
})

test('a feed behind a live one waits to see what the live one has', () => {
  const live = handFeed('live', 'live')
  const simulated = handFeed('simulated', 'simulated')
  const { pace, heard, nameOf } = started([live, simulated])
  simulated.send('EURUSD')
  expect(nameOf('EURUSD')).toBe('live')
  live.send('EURUSD')
  pace.advance(CLAIM_MS)
  simulated.send('EURUSD')
  simulated.send('GBPUSD')
  expect(heard).toEqual(['live EURUSD', 'simulated GBPUSD'])
  expect([nameOf('EURUSD'), nameOf('GBPUSD')]).toEqual(['live', 'simulated'])
})

test('a live source that comes late takes over, and its first price has no reference', () => {
  const live = handFeed('live', 'live')
  const simulated = handFeed('simulated', 'simulated')
  const { pace, heard, reopened } = started([live, simulated])
  pace.advance(CLAIM_MS)
  simulated.send('EURUSD')
  live.send('EURUSD')
  simulated.send('EURUSD')
  live.send('EURUSD')
  expect(heard).toEqual(['simulated EURUSD', 'live EURUSD', 'live EURUSD'])
  expect(reopened).toEqual(['EURUSD'])
})

test('of two live sources the second prices what the first has not sent yet', () => {
  const first = handFeed('first', 'live')
  const second = handFeed('second', 'live')
  const { heard, reopened } = started([first, second])
  second.send('EURUSD')
  first.send('EURUSD')
  second.send('EURUSD')
  expect(heard).toEqual(['second EURUSD', 'first EURUSD'])
  expect(reopened).toContain('EURUSD')
})

test('a live source that falls silent is not replaced', () => {
  const live = handFeed('live', 'live')
  const simulated = handFeed('simulated', 'simulated')
  const { pace, heard, nameOf } = started([live, simulated])
  live.send('EURUSD')
  pace.advance(3_600_000)
  simulated.send('EURUSD')
  expect(heard).toEqual(['live EURUSD'])
  expect(nameOf('EURUSD')).toBe('live')
})

test('codes that nobody asked for pass, so that they are counted where ticks are read', () => {
  const live = handFeed('live', 'live')
  const { heard } = started([live])
  live.send('DOGE')
  expect(heard).toEqual(['live DOGE'])
})

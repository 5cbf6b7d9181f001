import { describe, expect, test } from 'vitest'
import type { Feed, FeedKind, RawTick } from './feed.ts'
import { CLAIM_MS, createFeedRouter } from './feed-router.ts'
import { STEADY_MS } from './source-order.ts'
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

function started(hands: readonly { feed: Feed }[], order: { now: readonly string[] } = { now: [] }) {
  const pace = createManualPace(0)
  const router = createFeedRouter(
    hands.map(({ feed }) => feed),
    ['EURUSD', 'GBPUSD'],
    pace,
    (code) => (code === 'EURUSD' && order.now.length > 0 ? { order: order.now, freshnessMs: 5_000 } : null),
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

describe('where the terms of an instrument give an order of sources', () => {
  /** Two live sources, the second preferred, and what has passed since the last look. */
  function inLine(order = { now: ['second', 'first'] }) {
    const [first, second] = [handFeed('first', 'live'), handFeed('second', 'live')]
    const floor = started([first, second], order)
    /** Who speaks, second after second; answers whose prices passed. */
    const speak = (seconds: number, ...hands: (typeof first)[]) => {
      floor.heard.length = 0
      for (let count = 0; count < seconds; count += 1) {
        for (const { send } of hands) send('EURUSD')
        floor.pace.advance(1_000)
      }
      return [...new Set(floor.heard.map((line) => line.split(' ')[0]))]
    }
    return { ...floor, first, second, order, speak }
  }

  test('the preferred one prices it, whatever the setting names first; others are left to the setting', () => {
    const { first, second, speak, heard, nameOf } = inLine()
    expect(speak(3, first, second)).toEqual(['second'])
    for (const { send } of [second, first]) send('GBPUSD')
    expect(heard.slice(-2)).toEqual(['second GBPUSD', 'first GBPUSD'])
    expect([nameOf('EURUSD'), nameOf('GBPUSD')]).toEqual(['second', 'first'])
  })

  test('after a start the others wait for it as long as for any live source', () => {
    const { first, speak, reopened } = inLine()
    expect(speak(5, first)).toEqual([])
    expect(speak(1, first)).toEqual(['first'])
    expect(reopened).toEqual(['EURUSD'])
  })

  test('the next stands in once it has fallen silent, and its first price has no reference', () => {
    const { first, second, speak, reopened, nameOf } = inLine()
    speak(2, first, second)
    expect(speak(5, first)).toEqual([])
    expect(speak(1, first)).toEqual(['first'])
    expect([reopened, nameOf('EURUSD')]).toEqual([['EURUSD'], 'first'])
  })

  test('it takes over again when it has been back for a while, or at once when the other falls silent', () => {
    const { first, second, speak, reopened } = inLine()
    speak(2, first, second)
    speak(7, first)
    expect(speak(STEADY_MS / 1_000, first, second)).toEqual(['first'])
    expect(speak(2, second, first)).toEqual(['second'])
    speak(7, first)
    speak(6)
    expect(speak(1, second)).toEqual(['second'])
    expect(reopened).toEqual(Array(4).fill('EURUSD'))
  })

  test('one that comes and goes is not steady', () => {
    const { first, second, speak } = inLine()
    speak(2, first, second)
    speak(7, first)
    for (let time = 0; time < 4; time += 1) {
      expect(speak(4, first, second)).toEqual(['first'])
      expect(speak(7, first)).toEqual(['first'])
    }
  })

  test('another order holds with the next price, and without one all is as before', () => {
    const { first, second, speak, order, reopened } = inLine()
    speak(12, first, second)
    order.now = ['first', 'second']
    expect(speak(1, first, second)).toEqual(['first'])
    order.now = ['second']
    expect(speak(2, first, second)).toEqual(['second'])
    order.now = []
    expect(speak(2, first, second)).toEqual(['first'])
    expect(reopened).toHaveLength(3)
  })

  test('a source of another kind never stands in, and names that nobody has say nothing', () => {
    const [live, simulated] = [handFeed('live', 'live'), handFeed('simulated', 'simulated')]
    const { heard, pace, nameOf } = started([live, simulated], { now: ['gone', 'live', 'simulated'] })
    live.send('EURUSD')
    pace.advance(60_000)
    simulated.send('EURUSD')
    expect([heard, nameOf('EURUSD')]).toEqual([['live EURUSD'], 'live'])
    const other = started([live, simulated], { now: ['gone'] })
    expect(other.nameOf('EURUSD')).toBe('live')
  })
})

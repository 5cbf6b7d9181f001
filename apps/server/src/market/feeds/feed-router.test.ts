import { describe, expect, test } from 'vitest'
import type { Feed, FeedKind, RawTick } from './feed.ts'
import { CLAIM_MS, createFeedRouter, STEADY_MS } from './feed-router.ts'
import { createManualPace } from './test-kit.ts'

/** A feed whose ticks are sent by the test. */
function manualFeed(name: string, kind: FeedKind, codes: readonly string[] | null = null) {
  let emit: (tick: RawTick) => void = () => undefined
  const feed: Feed = {
    name,
    kind,
    covers: (codesWanted) => codesWanted.filter((code) => codes?.includes(code) ?? true),
    freshnessMs: () => null,
    counters: () => ({ received: 0, broken: 0 }),
    start: (sink) => void (emit = sink),
    stop: () => undefined,
  }
  return { feed, send: (code: string) => emit({ code, bid: '1', ask: '2', time: null, source: name }) }
}

function started(sources: readonly { feed: Feed }[], order: { now: readonly string[] } = { now: [] }) {
  const pace = createManualPace(0)
  const router = createFeedRouter(
    sources.map(({ feed }) => feed),
    ['EURUSD', 'GBPUSD'],
    pace,
    (code) => (code === 'EURUSD' && order.now.length > 0 ? { order: order.now, freshnessMs: 5_000 } : null),
  )
  const received: string[] = []
  const reopened: string[] = []
  for (const feed of router.feeds) {
    void feed.start(
      ({ source, code }) => received.push(`${source} ${code}`),
      (code) => reopened.push(code),
    )
  }
  const nameOf = (code: string) => router.feedOf(code)?.name ?? null
  return { pace, received, reopened, nameOf }
}

test('only the first feed that covers an instrument prices it', () => {
  const recorded = manualFeed('replay', 'recorded', ['EURUSD'])
  const simulated = manualFeed('simulated', 'simulated')
  const { received, nameOf } = started([recorded, simulated])
  for (const code of ['EURUSD', 'GBPUSD']) simulated.send(code)
  recorded.send('EURUSD')
  expect(received).toEqual(['simulated GBPUSD', 'replay EURUSD'])
  expect([nameOf('EURUSD'), nameOf('GBPUSD'), nameOf('OTHER')]).toEqual(['replay', 'simulated', null])
})

test('a feed after a live one waits for what the live one sends', () => {
  const live = manualFeed('live', 'live')
  const simulated = manualFeed('simulated', 'simulated')
  const { pace, received, nameOf } = started([live, simulated])
  simulated.send('EURUSD')
  expect(nameOf('EURUSD')).toBe('live')
  live.send('EURUSD')
  pace.advance(CLAIM_MS)
  simulated.send('EURUSD')
  simulated.send('GBPUSD')
  expect(received).toEqual(['live EURUSD', 'simulated GBPUSD'])
  expect([nameOf('EURUSD'), nameOf('GBPUSD')]).toEqual(['live', 'simulated'])
})

test('a live source that starts late takes over, and its first price has no reference', () => {
  const live = manualFeed('live', 'live')
  const simulated = manualFeed('simulated', 'simulated')
  const { pace, received, reopened } = started([live, simulated])
  pace.advance(CLAIM_MS)
  simulated.send('EURUSD')
  live.send('EURUSD')
  simulated.send('EURUSD')
  live.send('EURUSD')
  expect(received).toEqual(['simulated EURUSD', 'live EURUSD', 'live EURUSD'])
  expect(reopened).toEqual(['EURUSD'])
})

test('of two live sources the second prices what the first has not sent yet', () => {
  const first = manualFeed('first', 'live')
  const second = manualFeed('second', 'live')
  const { received, reopened } = started([first, second])
  second.send('EURUSD')
  first.send('EURUSD')
  second.send('EURUSD')
  expect(received).toEqual(['second EURUSD', 'first EURUSD'])
  expect(reopened).toContain('EURUSD')
})

test('a live source that falls silent is not replaced', () => {
  const live = manualFeed('live', 'live')
  const simulated = manualFeed('simulated', 'simulated')
  const { pace, received, nameOf } = started([live, simulated])
  live.send('EURUSD')
  pace.advance(3_600_000)
  simulated.send('EURUSD')
  expect(received).toEqual(['live EURUSD'])
  expect(nameOf('EURUSD')).toBe('live')
})

test('passes unknown codes on, so that they are counted where ticks are read', () => {
  const live = manualFeed('live', 'live')
  const { received } = started([live])
  live.send('DOGE')
  expect(received).toEqual(['live DOGE'])
})

describe('where the terms of an instrument give an order of sources', () => {
  /** Two live sources, the second preferred. */
  function withOrder(order = { now: ['second', 'first'] }) {
    const [first, second] = [manualFeed('first', 'live'), manualFeed('second', 'live')]
    const harness = started([first, second], order)
    /** Lets sources send every second; returns the sources whose prices passed. */
    const sendFor = (seconds: number, ...sources: (typeof first)[]) => {
      harness.received.length = 0
      for (let count = 0; count < seconds; count += 1) {
        for (const { send } of sources) send('EURUSD')
        harness.pace.advance(1_000)
      }
      return [...new Set(harness.received.map((line) => line.split(' ')[0]))]
    }
    return { ...harness, first, second, order, sendFor }
  }

  test('the preferred one prices it, whatever the setting names first; other instruments follow the setting', () => {
    const { first, second, sendFor, received, nameOf } = withOrder()
    expect(sendFor(3, first, second)).toEqual(['second'])
    for (const { send } of [second, first]) send('GBPUSD')
    expect(received.slice(-2)).toEqual(['second GBPUSD', 'first GBPUSD'])
    expect([nameOf('EURUSD'), nameOf('GBPUSD')]).toEqual(['second', 'first'])
  })

  test('after a start the others wait for it as long as for any live source', () => {
    const { first, sendFor, reopened } = withOrder()
    expect(sendFor(5, first)).toEqual([])
    expect(sendFor(1, first)).toEqual(['first'])
    expect(reopened).toEqual(['EURUSD'])
  })

  test('the next takes over once it has fallen silent, and its first price has no reference', () => {
    const { first, second, sendFor, reopened, nameOf } = withOrder()
    sendFor(2, first, second)
    expect(sendFor(5, first)).toEqual([])
    expect(sendFor(1, first)).toEqual(['first'])
    expect([reopened, nameOf('EURUSD')]).toEqual([['EURUSD'], 'first'])
  })

  test('it takes over again after it has been back for a while, or at once when the other falls silent', () => {
    const { first, second, sendFor, reopened } = withOrder()
    sendFor(2, first, second)
    sendFor(7, first)
    expect(sendFor(STEADY_MS / 1_000, first, second)).toEqual(['first'])
    expect(sendFor(2, second, first)).toEqual(['second'])
    sendFor(7, first)
    sendFor(6)
    expect(sendFor(1, second)).toEqual(['second'])
    expect(reopened).toEqual(Array(4).fill('EURUSD'))
  })

  test('an interrupted one does not take over again', () => {
    const { first, second, sendFor } = withOrder()
    sendFor(2, first, second)
    sendFor(7, first)
    for (let time = 0; time < 4; time += 1) {
      expect(sendFor(4, first, second)).toEqual(['first'])
      expect(sendFor(7, first)).toEqual(['first'])
    }
  })

  test('a changed order applies from the next price, and without one the setting applies', () => {
    const { first, second, sendFor, order, reopened } = withOrder()
    sendFor(12, first, second)
    order.now = ['first', 'second']
    expect(sendFor(1, first, second)).toEqual(['first'])
    order.now = ['second']
    expect(sendFor(2, first, second)).toEqual(['second'])
    order.now = []
    expect(sendFor(2, first, second)).toEqual(['first'])
    expect(reopened).toHaveLength(3)
  })

  test('a source of another kind never takes over, and unknown names are ignored', () => {
    const [live, simulated] = [manualFeed('live', 'live'), manualFeed('simulated', 'simulated')]
    const { received, pace, nameOf } = started([live, simulated], { now: ['gone', 'live', 'simulated'] })
    live.send('EURUSD')
    pace.advance(60_000)
    simulated.send('EURUSD')
    expect([received, nameOf('EURUSD')]).toEqual([['live EURUSD'], 'live'])
    const other = started([live, simulated], { now: ['gone'] })
    expect(other.nameOf('EURUSD')).toBe('live')
  })
})

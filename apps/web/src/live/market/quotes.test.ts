import type { Decimal, QuoteUpdate } from '@fairlot/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eurusd } from '../../testing/market-samples.ts'
import { type LiveQuote, onQuote, quoteOf, receiveListing, receiveQuote, staleSeconds } from './quotes.ts'

const decimal = (text: string) => Number(text) as Decimal

const update = (
  instrumentId: number,
  mid: string,
  { time, seq, ageMs = null }: { time: number; seq: number; ageMs?: number | null },
): QuoteUpdate => ({
  code: 'X',
  instrumentId,
  bid: decimal(mid),
  ask: decimal(mid),
  time,
  seq,
  source: 'simulated',
  ageMs,
  day: {
    open: decimal('1'),
    close: decimal(mid),
    high: decimal(mid),
    low: decimal(mid),
    changePercent: decimal('0.1'),
    volume: decimal('1'),
  },
})

let frames: (() => void)[] = []
const paint = () => frames.splice(0).forEach((frame) => frame())

// Node has no screen: the test paints the frames.
beforeEach(() => {
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
})
afterEach(() => {
  vi.unstubAllGlobals()
  frames = []
})

describe('live prices', () => {
  test('are painted once per frame, the newest of each instrument', () => {
    // Other tests of this process have shown prices of the first instruments.
    const painted: LiveQuote[] = []
    const stop = onQuote(71, (quote) => painted.push(quote))
    for (const seq of [1, 2, 3]) receiveQuote(update(71, `1.${seq}`, { time: seq, seq }), 0)
    expect(painted).toEqual([])
    paint()
    stop()
    expect(painted.map(({ mid }) => mid)).toEqual([1.3])
  })

  test('notify only the listeners of the instrument', () => {
    let notified = 0
    const stop = onQuote(2, () => (notified += 1))
    receiveQuote(update(3, '1.1', { time: 1, seq: 1 }), 0)
    paint()
    stop()
    expect(notified).toBe(0)
    expect(quoteOf(3)?.mid).toBe(1.1)
  })

  test('keep their age when they are told again, and the oldest known one', () => {
    receiveQuote(update(8, '1.2', { time: 20, seq: 8 }), 1_000)
    paint()
    receiveQuote(update(8, '1.2', { time: 20, seq: 8 }), 9_000)
    paint()
    expect(quoteOf(8)?.receivedAt).toBe(1_000)
    receiveQuote(update(8, '1.2', { time: 21, seq: 9 }), 9_500)
    paint()
    expect(quoteOf(8)?.receivedAt).toBe(9_500)
  })

  test('come from a new subscription with the age that they had there', () => {
    receiveQuote(update(10, '1.2', { time: 20, seq: 8, ageMs: 12_000 }), 50_000)
    paint()
    expect(staleSeconds({ isOpen: true, freshnessMs: 5_000 }, quoteOf(10), 50_000)).toBe(12)
  })

  test('come from a list with the age that they had there: a silent source is seen at once', () => {
    const listing = { ...eurusd({ id: 9 }), quoteTime: 40, quoteSeq: 3, quoteAgeMs: 12_000 }
    receiveListing(listing, 50_000)
    expect(quoteOf(9)?.receivedAt).toBe(38_000)
    expect(staleSeconds({ isOpen: true, freshnessMs: 5_000 }, quoteOf(9), 50_000)).toBe(12)
    // The socket tells the same price again.
    receiveQuote(update(9, '1.1', { time: 40, seq: 3 }), 50_100)
    paint()
    expect(staleSeconds({ isOpen: true, freshnessMs: 5_000 }, quoteOf(9), 50_100)).toBe(12)
  })

  test('are never replaced by an older one', () => {
    receiveQuote(update(4, '1.2', { time: 20, seq: 8 }), 0)
    paint()
    receiveQuote(update(4, '1.1', { time: 10, seq: 9 }), 0)
    paint()
    receiveQuote(update(4, '1.0', { time: 20, seq: 7 }), 0)
    paint()
    expect(quoteOf(4)?.mid).toBe(1.2)
  })

  test('are ordered by the market’s time before their numbers, which restart with the server', () => {
    receiveQuote(update(5, '1.1', { time: 10, seq: 900 }), 0)
    paint()
    receiveQuote(update(5, '1.2', { time: 11, seq: 1 }), 0)
    paint()
    expect(quoteOf(5)?.mid).toBe(1.2)
  })
})

describe('the age of a price', () => {
  const open = { isOpen: true, freshnessMs: 5_000 }
  /** Of a recording: by the market's clock it is years old. */
  const recorded = (receivedAt: number) => {
    receiveQuote(update(6, '1.1', { time: Date.UTC(2014, 4, 2), seq: 1 }), receivedAt)
    paint()
    return quoteOf(6)
  }

  test('counts from its arrival by the device’s clock, whatever the market clock says', () => {
    const arrived = Date.UTC(2026, 10, 23)
    const quote = recorded(arrived)
    expect(staleSeconds(open, quote, arrived + 5_000)).toBeNull()
    expect(staleSeconds(open, quote, arrived + 5_001)).toBe(5)
    expect(staleSeconds(open, quote, arrived + 61_999)).toBe(61)
  })

  test('is null while the market is closed, or before the first price', () => {
    expect(staleSeconds({ ...open, isOpen: false }, recorded(0), 1e12)).toBeNull()
    expect(staleSeconds(open, null, 1e12)).toBeNull()
  })
})

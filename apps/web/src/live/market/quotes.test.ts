import type { Decimal, QuoteUpdate } from '@fairlot/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onQuote, quoteOf, receiveQuote } from './quotes.ts'
import type { LiveQuote } from './quotes.ts'

const decimal = (text: string) => Number(text) as Decimal

const update = (
  instrumentId: number,
  mid: string,
  { time, seq }: { time: number; seq: number },
): QuoteUpdate => ({
  code: 'X',
  instrumentId,
  bid: decimal(mid),
  ask: decimal(mid),
  time,
  seq,
  source: 'simulated',
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

// Node has no screen: frames are painted when the test says so.
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
    const painted: LiveQuote[] = []
    const stop = onQuote(1, (quote) => painted.push(quote))
    for (const seq of [1, 2, 3]) receiveQuote(update(1, `1.${seq}`, { time: seq, seq }), 0)
    expect(painted).toEqual([])
    paint()
    stop()
    expect(painted.map(({ mid }) => mid)).toEqual([1.3])
  })

  test('wake only those who look at the instrument', () => {
    let woken = 0
    const stop = onQuote(2, () => (woken += 1))
    receiveQuote(update(3, '1.1', { time: 1, seq: 1 }), 0)
    paint()
    stop()
    expect(woken).toBe(0)
    expect(quoteOf(3)?.mid).toBe(1.1)
  })

  test('never go back to an older one', () => {
    receiveQuote(update(4, '1.2', { time: 20, seq: 8 }), 0)
    paint()
    receiveQuote(update(4, '1.1', { time: 10, seq: 9 }), 0)
    paint()
    receiveQuote(update(4, '1.0', { time: 20, seq: 7 }), 0)
    paint()
    expect(quoteOf(4)?.mid).toBe(1.2)
  })

  test('follow the market’s time over the numbering, which starts anew with the server', () => {
    receiveQuote(update(5, '1.1', { time: 10, seq: 900 }), 0)
    paint()
    receiveQuote(update(5, '1.2', { time: 11, seq: 1 }), 0)
    paint()
    expect(quoteOf(5)?.mid).toBe(1.2)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EURUSD, openSource, quoteOf } from '../../scenarios/tick-source.ts'
import type { Instrument } from '../model/instrument.ts'
import { price } from '../model/number.ts'
import type { Quote } from '../model/quote.ts'
import { continueSequence, expectPrice, reopenTicks, resumeTicks, admitReference } from './tick-guard.ts'

const OIL: Instrument = {
  ...EURUSD,
  code: 'WTI',
  priceDecimals: 2,
  minStopDistance: price(3),
  allowsNegativePrice: true,
}

describe('a valid tick', () => {
  it('becomes the quote, with the next number and its arrival time', () => {
    const { send, memory } = openSource()
    expect(quoteOf(send(108_500, 108_506, { time: 7, at: 12 }))).toEqual({
      instrumentId: 1,
      bid: 108_500,
      ask: 108_506,
      time: 7,
      source: 'a',
      seq: 1,
      receivedAt: 12,
    })
    expect(quoteOf(send(108_501, 108_507)).seq).toBe(2)
    expect(memory().last).toMatchObject({ seq: 2, bid: 108_501 })
  })

  it('continues the numbers after a restart', () => {
    const { guard, send } = openSource()
    continueSequence(guard, 1, 41)
    expect(quoteOf(send(108_500, 108_506)).seq).toBe(42)
  })

  it('with unchanged prices and a newer time renews the age', () => {
    const { send } = openSource()
    const first = quoteOf(send(108_500, 108_506))
    const second = quoteOf(send(108_500, 108_506))
    expect(second).toEqual({
      ...first,
      seq: 2,
      time: first.time + 1_000,
      receivedAt: first.receivedAt + 1_000,
    })
  })

  it('may have no spread', () => {
    expect(openSource().judge(108_500, 108_500)).toBe('accepted')
  })
})

describe('a tick is refused', () => {
  it.each([
    ['notANumber', NaN, 108_506],
    ['notANumber', 108_500, Infinity],
    ['notANumber', 108_500.5, 108_506],
    ['notANumber', 108_500, 2 ** 53],
    ['zero', 0, 108_506],
    ['zero', 0, 0],
    ['zero', -5, 0],
    ['negative', -108_506, -108_500],
    ['crossed', 108_506, 108_500],
    ['wideSpread', 99_500, 100_501],
  ])('as %s: %d / %d', (reason, bid, ask) => {
    expect(openSource().judge(bid, ask)).toBe(reason)
  })

  it('without a time', () => {
    expect(openSource().judge(108_500, 108_506, { time: NaN, at: 1_000 })).toBe('notANumber')
  })

  it('when it is older than the last accepted one, of any source; equal times pass', () => {
    const { judge } = openSource()
    expect(judge(108_500, 108_506, { time: 5_000 })).toBe('accepted')
    expect(judge(108_500, 108_506, { time: 4_999, source: 'b', at: 5_001 })).toBe('outOfOrder')
    expect(judge(108_501, 108_506, { time: 5_000, at: 5_002 })).toBe('accepted')
  })

  it('when it is more than five seconds ahead of the clock', () => {
    expect(openSource().judge(108_500, 108_506, { time: 15_001, at: 10_000 })).toBe('future')
    expect(openSource().judge(108_500, 108_506, { time: 15_000, at: 10_000 })).toBe('accepted')
  })

  it('only above the maximum spread: exactly 1 % of the mid is accepted', () => {
    expect(openSource().judge(99_500, 100_500)).toBe('accepted')
    expect(openSource().judge(99_499, 100_500)).toBe('wideSpread')
  })

  it('outside the hours of its market, however good it is, and is no reference for the next one', () => {
    const { judge, memory } = openSource()
    judge(108_500, 108_506)
    expect(judge(110_300, 110_306, { isOpen: false })).toBe('outsideHours')
    expect(judge(110_300, 110_306, { isOpen: false })).toBe('outsideHours')
    expect(memory().last).toMatchObject({ bid: 108_500, seq: 1 })
    expect(memory().refusals.outsideHours).toBe(2)
    expect(judge(108_510, 108_516)).toBe('accepted')
  })

  it('for its first fault, and counted once', () => {
    const { judge, memory } = openSource()
    judge(108_500, 108_506)
    expect(judge(-5, -9, { time: 0 })).toBe('negative')
    expect(judge(108_506, 108_500, { time: 0 })).toBe('crossed')
    expect(judge(108_509, 108_500)).toBe('crossed')
    expect(memory().refusals).toEqual({
      notANumber: 0,
      outsideHours: 0,
      zero: 0,
      negative: 1,
      crossed: 2,
      outOfOrder: 0,
      future: 0,
      wideSpread: 0,
      outOfBounds: 0,
      suspect: 0,
    })
  })
})

describe('a suspect tick', () => {
  /** A guard that last accepted 1.00000 / 1.00000. */
  function atOne() {
    const set = openSource()
    set.judge(100_000, 100_000)
    return set
  }

  it('lies beyond the band around the last accepted mid; on the edge it is accepted', () => {
    expect(atOne().judge(102_000, 102_000)).toBe('accepted')
    expect(atOne().judge(102_000, 102_001)).toBe('suspect')
    expect(atOne().judge(98_000, 98_000)).toBe('accepted')
    expect(atOne().judge(97_999, 98_000)).toBe('suspect')
  })

  it('is confirmed by the next tick of its source near it, which becomes the price', () => {
    const { judge, send } = atOne()
    expect(judge(110_000, 110_000)).toBe('suspect')
    const quote = quoteOf(send(112_200, 112_200))
    expect([quote.bid, quote.seq]).toEqual([112_200, 2])
    expect(judge(112_300, 112_300)).toBe('accepted')
  })

  it('is dropped when its source returns to the price', () => {
    const { judge, memory } = atOne()
    expect(judge(110_000, 110_000)).toBe('suspect')
    expect(judge(100_001, 100_001)).toBe('accepted')
    expect(memory().held.size).toBe(0)
    expect(judge(110_000, 110_000)).toBe('suspect')
  })

  it('is replaced by another suspect tick far from it', () => {
    const { judge } = atOne()
    expect(judge(110_000, 110_000)).toBe('suspect')
    expect(judge(80_000, 80_000)).toBe('suspect')
    expect(judge(110_000, 110_000)).toBe('suspect')
    expect(judge(110_001, 110_001)).toBe('accepted')
  })

  it('is confirmed by a second source at once, whose tick becomes the price', () => {
    const { send, judge } = atOne()
    expect(judge(110_000, 110_000, { source: 'a' })).toBe('suspect')
    const quote = quoteOf(send(112_200, 112_200, { source: 'b', time: 1_002_000 }))
    expect([quote.bid, quote.source]).toEqual([112_200, 'b'])
  })

  it('is not dropped by the old price of another source', () => {
    const { judge } = atOne()
    expect(judge(110_000, 110_000, { source: 'a' })).toBe('suspect')
    expect(judge(100_001, 100_001, { source: 'c' })).toBe('accepted')
    expect(judge(110_000, 110_000, { source: 'a' })).toBe('accepted')
  })

  it('is not confirmed by a second source that is far from it, too', () => {
    const { judge } = atOne()
    expect(judge(110_000, 110_000, { source: 'a' })).toBe('suspect')
    expect(judge(112_201, 112_201, { source: 'b' })).toBe('suspect')
    expect(judge(107_799, 107_799, { source: 'a' })).toBe('suspect')
  })

  it('is not confirmed by repeated deliveries of the same frame', () => {
    const { judge } = atOne()
    const frame = { time: 1_002_000 }
    expect(judge(110_000, 110_000, { ...frame, at: 1_002_000 })).toBe('suspect')
    expect(judge(110_000, 110_000, { ...frame, at: 1_002_001 })).toBe('suspect')
    expect(judge(110_000, 110_000, { ...frame, at: 1_060_000 })).toBe('suspect')
  })

  it("is confirmed by its own source a second later, by the source's time, and not before", () => {
    const { judge } = atOne()
    expect(judge(110_000, 110_000, { time: 1_002_000 })).toBe('suspect')
    expect(judge(110_001, 110_001, { time: 1_002_999, at: 1_009_000 })).toBe('suspect')
    expect(judge(110_002, 110_002, { time: 1_003_000, at: 1_009_001 })).toBe('accepted')
  })

  it('stays the one to be confirmed, so that a fast source can be confirmed', () => {
    const { judge } = atOne()
    const reasons = [0, 300, 600, 900, 1_200].map((ms) => judge(110_000, 110_000, { time: 1_002_000 + ms }))
    expect(reasons).toEqual(['suspect', 'suspect', 'suspect', 'suspect', 'accepted'])
  })

  it('no longer confirms anything once another one has moved the price', () => {
    const { judge } = atOne()
    expect(judge(90_000, 90_000, { source: 'b' })).toBe('suspect')
    expect(judge(110_000, 110_000)).toBe('suspect')
    expect(judge(110_000, 110_000)).toBe('accepted')
    expect(judge(90_000, 90_000, { source: 'b' })).toBe('suspect')
  })

  it('is not confirmed by an invalid tick', () => {
    const { judge } = atOne()
    expect(judge(110_000, 110_000)).toBe('suspect')
    expect(judge(110_001, 110_000)).toBe('crossed')
    expect(judge(110_000, 110_000)).toBe('accepted')
  })
})

describe('a tick out of bounds', () => {
  /** A guard that last accepted 1.00000 / 1.00000. */
  function atOne() {
    const set = openSource()
    set.judge(100_000, 100_000)
    return set
  }

  it('lies beyond a tenth to ten times the last mid; the edges are only suspect', () => {
    expect(atOne().judge(1_000_000, 1_000_000)).toBe('suspect')
    expect(atOne().judge(1_000_000, 1_000_001)).toBe('outOfBounds')
    expect(atOne().judge(10_000, 10_000)).toBe('suspect')
    expect(atOne().judge(9_999, 10_000)).toBe('outOfBounds')
  })

  it('is never confirmed, neither by its own source nor by a second one', () => {
    const { judge, memory } = atOne()
    const sent = ['a', 'a', 'b', 'b'].map((source) => judge(100_000_000, 100_000_000, { source }))
    expect(new Set(sent)).toEqual(new Set(['outOfBounds']))
    expect(memory().refusals).toMatchObject({ outOfBounds: 4, suspect: 0 })
    expect(judge(100_001, 100_001)).toBe('accepted')
  })

  it('stays one after a closed market and after a jump or a change of source', () => {
    const { guard, judge, now } = atOne()
    reopenTicks(guard, 1)
    expect(judge(1e15, 1e15)).toBe('outOfBounds')
    expect(judge(1e15, 1e15)).toBe('outOfBounds')
    expect(judge(1e15, 1e15, { openSince: now() + 1 })).toBe('outOfBounds')
  })

  it("is checked against the price before a restart, and before the first tick against the seed's", () => {
    const { send } = atOne()
    const last = quoteOf(send(100_000, 100_000))
    const restarted = openSource()
    expectPrice(restarted.guard, 1, price(5_000_000))
    expect(restarted.judge(499_999, 499_999)).toBe('outOfBounds')
    resumeTicks(restarted.guard, last)
    expect(restarted.judge(5_000_000, 5_000_000)).toBe('outOfBounds')
    expect(restarted.judge(100_001, 100_001)).toBe('accepted')
  })

  it('may be far from the seed within the bounds, when it is the first', () => {
    const { guard, judge } = openSource()
    expectPrice(guard, 1, price(100_000))
    expect(judge(999_999, 999_999)).toBe('accepted')
  })

  describe('whose reference operators have admitted', () => {
    const admitted = () => {
      const set = atOne()
      set.judge(2_000_000, 2_000_000)
      set.judge(100_001, 100_001)
      admitReference(set.guard, 1, { bid: price(2_000_000), ask: price(2_000_000) })
      return set
    }

    it('moves only the reference: the next tick near it is accepted and marked as admitted', () => {
      const { judge, memory } = admitted()
      expect(memory().last).toMatchObject({ bid: 100_001 })
      expect(judge(2_040_001, 2_040_001)).toBe('outOfBounds')
      expect(judge(2_040_000, 2_040_000)).toBe('accepted')
      expect(memory().last).toMatchObject({ bid: 2_040_000, admitted: true })
    })

    it('is confirmed by another tick, but not one too soon after the first', () => {
      const { judge, memory, now } = admitted()
      const from = now()
      judge(2_000_000, 2_000_000, { time: from })
      judge(2_000_000, 2_000_000, { time: from + 999 })
      expect(memory()).toMatchObject({ last: { admitted: true }, market: { bid: 100_001 } })
      judge(2_000_000, 2_000_000, { time: from + 1_000 })
      expect(memory().last).not.toHaveProperty('admitted')
      expect(memory()).toMatchObject({ admitted: null, market: { bid: 2_000_000 } })
    })

    it('is confirmed by a second source at once', () => {
      const { judge, memory } = admitted()
      judge(2_000_000, 2_000_000)
      judge(2_000_000, 2_000_000, { source: 'other' })
      expect(memory().admitted).toBeNull()
    })

    it('never locks out true prices: two usual ticks, or a second source, restore the market price', () => {
      for (const again of [{ later: 1_000 }, { later: 0, source: 'other' }]) {
        const { judge, memory, now } = admitted()
        const from = now()
        judge(2_000_000, 2_000_000, { time: from })
        expect(judge(100_000, 100_000, { time: from })).toBe('suspect')
        const { later, source = 'a' } = again
        expect(judge(100_002, 100_002, { time: from + later, source })).toBe('accepted')
        expect(memory().last).not.toHaveProperty('admitted')
        expect(memory()).toMatchObject({ admitted: null, market: { bid: 100_002 } })
        expect(judge(2_000_000, 2_000_000)).toBe('outOfBounds')
      }
    })

    it('is the same after a restart, also when the last price was an admitted one', () => {
      const { judge, memory } = admitted()
      judge(2_000_000, 2_000_000)
      const { last, market } = memory()
      if (!last) throw new Error('no price')
      const restarted = atOne()
      resumeTicks(restarted.guard, last)
      admitReference(restarted.guard, 1, { bid: price(2_000_000), ask: price(2_000_000) }, market)
      const from = last.time + 1_000
      expect(restarted.judge(100_000, 100_000, { time: from })).toBe('suspect')
      expect(restarted.judge(100_000, 100_000, { time: from + 1_000 })).toBe('accepted')
    })
  })

  it('lies beyond ten times the size on either side, where prices may cross zero', () => {
    const atSixty = () => {
      const set = openSource(OIL)
      set.judge(6_000, 6_000)
      return set
    }
    expect(atSixty().judge(-60_000, -60_000)).toBe('suspect')
    expect(atSixty().judge(-60_000, -60_001)).toBe('crossed')
    expect(atSixty().judge(-60_001, -60_000)).toBe('outOfBounds')
    expect(atSixty().judge(60_000, 60_001)).toBe('outOfBounds')
    expect(atSixty().judge(10, 10)).toBe('suspect')
  })
})

describe('after a closed market', () => {
  /** A guard that accepted 1.00000 / 1.00000, and reopened since. */
  function reopened() {
    const set = openSource()
    set.judge(100_000, 100_000)
    return { ...set, openSince: set.now() + 1 }
  }

  it('the first tick may lie ten bands away, the second one', () => {
    const { judge, openSince } = reopened()
    expect(judge(120_000, 120_000, { openSince })).toBe('accepted')
    expect(judge(100_000, 100_000, { openSince })).toBe('suspect')
  })

  it('the first tick further away is held until another one confirms it', () => {
    const { judge, openSince } = reopened()
    expect(judge(120_000, 120_001, { openSince })).toBe('suspect')
    expect(judge(122_400, 122_400, { openSince })).toBe('accepted')
  })

  it('a held first tick does not affect the next one', () => {
    const { judge, openSince } = reopened()
    expect(judge(150_000, 150_000, { openSince })).toBe('suspect')
    expect(judge(120_000, 120_000, { openSince })).toBe('accepted')
  })

  it('a tick accepted since the opening stays the reference', () => {
    const { judge, now } = openSource()
    judge(100_000, 100_000)
    expect(judge(110_000, 110_000, { openSince: now() })).toBe('suspect')
  })

  it('ticks held before the closing confirm nothing', () => {
    const { judge, now } = openSource()
    judge(100_000, 100_000)
    judge(150_000, 150_000)
    const openSince = now() + 1
    expect(judge(150_000, 150_000, { openSince })).toBe('suspect')
    expect(judge(100_500, 100_500, { openSince })).toBe('accepted')
  })

  it('a caller may announce the gap itself, as when another source takes over', () => {
    const { guard, judge } = openSource()
    judge(100_000, 100_000)
    judge(150_000, 150_000)
    reopenTicks(guard, 1)
    expect(judge(150_000, 150_000, { source: 'b' })).toBe('suspect')
    expect(judge(120_000, 120_000, { source: 'b' })).toBe('accepted')
    expect(judge(100_000, 100_000, { source: 'b' })).toBe('suspect')
  })
})

describe('an instrument that may be negative', () => {
  it('trades through zero in steps within its typical range', () => {
    const { judge } = openSource(OIL)
    const path = [40, 10, 0, -5, -30, -60, -100, -63, -20, -2, 15]
    expect(path.map((bid) => judge(bid, bid + 3))).toEqual(path.map(() => 'accepted'))
  })

  it('still rejects two zeros, which mean a feed without a price', () => {
    const { judge } = openSource(OIL)
    expect(judge(0, 0)).toBe('zero')
    expect(judge(0, 3)).toBe('accepted')
  })

  it('measures band and spread by the size of a negative mid', () => {
    const { judge } = openSource(OIL)
    expect(judge(-100_500, -99_500)).toBe('accepted')
    expect(judge(-100_501, -99_500)).toBe('wideSpread')
    expect(judge(-102_000, -102_000)).toBe('accepted')
    expect(judge(-104_041, -104_041)).toBe('suspect')
  })
})

describe('whatever comes', () => {
  const side = fc.oneof(
    fc.integer({ min: 95_000, max: 106_000 }),
    fc.integer({ min: -3, max: 300_000 }),
    fc.constantFrom(NaN, Infinity, 0.5, 2 ** 53),
  )
  const tick = fc.record({
    bid: side,
    spread: fc.integer({ min: -2, max: 1_200 }),
    delay: fc.integer({ min: -6_000, max: 2_000 }),
    step: fc.nat({ max: 3_000 }),
    source: fc.constantFrom('a', 'b'),
  })

  it('quotes are valid and numbered without gaps, never go back in time, and every other tick is counted', () => {
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 60 }), (ticks) => {
        const { send, memory } = openSource()
        let at = 1_000_000
        const quotes: Quote[] = []
        for (const { bid, spread, delay, step, source } of ticks) {
          at += step
          const admission = send(bid, bid + spread, { time: at - delay, at, source })
          if (admission.accepted) quotes.push(admission.quote)
        }
        expect(quotes.map((quote) => quote.seq)).toEqual(quotes.map((_, index) => index + 1))
        expect(quotes.every((quote, i) => quote.time >= (quotes[i - 1]?.time ?? -Infinity))).toBe(true)
        expect(
          quotes.every(
            ({ bid, ask, time, receivedAt }) => 0 < bid && bid <= ask && time <= receivedAt + 5_000,
          ),
        ).toBe(true)
        const refused = Object.values(memory().refusals).reduce((sum, count) => sum + count, 0)
        expect(quotes.length + refused).toBe(ticks.length)
      }),
    )
  })

  it('no single tick moves the price beyond the band', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), (bid) => {
        const { judge } = openSource()
        judge(100_000, 100_000)
        const isFar = bid > 1_000_000 || bid < 10_000
        const isNear = Math.abs(bid - 100_000) <= 2_000
        expect(judge(bid, bid)).toBe(isNear ? 'accepted' : isFar ? 'outOfBounds' : 'suspect')
      }),
    )
  })

  it('no repeated frame moves the price beyond ten bands', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.array(fc.nat({ max: 9_000 }), { minLength: 1 }),
        fc.boolean(),
        (bid, waits, isReopened) => {
          const { guard, judge, memory } = openSource()
          judge(100_000, 100_000)
          if (isReopened) reopenTicks(guard, 1)
          let at = 2_000_000
          for (const wait of waits) judge(bid, bid, { time: 2_000_000, at: (at += wait) })
          expect(Math.abs((memory().last?.bid ?? 0) - 100_000)).toBeLessThanOrEqual(
            isReopened ? 20_000 : 2_000,
          )
        },
      ),
    )
  })
})

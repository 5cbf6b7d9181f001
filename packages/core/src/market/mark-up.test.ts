import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoFloor, effects, onlyEvent } from '../../scenarios/floor.ts'
import { DEALER, instrumentOf } from '../../scenarios/market.ts'
import type { SetTerms } from '../command.ts'
import { price, ratio } from '../money/number.ts'
import { markUpTicks, publish, sourcePrice } from './mark-up.ts'
import type { Quote } from './quote.ts'

const EURUSD = instrumentOf('EURUSD')
const CONFIRMED = { ...DEALER, second: { id: 2, role: 'administrator' as const } }

const sent = (bid: number, ask: number): Quote => ({
  ...{ instrumentId: EURUSD.id, bid: price(bid), ask: price(ask), seq: 1 },
  ...{ time: 0, receivedAt: 0, source: 'a' },
})

describe('a mark-up', () => {
  it('is its part of the mid on each side, rounded half away from zero', () => {
    const ticksOf = (markUp: number, bid: number, ask = bid) =>
      markUpTicks({ ...EURUSD, allowsNegativePrice: true, markUp: ratio(markUp) }, sent(bid, ask))
    expect([ticksOf(40, 108_500, 108_506), ticksOf(100_000, 4), ticksOf(100_000, 5)]).toEqual([4, 0, 1])
    expect([ticksOf(100_000, -4), ticksOf(100_000, -5), ticksOf(0, 108_500)]).toEqual([0, 1, 0])
  })

  it('leaves the mid where it was, widens both sides alike, and the price of the source comes back out of it', () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.maxSafeInteger())
    fc.assert(
      fc.property(side, side, fc.nat({ max: 1_000_000 }), fc.boolean(), (one, other, markUp, isEither) => {
        const size = isEither ? (value: number) => value : Math.abs
        const [bid = 0, ask = 0] = [size(one), size(other)].toSorted((a, b) => a - b)
        fc.pre(bid !== 0)
        const instrument = { ...EURUSD, allowsNegativePrice: isEither, markUp: ratio(markUp) }
        const quote = sent(bid, ask)
        const published = publish(instrument, quote)
        const ticks = published.markUp ?? 0
        expect([published.bid, published.ask]).toEqual([bid - ticks, ask + ticks])
        expect([published.bid, published.ask].every(Number.isSafeInteger)).toBe(true)
        expect(sourcePrice(published)).toEqual({ bid, ask })
        expect(markUpTicks(instrument, sourcePrice(published))).toBe(ticks)
        if (!isEither) expect(published.bid).toBeGreaterThan(0)
      }),
    )
  })

  it('of none leaves the very price that was sent', () => {
    const quote = sent(108_500, 108_506)
    expect([publish(EURUSD, quote), publish(undefined, quote)]).toEqual([quote, quote])
    expect(publish({ ...EURUSD, markUp: ratio(1) }, quote)).toBe(quote)
  })

  it('is in every price from its moment on, fills at it, fires by it, and stands on the receipt', () => {
    const floor = demoFloor()
    const set = (markUp: number, effectiveAt: number | null, by = CONFIRMED) =>
      effects(
        floor.operate<SetTerms>({
          ...{ type: 'setTerms', effectiveAt, by },
          change: { kind: 'instrument', instrument: { ...EURUSD, markUp: ratio(markUp) }, listing: null },
        }),
      )
    floor.tick('EURUSD', '1.00000', '1.00002')
    floor.sell('EURUSD', { lots: '0.01', stopLoss: '1.00020' })
    expect(set(100, floor.now() + 1_000)).toEqual(['termsSet'])
    // The price of before stands until the next one comes, and says that nothing is in it.
    expect(
      onlyEvent(floor.buy('EURUSD', { lots: '0.01' }), 'positionOpened').receipt.tick,
    ).not.toHaveProperty('markUp')
    floor.wait(1_000)
    // 1.00012 as sent; ten ticks more is what closes the sell.
    expect(effects(floor.tick('EURUSD', '1.00010', '1.00012'))).toEqual([
      'termsTookEffect',
      '1 positionClosed',
    ])
    const { receipt, openPrice } = onlyEvent(floor.buy('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect(receipt.tick).toMatchObject({ bid: 100_000, ask: 100_022, markUp: 10 })
    expect(openPrice).toBe(100_022)
    expect(floor.state.quotes.get(EURUSD.id)).toMatchObject({ bid: 100_000, ask: 100_022, markUp: 10 })
  })

  it('that grows is worse for traders and needs its notice; one that shrinks needs none', () => {
    const floor = demoFloor()
    const set = (markUp: number, effectiveAt: number | null = null) =>
      effects(
        floor.operate<SetTerms>({
          ...{ type: 'setTerms', effectiveAt },
          change: { kind: 'instrument', instrument: { ...EURUSD, markUp: ratio(markUp) }, listing: null },
        }),
      )
    const { noticeMs } = floor.state.settings
    expect(set(1)).toEqual(['refused noticeTooShort'])
    expect(set(50, floor.now() + noticeMs)).toEqual(['termsSet'])
    floor.wait(noticeMs)
    expect(set(49)).toEqual(['termsTookEffect', 'termsSet'])
    expect([set(-1), set(0.5), set(100_001)]).toEqual(Array(3).fill(['refused termsInvalid']))
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoHarness, effects, onlyEvent } from '../../scenarios/harness.ts'
import { instrumentOf } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { SetTerms } from '../model/command.ts'
import { price, ratio } from '../model/number.ts'
import { markUpTicks, withMarkUp, sourcePrice } from './mark-up.ts'
import type { Quote } from '../model/quote.ts'

const EURUSD = instrumentOf('EURUSD')

const sent = (bid: number, ask: number): Quote => ({
  instrumentId: EURUSD.id,
  bid: price(bid),
  ask: price(ask),
  seq: 1,
  time: 0,
  receivedAt: 0,
  source: 'a',
})

describe('a mark-up', () => {
  it('is a fraction of the mid on each side, rounded half away from zero', () => {
    const ticksOf = (markUp: number, bid: number, ask = bid) =>
      markUpTicks({ ...EURUSD, allowsNegativePrice: true, markUp: ratio(markUp) }, sent(bid, ask))
    expect([ticksOf(40, 108_500, 108_506), ticksOf(100_000, 4), ticksOf(100_000, 5)]).toEqual([4, 0, 1])
    expect([ticksOf(100_000, -4), ticksOf(100_000, -5), ticksOf(0, 108_500)]).toEqual([0, 1, 0])
  })

  it("keeps the mid, widens both sides equally, and can be reversed to the source's price", () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.maxSafeInteger())
    fc.assert(
      fc.property(side, side, fc.nat({ max: 1_000_000 }), fc.boolean(), (one, other, markUp, isEither) => {
        const size = isEither ? (value: number) => value : Math.abs
        const [bid = 0, ask = 0] = [size(one), size(other)].toSorted((a, b) => a - b)
        fc.pre(bid !== 0)
        const instrument = { ...EURUSD, allowsNegativePrice: isEither, markUp: ratio(markUp) }
        const quote = sent(bid, ask)
        const published = withMarkUp(instrument, quote)
        const ticks = published.markUp ?? 0
        expect([published.bid, published.ask]).toEqual([bid - ticks, ask + ticks])
        expect([published.bid, published.ask].every(Number.isSafeInteger)).toBe(true)
        expect(sourcePrice(published)).toEqual({ bid, ask })
        expect(markUpTicks(instrument, sourcePrice(published))).toBe(ticks)
        if (!isEither) expect(published.bid).toBeGreaterThan(0)
      }),
    )
  })

  it('of zero keeps the price of the source', () => {
    const quote = sent(108_500, 108_506)
    expect([withMarkUp(EURUSD, quote), withMarkUp(undefined, quote)]).toEqual([quote, quote])
    expect(withMarkUp({ ...EURUSD, markUp: ratio(1) }, quote)).toBe(quote)
  })

  it('applies to every price from its moment on, to fills, triggers and receipts', () => {
    const harness = demoHarness()
    const set = (markUp: number, effectiveAt: number | null, by: SetTerms['by'] = DEPLOYMENT) =>
      effects(
        harness.operate<SetTerms>({
          type: 'setTerms',
          effectiveAt,
          by,
          change: { kind: 'instrument', instrument: { ...EURUSD, markUp: ratio(markUp) }, listing: null },
        }),
      )
    harness.tick('EURUSD', '1.00000', '1.00002')
    harness.sell('EURUSD', { lots: '0.01', stopLoss: '1.00020' })
    expect(set(100, harness.now() + 1_000)).toEqual(['termsSet'])
    // The earlier price stays until the next one, without a mark-up.
    expect(
      onlyEvent(harness.buy('EURUSD', { lots: '0.01' }), 'positionOpened').receipt.tick,
    ).not.toHaveProperty('markUp')
    harness.wait(1_000)
    // 1.00012 as sent; ten ticks more is what closes the sell.
    expect(effects(harness.tick('EURUSD', '1.00010', '1.00012'))).toEqual([
      'termsTookEffect',
      '1 positionClosed',
    ])
    const { receipt, openPrice } = onlyEvent(harness.buy('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect(receipt.tick).toMatchObject({ bid: 100_000, ask: 100_022, markUp: 10 })
    expect(openPrice).toBe(100_022)
    expect(harness.state.quotes.get(EURUSD.id)).toMatchObject({ bid: 100_000, ask: 100_022, markUp: 10 })
  })

  it('that grows is adverse and needs notice; one that shrinks does not', () => {
    const harness = demoHarness()
    const set = (markUp: number, effectiveAt: number | null = null) =>
      effects(
        harness.operate<SetTerms>({
          type: 'setTerms',
          effectiveAt,
          change: { kind: 'instrument', instrument: { ...EURUSD, markUp: ratio(markUp) }, listing: null },
        }),
      )
    const { noticeMs } = harness.state.settings
    expect(set(1)).toEqual(['refused noticeTooShort'])
    expect(set(50, harness.now() + noticeMs)).toEqual(['termsSet'])
    harness.wait(noticeMs)
    expect(set(49)).toEqual(['termsTookEffect', 'termsSet'])
    expect([set(-1), set(0.5), set(10_001)]).toEqual(Array(3).fill(['refused termsInvalid']))
  })
})

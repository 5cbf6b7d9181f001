import { describe, expect, it } from 'vitest'
import { demoHarness, effects, figures, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf, lotsOf, priceOf, usd } from '../../scenarios/market.ts'
import type { Event } from '../model/event.ts'
import { ratio } from '../model/number.ts'

const eventsOf = (outcome: ReturnType<Harness['send']>): readonly Event[] =>
  'entry' in outcome ? outcome.entry.events : []

/** Positions 1 and 4 in euros, 2 in sterling, 5 in yen; order 3 waits. */
function busyHarness(): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.tick('GBPUSD', '1.68500', '1.68510')
  harness.tick('USDJPY', '102.300', '102.310')
  harness.buy('EURUSD', { lots: '0.1' })
  harness.sell('GBPUSD', { lots: '0.1' })
  harness.buy('EURUSD', { lots: '0.1', target: '1.38000' })
  harness.sell('EURUSD', { lots: '0.2' })
  harness.buy('USDJPY', { lots: '0.1' })
  return harness
}

describe('closing everything', () => {
  it('closes every position by order id and leaves pending orders alone', () => {
    const harness = busyHarness()
    const outcome = harness.closeAll()
    expect(effects(outcome)).toEqual([
      '1 positionClosed',
      '2 positionClosed',
      '4 positionClosed',
      '5 positionClosed',
    ])
    expect(eventsOf(outcome).every((event) => 'reason' in event && event.reason === 'user')).toBe(true)
    expect([...harness.state.orders.keys()]).toEqual([3])
    expect(figures(harness)).toMatchObject({ margin: 0n, profit: 0n })
  })

  it('closes what can be closed and keeps the rest', () => {
    const harness = busyHarness()
    harness.closeMarket('GBPUSD')
    harness.halt('USDJPY', 'a storm')
    expect(effects(harness.closeAll())).toEqual(['1 positionClosed', '4 positionClosed'])
    expect([...harness.state.orders.keys()]).toEqual([2, 3, 5])
  })

  it('is refused for the reason of the first when nothing can be', () => {
    const harness = busyHarness()
    harness.halt('EURUSD', 'a storm')
    harness.closeMarket('GBPUSD')
    harness.wait(5_001)
    expect(harness.closeAll()).toEqual({
      rejected: 'marketHalted',
      details: { instrument: 'EURUSD', reason: 'a storm' },
    })
  })

  it('is refused when there is nothing to close', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { target: '1.38000' })
    expect(effects(harness.closeAll())).toEqual(['refused nothingToClose'])
    expect(effects(harness.closeAll({ accountId: 9 }))).toEqual(['refused accountNotFound'])
  })

  it('pays negative balance protection once, with the last position', () => {
    const harness = demoHarness({ settings: { demoBalance: usd('30000') } })
    harness.tick('EURUSD', '1.38500', '1.38510')
    for (let count = 0; count < 3; count += 1) harness.buy('EURUSD', { leverage: 30, lots: '2' })
    harness.tick('EURUSD', '1.18510', '1.18520')
    const outcome = harness.closeAll()
    const kinds = 'postings' in outcome ? outcome.postings.map(({ kind }) => kind) : []
    expect(kinds).toEqual(['result', 'result', 'result', 'protection'])
    expect(figures(harness).balance).toBe(0n)
  })

  it('does not change positions of other users', () => {
    const harness = busyHarness()
    harness.openAccount()
    harness.buy('EURUSD', { accountId: 2, lots: '0.1' })
    harness.closeAll({ accountId: 2 })
    expect(harness.state.orders.size).toBe(5)
  })

  it('takes effect once for one request', () => {
    const harness = busyHarness()
    const request = { accountId: 1, call: 'closeAll', id: 'a', digest: 'x' }
    const first = harness.closeAll({ request })
    harness.buy('EURUSD', { lots: '0.1' })
    const before = snapshotOf(harness.core)
    const again = harness.closeAll({ request })
    expect(again).toMatchObject({ repeatOf: expect.any(Number) })
    expect(eventsOf(again)).toEqual(eventsOf(first))
    expect(snapshotOf(harness.core)).toEqual(before)
    expect([...harness.replayed().state.requests]).toEqual([...harness.state.requests])
  })
})

describe('reversing a position', () => {
  it('closes it and opens its opposite of the same size at the same tick', () => {
    const harness = busyHarness()
    const outcome = harness.reverse(4)
    expect(effects(outcome)).toEqual(['4 positionClosed', '6 positionOpened'])
    expect(eventsOf(outcome)).toMatchObject([
      { reason: 'user', closePrice: priceOf('EURUSD', '1.38510') },
      {
        side: 'buy',
        kind: 'market',
        lots: lotsOf('0.2'),
        leverage: 10,
        openPrice: priceOf('EURUSD', '1.38510'),
      },
    ])
  })

  it('drops its stops', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
    harness.trail(1, 'EURUSD', '0.00100')
    harness.reverse(1)
    expect(harness.state.orders.get(2)).toMatchObject({
      side: 'sell',
      takeProfit: null,
      stopLoss: null,
      trailingDistance: null,
    })
    expect([...harness.core.triggers.all()]).toEqual([])
  })

  it('may use the margin and profit that the close releases', () => {
    const harness = demoHarness({ settings: { demoBalance: usd('5000') } })
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 30 })
    // 3,333.33 of 4,996.67 are used: not enough for a second position, but enough for a replacement.
    expect(effects(harness.sell('EURUSD', { leverage: 30 }))).toEqual(['refused notEnoughPrepayment'])
    expect(effects(harness.reverse(1))).toEqual(['1 positionClosed', '2 positionOpened'])
  })

  it('does neither without enough money, and says what is missing', () => {
    const harness = demoHarness({ settings: { demoBalance: usd('3337') } })
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 30 })
    // 3,333.666667 are left and 3,336.666666 are needed; the released margin is counted.
    expect(harness.reverse(1)).toEqual({
      rejected: 'notEnoughPrepayment',
      details: { margin: usd('3333.333333'), fee: usd('3.333333'), free: usd('3333.666667') },
    })
    expect([...harness.state.orders.keys()]).toEqual([1])
  })

  it.each(['EURUSD', 'USDJPY', 'FIXED'])(
    'knows to the last millionth what closing %s will leave free',
    (code) => {
      const prices = { EURUSD: '1.38500', USDJPY: '102.300', FIXED: '97.31' }
      function nearlySpent(): Harness {
        const harness = demoHarness({ settings: { demoBalance: usd('10000') } })
        for (const [each, at] of Object.entries(prices)) {
          harness.tick(each, at, at)
          harness.sell(each, { lots: '0.4', leverage: 20, ...(each === 'FIXED' ? { lots: '2' } : {}) })
        }
        harness.buy('EURUSD', { lots: '0.1', leverage: 30, target: '1.38000' })
        harness.tick('EURUSD', '1.38540', '1.38550')
        harness.tick('USDJPY', '105.300', '105.310')
        harness.tick('FIXED', '98.33', '98.35')
        return harness
      }
      const id = Object.keys(prices).indexOf(code) + 1
      const [reversed, closed] = [nearlySpent(), nearlySpent()]
      expect(reversed.state.orders.size).toBe(4)
      // So high a fee that no opening can pay it.
      const { instruments } = reversed.state
      const instrument = instruments.get(instrumentOf(code).id)
      if (instrument) instruments.set(instrument.id, { ...instrument, feeRate: ratio(20_000_000) })
      closed.close(id)
      expect(reversed.reverse(id)).toMatchObject({
        rejected: 'notEnoughPrepayment',
        details: { free: figures(closed).free },
      })
    },
  )

  it.each([
    ['a pending order', 3, 1, 'orderNotHolding'],
    ['an order that does not live', 99, 1, 'orderNotFound'],
    ["another's order", 1, 2, 'orderNotFound'],
    ['an account that does not exist', 1, 9, 'accountNotFound'],
  ] as const)('is refused for %s', (_what, orderId, accountId, code) => {
    const harness = busyHarness()
    harness.openAccount()
    expect(effects(harness.reverse(orderId, { accountId }))).toEqual([`refused ${code}`])
  })

  it('is rejected on a closed, halted or stale market', () => {
    const harness = busyHarness()
    harness.closeMarket('EURUSD')
    expect(effects(harness.reverse(1))).toEqual(['refused marketClosed'])
    harness.openMarket('EURUSD')
    harness.halt('EURUSD', 'a storm')
    expect(effects(harness.reverse(1))).toEqual(['refused marketHalted'])
    harness.halt('EURUSD', null)
    harness.mode('halted')
    expect(effects(harness.reverse(1))).toEqual(['refused marketHalted'])
    harness.mode('reduceOnly')
    expect(effects(harness.reverse(1))).toEqual(['refused reduceOnly'])
    harness.mode('normal')
    harness.wait(5_001)
    expect(effects(harness.reverse(1))).toEqual(['refused stalePrice'])
  })

  it('is rejected where an opening would be, even if a close would not', () => {
    const harness = busyHarness()
    const euro = harness.state.instruments.get(1)
    if (euro) harness.state.instruments.set(1, { ...euro, isEnabled: false })
    harness.closeMarket('EURUSD')
    expect(effects(harness.reverse(1))).toEqual(['refused instrumentDisabled'])
    harness.openMarket('EURUSD')
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })

  it('is rejected while the conversion is stale', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40')
    harness.wait(5_001)
    harness.tick('GER40', '10000.0', '10000.0')
    expect(effects(harness.reverse(1))).toEqual(['refused stalePrice'])
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })

  it('is rejected at a negative price', () => {
    const harness = demoHarness()
    harness.tick('WTI', '1.20', '1.23')
    harness.buy('WTI')
    harness.tick('WTI', '-37.63', '-37.00')
    expect(effects(harness.reverse(1))).toEqual(['refused priceInvalid'])
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })

  it('takes effect once for one request, across a restart', () => {
    const harness = busyHarness()
    const request = { accountId: 1, call: 'reverse', id: 'a', digest: 'x' }
    harness.reverse(1, { request })
    const again = harness.reverse(1, { request })
    expect(again).toMatchObject({ repeatOf: expect.any(Number) })
    expect(effects(again)).toEqual(['1 positionClosed', '6 positionOpened'])
    expect(effects(harness.reverse(1, { request: { ...request, digest: 'y' } }))).toEqual([
      'refused requestIdReused',
    ])
    expect([...harness.replayed().state.requests]).toEqual([...harness.state.requests])
  })
})

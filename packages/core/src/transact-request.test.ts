import { describe, expect, it } from 'vitest'
import { demoFloor, effects, figures, remembered, type Floor } from '../scenarios/floor.ts'
import { instrumentOf, lotsOf, priceOf, usd } from '../scenarios/market.ts'
import type { Event } from './event.ts'
import { ratio } from './money/number.ts'

const eventsOf = (outcome: ReturnType<Floor['send']>): readonly Event[] =>
  'entry' in outcome ? outcome.entry.events : []

/** Positions 1 and 4 in euros, 2 in sterling, 5 in yen; order 3 waits. */
function busyFloor(): Floor {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.tick('GBPUSD', '1.68500', '1.68510')
  floor.tick('USDJPY', '102.300', '102.310')
  floor.buy('EURUSD', { lots: '0.1' })
  floor.sell('GBPUSD', { lots: '0.1' })
  floor.buy('EURUSD', { lots: '0.1', target: '1.38000' })
  floor.sell('EURUSD', { lots: '0.2' })
  floor.buy('USDJPY', { lots: '0.1' })
  return floor
}

describe('closing everything', () => {
  it('closes every position by order id and leaves pending orders alone', () => {
    const floor = busyFloor()
    const outcome = floor.closeAll()
    expect(effects(outcome)).toEqual([
      '1 positionClosed',
      '2 positionClosed',
      '4 positionClosed',
      '5 positionClosed',
    ])
    expect(eventsOf(outcome).every((event) => 'reason' in event && event.reason === 'user')).toBe(true)
    expect([...floor.state.orders.keys()]).toEqual([3])
    expect(figures(floor)).toMatchObject({ margin: 0n, profit: 0n })
  })

  it('closes what can be closed, and the rest stays', () => {
    const floor = busyFloor()
    floor.closeMarket('GBPUSD')
    floor.halt('USDJPY', 'a storm')
    expect(effects(floor.closeAll())).toEqual(['1 positionClosed', '4 positionClosed'])
    expect([...floor.state.orders.keys()]).toEqual([2, 3, 5])
  })

  it('is refused for the reason of the first when nothing can be', () => {
    const floor = busyFloor()
    floor.halt('EURUSD', 'a storm')
    floor.closeMarket('GBPUSD')
    floor.wait(5_001)
    expect(floor.closeAll()).toEqual({
      rejected: 'marketHalted',
      details: { instrument: 'EURUSD', reason: 'a storm' },
    })
  })

  it('is refused when there is nothing to close', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { target: '1.38000' })
    expect(effects(floor.closeAll())).toEqual(['refused nothingToClose'])
    expect(effects(floor.closeAll({ accountId: 9 }))).toEqual(['refused accountNotFound'])
  })

  it('lifts a balance below zero once, with the last position', () => {
    const floor = demoFloor({ settings: { demoBalance: usd('30000') } })
    floor.tick('EURUSD', '1.38500', '1.38510')
    for (let count = 0; count < 3; count += 1) floor.buy('EURUSD', { leverage: 30, lots: '2' })
    floor.tick('EURUSD', '1.18510', '1.18520')
    const outcome = floor.closeAll()
    const kinds = 'postings' in outcome ? outcome.postings.map(({ kind }) => kind) : []
    expect(kinds).toEqual(['result', 'result', 'result', 'protection'])
    expect(figures(floor).balance).toBe(0n)
  })

  it("touches nobody else's positions", () => {
    const floor = busyFloor()
    floor.openAccount()
    floor.buy('EURUSD', { accountId: 2, lots: '0.1' })
    floor.closeAll({ accountId: 2 })
    expect(floor.state.orders.size).toBe(5)
  })

  it('takes effect once for one request', () => {
    const floor = busyFloor()
    const request = { accountId: 1, call: 'closeAll', id: 'a', digest: 'x' }
    const first = floor.closeAll({ request })
    floor.buy('EURUSD', { lots: '0.1' })
    const before = remembered(floor.core)
    const again = floor.closeAll({ request })
    expect(again).toMatchObject({ repeatOf: expect.any(Number) })
    expect(eventsOf(again)).toEqual(eventsOf(first))
    expect(remembered(floor.core)).toEqual(before)
    expect([...floor.replayed().state.requests]).toEqual([...floor.state.requests])
  })
})

describe('reversing a position', () => {
  it('closes it and opens its opposite of the same size at the same tick', () => {
    const floor = busyFloor()
    const outcome = floor.reverse(4)
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
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
    floor.trail(1, 'EURUSD', '0.00100')
    floor.reverse(1)
    expect(floor.state.orders.get(2)).toMatchObject({
      side: 'sell',
      takeProfit: null,
      stopLoss: null,
      trailingDistance: null,
    })
    expect([...floor.core.triggers.all()]).toEqual([])
  })

  it('may use the margin and the profit that the close sets free', () => {
    const floor = demoFloor({ settings: { demoBalance: usd('5000') } })
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 30 })
    // 3,333.33 of 4,996.67 are held: not enough beside it, but enough in its place.
    expect(effects(floor.sell('EURUSD', { leverage: 30 }))).toEqual(['refused notEnoughPrepayment'])
    expect(effects(floor.reverse(1))).toEqual(['1 positionClosed', '2 positionOpened'])
  })

  it('does neither when the money would not do, and says what is missing', () => {
    const floor = demoFloor({ settings: { demoBalance: usd('3337') } })
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 30 })
    // 3,333.666667 are left, 3,336.666666 are needed; the reset of the margin is counted.
    expect(floor.reverse(1)).toEqual({
      rejected: 'notEnoughPrepayment',
      details: { margin: usd('3333.333333'), fee: usd('3.333333'), free: usd('3333.666667') },
    })
    expect([...floor.state.orders.keys()]).toEqual([1])
  })

  it.each(['EURUSD', 'USDJPY', 'FIXED'])(
    'knows to the last millionth what closing %s will leave free',
    (code) => {
      const prices = { EURUSD: '1.38500', USDJPY: '102.300', FIXED: '97.31' }
      function nearlySpent(): Floor {
        const floor = demoFloor({ settings: { demoBalance: usd('10000') } })
        for (const [each, at] of Object.entries(prices)) {
          floor.tick(each, at, at)
          floor.sell(each, { lots: '0.4', leverage: 20, ...(each === 'FIXED' ? { lots: '2' } : {}) })
        }
        floor.buy('EURUSD', { lots: '0.1', leverage: 30, target: '1.38000' })
        floor.tick('EURUSD', '1.38540', '1.38550')
        floor.tick('USDJPY', '105.300', '105.310')
        floor.tick('FIXED', '98.33', '98.35')
        return floor
      }
      const id = Object.keys(prices).indexOf(code) + 1
      const [reversed, closed] = [nearlySpent(), nearlySpent()]
      expect(reversed.state.orders.size).toBe(4)
      // So dear a fee that no opening can pay it.
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
    const floor = busyFloor()
    floor.openAccount()
    expect(effects(floor.reverse(orderId, { accountId }))).toEqual([`refused ${code}`])
  })

  it('is refused as a whole on a closed, halted or stale market', () => {
    const floor = busyFloor()
    floor.closeMarket('EURUSD')
    expect(effects(floor.reverse(1))).toEqual(['refused marketClosed'])
    floor.openMarket('EURUSD')
    floor.halt('EURUSD', 'a storm')
    expect(effects(floor.reverse(1))).toEqual(['refused marketHalted'])
    floor.halt('EURUSD', null)
    floor.mode('cancelOnly')
    expect(effects(floor.reverse(1))).toEqual(['refused cancelOnly'])
    floor.mode('normal')
    floor.wait(5_001)
    expect(effects(floor.reverse(1))).toEqual(['refused stalePrice'])
  })

  it('is refused where an opening would be, though a close would not: disabled, too dear a rate', () => {
    const floor = busyFloor()
    const euro = floor.state.instruments.get(1)
    if (euro) floor.state.instruments.set(1, { ...euro, isEnabled: false })
    floor.closeMarket('EURUSD')
    expect(effects(floor.reverse(1))).toEqual(['refused instrumentDisabled'])
    floor.openMarket('EURUSD')
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })

  it('is refused while the conversion is stale, for an opening needs it fresh', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.20000', '1.20000')
    floor.tick('GER40', '10000.0', '10000.0')
    floor.buy('GER40')
    floor.wait(5_001)
    floor.tick('GER40', '10000.0', '10000.0')
    expect(effects(floor.reverse(1))).toEqual(['refused stalePrice'])
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })

  it('below zero opens nothing, and so closes nothing', () => {
    const floor = demoFloor()
    floor.tick('WTI', '1.20', '1.23')
    floor.buy('WTI')
    floor.tick('WTI', '-37.63', '-37.00')
    expect(effects(floor.reverse(1))).toEqual(['refused priceInvalid'])
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })

  it('takes effect once for one request, across a restart', () => {
    const floor = busyFloor()
    const request = { accountId: 1, call: 'reverse', id: 'a', digest: 'x' }
    floor.reverse(1, { request })
    const again = floor.reverse(1, { request })
    expect(again).toMatchObject({ repeatOf: expect.any(Number) })
    expect(effects(again)).toEqual(['1 positionClosed', '6 positionOpened'])
    expect(effects(floor.reverse(1, { request: { ...request, digest: 'y' } }))).toEqual([
      'refused requestIdReused',
    ])
    expect([...floor.replayed().state.requests]).toEqual([...floor.state.requests])
  })
})

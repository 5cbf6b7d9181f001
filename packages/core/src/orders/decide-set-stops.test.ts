import { describe, expect, it } from 'vitest'
import { demoHarness, effects, onlyEvent, type Harness } from '../../scenarios/harness.ts'
import { priceOf } from '../../scenarios/market.ts'
import { MAX_PRICE_TICKS } from './order-rules.ts'
import { price, type Price } from '../model/number.ts'
import { transact } from '../engine/transact.ts'

/** Order 1: a buy of EURUSD that closes at 1.38500. Order 2: a sell that closes at 1.38510. */
function heldHarness(): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD')
  harness.sell('EURUSD')
  return harness
}

const stopsOf = (harness: Harness, orderId: number) => {
  const order = harness.state.orders.get(orderId)
  return [order?.takeProfit, order?.stopLoss]
}

describe('the stops of a position', () => {
  it.each([
    [1, 'takeProfit', '1.38505', '1.38506'],
    [1, 'stopLoss', '1.38495', '1.38494'],
    [2, 'takeProfit', '1.38505', '1.38504'],
    [2, 'stopLoss', '1.38515', '1.38516'],
  ] as const)('of order %d: %s %s is too near, %s is far enough', (orderId, stop, near, nearest) => {
    const harness = heldHarness()
    expect(effects(harness.setStops(orderId, 'EURUSD', { [stop]: near }))).toEqual([
      `refused ${stop}WrongSide`,
    ])
    expect(effects(harness.setStops(orderId, 'EURUSD', { [stop]: nearest }))).toEqual([`${orderId} stopsSet`])
    expect(harness.state.orders.get(orderId)?.[stop]).toBe(priceOf('EURUSD', nearest))
  })

  it('are rejected with the price they were measured from', () => {
    expect(heldHarness().setStops(1, 'EURUSD', { takeProfit: '1.38000' })).toEqual({
      rejected: 'takeProfitWrongSide',
      details: {
        price: 138_000,
        priceDecimals: 5,
        reference: 138_500,
        above: 138_506,
        below: 138_494,
        side: 'buy',
      },
    })
  })

  it('report the take profit first when both are wrong', () => {
    const both = { takeProfit: '1.38000', stopLoss: '1.39000' }
    expect(effects(heldHarness().setStops(1, 'EURUSD', both))).toEqual(['refused takeProfitWrongSide'])
  })

  it('are set together, and the one left out is cleared', () => {
    const harness = heldHarness()
    harness.setStops(1, 'EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
    expect(stopsOf(harness, 1)).toEqual([139_000, 138_000])
    expect(onlyEvent(harness.setStops(1, 'EURUSD', { stopLoss: '1.38100' }), 'stopsSet')).toMatchObject({
      takeProfit: null,
      stopLoss: 138_100,
    })
    harness.setStops(1, 'EURUSD')
    expect(stopsOf(harness, 1)).toEqual([null, null])
    harness.tick('EURUSD', '1.00000', '1.00010')
    expect(harness.state.orders.size).toBe(2)
  })

  it('stay as they are where the change leaves them out, and a trailing one goes on trailing', () => {
    const harness = heldHarness()
    const change = (stops: { takeProfit?: Price | null; stopLoss?: Price | null }) =>
      harness.send({ type: 'setStops', at: harness.now(), accountId: 1, orderId: 1, ...stops })
    change({ stopLoss: price(138_000) })
    change({ takeProfit: price(139_000) })
    expect(stopsOf(harness, 1)).toEqual([139_000, 138_000])
    harness.trail(1, 'EURUSD', '0.00300')
    harness.tick('EURUSD', '1.38600', '1.38610')
    change({ takeProfit: price(139_500) })
    expect(stopsOf(harness, 1)).toEqual([139_500, 138_300])
    harness.tick('EURUSD', '1.38700', '1.38710')
    expect(stopsOf(harness, 1)).toEqual([139_500, 138_400])
    change({ takeProfit: null })
    expect(stopsOf(harness, 1)).toEqual([null, 138_400])
  })

  it('can be moved while the market is closed or the price is stale, measured from the last one', () => {
    const harness = heldHarness()
    harness.closeMarket('EURUSD')
    harness.wait(86_400_000)
    expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '1.38494' }))).toEqual(['1 stopsSet'])
    expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '1.38495' }))).toEqual([
      'refused stopLossWrongSide',
    ])
  })

  it.each([0, -1, MAX_PRICE_TICKS + 1, 2 ** 60, 138_000.5, Number.NaN])('cannot lie at %d', (level) => {
    const harness = heldHarness()
    for (const stops of [
      { takeProfit: price(level), stopLoss: null },
      { takeProfit: null, stopLoss: price(level) },
    ]) {
      const command = { type: 'setStops', at: harness.now(), accountId: 1, orderId: 1, ...stops } as const
      expect(harness.send(command)).toEqual({
        rejected: 'priceInvalid',
        details: { price: level, priceDecimals: 5 },
      })
    }
  })

  it('may be negative where prices may be', () => {
    const harness = demoHarness()
    harness.tick('WTI', '1.20', '1.23')
    harness.buy('WTI')
    expect(effects(harness.setStops(1, 'WTI', { stopLoss: '-2.00' }))).toEqual(['1 stopsSet'])
  })
})

describe('before the first price after a start', () => {
  function restarted(harness: Harness) {
    return harness.replayed()
  }
  const command = { type: 'setStops', at: 0, accountId: 1, orderId: 1, takeProfit: null } as const

  it('a stop cannot be set', () => {
    const state = restarted(heldHarness())
    expect(transact(state, { ...command, stopLoss: price(138_000) })).toEqual({
      rejected: 'stalePrice',
      details: { instrument: 'EURUSD' },
    })
  })

  it('stops can be cleared', () => {
    const harness = heldHarness()
    harness.setStops(1, 'EURUSD', { stopLoss: '1.38000' })
    expect(effects(transact(restarted(harness), { ...command, stopLoss: null }))).toEqual(['1 stopsSet'])
  })
})

describe('the stops of a pending order', () => {
  function waitingHarness(): Harness {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { target: '1.30000' })
    return harness
  }

  it('are measured from its target, wherever the market is', () => {
    const harness = waitingHarness()
    expect(effects(harness.setStops(1, 'EURUSD', { takeProfit: '1.30006' }))).toEqual(['1 stopsSet'])
    expect(effects(harness.setStops(1, 'EURUSD', { takeProfit: '1.30005' }))).toEqual([
      'refused takeProfitWrongSide',
    ])
    expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '1.30000' }))).toEqual([
      'refused stopLossWrongSide',
    ])
  })

  it('become those of the position', () => {
    const harness = waitingHarness()
    harness.setStops(1, 'EURUSD', { takeProfit: '1.31000', stopLoss: '1.29000' })
    harness.tick('EURUSD', '1.29990', '1.30000')
    expect(harness.state.orders.get(1)).toMatchObject({
      status: 'holding',
      takeProfit: 131_000,
      stopLoss: 129_000,
    })
  })
})

it("another user's order is reported as not found", () => {
  const harness = heldHarness()
  harness.openAccount()
  expect(harness.setStops(1, 'EURUSD', { accountId: 2, stopLoss: '1.38000' })).toEqual({
    rejected: 'orderNotFound',
    details: { orderId: 1 },
  })
})

it('an unchanged stop is not checked again, however near the price is', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD', { stopLoss: '1.38400' })
  harness.tick('EURUSD', '1.38403', '1.38413')
  const stops = { takeProfit: '1.39000', stopLoss: '1.38400' }
  expect(effects(harness.setStops(1, 'EURUSD', stops))).toEqual(['1 stopsSet'])
  expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '1.38401' }))).toEqual([
    'refused stopLossWrongSide',
  ])
})

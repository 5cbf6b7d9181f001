import { describe, expect, it } from 'vitest'
import { demoFloor, effects, onlyEvent, type Floor } from '../../scenarios/floor.ts'
import { priceOf } from '../../scenarios/market.ts'
import { MAX_PRICE_TICKS } from './order-rules.ts'
import { price } from '../money/number.ts'
import { transact } from '../transact.ts'

/** Order 1: a buy of EURUSD that closes at 1.38500. Order 2: a sell that closes at 1.38510. */
function heldFloor(): Floor {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.buy('EURUSD')
  floor.sell('EURUSD')
  return floor
}

const stopsOf = (floor: Floor, orderId: number) => {
  const order = floor.state.orders.get(orderId)
  return [order?.takeProfit, order?.stopLoss]
}

describe('the stops of a position', () => {
  it.each([
    [1, 'takeProfit', '1.38505', '1.38506'],
    [1, 'stopLoss', '1.38495', '1.38494'],
    [2, 'takeProfit', '1.38505', '1.38504'],
    [2, 'stopLoss', '1.38515', '1.38516'],
  ] as const)('of order %d: %s %s is too near, %s is far enough', (orderId, stop, near, nearest) => {
    const floor = heldFloor()
    expect(effects(floor.setStops(orderId, 'EURUSD', { [stop]: near }))).toEqual([`refused ${stop}WrongSide`])
    expect(effects(floor.setStops(orderId, 'EURUSD', { [stop]: nearest }))).toEqual([`${orderId} stopsSet`])
    expect(floor.state.orders.get(orderId)?.[stop]).toBe(priceOf('EURUSD', nearest))
  })

  it('are told what they were measured against when refused', () => {
    expect(heldFloor().setStops(1, 'EURUSD', { takeProfit: '1.38000' })).toEqual({
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

  it('name the take profit first when both are wrong', () => {
    const both = { takeProfit: '1.38000', stopLoss: '1.39000' }
    expect(effects(heldFloor().setStops(1, 'EURUSD', both))).toEqual(['refused takeProfitWrongSide'])
  })

  it('are set together, and the one left out is cleared', () => {
    const floor = heldFloor()
    floor.setStops(1, 'EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
    expect(stopsOf(floor, 1)).toEqual([139_000, 138_000])
    expect(onlyEvent(floor.setStops(1, 'EURUSD', { stopLoss: '1.38100' }), 'stopsSet')).toMatchObject({
      takeProfit: null,
      stopLoss: 138_100,
    })
    floor.setStops(1, 'EURUSD')
    expect(stopsOf(floor, 1)).toEqual([null, null])
    floor.tick('EURUSD', '1.00000', '1.00010')
    expect(floor.state.orders.size).toBe(2)
  })

  it('move while the market is closed, and on a price long stale, against the last one known', () => {
    const floor = heldFloor()
    floor.closeMarket('EURUSD')
    floor.wait(86_400_000)
    expect(effects(floor.setStops(1, 'EURUSD', { stopLoss: '1.38494' }))).toEqual(['1 stopsSet'])
    expect(effects(floor.setStops(1, 'EURUSD', { stopLoss: '1.38495' }))).toEqual([
      'refused stopLossWrongSide',
    ])
  })

  it.each([0, -1, MAX_PRICE_TICKS + 1, 2 ** 60, 138_000.5, Number.NaN])('cannot lie at %d', (level) => {
    const floor = heldFloor()
    for (const stops of [
      { takeProfit: price(level), stopLoss: null },
      { takeProfit: null, stopLoss: price(level) },
    ]) {
      const command = { type: 'setStops', at: floor.now(), accountId: 1, orderId: 1, ...stops } as const
      expect(floor.send(command)).toEqual({
        rejected: 'priceInvalid',
        details: { price: level, priceDecimals: 5 },
      })
    }
  })

  it('may lie below zero where the price may go there', () => {
    const floor = demoFloor()
    floor.tick('WTI', '1.20', '1.23')
    floor.buy('WTI')
    expect(effects(floor.setStops(1, 'WTI', { stopLoss: '-2.00' }))).toEqual(['1 stopsSet'])
  })
})

describe('before the first price after a start', () => {
  function restarted(floor: Floor) {
    return floor.replayed()
  }
  const command = { type: 'setStops', at: 0, accountId: 1, orderId: 1, takeProfit: null } as const

  it('a stop cannot be set, for there is nothing to measure from', () => {
    const state = restarted(heldFloor())
    expect(transact(state, { ...command, stopLoss: price(138_000) })).toEqual({
      rejected: 'stalePrice',
      details: { instrument: 'EURUSD' },
    })
  })

  it('stops can be cleared', () => {
    const floor = heldFloor()
    floor.setStops(1, 'EURUSD', { stopLoss: '1.38000' })
    expect(effects(transact(restarted(floor), { ...command, stopLoss: null }))).toEqual(['1 stopsSet'])
  })
})

describe('the stops of a pending order', () => {
  function waitingFloor(): Floor {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { target: '1.30000' })
    return floor
  }

  it('are measured from its target, wherever the market is', () => {
    const floor = waitingFloor()
    expect(effects(floor.setStops(1, 'EURUSD', { takeProfit: '1.30006' }))).toEqual(['1 stopsSet'])
    expect(effects(floor.setStops(1, 'EURUSD', { takeProfit: '1.30005' }))).toEqual([
      'refused takeProfitWrongSide',
    ])
    expect(effects(floor.setStops(1, 'EURUSD', { stopLoss: '1.30000' }))).toEqual([
      'refused stopLossWrongSide',
    ])
  })

  it('become those of the position', () => {
    const floor = waitingFloor()
    floor.setStops(1, 'EURUSD', { takeProfit: '1.31000', stopLoss: '1.29000' })
    floor.tick('EURUSD', '1.29990', '1.30000')
    expect(floor.state.orders.get(1)).toMatchObject({
      status: 'holding',
      takeProfit: 131_000,
      stopLoss: 129_000,
    })
  })
})

it("another's order has no stops to set: it does not exist", () => {
  const floor = heldFloor()
  floor.openAccount()
  expect(floor.setStops(1, 'EURUSD', { accountId: 2, stopLoss: '1.38000' })).toEqual({
    rejected: 'orderNotFound',
    details: { orderId: 1 },
  })
})

it('what is not changed is not checked again, however near the price has come', () => {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.buy('EURUSD', { stopLoss: '1.38400' })
  floor.tick('EURUSD', '1.38403', '1.38413')
  const stops = { takeProfit: '1.39000', stopLoss: '1.38400' }
  expect(effects(floor.setStops(1, 'EURUSD', stops))).toEqual(['1 stopsSet'])
  expect(effects(floor.setStops(1, 'EURUSD', { stopLoss: '1.38401' }))).toEqual(['refused stopLossWrongSide'])
})

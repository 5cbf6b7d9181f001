import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  onlyEvent,
  snapshotOf,
  type Harness,
  type Wish,
} from '../../scenarios/harness.ts'
import { priceOf, usd } from '../../scenarios/market.ts'

const at = (text: string) => priceOf('EURUSD', text)

/** A position of one lot, opened at 1.38510 (bought) or 1.38500 (sold), that trails at a distance. */
function trailing(side: 'buy' | 'sell', distance: string, wish: Wish = {}): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness[side]('EURUSD', wish)
  onlyEvent(harness.trail(1, 'EURUSD', distance), 'stopsSet')
  return harness
}

const stopOf = (harness: Harness): number | null | undefined => harness.state.orders.get(1)?.stopLoss

describe('a trailing stop starts', () => {
  it.each([
    ['buy', '1.38400'],
    ['sell', '1.38610'],
  ] as const)('for a %s at its distance from the closing price', (side, stop) => {
    const harness = trailing(side, '0.00100')
    expect(harness.state.orders.get(1)).toMatchObject({ stopLoss: at(stop), trailingDistance: 100 })
  })

  it('at the current stop loss, if that is nearer', () => {
    const harness = trailing('buy', '0.00100', { stopLoss: '1.38450' })
    expect(stopOf(harness)).toBe(at('1.38450'))
    // It follows once the price is further away than its distance.
    expect(effects(harness.tick('EURUSD', '1.38550', '1.38560'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.38551', '1.38561'))).toEqual(['trailingMoved'])
    expect(stopOf(harness)).toBe(at('1.38451'))
  })

  it('nearer than a stop loss further away', () => {
    expect(stopOf(trailing('sell', '0.00100', { stopLoss: '1.39000' }))).toBe(at('1.38610'))
  })

  it('without touching the take profit', () => {
    const harness = trailing('buy', '0.00100', { takeProfit: '1.39000' })
    expect(harness.state.orders.get(1)?.takeProfit).toBe(at('1.39000'))
  })

  it('again when its distance changes, but never further away', () => {
    const harness = trailing('buy', '0.00100')
    harness.trail(1, 'EURUSD', '0.00050')
    expect(stopOf(harness)).toBe(at('1.38450'))
    harness.trail(1, 'EURUSD', '0.00200')
    expect(harness.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38450'), trailingDistance: 200 })
  })

  it('while the market is closed or halted, from the last price', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD')
    harness.closeMarket('EURUSD')
    harness.halt('EURUSD', 'a storm')
    harness.mode('halted')
    harness.wait(86_400_000)
    onlyEvent(harness.trail(1, 'EURUSD', '0.00100'), 'stopsSet')
  })
})

describe('it is rejected, and nothing changes,', () => {
  const harness = () => {
    const one = demoHarness()
    one.tick('EURUSD', '1.38500', '1.38510')
    one.buy('EURUSD')
    one.buy('EURUSD', { target: '1.38000' })
    return one
  }

  it('for a pending order', () => {
    expect(effects(harness().trail(2, 'EURUSD', '0.00100'))).toEqual(['refused orderNotHolding'])
  })

  it("for another user's order, and for one that is not active", () => {
    const one = harness()
    one.openAccount()
    expect(effects(one.trail(1, 'EURUSD', '0.00100', { accountId: 2 }))).toEqual(['refused orderNotFound'])
    expect(effects(one.trail(9, 'EURUSD', '0.00100'))).toEqual(['refused orderNotFound'])
    expect(effects(one.trail(1, 'EURUSD', '0.00100', { accountId: 7 }))).toEqual(['refused accountNotFound'])
  })

  it('nearer than the minimum distance', () => {
    expect(harness().trail(1, 'EURUSD', '0.00005')).toEqual({
      rejected: 'trailingDistanceInvalid',
      details: { price: 5, below: 6, priceDecimals: 5 },
    })
    expect(effects(harness().trail(1, 'EURUSD', '0.00006'))).toEqual(['1 stopsSet'])
  })

  it.each(['0.00000', '-0.00100', '99999999.00000'])('at a distance of %s', (distance) => {
    expect(effects(harness().trail(1, 'EURUSD', distance))).toEqual(['refused trailingDistanceInvalid'])
  })

  it.each([NaN, Infinity, 10.5])('at a distance of %d ticks', (distance) => {
    const one = harness()
    const command = { type: 'setTrailing', at: one.now(), accountId: 1, orderId: 1 } as const
    expect(effects(one.send({ ...command, distance: distance as never }))).toEqual([
      'refused trailingDistanceInvalid',
    ])
  })

  it('so far away that the stop would be at zero', () => {
    expect(effects(harness().trail(1, 'EURUSD', '1.38500'))).toEqual(['refused priceInvalid'])
    expect(effects(harness().trail(1, 'EURUSD', '1.38499'))).toEqual(['1 stopsSet'])
  })
})

describe('a trailing stop follows', () => {
  it('tick by tick as the bid rises, and waits while it falls', () => {
    const harness = trailing('buy', '0.00100')
    const stops = ['1.38501', '1.38530', '1.38520', '1.38440', '1.38530', '1.38531'].map((bid) => {
      const moved = effects(harness.tick('EURUSD', bid, '1.38600'))
      return [moved.length, stopOf(harness)]
    })
    expect(stops).toEqual([
      [1, at('1.38401')],
      [1, at('1.38430')],
      [0, at('1.38430')],
      [0, at('1.38430')],
      [0, at('1.38430')],
      [1, at('1.38431')],
    ])
  })

  it('for a sell as the ask falls', () => {
    const harness = trailing('sell', '0.00100')
    harness.tick('EURUSD', '1.38000', '1.38400')
    expect(stopOf(harness)).toBe(at('1.38500'))
    expect(effects(harness.tick('EURUSD', '1.38000', '1.38450'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.38400', '1.38500'))).toEqual(['1 positionClosed'])
  })

  it('and closes at the price of the tick that reaches it', () => {
    const harness = trailing('buy', '0.00100')
    harness.tick('EURUSD', '1.38800', '1.38810')
    expect(effects(harness.tick('EURUSD', '1.38701', '1.38711'))).toEqual([])
    // 1.38650 instead of 1.38700; 0.00140 x 100,000
    expect(onlyEvent(harness.tick('EURUSD', '1.38650', '1.38660'), 'positionClosed')).toMatchObject({
      reason: 'stopLoss',
      profit: usd('140'),
      receipt: { trigger: 'stopLoss', requestedPrice: at('1.38700'), slippage: -50 },
    })
  })

  it('over a gap upwards in one step', () => {
    const harness = trailing('buy', '0.00100')
    harness.tick('EURUSD', '1.45000', '1.45010')
    expect(stopOf(harness)).toBe(at('1.44900'))
  })

  it('not on a stale tick, a closed or a halted market, but on the next one', () => {
    const harness = trailing('buy', '0.00100')
    harness.closeMarket('EURUSD')
    expect(effects(harness.tick('EURUSD', '1.38600', '1.38610'))).toEqual([])
    harness.openMarket('EURUSD')
    harness.halt('EURUSD', 'a storm')
    expect(effects(harness.tick('EURUSD', '1.38600', '1.38610'))).toEqual([])
    harness.halt('EURUSD', null)
    harness.mode('halted')
    expect(effects(harness.tick('EURUSD', '1.38600', '1.38610'))).toEqual([])
    harness.mode('normal')
    expect(effects(harness.tick('EURUSD', '1.38600', '1.38610', 5_001))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.38600', '1.38610', 5_000))).toEqual(['trailingMoved'])
  })

  it('for the remainder after a partial close', () => {
    const harness = trailing('buy', '0.00100')
    harness.close(1, { lots: '0.5' })
    harness.tick('EURUSD', '1.38600', '1.38610')
    expect(stopOf(harness)).toBe(at('1.38500'))
  })
})

describe('on one tick', () => {
  it('a take profit closes the position, and its stop is not moved', () => {
    const harness = trailing('buy', '0.00100', { takeProfit: '1.38700' })
    expect(effects(harness.tick('EURUSD', '1.38710', '1.38720'))).toEqual(['1 positionClosed'])
  })

  it('all trailing stops are moved by one event, after triggers', () => {
    const harness = trailing('buy', '0.00100')
    harness.sell('EURUSD', { lots: '0.01', stopLoss: '1.38600' })
    harness.buy('EURUSD', { lots: '0.01', target: '1.38620' })
    harness.buy('EURUSD', { lots: '0.01' })
    harness.trail(4, 'EURUSD', '0.00050')
    expect(effects(harness.tick('EURUSD', '1.38610', '1.38620'))).toEqual([
      '2 positionClosed',
      '3 positionOpened',
      'trailingMoved',
    ])
    expect([1, 4].map((id) => harness.state.orders.get(id)?.stopLoss)).toEqual([at('1.38510'), at('1.38560')])
  })
})

describe('a trailing stop ends', () => {
  it('at its current level on request', () => {
    const harness = trailing('buy', '0.00100')
    harness.tick('EURUSD', '1.38600', '1.38610')
    harness.trail(1, 'EURUSD', null)
    harness.tick('EURUSD', '1.38900', '1.38910')
    expect(harness.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38500'), trailingDistance: null })
  })

  it('not when only the take profit changes', () => {
    const harness = trailing('buy', '0.00100')
    harness.setStops(1, 'EURUSD', { takeProfit: '1.40000', stopLoss: '1.38400' })
    expect(harness.state.orders.get(1)).toMatchObject({ takeProfit: at('1.40000'), trailingDistance: 100 })
  })

  it('when a stop is set by hand', () => {
    const harness = trailing('buy', '0.00100')
    harness.setStops(1, 'EURUSD', { stopLoss: '1.38300' })
    harness.tick('EURUSD', '1.38900', '1.38910')
    expect(harness.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38300'), trailingDistance: null })
  })

  it('with no stop at all, when the stops are cleared', () => {
    const harness = trailing('buy', '0.00100')
    harness.setStops(1, 'EURUSD', {})
    expect(harness.state.orders.get(1)).toMatchObject({ stopLoss: null, trailingDistance: null })
    expect([...harness.core.triggers.all()]).toEqual([])
  })

  it('with its position', () => {
    const harness = trailing('buy', '0.00100')
    harness.close(1)
    expect([...harness.core.triggers.all()]).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.40000', '1.40010'))).toEqual([])
  })
})

it('distance and stop survive a restart', () => {
  const harness = trailing('sell', '0.00100')
  harness.tick('EURUSD', '1.38300', '1.38310')
  const copy = harness.replayed()
  expect(snapshotOf(copy)).toEqual(snapshotOf(harness.core))
  expect(copy.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38410'), trailingDistance: 100 })
})

it('the stop always keeps its distance from the best price since', () => {
  const walk = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 5, maxLength: 60 })
  fc.assert(
    fc.property(fc.constantFrom('buy' as const, 'sell' as const), walk, (side, steps) => {
      const harness = trailing(side, '0.00100')
      let price = 138_500
      let best = side === 'buy' ? 138_500 : 138_510
      for (const step of steps) {
        price += step
        const [bid, ask] = [price, price + 10].map((ticks) => (ticks / 100_000).toFixed(5))
        const closing = side === 'buy' ? price : price + 10
        const stop = side === 'buy' ? best - 100 : best + 100
        const outcome = effects(harness.tick('EURUSD', bid ?? '', ask ?? ''))
        if (side === 'buy' ? closing <= stop : closing >= stop) {
          expect(outcome).toEqual(['1 positionClosed'])
          return
        }
        best = side === 'buy' ? Math.max(best, closing) : Math.min(best, closing)
        expect(stopOf(harness)).toBe(side === 'buy' ? best - 100 : best + 100)
      }
    }),
  )
})

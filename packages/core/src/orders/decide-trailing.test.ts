import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoFloor, effects, onlyEvent, remembered, type Floor, type Wish } from '../../scenarios/floor.ts'
import { priceOf, usd } from '../../scenarios/market.ts'

const at = (text: string) => priceOf('EURUSD', text)

/** A position of one lot, opened at 1.38510 (bought) or 1.38500 (sold), that trails at a distance. */
function trailing(side: 'buy' | 'sell', distance: string, wish: Wish = {}): Floor {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor[side]('EURUSD', wish)
  onlyEvent(floor.trail(1, 'EURUSD', distance), 'stopsSet')
  return floor
}

const stopOf = (floor: Floor): number | null | undefined => floor.state.orders.get(1)?.stopLoss

describe('a trailing stop starts', () => {
  it.each([
    ['buy', '1.38400'],
    ['sell', '1.38610'],
  ] as const)('for a %s at its distance from the closing price', (side, stop) => {
    const floor = trailing(side, '0.00100')
    expect(floor.state.orders.get(1)).toMatchObject({ stopLoss: at(stop), trailingDistance: 100 })
  })

  it('where the stop loss stands, if that is nearer', () => {
    const floor = trailing('buy', '0.00100', { stopLoss: '1.38450' })
    expect(stopOf(floor)).toBe(at('1.38450'))
    // It follows once the price has gone its distance away from it.
    expect(effects(floor.tick('EURUSD', '1.38550', '1.38560'))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.38551', '1.38561'))).toEqual(['trailingMoved'])
    expect(stopOf(floor)).toBe(at('1.38451'))
  })

  it('nearer than a stop loss that stands further away', () => {
    expect(stopOf(trailing('sell', '0.00100', { stopLoss: '1.39000' }))).toBe(at('1.38610'))
  })

  it('without touching the take profit', () => {
    const floor = trailing('buy', '0.00100', { takeProfit: '1.39000' })
    expect(floor.state.orders.get(1)?.takeProfit).toBe(at('1.39000'))
  })

  it('anew when its distance changes, and never further away than it stood', () => {
    const floor = trailing('buy', '0.00100')
    floor.trail(1, 'EURUSD', '0.00050')
    expect(stopOf(floor)).toBe(at('1.38450'))
    floor.trail(1, 'EURUSD', '0.00200')
    expect(floor.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38450'), trailingDistance: 200 })
  })

  it('while the market is closed or halted, from the last price', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD')
    floor.closeMarket('EURUSD')
    floor.halt('EURUSD', 'a storm')
    floor.mode('cancelOnly')
    floor.wait(86_400_000)
    onlyEvent(floor.trail(1, 'EURUSD', '0.00100'), 'stopsSet')
  })
})

describe('it is refused, and nothing changes,', () => {
  const floor = () => {
    const one = demoFloor()
    one.tick('EURUSD', '1.38500', '1.38510')
    one.buy('EURUSD')
    one.buy('EURUSD', { target: '1.38000' })
    return one
  }

  it('for a pending order', () => {
    expect(effects(floor().trail(2, 'EURUSD', '0.00100'))).toEqual(['refused orderNotHolding'])
  })

  it("for another's order, and for one that does not live", () => {
    const one = floor()
    one.openAccount()
    expect(effects(one.trail(1, 'EURUSD', '0.00100', { accountId: 2 }))).toEqual(['refused orderNotFound'])
    expect(effects(one.trail(9, 'EURUSD', '0.00100'))).toEqual(['refused orderNotFound'])
    expect(effects(one.trail(1, 'EURUSD', '0.00100', { accountId: 7 }))).toEqual(['refused accountNotFound'])
  })

  it('nearer than the least distance', () => {
    expect(floor().trail(1, 'EURUSD', '0.00005')).toEqual({
      rejected: 'trailingDistanceInvalid',
      details: { price: 5, below: 6, priceDecimals: 5 },
    })
    expect(effects(floor().trail(1, 'EURUSD', '0.00006'))).toEqual(['1 stopsSet'])
  })

  it.each(['0.00000', '-0.00100', '99999999.00000'])('at a distance of %s', (distance) => {
    expect(effects(floor().trail(1, 'EURUSD', distance))).toEqual(['refused trailingDistanceInvalid'])
  })

  it.each([NaN, Infinity, 10.5])('at a distance of %d ticks', (distance) => {
    const one = floor()
    const command = { type: 'setTrailing', at: one.now(), accountId: 1, orderId: 1 } as const
    expect(effects(one.send({ ...command, distance: distance as never }))).toEqual([
      'refused trailingDistanceInvalid',
    ])
  })

  it('so far away that the stop would lie at zero', () => {
    expect(effects(floor().trail(1, 'EURUSD', '1.38500'))).toEqual(['refused priceInvalid'])
    expect(effects(floor().trail(1, 'EURUSD', '1.38499'))).toEqual(['1 stopsSet'])
  })
})

describe('a trailing stop follows', () => {
  it('tick by tick as the bid rises, and waits while it falls', () => {
    const floor = trailing('buy', '0.00100')
    const stops = ['1.38501', '1.38530', '1.38520', '1.38440', '1.38530', '1.38531'].map((bid) => {
      const moved = effects(floor.tick('EURUSD', bid, '1.38600'))
      return [moved.length, stopOf(floor)]
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

  it('for a sale as the ask falls', () => {
    const floor = trailing('sell', '0.00100')
    floor.tick('EURUSD', '1.38000', '1.38400')
    expect(stopOf(floor)).toBe(at('1.38500'))
    expect(effects(floor.tick('EURUSD', '1.38000', '1.38450'))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.38400', '1.38500'))).toEqual(['1 positionClosed'])
  })

  it('and closes at the price of the tick that falls to it', () => {
    const floor = trailing('buy', '0.00100')
    floor.tick('EURUSD', '1.38800', '1.38810')
    expect(effects(floor.tick('EURUSD', '1.38701', '1.38711'))).toEqual([])
    // 1.38650 instead of 1.38700; 0.00140 x 100,000
    expect(onlyEvent(floor.tick('EURUSD', '1.38650', '1.38660'), 'positionClosed')).toMatchObject({
      reason: 'stopLoss',
      profit: usd('140'),
      receipt: { trigger: 'stopLoss', requestedPrice: at('1.38700'), slippage: -50 },
    })
  })

  it('over a gap upwards in one step', () => {
    const floor = trailing('buy', '0.00100')
    floor.tick('EURUSD', '1.45000', '1.45010')
    expect(stopOf(floor)).toBe(at('1.44900'))
  })

  it('not on a stale tick, a closed or a halted market, but on the next one', () => {
    const floor = trailing('buy', '0.00100')
    floor.closeMarket('EURUSD')
    expect(effects(floor.tick('EURUSD', '1.38600', '1.38610'))).toEqual([])
    floor.openMarket('EURUSD')
    floor.halt('EURUSD', 'a storm')
    expect(effects(floor.tick('EURUSD', '1.38600', '1.38610'))).toEqual([])
    floor.halt('EURUSD', null)
    floor.mode('cancelOnly')
    expect(effects(floor.tick('EURUSD', '1.38600', '1.38610'))).toEqual([])
    floor.mode('normal')
    expect(effects(floor.tick('EURUSD', '1.38600', '1.38610', 5_001))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.38600', '1.38610', 5_000))).toEqual(['trailingMoved'])
  })

  it('what is left after a part was closed', () => {
    const floor = trailing('buy', '0.00100')
    floor.close(1, { lots: '0.5' })
    floor.tick('EURUSD', '1.38600', '1.38610')
    expect(stopOf(floor)).toBe(at('1.38500'))
  })
})

describe('on one tick', () => {
  it('a take profit that is reached ends the position, and nothing is moved any more', () => {
    const floor = trailing('buy', '0.00100', { takeProfit: '1.38700' })
    expect(effects(floor.tick('EURUSD', '1.38710', '1.38720'))).toEqual(['1 positionClosed'])
  })

  it('all that trail are moved by one event, after what the price fires', () => {
    const floor = trailing('buy', '0.00100')
    floor.sell('EURUSD', { lots: '0.01', stopLoss: '1.38600' })
    floor.buy('EURUSD', { lots: '0.01', target: '1.38620' })
    floor.buy('EURUSD', { lots: '0.01' })
    floor.trail(4, 'EURUSD', '0.00050')
    expect(effects(floor.tick('EURUSD', '1.38610', '1.38620'))).toEqual([
      '2 positionClosed',
      '3 positionOpened',
      'trailingMoved',
    ])
    expect([1, 4].map((id) => floor.state.orders.get(id)?.stopLoss)).toEqual([at('1.38510'), at('1.38560')])
  })
})

describe('a trailing stop ends', () => {
  it('where it stands, when told so', () => {
    const floor = trailing('buy', '0.00100')
    floor.tick('EURUSD', '1.38600', '1.38610')
    floor.trail(1, 'EURUSD', null)
    floor.tick('EURUSD', '1.38900', '1.38910')
    expect(floor.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38500'), trailingDistance: null })
  })

  it('not when only the take profit changes', () => {
    const floor = trailing('buy', '0.00100')
    floor.setStops(1, 'EURUSD', { takeProfit: '1.40000', stopLoss: '1.38400' })
    expect(floor.state.orders.get(1)).toMatchObject({ takeProfit: at('1.40000'), trailingDistance: 100 })
  })

  it('when a stop is set by hand, and that stands still', () => {
    const floor = trailing('buy', '0.00100')
    floor.setStops(1, 'EURUSD', { stopLoss: '1.38300' })
    floor.tick('EURUSD', '1.38900', '1.38910')
    expect(floor.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38300'), trailingDistance: null })
  })

  it('with no stop at all, when the stops are cleared', () => {
    const floor = trailing('buy', '0.00100')
    floor.setStops(1, 'EURUSD', {})
    expect(floor.state.orders.get(1)).toMatchObject({ stopLoss: null, trailingDistance: null })
    expect([...floor.core.triggers.all()]).toEqual([])
  })

  it('with its position', () => {
    const floor = trailing('buy', '0.00100')
    floor.close(1)
    expect([...floor.core.triggers.all()]).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.40000', '1.40010'))).toEqual([])
  })
})

it('a restart loses neither the distance nor the stop', () => {
  const floor = trailing('sell', '0.00100')
  floor.tick('EURUSD', '1.38300', '1.38310')
  const copy = floor.replayed()
  expect(remembered(copy)).toEqual(remembered(floor.core))
  expect(copy.state.orders.get(1)).toMatchObject({ stopLoss: at('1.38410'), trailingDistance: 100 })
})

it('whatever the price does, the stop keeps its distance from the best price since', () => {
  const walk = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 5, maxLength: 60 })
  fc.assert(
    fc.property(fc.constantFrom('buy' as const, 'sell' as const), walk, (side, steps) => {
      const floor = trailing(side, '0.00100')
      let price = 138_500
      let best = side === 'buy' ? 138_500 : 138_510
      for (const step of steps) {
        price += step
        const [bid, ask] = [price, price + 10].map((ticks) => (ticks / 100_000).toFixed(5))
        const closing = side === 'buy' ? price : price + 10
        const stop = side === 'buy' ? best - 100 : best + 100
        const outcome = effects(floor.tick('EURUSD', bid ?? '', ask ?? ''))
        if (side === 'buy' ? closing <= stop : closing >= stop) {
          expect(outcome).toEqual(['1 positionClosed'])
          return
        }
        best = side === 'buy' ? Math.max(best, closing) : Math.min(best, closing)
        expect(stopOf(floor)).toBe(side === 'buy' ? best - 100 : best + 100)
      }
    }),
  )
})

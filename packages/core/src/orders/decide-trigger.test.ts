import { describe, expect, it } from 'vitest'
import {
  demoFloor,
  effects,
  figures,
  onlyEvent,
  START,
  type Floor,
  type Wish,
} from '../../scenarios/floor.ts'
import { instrumentOf, priceOf, usd } from '../../scenarios/market.ts'

const at = (text: string) => priceOf('EURUSD', text)

function euroFloor(options?: Parameters<typeof demoFloor>[0]): Floor {
  const floor = demoFloor(options)
  floor.tick('EURUSD', '1.38500', '1.38510')
  return floor
}

function waiting(side: 'buy' | 'sell', wish: Wish, options?: Parameters<typeof demoFloor>[0]): Floor {
  const floor = euroFloor(options)
  onlyEvent(floor[side]('EURUSD', { leverage: 30, ...wish }), 'orderPlaced')
  return floor
}

describe('a pending order reserves margin and fee at its target', () => {
  it('and its owner has that much less to use', () => {
    const floor = waiting('buy', { target: '1.38400' })
    // 138,400 / 30 = 4613.3333…, fee 4.613333
    expect(figures(floor)).toMatchObject({
      balance: usd('100000'),
      margin: 0n,
      reserved: usd('4617.946666'),
      free: usd('95382.053334'),
      level: null,
    })
  })

  it('and gets it back when it is cancelled', () => {
    const floor = waiting('buy', { target: '1.38400' })
    expect(onlyEvent(floor.cancel(1), 'orderCancelled').reason).toBe('cancelledByUser')
    expect(figures(floor)).toMatchObject({ balance: usd('100000'), reserved: 0n, free: usd('100000') })
  })
})

describe('a pending order fills on the side it opens at, at the price of the tick', () => {
  it.each([
    ['buy', 'limit', '1.38400', ['1.38300', '1.38401'], ['1.38290', '1.38390'], '1.38390', 10],
    ['buy', 'stop', '1.38600', ['1.38590', '1.38599'], ['1.38610', '1.38620'], '1.38620', -20],
    ['sell', 'limit', '1.38600', ['1.38599', '1.38609'], ['1.38630', '1.38640'], '1.38630', 30],
    ['sell', 'stop', '1.38400', ['1.38401', '1.38411'], ['1.38360', '1.38370'], '1.38360', -40],
  ] as const)(
    '%s %s at %s: %j is not enough, %j fills at %s, slippage %d',
    (side, kind, target, near, hit, fill, slip) => {
      const floor = waiting(side, { target })
      expect(effects(floor.tick('EURUSD', near[0], near[1]))).toEqual([])
      const opened = onlyEvent(floor.tick('EURUSD', hit[0], hit[1]), 'positionOpened')
      expect(opened).toMatchObject({ orderId: 1, kind, openPrice: at(fill), targetPrice: at(target) })
      expect(opened.receipt).toMatchObject({
        action: 'open',
        trigger: 'target',
        requestedPrice: at(target),
        filledPrice: at(fill),
        quoteSide: side === 'buy' ? 'ask' : 'bid',
        slippage: slip,
        tick: { bid: at(hit[0]), ask: at(hit[1]), seq: 3 },
      })
    },
  )

  it('keeps its id, its wished price and the moment it was placed', () => {
    const floor = waiting('buy', { target: '1.38400' })
    floor.wait(60_000)
    floor.tick('EURUSD', '1.38380', '1.38390')
    expect(floor.state.orders.get(1)).toMatchObject({
      id: 1,
      status: 'holding',
      acceptedPrice: at('1.38400'),
      targetPrice: at('1.38400'),
      createdAt: START,
      openedAt: START + 60_000,
    })
  })

  it('releases the reserve and takes margin and fee of the fill', () => {
    const floor = waiting('buy', { target: '1.38400' })
    floor.tick('EURUSD', '1.38380', '1.38390')
    // 138,390 / 30 = 4613, fee 4.613; 0.0001 x 100,000 of spread
    expect(figures(floor)).toMatchObject({
      balance: usd('99995.387'),
      profit: usd('-10'),
      margin: usd('4613'),
      reserved: 0n,
    })
  })

  it('fills exactly once', () => {
    const floor = waiting('buy', { target: '1.38400' })
    floor.tick('EURUSD', '1.38380', '1.38390')
    expect(effects(floor.tick('EURUSD', '1.38380', '1.38390'))).toEqual([])
  })
})

describe('a pending order that has become too dear', () => {
  // At 1.38600 it needs 4620 + 4.62; at 1.38700 4623.333333 + 4.623333 = 4627.956666.
  const wish = { target: '1.38600' }

  it('ends as cancelled without a fee, its reserve released', () => {
    const floor = waiting('buy', wish, { settings: { demoBalance: usd('4627.956665') } })
    const cancelled = onlyEvent(floor.tick('EURUSD', '1.38690', '1.38700'), 'orderCancelled')
    expect(cancelled.reason).toBe('notEnoughAtTrigger')
    expect(cancelled.receipt).toMatchObject({
      action: 'cancel',
      trigger: 'target',
      requestedPrice: at('1.38600'),
      filledPrice: null,
      tick: { ask: at('1.38700') },
    })
    expect(figures(floor)).toMatchObject({
      balance: usd('4627.956665'),
      reserved: 0n,
      free: usd('4627.956665'),
    })
  })

  it('is filled as long as the money is there to the last millionth', () => {
    const floor = waiting('buy', wish, { settings: { demoBalance: usd('4627.956666') } })
    onlyEvent(floor.tick('EURUSD', '1.38690', '1.38700'), 'positionOpened')
  })

  it('does not find its own reserve in the way, but those of others', () => {
    const floor = waiting('buy', wish, { settings: { demoBalance: usd('9249.24') } })
    onlyEvent(floor.buy('EURUSD', { leverage: 30, ...wish }), 'orderPlaced')
    // 2 x 4624.62 are reserved, nothing is free: one of the two can pay the jump with the reserve of the other.
    expect(figures(floor).free).toBe(0n)
    expect(effects(floor.tick('EURUSD', '1.38690', '1.38700'))).toEqual([
      '1 orderCancelled',
      '2 positionOpened',
    ])
  })
})

describe('an order that would open at zero or below', () => {
  it('ends at the trigger instead', () => {
    const floor = demoFloor()
    floor.tick('WTI', '1.20', '1.23')
    floor.sell('WTI', { target: '0.50' })
    const cancelled = onlyEvent(floor.tick('WTI', '-37.63', '-37.00'), 'orderCancelled')
    expect(cancelled.reason).toBe('notEnoughAtTrigger')
  })
})

describe('take profit and stop loss fire on the closing side, at the price of the tick', () => {
  it.each([
    ['buy', 'takeProfit', '1.39000', ['1.38999', '1.39009'], ['1.39020', '1.39030'], '1.39020', 20],
    ['buy', 'stopLoss', '1.38000', ['1.38001', '1.38011'], ['1.37950', '1.37960'], '1.37950', -50],
    ['sell', 'takeProfit', '1.38000', ['1.37991', '1.38001'], ['1.37960', '1.37970'], '1.37970', 30],
    ['sell', 'stopLoss', '1.39000', ['1.38989', '1.38999'], ['1.39050', '1.39060'], '1.39060', -60],
  ] as const)(
    '%s %s at %s: %j is not enough, %j fills at %s, slippage %d',
    (side, stop, level, near, hit, fill, slip) => {
      const floor = euroFloor()
      floor[side]('EURUSD', { [stop]: level })
      expect(effects(floor.tick('EURUSD', near[0], near[1]))).toEqual([])
      const closed = onlyEvent(floor.tick('EURUSD', hit[0], hit[1]), 'positionClosed')
      expect(closed).toMatchObject({ orderId: 1, reason: stop, closePrice: at(fill) })
      expect(closed.receipt).toMatchObject({
        action: 'close',
        trigger: stop,
        requestedPrice: at(level),
        filledPrice: at(fill),
        quoteSide: side === 'buy' ? 'bid' : 'ask',
        slippage: slip,
      })
    },
  )

  it('exactly at the level counts as reached, without slippage', () => {
    const floor = euroFloor()
    floor.buy('EURUSD', { stopLoss: '1.38000' })
    const closed = onlyEvent(floor.tick('EURUSD', '1.38000', '1.38010'), 'positionClosed')
    expect([closed.profit, closed.receipt.slippage]).toEqual([usd('-510'), 0])
  })

  it('also on the last rate of a currency that is stale: only openings wait for it', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.tick('GER40', '18350.0', '18351.0')
    floor.buy('GER40', { stopLoss: '18300.0' })
    floor.wait(60_000)
    const closed = onlyEvent(floor.tick('GER40', '18299.0', '18300.0'), 'positionClosed')
    // (18,299 - 18,351) x 1.085
    expect(closed.profit).toBe(usd('-56.42'))
  })
})

describe('a stop that is already passed when its order fills', () => {
  it('is acted on at the next accepted tick, not at the one that filled', () => {
    const floor = waiting('buy', { target: '1.38400', stopLoss: '1.38300' })
    expect(effects(floor.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionOpened'])
    const closed = onlyEvent(floor.tick('EURUSD', '1.38260', '1.38270'), 'positionClosed')
    expect(closed).toMatchObject({ reason: 'stopLoss', closePrice: at('1.38260'), profit: usd('10') })
  })

  it('is left alone by the tick that filled it also where that is decided again, as after a recovery', () => {
    const floor = waiting('buy', { target: '1.38400', stopLoss: '1.38300' })
    expect(effects(floor.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionOpened'])
    const quote = floor.state.quotes.get(1)
    if (!quote) throw new Error('no price')
    expect(effects(floor.send({ type: 'tick', at: floor.now(), quote }))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionClosed'])
  })

  it('is forgotten when the price has come back by then', () => {
    const floor = waiting('buy', { target: '1.38400', stopLoss: '1.38300' })
    floor.tick('EURUSD', '1.38240', '1.38250')
    expect(effects(floor.tick('EURUSD', '1.38301', '1.38311'))).toEqual([])
  })
})

describe('a closed market', () => {
  it('triggers nothing; the reopening tick is a gap and decides', () => {
    const floor = euroFloor()
    floor.buy('EURUSD', { stopLoss: '1.38000' })
    floor.buy('EURUSD', { target: '1.38200', leverage: 30 })
    floor.closeMarket('EURUSD')
    expect(effects(floor.tick('EURUSD', '1.37000', '1.37010'))).toEqual([])
    floor.wait(2 * 86_400_000)
    floor.openMarket('EURUSD')
    const opening = floor.tick('EURUSD', '1.37500', '1.37560')
    expect(effects(opening)).toEqual(['1 positionClosed', '2 positionOpened'])
    expect('entry' in opening && opening.entry.events).toMatchObject([
      { closePrice: at('1.37500'), receipt: { slippage: -500 } },
      { openPrice: at('1.37560'), receipt: { slippage: 640 } },
    ])
  })

  it('lets orders run out all the same', () => {
    const floor = waiting('buy', { target: '1.38400', expiresAt: START + 1_000 })
    floor.closeMarket('EURUSD')
    floor.wait(1_000)
    expect(onlyEvent(floor.clock(), 'orderCancelled').reason).toBe('expired')
  })
})

describe('a tick that is taken late', () => {
  it('closes nothing when it is older than the freshness limit', () => {
    const floor = euroFloor()
    floor.buy('EURUSD', { stopLoss: '1.38000' })
    expect(effects(floor.tick('EURUSD', '1.37000', '1.37010', 5_001))).toEqual([])
    floor.wait(5_001)
    const closed = onlyEvent(floor.tick('EURUSD', '1.37900', '1.37910'), 'positionClosed')
    expect(closed.closePrice).toBe(at('1.37900'))
  })

  it('opens nothing either', () => {
    const floor = waiting('buy', { target: '1.38400' })
    expect(effects(floor.tick('EURUSD', '1.38380', '1.38390', 5_001))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.38380', '1.38390', 5_000))).toEqual(['1 positionOpened'])
  })

  it('shows its delay in the receipt', () => {
    const floor = waiting('buy', { target: '1.38400' })
    const opened = onlyEvent(floor.tick('EURUSD', '1.38380', '1.38390', 250), 'positionOpened')
    expect(opened.receipt.delayMs).toBe(250)
  })

  it('is judged by the limit of its own instrument where that has one', () => {
    const slow = { ...instrumentOf('EURUSD'), freshnessMs: 120_000 }
    const floor = waiting('buy', { target: '1.38400' }, { instruments: [slow] })
    expect(effects(floor.tick('EURUSD', '1.38380', '1.38390', 120_001))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.38380', '1.38390', 120_000))).toEqual(['1 positionOpened'])
  })
})

describe('a target reached while the rate of its currency is stale', () => {
  it('waits, and fills at the first tick after the rate is fresh again', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.tick('GER40', '18350.0', '18351.0')
    floor.buy('GER40', { target: '18300.0' })
    floor.wait(5_001)
    expect(effects(floor.tick('GER40', '18290.0', '18291.0'))).toEqual([])
    floor.tick('EURUSD', '1.08600', '1.08600')
    const opened = onlyEvent(floor.tick('GER40', '18295.0', '18296.0'), 'positionOpened')
    expect(opened.openPrice).toBe(priceOf('GER40', '18296.0'))
  })
})

describe('expiry', () => {
  const wish = { target: '1.38400', expiresAt: START + 60_000 }

  it('ends an order at its time, not before, and releases its reserve', () => {
    const floor = waiting('buy', wish)
    floor.wait(59_999)
    expect(effects(floor.clock())).toEqual([])
    floor.wait(1)
    const cancelled = onlyEvent(floor.clock(), 'orderCancelled')
    expect(cancelled.reason).toBe('expired')
    expect(cancelled.receipt).toMatchObject({
      action: 'cancel',
      trigger: 'expiry',
      requestedPrice: at('1.38400'),
    })
    expect(figures(floor)).toMatchObject({ reserved: 0n, free: usd('100000') })
  })

  it('comes before a tick of the same moment: an order whose time is over is not filled', () => {
    const floor = waiting('buy', wish)
    floor.wait(60_000)
    const cancelled = onlyEvent(floor.tick('EURUSD', '1.38380', '1.38390'), 'orderCancelled')
    expect(cancelled.reason).toBe('expired')
  })

  it('is over with on any tick, and frees money for what that tick fills', () => {
    const floor = waiting('buy', wish, { settings: { demoBalance: usd('9249.24') } })
    floor.buy('EURUSD', { leverage: 30, target: '1.38600' })
    floor.wait(60_000)
    expect(effects(floor.tick('EURUSD', '1.38690', '1.38700'))).toEqual([
      '1 orderCancelled',
      '2 positionOpened',
    ])
  })

  it('is nothing to a position', () => {
    const floor = waiting('buy', wish)
    floor.tick('EURUSD', '1.38380', '1.38390')
    floor.wait(60_000)
    expect(effects(floor.clock())).toEqual([])
    expect(floor.state.orders.get(1)?.status).toBe('holding')
  })

  it('takes those of one moment by order id', () => {
    const floor = waiting('buy', wish)
    floor.buy('EURUSD', { ...wish, expiresAt: START + 30_000 })
    floor.sell('EURUSD', { target: '1.39000', expiresAt: START + 60_000 })
    floor.wait(60_000)
    expect(effects(floor.clock())).toEqual(['1 orderCancelled', '2 orderCancelled', '3 orderCancelled'])
  })
})

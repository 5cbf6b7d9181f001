import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  figures,
  onlyEvent,
  START,
  type Harness,
  type Wish,
} from '../../scenarios/harness.ts'
import { instrumentOf, priceOf, usd } from '../../scenarios/market.ts'

const at = (text: string) => priceOf('EURUSD', text)

function euroHarness(options?: Parameters<typeof demoHarness>[0]): Harness {
  const harness = demoHarness(options)
  harness.tick('EURUSD', '1.38500', '1.38510')
  return harness
}

function waiting(side: 'buy' | 'sell', wish: Wish, options?: Parameters<typeof demoHarness>[0]): Harness {
  const harness = euroHarness(options)
  onlyEvent(harness[side]('EURUSD', { leverage: 30, ...wish }), 'orderPlaced')
  return harness
}

describe('a pending order reserves margin and fee at its target', () => {
  it('and the free margin falls by it', () => {
    const harness = waiting('buy', { target: '1.38400' })
    // 138,400 / 30 = 4613.3333…, fee 4.613333
    expect(figures(harness)).toMatchObject({
      balance: usd('100000'),
      margin: 0n,
      reserved: usd('4617.946666'),
      free: usd('95382.053334'),
      level: null,
    })
  })

  it('and releases them when it is cancelled', () => {
    const harness = waiting('buy', { target: '1.38400' })
    expect(onlyEvent(harness.cancel(1), 'orderCancelled').reason).toBe('cancelledByUser')
    expect(figures(harness)).toMatchObject({ balance: usd('100000'), reserved: 0n, free: usd('100000') })
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
      const harness = waiting(side, { target })
      expect(effects(harness.tick('EURUSD', near[0], near[1]))).toEqual([])
      const opened = onlyEvent(harness.tick('EURUSD', hit[0], hit[1]), 'positionOpened')
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

  it('keeps its id, its requested price and its time', () => {
    const harness = waiting('buy', { target: '1.38400' })
    harness.wait(60_000)
    harness.tick('EURUSD', '1.38380', '1.38390')
    expect(harness.state.orders.get(1)).toMatchObject({
      id: 1,
      status: 'holding',
      acceptedPrice: at('1.38400'),
      targetPrice: at('1.38400'),
      createdAt: START,
      openedAt: START + 60_000,
    })
  })

  it('releases the reserve and uses margin and fee of the fill', () => {
    const harness = waiting('buy', { target: '1.38400' })
    harness.tick('EURUSD', '1.38380', '1.38390')
    // 138,390 / 30 = 4613, fee 4.613; 0.0001 x 100,000 of spread
    expect(figures(harness)).toMatchObject({
      balance: usd('99995.387'),
      profit: usd('-10'),
      margin: usd('4613'),
      reserved: 0n,
    })
  })

  it('fills exactly once', () => {
    const harness = waiting('buy', { target: '1.38400' })
    harness.tick('EURUSD', '1.38380', '1.38390')
    expect(effects(harness.tick('EURUSD', '1.38380', '1.38390'))).toEqual([])
  })
})

describe('a pending order that has become too expensive', () => {
  // At 1.38600 it needs 4620 + 4.62; at 1.38700 4623.333333 + 4.623333 = 4627.956666.
  const wish = { target: '1.38600' }

  it('ends as cancelled without a fee, its reserve released', () => {
    const harness = waiting('buy', wish, { settings: { demoBalance: usd('4627.956665') } })
    const cancelled = onlyEvent(harness.tick('EURUSD', '1.38690', '1.38700'), 'orderCancelled')
    expect(cancelled.reason).toBe('notEnoughAtTrigger')
    expect(cancelled.receipt).toMatchObject({
      action: 'cancel',
      trigger: 'target',
      requestedPrice: at('1.38600'),
      filledPrice: null,
      tick: { ask: at('1.38700') },
    })
    expect(figures(harness)).toMatchObject({
      balance: usd('4627.956665'),
      reserved: 0n,
      free: usd('4627.956665'),
    })
  })

  it('is filled if the money suffices to the millionth', () => {
    const harness = waiting('buy', wish, { settings: { demoBalance: usd('4627.956666') } })
    onlyEvent(harness.tick('EURUSD', '1.38690', '1.38700'), 'positionOpened')
  })

  it('may use its own reserve, but not those of others', () => {
    const harness = waiting('buy', wish, { settings: { demoBalance: usd('9249.24') } })
    onlyEvent(harness.buy('EURUSD', { leverage: 30, ...wish }), 'orderPlaced')
    // 2 x 4624.62 are reserved, nothing is free: one of the two can use the reserve of the other.
    expect(figures(harness).free).toBe(0n)
    expect(effects(harness.tick('EURUSD', '1.38690', '1.38700'))).toEqual([
      '1 orderCancelled',
      '2 positionOpened',
    ])
  })
})

describe('an order that would open at zero or below', () => {
  it('is cancelled at the trigger', () => {
    const harness = demoHarness()
    harness.tick('WTI', '1.20', '1.23')
    harness.sell('WTI', { target: '0.50' })
    const cancelled = onlyEvent(harness.tick('WTI', '-37.63', '-37.00'), 'orderCancelled')
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
      const harness = euroHarness()
      harness[side]('EURUSD', { [stop]: level })
      expect(effects(harness.tick('EURUSD', near[0], near[1]))).toEqual([])
      const closed = onlyEvent(harness.tick('EURUSD', hit[0], hit[1]), 'positionClosed')
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
    const harness = euroHarness()
    harness.buy('EURUSD', { stopLoss: '1.38000' })
    const closed = onlyEvent(harness.tick('EURUSD', '1.38000', '1.38010'), 'positionClosed')
    expect([closed.profit, closed.receipt.slippage]).toEqual([usd('-510'), 0])
  })

  it('also on a stale conversion rate, which only openings wait for', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.tick('GER40', '18350.0', '18351.0')
    harness.buy('GER40', { stopLoss: '18300.0' })
    harness.wait(60_000)
    const closed = onlyEvent(harness.tick('GER40', '18299.0', '18300.0'), 'positionClosed')
    // (18,299 - 18,351) x 1.085
    expect(closed.profit).toBe(usd('-56.42'))
  })
})

describe('an order whose stop is already passed when it would fill', () => {
  it.each([
    ['buy', { target: '1.38400', stopLoss: '1.38300' }, ['1.38240', '1.38250']],
    // The spread alone would close it: its closing price is at the stop.
    ['buy', { target: '1.38400', stopLoss: '1.38390' }, ['1.38390', '1.38400']],
    ['buy', { target: '1.38600', takeProfit: '1.38700' }, ['1.38800', '1.38810']],
    // The take profit would book a loss: it lies between the sides.
    ['buy', { target: '1.38600', takeProfit: '1.38610' }, ['1.38605', '1.38615']],
    ['sell', { target: '1.38600', stopLoss: '1.38700' }, ['1.38750', '1.38760']],
    ['sell', { target: '1.38400', takeProfit: '1.38300' }, ['1.38290', '1.38299']],
  ] as const)('is not opened: a %s with %j at %j', (side, wish, [bid, ask]) => {
    const harness = waiting(side, wish)
    const before = figures(harness)
    const cancelled = onlyEvent(harness.tick('EURUSD', bid, ask), 'orderCancelled')
    expect(cancelled).toMatchObject({
      reason: 'stopPassed',
      receipt: { action: 'cancel', trigger: 'target', tick: { bid: at(bid), ask: at(ask) } },
    })
    expect(figures(harness).balance).toBe(before.balance)
    expect(harness.state.orders.size).toBe(0)
  })

  it('is opened where the jump passes the target only', () => {
    const harness = waiting('buy', { target: '1.38400', stopLoss: '1.38200', takeProfit: '1.38900' })
    expect(effects(harness.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionOpened'])
  })
})

describe('by the rules before, a stop that is already passed when its order fills', () => {
  function earlier(): Harness {
    const harness = waiting('buy', { target: '1.38400', stopLoss: '1.38300' })
    harness.state.rulesVersion = 2
    return harness
  }

  it('triggers on the next accepted tick, not on the one that filled', () => {
    const harness = earlier()
    expect(effects(harness.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionOpened'])
    const closed = onlyEvent(harness.tick('EURUSD', '1.38260', '1.38270'), 'positionClosed')
    expect(closed).toMatchObject({ reason: 'stopLoss', closePrice: at('1.38260'), profit: usd('10') })
  })

  it('does not trigger on the tick that filled, also when that is decided again after a recovery', () => {
    const harness = earlier()
    expect(effects(harness.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionOpened'])
    const quote = harness.state.quotes.get(1)
    if (!quote) throw new Error('no price')
    expect(effects(harness.send({ type: 'tick', at: harness.now(), quote }))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.38240', '1.38250'))).toEqual(['1 positionClosed'])
  })

  it('does not trigger when the price has returned by then', () => {
    const harness = earlier()
    harness.tick('EURUSD', '1.38240', '1.38250')
    expect(effects(harness.tick('EURUSD', '1.38301', '1.38311'))).toEqual([])
  })
})

describe('a closed market', () => {
  it('triggers nothing; the reopening tick is a gap and decides', () => {
    const harness = euroHarness()
    harness.buy('EURUSD', { stopLoss: '1.38000' })
    harness.buy('EURUSD', { target: '1.38200', leverage: 30 })
    harness.closeMarket('EURUSD')
    expect(effects(harness.tick('EURUSD', '1.37000', '1.37010'))).toEqual([])
    harness.wait(2 * 86_400_000)
    harness.openMarket('EURUSD')
    const opening = harness.tick('EURUSD', '1.37500', '1.37560')
    expect(effects(opening)).toEqual(['1 positionClosed', '2 positionOpened'])
    expect('entry' in opening && opening.entry.events).toMatchObject([
      { closePrice: at('1.37500'), receipt: { slippage: -500 } },
      { openPrice: at('1.37560'), receipt: { slippage: 640 } },
    ])
  })

  it('still lets orders expire', () => {
    const harness = waiting('buy', { target: '1.38400', expiresAt: START + 1_000 })
    harness.closeMarket('EURUSD')
    harness.wait(1_000)
    expect(onlyEvent(harness.clock(), 'orderCancelled').reason).toBe('expired')
  })
})

describe('a tick that is processed late', () => {
  it('closes nothing when it is older than the freshness limit', () => {
    const harness = euroHarness()
    harness.buy('EURUSD', { stopLoss: '1.38000' })
    expect(effects(harness.tick('EURUSD', '1.37000', '1.37010', 5_001))).toEqual([])
    harness.wait(5_001)
    const closed = onlyEvent(harness.tick('EURUSD', '1.37900', '1.37910'), 'positionClosed')
    expect(closed.closePrice).toBe(at('1.37900'))
  })

  it('opens nothing either', () => {
    const harness = waiting('buy', { target: '1.38400' })
    expect(effects(harness.tick('EURUSD', '1.38380', '1.38390', 5_001))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.38380', '1.38390', 5_000))).toEqual(['1 positionOpened'])
  })

  it('shows its delay in the receipt', () => {
    const harness = waiting('buy', { target: '1.38400' })
    const opened = onlyEvent(harness.tick('EURUSD', '1.38380', '1.38390', 250), 'positionOpened')
    expect(opened.receipt.delayMs).toBe(250)
  })

  it('is checked against the limit of its own instrument, if any', () => {
    const slow = { ...instrumentOf('EURUSD'), freshnessMs: 120_000 }
    const harness = waiting('buy', { target: '1.38400' }, { instruments: [slow] })
    expect(effects(harness.tick('EURUSD', '1.38380', '1.38390', 120_001))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.38380', '1.38390', 120_000))).toEqual(['1 positionOpened'])
  })
})

describe('a target reached while the rate of its currency is stale', () => {
  it('waits, and fills at the first tick after the rate is fresh again', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.tick('GER40', '18350.0', '18351.0')
    harness.buy('GER40', { target: '18300.0' })
    harness.wait(5_001)
    expect(effects(harness.tick('GER40', '18290.0', '18291.0'))).toEqual([])
    harness.tick('EURUSD', '1.08600', '1.08600')
    const opened = onlyEvent(harness.tick('GER40', '18295.0', '18296.0'), 'positionOpened')
    expect(opened.openPrice).toBe(priceOf('GER40', '18296.0'))
  })
})

describe('expiry', () => {
  const wish = { target: '1.38400', expiresAt: START + 60_000 }

  it('ends an order at its time, not before, and releases its reserve', () => {
    const harness = waiting('buy', wish)
    harness.wait(59_999)
    expect(effects(harness.clock())).toEqual([])
    harness.wait(1)
    const cancelled = onlyEvent(harness.clock(), 'orderCancelled')
    expect(cancelled.reason).toBe('expired')
    expect(cancelled.receipt).toMatchObject({
      action: 'cancel',
      trigger: 'expiry',
      requestedPrice: at('1.38400'),
    })
    expect(figures(harness)).toMatchObject({ reserved: 0n, free: usd('100000') })
  })

  it('comes before a tick of the same moment', () => {
    const harness = waiting('buy', wish)
    harness.wait(60_000)
    const cancelled = onlyEvent(harness.tick('EURUSD', '1.38380', '1.38390'), 'orderCancelled')
    expect(cancelled.reason).toBe('expired')
  })

  it('happens on any tick, and releases money for fills of that tick', () => {
    const harness = waiting('buy', wish, { settings: { demoBalance: usd('9249.24') } })
    harness.buy('EURUSD', { leverage: 30, target: '1.38600' })
    harness.wait(60_000)
    expect(effects(harness.tick('EURUSD', '1.38690', '1.38700'))).toEqual([
      '1 orderCancelled',
      '2 positionOpened',
    ])
  })

  it('does not concern a position', () => {
    const harness = waiting('buy', wish)
    harness.tick('EURUSD', '1.38380', '1.38390')
    harness.wait(60_000)
    expect(effects(harness.clock())).toEqual([])
    expect(harness.state.orders.get(1)?.status).toBe('holding')
  })

  it('is by order id at the same moment', () => {
    const harness = waiting('buy', wish)
    harness.buy('EURUSD', { ...wish, expiresAt: START + 30_000 })
    harness.sell('EURUSD', { target: '1.39000', expiresAt: START + 60_000 })
    harness.wait(60_000)
    expect(effects(harness.clock())).toEqual(['1 orderCancelled', '2 orderCancelled', '3 orderCancelled'])
  })
})

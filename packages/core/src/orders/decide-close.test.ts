import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  figures,
  onlyEvent,
  snapshotOf,
  type Harness,
} from '../../scenarios/harness.ts'
import { instrumentOf, lotsOf, priceOf, usd } from '../../scenarios/market.ts'
import { lots } from '../model/number.ts'

/** One lot of euros, bought at 1.38510 with leverage 30: margin 4,617, fee 4.617. */
function euroHarness(): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD', { leverage: 30, takeProfit: '1.39000', stopLoss: '1.38000' })
  return harness
}

describe('a part of a position', () => {
  it('is closed as an order of its own, with its share of margin and profit', () => {
    const harness = euroHarness()
    harness.tick('EURUSD', '1.38610', '1.38620')
    expect(onlyEvent(harness.close(1, { lots: '0.25' }), 'positionReduced')).toMatchObject({
      orderId: 1,
      partId: 2,
      accountId: 1,
      lots: lotsOf('0.25'),
      reason: 'user',
      closePrice: priceOf('EURUSD', '1.38610'),
      // 4,617 / 4; 0.00100 x 25,000
      margin: usd('1154.25'),
      profit: usd('25'),
      receipt: { action: 'close', trigger: 'user', quoteSide: 'bid', slippage: 0, tick: { seq: 2 } },
      transfers: [
        {
          debit: 'house:demo:trading',
          credit: 'available:1',
          amount: usd('25'),
          kind: 'result',
          orderId: 2,
        },
      ],
    })
  })

  it('keeps id, price, fee and stops of the remainder', () => {
    const harness = euroHarness()
    const before = harness.state.orders.get(1)
    const kept = { ...before }
    harness.tick('EURUSD', '1.38610', '1.38620')
    harness.close(1, { lots: '0.25' })
    expect(harness.state.orders.get(1)).toEqual({ ...kept, lots: lotsOf('0.75'), margin: usd('3462.75') })
    // 100,000 - 4.617 + 25; 0.00100 x 75,000
    expect(figures(harness)).toMatchObject({
      balance: usd('100020.383'),
      profit: usd('75'),
      margin: usd('3462.75'),
    })
    expect(effects(harness.tick('EURUSD', '1.37990', '1.38000'))).toEqual(['1 positionClosed'])
  })

  it('uses up an id: the next order has the one after it', () => {
    const harness = euroHarness()
    harness.close(1, { lots: '0.25' })
    expect(onlyEvent(harness.buy('EURUSD', { lots: '0.01' }), 'positionOpened').orderId).toBe(3)
    expect(effects(harness.close(2))).toEqual(['refused orderNotFound'])
  })

  it('equal to the whole size closes the position itself', () => {
    const harness = euroHarness()
    expect(onlyEvent(harness.close(1, { lots: '1' }), 'positionClosed').orderId).toBe(1)
    expect(harness.state.lastOrderId).toBe(1)
  })

  it('of a sell is closed at the ask', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.sell('EURUSD')
    expect(onlyEvent(harness.close(1, { lots: '0.4' }), 'positionReduced')).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38510'),
      profit: usd('-4'),
      receipt: { quoteSide: 'ask' },
    })
  })

  it('in fixed margin mode has profit in proportion to its margin', () => {
    const harness = demoHarness()
    harness.tick('FIXED', '100.00', '100.00')
    harness.buy('FIXED', { lots: '2', leverage: 10 })
    harness.tick('FIXED', '103.00', '103.00')
    // 500 x 10 x 3 %
    expect(onlyEvent(harness.close(1, { lots: '0.5' }), 'positionReduced')).toMatchObject({
      margin: usd('500'),
      profit: usd('150'),
    })
  })
})

describe('a partial close is refused, and nothing changes,', () => {
  it.each([
    ['0.0001', 'lotsBelowMinimum', { lots: 1, minimum: 100 }],
    ['0', 'lotsBelowMinimum', { lots: 0, minimum: 100 }],
    ['-0.5', 'lotsBelowMinimum', { lots: -5_000, minimum: 100 }],
    ['1.01', 'lotsAboveMaximum', { lots: 10_100, maximum: 10_000 }],
    ['0.4999', 'lotsOffStep', { lots: 4_999, step: 100 }],
  ])('for %s of 1 lot: %s', (size, rejected, details) => {
    expect(euroHarness().close(1, { lots: size })).toEqual({ rejected, details })
  })

  it('when the remainder would be below the minimum', () => {
    const wide = { ...instrumentOf('EURUSD'), lotMin: lots(1_000) }
    const harness = demoHarness({ instruments: [wide] })
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD')
    expect(harness.close(1, { lots: '0.95' })).toEqual({
      rejected: 'remainderTooSmall',
      details: { lots: 9_500, maximum: 9_000 },
    })
    expect(effects(harness.close(1, { lots: '0.90' }))).toEqual(['1 positionReduced'])
    expect(effects(harness.close(1, { lots: '0.10' }))).toEqual(['1 positionClosed'])
  })

  it.each([NaN, Infinity, 0.5, 5_000.5])('for %d of the smallest parts of a lot', (size) => {
    const harness = euroHarness()
    const command = { type: 'closePosition', at: harness.now(), accountId: 1, orderId: 1 } as const
    expect(effects(harness.send({ ...command, lots: lots(size) }))[0]).toMatch(/^refused lots/)
  })

  it('in the order of the codes: the size before the market, the market before the price', () => {
    const harness = euroHarness()
    harness.closeMarket('EURUSD')
    harness.wait(5_001)
    expect(effects(harness.close(1, { lots: '0.0001' }))).toEqual(['refused lotsBelowMinimum'])
    expect(effects(harness.close(1, { lots: '0.5' }))).toEqual(['refused marketClosed'])
    harness.openMarket('EURUSD')
    expect(effects(harness.close(1, { lots: '0.5' }))).toEqual(['refused stalePrice'])
  })

  it('for a pending order', () => {
    const harness = euroHarness()
    harness.buy('EURUSD', { target: '1.38000' })
    expect(effects(harness.close(2, { lots: '0.5' }))).toEqual(['refused orderNotHolding'])
  })
})

it('a part may be larger than the current maximum of an order', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD', { lots: '10', leverage: 30 })
  const { instruments } = harness.state
  instruments.set(1, { ...instrumentOf('EURUSD'), lotMax: lots(20_000) })
  expect(effects(harness.close(1, { lots: '9' }))).toEqual(['1 positionReduced'])
})

describe('many parts', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 25 })

  it.each(['EURUSD', 'USDJPY', 'FIXED'])('of %s release exactly the margin used', (code) => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(10, 20, 30), (parts, leverage) => {
        const harness = demoHarness({ settings: { demoBalance: usd('10000000') } })
        const prices = { EURUSD: '1.38517', USDJPY: '102.337', FIXED: '97.31' }[code] ?? ''
        harness.tick(code, prices, prices)
        const whole = parts.reduce((sum, part) => sum + part, 0)
        const opened = onlyEvent(harness.buy(code, { lots: `${whole / 100}`, leverage }), 'positionOpened')
        let given = 0n
        for (const [index, part] of parts.entries()) {
          const left = figures(harness).margin
          const outcome = harness.close(1, { lots: `${part / 100}` })
          if (index === parts.length - 1) onlyEvent(outcome, 'positionClosed')
          else onlyEvent(outcome, 'positionReduced')
          const share = left - figures(harness).margin
          given += share
          // At most a millionth from its exact share of the remainder.
          const rest = parts.slice(index).reduce((sum, size) => sum + size, 0)
          expect(share * BigInt(rest) - left * BigInt(part)).toBeLessThanOrEqual(BigInt(rest))
          expect(left * BigInt(part) - share * BigInt(rest)).toBeLessThanOrEqual(BigInt(rest))
        }
        expect(given).toBe(opened.margin)
        expect(figures(harness).margin).toBe(0n)
        // Opened and closed at the same price: only the fee is lost, and it was charged once.
        expect(figures(harness).balance).toBe(usd('10000000') - opened.fee)
        expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
      }),
      { numRuns: 15 },
    )
  })
})

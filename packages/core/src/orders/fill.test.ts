import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  figures,
  onlyEvent,
  createHarness,
  START,
  type Harness,
} from '../../scenarios/harness.ts'
import { instrumentOf, priceOf, usd } from '../../scenarios/market.ts'
import { availableOf, balanceOf, brokerAccountOf, type LedgerAccountId } from '../model/ledger.ts'

function euroHarness(options?: Parameters<typeof demoHarness>[0]): Harness {
  const harness = demoHarness(options)
  harness.tick('EURUSD', '1.38500', '1.38510')
  return harness
}

const balance = (harness: Harness, id: LedgerAccountId) => balanceOf(harness.state.ledger, id).balance

describe('a buy at the market', () => {
  it('opens at the ask, uses margin and pays a fee', () => {
    const harness = euroHarness()
    const opened = onlyEvent(harness.buy('EURUSD', { leverage: 30 }), 'positionOpened')
    expect(opened).toMatchObject({
      orderId: 1,
      kind: 'market',
      openPrice: priceOf('EURUSD', '1.38510'),
      acceptedPrice: priceOf('EURUSD', '1.38505'),
      targetPrice: null,
      margin: usd('4617'),
      fee: usd('4.617'),
      createdAt: START,
    })
    expect(harness.state.orders.get(1)).toMatchObject({ status: 'holding', openedAt: START })
    // Margin is not deducted: 100,000 - 4.617.
    expect(figures(harness)).toEqual({
      balance: usd('99995.383'),
      profit: usd('-10'),
      equity: usd('99985.383'),
      margin: usd('4617'),
      reserved: 0n,
      free: usd('95368.383'),
      level: { numerator: usd('99985.383'), denominator: usd('4617') },
    })
  })

  it('closes at the bid', () => {
    const harness = euroHarness()
    harness.buy('EURUSD', { leverage: 30 })
    harness.tick('EURUSD', '1.38600', '1.38610')
    const closed = onlyEvent(harness.close(1), 'positionClosed')
    expect(closed).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38600'),
      profit: usd('90'),
      reason: 'user',
    })
    expect(figures(harness)).toMatchObject({ balance: usd('100085.383'), margin: 0n, level: null })
    expect(harness.state.orders.size).toBe(0)
  })
})

describe('a sell at the market', () => {
  it('opens at the bid and closes at the ask', () => {
    const harness = euroHarness()
    // 138,500 / 30 = 4616.6666…, x 0.001 = 4.616666667
    expect(onlyEvent(harness.sell('EURUSD', { leverage: 30 }), 'positionOpened')).toMatchObject({
      openPrice: priceOf('EURUSD', '1.38500'),
      margin: usd('4616.666667'),
      fee: usd('4.616667'),
    })
    harness.tick('EURUSD', '1.38600', '1.38610')
    expect(onlyEvent(harness.close(1), 'positionClosed')).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38610'),
      profit: usd('-110'),
    })
    expect(figures(harness).balance).toBe(usd('99885.383333'))
  })
})

describe('the transfers of a fill', () => {
  it('use the matching broker accounts', () => {
    const harness = euroHarness()
    harness.buy('EURUSD', { leverage: 30 })
    harness.tick('EURUSD', '1.38600', '1.38610')
    harness.close(1)
    expect(balance(harness, brokerAccountOf('demo', 'fees'))).toBe(usd('4.617'))
    expect(balance(harness, brokerAccountOf('demo', 'trading'))).toBe(usd('-90'))
    expect(balance(harness, brokerAccountOf('demo', 'demoIssue'))).toBe(usd('-100000'))
  })

  it('make one row each, with the order, in the order of events', () => {
    const harness = euroHarness()
    const opened = harness.buy('EURUSD', { leverage: 30 })
    expect('postings' in opened && opened.postings).toEqual([
      {
        debit: 'available:1',
        credit: 'house:demo:fees',
        amount: usd('4.617'),
        kind: 'fee',
        orderId: 1,
        at: START,
        debitBalance: usd('99995.383'),
        debitEntry: 2,
        creditBalance: usd('4.617'),
        creditEntry: 1,
      },
    ])
  })

  it('make no row for a fee or profit of zero', () => {
    const free = { ...instrumentOf('EURUSD'), feeRate: 0 as never }
    const harness = euroHarness({ instruments: [free] })
    const opened = harness.buy('EURUSD')
    harness.tick('EURUSD', '1.38510', '1.38520')
    const closed = harness.close(1)
    expect([opened, closed].map((outcome) => 'postings' in outcome && outcome.postings)).toEqual([[], []])
  })

  it('of a real account never use demo money', () => {
    const harness = createHarness()
    harness.openAccount('real')
    expect(figures(harness).balance).toBe(0n)
    harness.tick('EURUSD', '1.38500', '1.38510')
    expect(effects(harness.buy('EURUSD'))).toEqual(['refused notEnoughPrepayment'])
    expect([...harness.state.ledger.balances.keys()]).toEqual(['available:1', 'frozen:1'])
  })
})

describe('a fixed fee', () => {
  it('is lots x fee rate', () => {
    const perLot = { ...instrumentOf('EURUSD'), feeRate: 7_000_000 as never }
    const harness = euroHarness({ settings: { feeType: 'fixed' }, instruments: [perLot] })
    expect(onlyEvent(harness.buy('EURUSD', { lots: '0.5' }), 'positionOpened').fee).toBe(usd('3.5'))
  })
})

describe('an instrument in another currency', () => {
  it('computes margin and profit at the current mid', () => {
    const harness = demoHarness()
    harness.tick('USDJPY', '151.196', '151.204')
    // 100,000 x 151.204 yen / 151.2 / 30
    expect(onlyEvent(harness.buy('USDJPY', { leverage: 30 }), 'positionOpened').margin).toBe(
      usd('3333.421517'),
    )
    harness.tick('USDJPY', '151.300', '151.308')
    // 0.096 x 100,000 yen / 151.304
    const closed = onlyEvent(harness.close(1), 'positionClosed')
    expect(closed.profit).toBe(usd('63.448422'))
    expect(closed.receipt.conversion).toEqual([closed.receipt.tick])
  })

  it('lists every conversion pair on its receipt', () => {
    const harness = demoHarness({ settings: { accountCurrency: 'EUR' } })
    harness.tick('USDJPY', '151.200', '151.200')
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.tick('JPN225', '38896', '38900')
    const opened = onlyEvent(harness.buy('JPN225', { leverage: 20 }), 'positionOpened')
    // 38,900 x 100 yen / 151.2 / 1.085 / 20
    expect(opened.margin).toBe(usd('1185.599688'))
    const pairs = opened.receipt.conversion.map(({ instrumentId }) => instrumentId)
    expect(pairs).toEqual([instrumentOf('USDJPY').id, instrumentOf('EURUSD').id])
  })

  it("is closed by the user at the last rate, however old, and the receipt shows the rate's time", () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.tick('GER40', '18350.0', '18351.0')
    harness.buy('GER40')
    harness.wait(3_600_000)
    harness.tick('GER40', '18360.0', '18361.0')
    const closed = onlyEvent(harness.close(1), 'positionClosed')
    // (18,360 - 18,351) x 1.085
    expect(closed.profit).toBe(usd('9.765'))
    expect(closed.receipt.conversion).toMatchObject([{ receivedAt: START }])
  })
})

describe('fixed margin mode', () => {
  it('uses lots x units per lot as margin and gains in proportion to the price', () => {
    const harness = demoHarness()
    harness.tick('FIXED', '119.98', '120.00')
    const opened = onlyEvent(harness.buy('FIXED', { lots: '2', leverage: 10 }), 'positionOpened')
    expect(opened).toMatchObject({ margin: usd('2000'), fee: usd('2') })
    harness.tick('FIXED', '126.00', '126.02')
    // 20,000 x 6 / 120
    expect(figures(harness).profit).toBe(usd('1000'))
    expect(onlyEvent(harness.close(1), 'positionClosed').profit).toBe(usd('1000'))
    expect(figures(harness).balance).toBe(usd('100998'))
  })

  it('books and shows profit without the rate of the quote currency', () => {
    const harness = demoHarness()
    harness.tick('FIXEDJPY', '4999', '5000')
    harness.sell('FIXEDJPY', { leverage: 10 })
    harness.tick('FIXEDJPY', '4898', '4899')
    // 10,000 x (4,999 - 4,899) / 4,999 = 200.0400080…
    expect(figures(harness).profit).toBe(usd('200.040008'))
    const closed = onlyEvent(harness.close(1), 'positionClosed')
    expect([closed.profit, closed.receipt.conversion]).toEqual([usd('200.040008'), []])
  })
})

describe('negative balance protection', () => {
  /** A balance of 4,700, one lot bought at 1.38510 with leverage 30. */
  function poorHarness(): Harness {
    const harness = euroHarness({ settings: { demoBalance: usd('4700') } })
    harness.buy('EURUSD', { leverage: 30 })
    return harness
  }

  it('raises a balance to zero in the commit that closes its last position', () => {
    const harness = poorHarness()
    harness.tick('EURUSD', '1.33510', '1.33520')
    // 4,700 - 4.617 - 5,000 = -304.617
    const closed = onlyEvent(harness.close(1), 'positionClosed')
    expect(closed.profit).toBe(usd('-5000'))
    expect(closed.transfers).toEqual([
      { debit: 'available:1', credit: 'house:demo:trading', amount: usd('5000'), kind: 'result', orderId: 1 },
      {
        debit: 'house:demo:protection',
        credit: 'available:1',
        amount: usd('304.617'),
        kind: 'protection',
        orderId: 1,
      },
    ])
    expect(figures(harness).balance).toBe(0n)
  })

  it('is not needed for a balance of exactly zero', () => {
    const harness = euroHarness({ settings: { demoBalance: usd('5004.617') } })
    harness.buy('EURUSD', { leverage: 30 })
    harness.tick('EURUSD', '1.33510', '1.33520')
    expect(onlyEvent(harness.close(1), 'positionClosed').transfers).toHaveLength(1)
    expect(balance(harness, availableOf(1))).toBe(0n)
  })

  it('waits while another position is open, when the balance may be negative', () => {
    const harness = euroHarness({ settings: { demoBalance: usd('9400') } })
    harness.buy('EURUSD', { leverage: 30 })
    harness.buy('EURUSD', { leverage: 30, lots: '0.5' })
    harness.tick('EURUSD', '1.28510', '1.28520')
    harness.close(1)
    // 9,400 - 4.617 - 2.3085 - 10,000
    expect(figures(harness).balance).toBe(usd('-606.9255'))
    harness.close(2)
    expect(figures(harness).balance).toBe(0n)
    expect(balance(harness, brokerAccountOf('demo', 'protection'))).toBe(usd('-5606.9255'))
  })

  it('does not count a pending order as a position', () => {
    const harness = euroHarness({ settings: { demoBalance: usd('4710') } })
    harness.buy('EURUSD', { leverage: 30 })
    harness.buy('EURUSD', { leverage: 30, lots: '0.01', target: '1.20000' })
    harness.tick('EURUSD', '1.33510', '1.33520')
    harness.close(1)
    expect(figures(harness).balance).toBe(0n)
    expect(harness.state.orders.size).toBe(1)
  })

  it('counts the profit of the last position against earlier losses', () => {
    const harness = euroHarness({ settings: { demoBalance: usd('9400') } })
    harness.buy('EURUSD', { leverage: 30 })
    harness.sell('EURUSD', { leverage: 30, lots: '0.5' })
    harness.tick('EURUSD', '1.28500', '1.28510')
    harness.close(1)
    harness.close(2)
    // 9,400 - 4.617 - 2.308333 - 10,010 + 4,995
    expect(figures(harness).balance).toBe(usd('4378.074667'))
    expect(harness.state.ledger.balances.has('house:demo:protection')).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import {
  demoFloor,
  effects,
  figures,
  onlyEvent,
  openFloor,
  START,
  type Floor,
} from '../../scenarios/floor.ts'
import { instrumentOf, priceOf, usd } from '../../scenarios/market.ts'
import { availableOf, balanceOf, houseOf, type LedgerAccountId } from '../money/ledger.ts'

function euroFloor(options?: Parameters<typeof demoFloor>[0]): Floor {
  const floor = demoFloor(options)
  floor.tick('EURUSD', '1.38500', '1.38510')
  return floor
}

const balance = (floor: Floor, id: LedgerAccountId) => balanceOf(floor.state.ledger, id).balance

describe('a buy at the market', () => {
  it('opens at the ask, holds its margin and pays its fee', () => {
    const floor = euroFloor()
    const opened = onlyEvent(floor.buy('EURUSD', { leverage: 30 }), 'positionOpened')
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
    expect(floor.state.orders.get(1)).toMatchObject({ status: 'holding', openedAt: START })
    // Margin is held, not deducted: 100,000 - 4.617.
    expect(figures(floor)).toEqual({
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
    const floor = euroFloor()
    floor.buy('EURUSD', { leverage: 30 })
    floor.tick('EURUSD', '1.38600', '1.38610')
    const closed = onlyEvent(floor.close(1), 'positionClosed')
    expect(closed).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38600'),
      profit: usd('90'),
      reason: 'user',
    })
    expect(figures(floor)).toMatchObject({ balance: usd('100085.383'), margin: 0n, level: null })
    expect(floor.state.orders.size).toBe(0)
  })
})

describe('a sell at the market', () => {
  it('opens at the bid and closes at the ask', () => {
    const floor = euroFloor()
    // 138,500 / 30 = 4616.6666…, x 0.001 = 4.616666667
    expect(onlyEvent(floor.sell('EURUSD', { leverage: 30 }), 'positionOpened')).toMatchObject({
      openPrice: priceOf('EURUSD', '1.38500'),
      margin: usd('4616.666667'),
      fee: usd('4.616667'),
    })
    floor.tick('EURUSD', '1.38600', '1.38610')
    expect(onlyEvent(floor.close(1), 'positionClosed')).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38610'),
      profit: usd('-110'),
    })
    expect(figures(floor).balance).toBe(usd('99885.383333'))
  })
})

describe('the money of a deal', () => {
  it('goes to and comes from the house accounts of its own name', () => {
    const floor = euroFloor()
    floor.buy('EURUSD', { leverage: 30 })
    floor.tick('EURUSD', '1.38600', '1.38610')
    floor.close(1)
    expect(balance(floor, houseOf('demo', 'fees'))).toBe(usd('4.617'))
    expect(balance(floor, houseOf('demo', 'trading'))).toBe(usd('-90'))
    expect(balance(floor, houseOf('demo', 'demoIssue'))).toBe(usd('-100000'))
  })

  it('is one row a transfer, naming the order, in the order of events', () => {
    const floor = euroFloor()
    const opened = floor.buy('EURUSD', { leverage: 30 })
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

  it('makes no row for a fee or a profit of nothing', () => {
    const free = { ...instrumentOf('EURUSD'), feeRate: 0 as never }
    const floor = euroFloor({ instruments: [free] })
    const opened = floor.buy('EURUSD')
    floor.tick('EURUSD', '1.38510', '1.38520')
    const closed = floor.close(1)
    expect([opened, closed].map((outcome) => 'postings' in outcome && outcome.postings)).toEqual([[], []])
  })

  it('of a real account never meets demo money', () => {
    const floor = openFloor()
    floor.openAccount('real')
    expect(figures(floor).balance).toBe(0n)
    floor.tick('EURUSD', '1.38500', '1.38510')
    expect(effects(floor.buy('EURUSD'))).toEqual(['refused notEnoughPrepayment'])
    expect([...floor.state.ledger.balances.keys()]).toEqual(['available:1', 'frozen:1'])
  })
})

describe('a fixed fee', () => {
  it('is lots x fee rate', () => {
    const perLot = { ...instrumentOf('EURUSD'), feeRate: 7_000_000 as never }
    const floor = euroFloor({ settings: { feeType: 'fixed' }, instruments: [perLot] })
    expect(onlyEvent(floor.buy('EURUSD', { lots: '0.5' }), 'positionOpened').fee).toBe(usd('3.5'))
  })
})

describe('an instrument in another currency', () => {
  it('holds its margin and books its profit at the mid of the moment', () => {
    const floor = demoFloor()
    floor.tick('USDJPY', '151.196', '151.204')
    // 100,000 x 151.204 yen / 151.2 / 30
    expect(onlyEvent(floor.buy('USDJPY', { leverage: 30 }), 'positionOpened').margin).toBe(usd('3333.421517'))
    floor.tick('USDJPY', '151.300', '151.308')
    // 0.096 x 100,000 yen / 151.304
    const closed = onlyEvent(floor.close(1), 'positionClosed')
    expect(closed.profit).toBe(usd('63.448422'))
    expect(closed.receipt.conversion).toEqual([closed.receipt.tick])
  })

  it('names every pair of the way in its receipt', () => {
    const floor = demoFloor({ settings: { accountCurrency: 'EUR' } })
    floor.tick('USDJPY', '151.200', '151.200')
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.tick('JPN225', '38896', '38900')
    const opened = onlyEvent(floor.buy('JPN225', { leverage: 20 }), 'positionOpened')
    // 38,900 x 100 yen / 151.2 / 1.085 / 20
    expect(opened.margin).toBe(usd('1185.599688'))
    const pairs = opened.receipt.conversion.map(({ instrumentId }) => instrumentId)
    expect(pairs).toEqual([instrumentOf('USDJPY').id, instrumentOf('EURUSD').id])
  })

  it("closes by the user at the last rate, however old, and the receipt tells that rate's time", () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.tick('GER40', '18350.0', '18351.0')
    floor.buy('GER40')
    floor.wait(3_600_000)
    floor.tick('GER40', '18360.0', '18361.0')
    const closed = onlyEvent(floor.close(1), 'positionClosed')
    // (18,360 - 18,351) x 1.085
    expect(closed.profit).toBe(usd('9.765'))
    expect(closed.receipt.conversion).toMatchObject([{ receivedAt: START }])
  })
})

describe('fixed margin mode', () => {
  it('holds lots x units per lot and gains in proportion to the price', () => {
    const floor = demoFloor()
    floor.tick('FIXED', '119.98', '120.00')
    const opened = onlyEvent(floor.buy('FIXED', { lots: '2', leverage: 10 }), 'positionOpened')
    expect(opened).toMatchObject({ margin: usd('2000'), fee: usd('2') })
    floor.tick('FIXED', '126.00', '126.02')
    // 20,000 x 6 / 120
    expect(figures(floor).profit).toBe(usd('1000'))
    expect(onlyEvent(floor.close(1), 'positionClosed').profit).toBe(usd('1000'))
    expect(figures(floor).balance).toBe(usd('100998'))
  })

  it('books and shows profit without the rate of the quote currency', () => {
    const floor = demoFloor()
    floor.tick('FIXEDJPY', '4999', '5000')
    floor.sell('FIXEDJPY', { leverage: 10 })
    floor.tick('FIXEDJPY', '4898', '4899')
    // 10,000 x (4,999 - 4,899) / 4,999 = 200.0400080…
    expect(figures(floor).profit).toBe(usd('200.040008'))
    const closed = onlyEvent(floor.close(1), 'positionClosed')
    expect([closed.profit, closed.receipt.conversion]).toEqual([usd('200.040008'), []])
  })
})

describe('negative balance protection', () => {
  /** 4,700 of money, one lot bought at 1.38510 with leverage 30. */
  function poorFloor(): Floor {
    const floor = euroFloor({ settings: { demoBalance: usd('4700') } })
    floor.buy('EURUSD', { leverage: 30 })
    return floor
  }

  it('lifts an account to zero in the commit that closes its last position', () => {
    const floor = poorFloor()
    floor.tick('EURUSD', '1.33510', '1.33520')
    // 4,700 - 4.617 - 5,000 = -304.617
    const closed = onlyEvent(floor.close(1), 'positionClosed')
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
    expect(figures(floor).balance).toBe(0n)
  })

  it('stays away from a balance of exactly zero', () => {
    const floor = euroFloor({ settings: { demoBalance: usd('5004.617') } })
    floor.buy('EURUSD', { leverage: 30 })
    floor.tick('EURUSD', '1.33510', '1.33520')
    expect(onlyEvent(floor.close(1), 'positionClosed').transfers).toHaveLength(1)
    expect(balance(floor, availableOf(1))).toBe(0n)
  })

  it('waits while another position is open: then the balance alone may be below zero', () => {
    const floor = euroFloor({ settings: { demoBalance: usd('9400') } })
    floor.buy('EURUSD', { leverage: 30 })
    floor.buy('EURUSD', { leverage: 30, lots: '0.5' })
    floor.tick('EURUSD', '1.28510', '1.28520')
    floor.close(1)
    // 9,400 - 4.617 - 2.3085 - 10,000
    expect(figures(floor).balance).toBe(usd('-606.9255'))
    floor.close(2)
    expect(figures(floor).balance).toBe(0n)
    expect(balance(floor, houseOf('demo', 'protection'))).toBe(usd('-5606.9255'))
  })

  it('does not count a pending order as a position', () => {
    const floor = euroFloor({ settings: { demoBalance: usd('4710') } })
    floor.buy('EURUSD', { leverage: 30 })
    floor.buy('EURUSD', { leverage: 30, lots: '0.01', target: '1.20000' })
    floor.tick('EURUSD', '1.33510', '1.33520')
    floor.close(1)
    expect(figures(floor).balance).toBe(0n)
    expect(floor.state.orders.size).toBe(1)
  })

  it('counts a last profit against the shortfall of the ones before', () => {
    const floor = euroFloor({ settings: { demoBalance: usd('9400') } })
    floor.buy('EURUSD', { leverage: 30 })
    floor.sell('EURUSD', { leverage: 30, lots: '0.5' })
    floor.tick('EURUSD', '1.28500', '1.28510')
    floor.close(1)
    floor.close(2)
    // 9,400 - 4.617 - 2.308333 - 10,010 + 4,995
    expect(figures(floor).balance).toBe(usd('4378.074667'))
    expect(floor.state.ledger.balances.has('house:demo:protection')).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { demoFloor, effects, figures, openFloor, START, type Floor } from '../../scenarios/floor.ts'
import { INSTRUMENTS, instrumentOf, lotsOf, priceOf, usd } from '../../scenarios/market.ts'
import type { PlaceOrder } from '../command.ts'
import { MAX_PRICE_TICKS } from './order-rules.ts'
import { lots, price, type Price } from '../money/number.ts'
import { REJECTION_CODES, type Rejection } from '../rejection.ts'

/** A demo account of 100,000 and EURUSD at 1.38500 / 1.38510. */
function euroFloor(options?: Parameters<typeof demoFloor>[0]): Floor {
  const floor = demoFloor(options)
  floor.tick('EURUSD', '1.38500', '1.38510')
  return floor
}

const BUY: PlaceOrder = {
  type: 'placeOrder',
  at: START,
  accountId: 1,
  instrumentId: 1,
  side: 'buy',
  lots: lotsOf('1'),
  leverage: 10,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
}

const refusal = (floor: Floor, changes: Partial<PlaceOrder>) =>
  floor.send({ ...BUY, ...changes }) as Rejection

describe('an order is refused, and nothing changes,', () => {
  it('for an account that does not exist', () => {
    expect(refusal(euroFloor(), { accountId: 2 })).toEqual({ rejected: 'accountNotFound', details: {} })
  })

  it('for an instrument that does not exist', () => {
    expect(refusal(euroFloor(), { instrumentId: 999 })).toEqual({
      rejected: 'unknownInstrument',
      details: {},
    })
  })

  it('for an instrument that is switched off', () => {
    const { id } = instrumentOf('DISABLED')
    expect(refusal(euroFloor(), { instrumentId: id }).rejected).toBe('instrumentDisabled')
  })

  it('for an instrument without leverage', () => {
    const { id } = instrumentOf('NOLEVERAGE')
    expect(refusal(euroFloor(), { instrumentId: id }).rejected).toBe('noLeverage')
  })

  it.each([0, 3, 31, -10, 10.5, Number.NaN])('at leverage %d, which is not offered', (leverage) => {
    expect(refusal(euroFloor(), { leverage })).toEqual({
      rejected: 'leverageNotOffered',
      details: { leverage, offered: '1, 2, 5, 10, 20, 30' },
    })
  })

  it.each([0, 1, 99, -100])('for %d ten-thousandths of a lot, below the minimum of 0.01', (size) => {
    expect(refusal(euroFloor(), { lots: lots(size) })).toEqual({
      rejected: 'lotsBelowMinimum',
      details: { lots: size, minimum: 100 },
    })
  })

  it('for more lots than the maximum of 100', () => {
    expect(refusal(euroFloor(), { lots: lotsOf('100.01') })).toEqual({
      rejected: 'lotsAboveMaximum',
      details: { lots: 1_000_100, maximum: 1_000_000 },
    })
  })

  it.each([101, 150, 12_345, 100.5, Number.NaN])('for %d ten-thousandths of a lot, off the step', (size) => {
    expect(refusal(euroFloor(), { lots: lots(size) })).toEqual({
      rejected: 'lotsOffStep',
      details: { lots: size, step: 100 },
    })
  })

  it.each([0, -138_000, MAX_PRICE_TICKS + 1, 138_000.5, Number.NaN])('at the target %d', (target) => {
    expect(refusal(euroFloor(), { targetPrice: price(target) })).toMatchObject({
      rejected: 'priceInvalid',
      details: { price: target, priceDecimals: 5 },
    })
  })

  it('at a target below zero even where the price may go there: no position opens below zero', () => {
    const floor = demoFloor()
    floor.tick('WTI', '1.20', '1.23')
    expect(effects(floor.buy('WTI', { target: '-1.00' }))).toEqual(['refused priceInvalid'])
  })

  it.each(['takeProfit', 'stopLoss'] as const)('with a %s that no price can be', (stop) => {
    for (const level of [0, -5, MAX_PRICE_TICKS + 1, 2 ** 60, 138_000.5, Number.NaN]) {
      const { rejected } = refusal(euroFloor(), { [stop]: price(level) })
      expect([level, rejected]).toEqual([level, 'priceInvalid'])
    }
  })

  it('at the market while it stands at zero or below', () => {
    const floor = demoFloor()
    floor.tick('WTI', '-0.03', '0.00')
    expect(floor.buy('WTI')).toEqual({ rejected: 'priceInvalid', details: { price: 0, priceDecimals: 2 } })
    expect(effects(floor.sell('WTI'))).toEqual(['refused priceInvalid'])
  })

  it.each([START, START - 1])('when it expires at %d, not after now', (expiresAt) => {
    expect(refusal(euroFloor(), { targetPrice: price(138_000), expiresAt })).toEqual({
      rejected: 'expiryInPast',
      details: { expiresAt },
    })
  })

  it('at the market with an expiry, for there is nothing to expire', () => {
    expect(refusal(euroFloor(), { expiresAt: START + 1 }).rejected).toBe('expiryInPast')
  })

  it.each([null, price(138_000)])('while the market is closed (target %s)', (targetPrice) => {
    const floor = euroFloor()
    floor.closeMarket('EURUSD')
    expect(refusal(floor, { targetPrice })).toEqual({
      rejected: 'marketClosed',
      details: { instrument: 'EURUSD' },
    })
  })

  it('before the first price', () => {
    expect(effects(demoFloor().buy('EURUSD'))).toEqual(['refused stalePrice'])
  })

  it('on a price from before the start, however young: a start waits for fresh ticks', () => {
    const floor = euroFloor({ freshSince: START + 1 })
    expect(refusal(floor, { at: START + 1 }).rejected).toBe('stalePrice')
    floor.wait(1)
    floor.tick('EURUSD', '1.38500', '1.38510')
    expect(effects(floor.send({ ...BUY, at: START + 1 }))).not.toContain('refused stalePrice')
  })

  it.each([null, price(138_000)])('on a price older than five seconds (target %s)', (targetPrice) => {
    const floor = euroFloor()
    const at = START + 5_001
    expect(refusal(floor, { at, targetPrice })).toEqual({
      rejected: 'stalePrice',
      details: { instrument: 'EURUSD' },
    })
    expect(effects(floor.send({ ...BUY, at: START + 5_000, targetPrice }))).not.toContain(
      'refused stalePrice',
    )
  })

  it('where nothing leads to the account currency', () => {
    const floor = demoFloor()
    floor.tick('LONELY', '1.00000', '1.00010')
    expect(effects(floor.buy('LONELY'))).toEqual(['refused stalePrice'])
  })

  it.each([
    ['buy', 'takeProfit', '1.38505', '1.38506'],
    ['buy', 'stopLoss', '1.38495', '1.38494'],
    ['sell', 'takeProfit', '1.38505', '1.38504'],
    ['sell', 'stopLoss', '1.38515', '1.38516'],
  ] as const)(
    'to %s with a %s of %s; %s is the nearest to the closing price',
    (side, stop, near, nearest) => {
      const floor = euroFloor()
      expect(effects(floor[side]('EURUSD', { [stop]: near }))).toEqual([`refused ${stop}WrongSide`])
      expect(effects(floor[side]('EURUSD', { [stop]: nearest }))).toEqual(['1 positionOpened'])
    },
  )

  it.each([
    ['buy', 'takeProfit', '1.30005', '1.30006'],
    ['buy', 'stopLoss', '1.29995', '1.29994'],
    ['sell', 'takeProfit', '1.29995', '1.29994'],
    ['sell', 'stopLoss', '1.30005', '1.30006'],
  ] as const)(
    'to %s at 1.30000 with a %s of %s; from the target, %s is the nearest',
    (side, stop, near, nearest) => {
      const floor = euroFloor()
      const target = '1.30000'
      expect(effects(floor[side]('EURUSD', { target, [stop]: near }))).toEqual([`refused ${stop}WrongSide`])
      expect(effects(floor[side]('EURUSD', { target, [stop]: nearest }))).toEqual(['1 orderPlaced'])
    },
  )

  it('when margin and fee exceed the available prepayment by a millionth', () => {
    // 138,510 / 30 = 4617, fee 4.617
    const poor = euroFloor({ settings: { demoBalance: usd('4621.616999') } })
    expect(refusal(poor, { leverage: 30 })).toEqual({
      rejected: 'notEnoughPrepayment',
      details: { margin: usd('4617'), fee: usd('4.617'), free: usd('4621.616999') },
    })
    const rich = euroFloor({ settings: { demoBalance: usd('4621.617') } })
    expect(effects(rich.buy('EURUSD', { leverage: 30 }))).toEqual(['1 positionOpened'])
  })

  it('when what it needs is reserved for a pending order', () => {
    const floor = euroFloor({ settings: { demoBalance: usd('9000') } })
    floor.buy('EURUSD', { leverage: 30, target: '1.38000' })
    expect(effects(floor.buy('EURUSD', { leverage: 30 }))).toEqual(['refused notEnoughPrepayment'])
    floor.cancel(1)
    expect(effects(floor.buy('EURUSD', { leverage: 30 }))).toEqual(['2 positionOpened'])
  })

  it('when an open loss has eaten what it needs, and an open profit counts for it', () => {
    const floor = euroFloor({ settings: { demoBalance: usd('10000') } })
    floor.buy('EURUSD', { leverage: 30 })
    floor.tick('EURUSD', '1.37500', '1.37510')
    expect(effects(floor.buy('EURUSD', { leverage: 30 }))).toEqual(['refused notEnoughPrepayment'])
    floor.tick('EURUSD', '1.39500', '1.39510')
    expect(figures(floor).free).toBe(usd('6368.383'))
    expect(effects(floor.buy('EURUSD', { leverage: 30 }))).toEqual(['2 positionOpened'])
  })
})

describe('the rate of the quote currency', () => {
  function indexFloor(): Floor {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.wait(5_001)
    floor.tick('GER40', '18350.0', '18351.0')
    return floor
  }

  it('must be fresh while its market is open', () => {
    expect(effects(indexFloor().buy('GER40'))).toEqual(['refused stalePrice'])
  })

  it('stands while its market is closed', () => {
    const floor = indexFloor()
    floor.closeMarket('EURUSD')
    expect(effects(floor.buy('GER40'))).toEqual(['1 positionOpened'])
  })

  it('is not needed in fixed margin mode', () => {
    const floor = demoFloor()
    floor.tick('FIXEDJPY', '5000', '5001')
    expect(effects(floor.buy('FIXEDJPY'))).toEqual(['1 positionOpened'])
  })
})

describe('the first failing check decides', () => {
  /** Everything is wrong with this order; each cure mends one thing, in the order of the codes. */
  const BROKEN = { ...instrumentOf('EURUSD'), id: 101, isEnabled: false, leverages: [] }
  const world = [...INSTRUMENTS, BROKEN]
  const request = { accountId: 1, call: 'submit', id: 'one', digest: 'a' }

  type Draft = { order: PlaceOrder; price: 'none' | 'old' | 'fresh'; isOpen: boolean }
  const WORST: Draft = {
    order: {
      ...BUY,
      request: { ...request, digest: 'b' },
      accountId: 9,
      instrumentId: 999,
      leverage: 7,
      lots: lots(50),
      targetPrice: price(0),
      takeProfit: price(1),
      stopLoss: price(999_999),
      expiresAt: START,
    },
    price: 'none',
    isOpen: false,
  }
  const order = (changes: Partial<PlaceOrder>) => (draft: Draft) => ({
    ...draft,
    order: { ...draft.order, ...changes },
  })
  const CURES: readonly [string, (draft: Draft) => Draft][] = [
    ['requestIdReused', order({ request: { ...request, id: 'two' } })],
    ['accountNotFound', order({ accountId: 1 })],
    ['unknownInstrument', order({ instrumentId: BROKEN.id })],
    ['instrumentDisabled', order({ instrumentId: instrumentOf('NOLEVERAGE').id })],
    ['noLeverage', order({ instrumentId: 1 })],
    ['leverageNotOffered', order({ leverage: 1 })],
    ['lotsBelowMinimum', order({ lots: lots(2_000_050) })],
    ['lotsAboveMaximum', order({ lots: lots(999_950) })],
    ['lotsOffStep', order({ lots: lotsOf('100') })],
    ['priceInvalid', order({ targetPrice: price(138_000) })],
    ['expiryInPast', order({ expiresAt: START + 60_000 })],
    ['marketClosed', (draft) => ({ ...draft, isOpen: true })],
    ['stalePrice', (draft) => ({ ...draft, price: 'fresh' })],
    ['takeProfitWrongSide', order({ takeProfit: price(139_000) })],
    ['stopLossWrongSide', order({ stopLoss: price(137_000) })],
    ['notEnoughPrepayment', order({ lots: lotsOf('0.1') })],
  ]

  function answerTo(draft: Draft): string[] {
    const floor = openFloor({ instruments: world })
    floor.openAccount()
    floor.tick('GBPUSD', '1.50000', '1.50000')
    floor.buy('GBPUSD', { lots: '0.01', request })
    if (draft.price === 'fresh') floor.tick('EURUSD', '1.38500', '1.38510')
    if (!draft.isOpen) floor.closeMarket('EURUSD')
    return effects(floor.send(draft.order))
  }

  it('in the order in which the codes are listed, until nothing is wrong any more', () => {
    let draft = WORST
    const answers: string[] = []
    for (const [, cure] of CURES) {
      answers.push(...answerTo(draft))
      draft = cure(draft)
    }
    expect(answers).toEqual(CURES.map(([code]) => `refused ${code}`))
    expect(answerTo(draft)).toEqual(['2 orderPlaced'])
  })

  it('and that order is the one of the list', () => {
    const places = CURES.map(([code]) => REJECTION_CODES.findIndex((known) => known === code))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('also for a market order, which has a price as soon as the market gives one', () => {
    const floor = demoFloor()
    floor.tick('WTI', '-1.03', '-1.00')
    const wish = { takeProfit: '-1.02' }
    expect(effects(floor.buy('WTI', wish))).toEqual(['refused priceInvalid'])
    floor.closeMarket('WTI')
    expect(effects(floor.buy('WTI', wish))).toEqual(['refused marketClosed'])
  })
})

describe('the kind of a pending order', () => {
  it.each([
    ['buy', '1.38509', 'limit'],
    ['buy', '1.38511', 'stop'],
    ['sell', '1.38501', 'limit'],
    ['sell', '1.38499', 'stop'],
  ] as const)('to %s at %s is a %s: told from the side it would fill at', (side, target, kind) => {
    const floor = euroFloor()
    floor[side]('EURUSD', { target })
    expect(floor.state.orders.get(1)).toMatchObject({
      kind,
      status: 'pending',
      targetPrice: priceOf('EURUSD', target),
    })
  })
})

it('accepts the highest price a target may have', () => {
  const floor = euroFloor({ settings: { demoBalance: usd('100000000000') } })
  const targetPrice: Price = price(MAX_PRICE_TICKS)
  expect(effects(floor.send({ ...BUY, lots: lotsOf('0.01'), targetPrice }))).toEqual(['1 orderPlaced'])
})

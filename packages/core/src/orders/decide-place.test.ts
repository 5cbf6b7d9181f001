import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  figures,
  createHarness,
  onlyEvent,
  START,
  type Harness,
} from '../../scenarios/harness.ts'
import { INSTRUMENTS, instrumentOf, lotsOf, priceOf, usd } from '../../scenarios/market.ts'
import type { PlaceOrder } from '../model/command.ts'
import { MAX_PRICE_TICKS } from './order-rules.ts'
import { lots, price, type Price } from '../model/number.ts'
import { REJECTION_CODES, type Rejection } from '../model/rejection.ts'

/** A demo account of 100,000 and EURUSD at 1.38500 / 1.38510. */
function euroHarness(options?: Parameters<typeof demoHarness>[0]): Harness {
  const harness = demoHarness(options)
  harness.tick('EURUSD', '1.38500', '1.38510')
  return harness
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

const refusal = (harness: Harness, changes: Partial<PlaceOrder>) =>
  harness.send({ ...BUY, ...changes }) as Rejection

describe('an order is rejected, and nothing changes,', () => {
  it('for an account that does not exist', () => {
    expect(refusal(euroHarness(), { accountId: 2 })).toEqual({ rejected: 'accountNotFound', details: {} })
  })

  it('for an instrument that does not exist', () => {
    expect(refusal(euroHarness(), { instrumentId: 999 })).toEqual({
      rejected: 'unknownInstrument',
      details: {},
    })
  })

  it('for a disabled instrument', () => {
    const { id } = instrumentOf('DISABLED')
    expect(refusal(euroHarness(), { instrumentId: id }).rejected).toBe('instrumentDisabled')
  })

  it('for an instrument without leverage', () => {
    const { id } = instrumentOf('NOLEVERAGE')
    expect(refusal(euroHarness(), { instrumentId: id }).rejected).toBe('noLeverage')
  })

  it.each([0, 3, 31, -10, 10.5, Number.NaN])('at leverage %d, which is not offered', (leverage) => {
    expect(refusal(euroHarness(), { leverage })).toEqual({
      rejected: 'leverageNotOffered',
      details: { leverage, offered: '1, 2, 5, 10, 20, 30' },
    })
  })

  it.each([0, 1, 99, -100])('for %d ten-thousandths of a lot, below the minimum of 0.01', (size) => {
    expect(refusal(euroHarness(), { lots: lots(size) })).toEqual({
      rejected: 'lotsBelowMinimum',
      details: { lots: size, minimum: 100 },
    })
  })

  it('for more lots than the maximum of 100', () => {
    expect(refusal(euroHarness(), { lots: lotsOf('100.01') })).toEqual({
      rejected: 'lotsAboveMaximum',
      details: { lots: 1_000_100, maximum: 1_000_000 },
    })
  })

  it.each([101, 150, 12_345, 100.5, Number.NaN])('for %d ten-thousandths of a lot, off the step', (size) => {
    expect(refusal(euroHarness(), { lots: lots(size) })).toEqual({
      rejected: 'lotsOffStep',
      details: { lots: size, step: 100 },
    })
  })

  it.each([0, -138_000, MAX_PRICE_TICKS + 1, 138_000.5, Number.NaN])('at the target %d', (target) => {
    expect(refusal(euroHarness(), { targetPrice: price(target) })).toMatchObject({
      rejected: 'priceInvalid',
      details: { price: target, priceDecimals: 5 },
    })
  })

  it('at a target below zero, also where prices may be negative', () => {
    const harness = demoHarness()
    harness.tick('WTI', '1.20', '1.23')
    expect(effects(harness.buy('WTI', { target: '-1.00' }))).toEqual(['refused priceInvalid'])
  })

  it.each(['takeProfit', 'stopLoss'] as const)('with an impossible %s', (stop) => {
    for (const level of [0, -5, MAX_PRICE_TICKS + 1, 2 ** 60, 138_000.5, Number.NaN]) {
      const { rejected } = refusal(euroHarness(), { [stop]: price(level) })
      expect([level, rejected]).toEqual([level, 'priceInvalid'])
    }
  })

  it('at the market while its price is zero or below', () => {
    const harness = demoHarness()
    harness.tick('WTI', '-0.03', '0.00')
    expect(harness.buy('WTI')).toEqual({ rejected: 'priceInvalid', details: { price: 0, priceDecimals: 2 } })
    expect(effects(harness.sell('WTI'))).toEqual(['refused priceInvalid'])
  })

  it.each([START, START - 1])('when it expires at %d, not after now', (expiresAt) => {
    expect(refusal(euroHarness(), { targetPrice: price(138_000), expiresAt })).toEqual({
      rejected: 'expiryInPast',
      details: { expiresAt },
    })
  })

  it('at the market with an expiry', () => {
    expect(refusal(euroHarness(), { expiresAt: START + 1 }).rejected).toBe('expiryInPast')
  })

  it.each([null, price(138_000)])('while the market is closed (target %s)', (targetPrice) => {
    const harness = euroHarness()
    harness.closeMarket('EURUSD')
    expect(refusal(harness, { targetPrice })).toEqual({
      rejected: 'marketClosed',
      details: { instrument: 'EURUSD' },
    })
  })

  it('before the first price', () => {
    expect(effects(demoHarness().buy('EURUSD'))).toEqual(['refused stalePrice'])
  })

  it('on a price from before the start, however fresh', () => {
    const harness = euroHarness({ freshSince: START + 1 })
    expect(refusal(harness, { at: START + 1 }).rejected).toBe('stalePrice')
    harness.wait(1)
    harness.tick('EURUSD', '1.38500', '1.38510')
    expect(effects(harness.send({ ...BUY, at: START + 1 }))).not.toContain('refused stalePrice')
  })

  it.each([null, price(138_000)])('on a price older than five seconds (target %s)', (targetPrice) => {
    const harness = euroHarness()
    const at = START + 5_001
    expect(refusal(harness, { at, targetPrice })).toEqual({
      rejected: 'stalePrice',
      details: { instrument: 'EURUSD' },
    })
    expect(effects(harness.send({ ...BUY, at: START + 5_000, targetPrice }))).not.toContain(
      'refused stalePrice',
    )
  })

  it('without a conversion to the account currency', () => {
    const harness = demoHarness()
    harness.tick('LONELY', '1.00000', '1.00010')
    expect(effects(harness.buy('LONELY'))).toEqual(['refused stalePrice'])
  })

  it.each([
    ['buy', 'takeProfit', '1.38505', '1.38506'],
    ['buy', 'stopLoss', '1.38495', '1.38494'],
    ['sell', 'takeProfit', '1.38505', '1.38504'],
    ['sell', 'stopLoss', '1.38515', '1.38516'],
  ] as const)(
    'to %s with a %s of %s; %s is the nearest to the closing price',
    (side, stop, near, nearest) => {
      const harness = euroHarness()
      expect(effects(harness[side]('EURUSD', { [stop]: near }))).toEqual([`refused ${stop}WrongSide`])
      expect(effects(harness[side]('EURUSD', { [stop]: nearest }))).toEqual(['1 positionOpened'])
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
      const harness = euroHarness()
      const target = '1.30000'
      expect(effects(harness[side]('EURUSD', { target, [stop]: near }))).toEqual([`refused ${stop}WrongSide`])
      expect(effects(harness[side]('EURUSD', { target, [stop]: nearest }))).toEqual(['1 orderPlaced'])
    },
  )

  it('when margin and fee exceed the available prepayment by a millionth', () => {
    // 138,510 / 30 = 4617, fee 4.617
    const poor = euroHarness({ settings: { demoBalance: usd('4621.616999') } })
    expect(refusal(poor, { leverage: 30 })).toEqual({
      rejected: 'notEnoughPrepayment',
      details: { margin: usd('4617'), fee: usd('4.617'), free: usd('4621.616999') },
    })
    const rich = euroHarness({ settings: { demoBalance: usd('4621.617') } })
    expect(effects(rich.buy('EURUSD', { leverage: 30 }))).toEqual(['1 positionOpened'])
  })

  it('when the money is reserved for a pending order', () => {
    const harness = euroHarness({ settings: { demoBalance: usd('9000') } })
    harness.buy('EURUSD', { leverage: 30, target: '1.38000' })
    expect(effects(harness.buy('EURUSD', { leverage: 30 }))).toEqual(['refused notEnoughPrepayment'])
    harness.cancel(1)
    expect(effects(harness.buy('EURUSD', { leverage: 30 }))).toEqual(['2 positionOpened'])
  })

  it('when an open loss leaves too little, while an open profit counts', () => {
    const harness = euroHarness({ settings: { demoBalance: usd('10000') } })
    harness.buy('EURUSD', { leverage: 30 })
    harness.tick('EURUSD', '1.37500', '1.37510')
    expect(effects(harness.buy('EURUSD', { leverage: 30 }))).toEqual(['refused notEnoughPrepayment'])
    harness.tick('EURUSD', '1.39500', '1.39510')
    expect(figures(harness).free).toBe(usd('6368.383'))
    expect(effects(harness.buy('EURUSD', { leverage: 30 }))).toEqual(['2 positionOpened'])
  })
})

describe('the rate of the quote currency', () => {
  function indexHarness(): Harness {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.wait(5_001)
    harness.tick('GER40', '18350.0', '18351.0')
    return harness
  }

  it('must be fresh while its market is open', () => {
    expect(effects(indexHarness().buy('GER40'))).toEqual(['refused stalePrice'])
  })

  it('is valid while its market is closed', () => {
    const harness = indexHarness()
    harness.closeMarket('EURUSD')
    expect(effects(harness.buy('GER40'))).toEqual(['1 positionOpened'])
  })

  it('is not needed in fixed margin mode', () => {
    const harness = demoHarness()
    harness.tick('FIXEDJPY', '5000', '5001')
    expect(effects(harness.buy('FIXEDJPY'))).toEqual(['1 positionOpened'])
  })
})

describe('the first failing check decides', () => {
  /** This order fails every check; each fix repairs one, in the order of the codes. */
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
  const FIXES: readonly [string, (draft: Draft) => Draft][] = [
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
    const harness = createHarness({ instruments: world })
    harness.openAccount()
    harness.tick('GBPUSD', '1.50000', '1.50000')
    harness.buy('GBPUSD', { lots: '0.01', request })
    if (draft.price === 'fresh') harness.tick('EURUSD', '1.38500', '1.38510')
    if (!draft.isOpen) harness.closeMarket('EURUSD')
    return effects(harness.send(draft.order))
  }

  it('in the order of the codes, until none fails', () => {
    let draft = WORST
    const answers: string[] = []
    for (const [, cure] of FIXES) {
      answers.push(...answerTo(draft))
      draft = cure(draft)
    }
    expect(answers).toEqual(FIXES.map(([code]) => `refused ${code}`))
    expect(answerTo(draft)).toEqual(['2 orderPlaced'])
  })

  it('and that is the order of the list', () => {
    const places = FIXES.map(([code]) => REJECTION_CODES.findIndex((known) => known === code))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('also for a market order, whose price comes from the market', () => {
    const harness = demoHarness()
    harness.tick('WTI', '-1.03', '-1.00')
    const wish = { takeProfit: '-1.02' }
    expect(effects(harness.buy('WTI', wish))).toEqual(['refused priceInvalid'])
    harness.closeMarket('WTI')
    expect(effects(harness.buy('WTI', wish))).toEqual(['refused marketClosed'])
  })
})

describe('the kind of a pending order', () => {
  it.each([
    ['buy', '1.38509', 'limit'],
    ['buy', '1.38511', 'stop'],
    ['sell', '1.38501', 'limit'],
    ['sell', '1.38499', 'stop'],
  ] as const)('to %s at %s is a %s: told from the side it would fill at', (side, target, kind) => {
    const harness = euroHarness()
    harness[side]('EURUSD', { target })
    expect(harness.state.orders.get(1)).toMatchObject({
      kind,
      status: 'pending',
      targetPrice: priceOf('EURUSD', target),
    })
  })
})

it('accepts the highest price a target may have', () => {
  const harness = euroHarness({ settings: { demoBalance: usd('100000000000') } })
  const targetPrice: Price = price(MAX_PRICE_TICKS)
  expect(effects(harness.send({ ...BUY, lots: lotsOf('0.01'), targetPrice }))).toEqual(['1 orderPlaced'])
})

describe('an order that names its kind', () => {
  function market(): Harness {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.09980', '1.09990')
    return harness
  }

  it.each([
    ['buy', '1.10000', '1.09990'],
    ['sell', '1.09950', '1.09980'],
    ['buy', '1.09990', '1.09990'],
  ] as const)(
    'as a limit fills at once where its price is there: %s at %s fills at %s',
    (side, target, filled) => {
      const opened = onlyEvent(market()[side]('EURUSD', { target, kind: 'limit' }), 'positionOpened')
      expect(opened).toMatchObject({
        kind: 'limit',
        targetPrice: priceOf('EURUSD', target),
        openPrice: priceOf('EURUSD', filled),
        receipt: { kind: 'limit', trigger: 'user', requestedPrice: priceOf('EURUSD', target) },
      })
      expect(opened.receipt.slippage).toBeGreaterThanOrEqual(0)
    },
  )

  it.each([
    ['buy', '1.09980'],
    ['buy', '1.09990'],
    ['sell', '1.09990'],
  ] as const)(
    'as a stop is rejected where the price is past it, and names the price: %s at %s',
    (side, target) => {
      const harness = market()
      expect(harness[side]('EURUSD', { target, kind: 'stop' })).toMatchObject({
        rejected: 'targetPassed',
        details: { price: priceOf('EURUSD', target), reference: side === 'buy' ? 109_990 : 109_980, side },
      })
      expect(harness.state.orders.size).toBe(0)
    },
  )

  it.each([
    ['buy', '1.09000', 'limit'],
    ['buy', '1.11000', 'stop'],
    ['sell', '1.11000', 'limit'],
    ['sell', '1.09000', 'stop'],
  ] as const)('waits otherwise: %s at %s as %s', (side, target, kind) => {
    const placed = onlyEvent(market()[side]('EURUSD', { target, kind }), 'orderPlaced')
    expect(placed).toMatchObject({ kind, receipt: { kind } })
  })

  it('has its stops measured from the price that fills it', () => {
    const far = { target: '1.12000', kind: 'limit', stopLoss: '1.11000' } as const
    expect(effects(market().buy('EURUSD', far))).toEqual(['refused stopLossWrongSide'])
  })

  it('needs the margin of the price that fills it', () => {
    const harness = demoHarness({ settings: { demoBalance: usd('3700') } })
    harness.tick('EURUSD', '1.09980', '1.09990')
    // 109,990 / 30 with its fee fits; 112,000 / 30 would not.
    expect(effects(harness.buy('EURUSD', { target: '1.12000', kind: 'limit', leverage: 30 }))).toEqual([
      '1 positionOpened',
    ])
  })
})

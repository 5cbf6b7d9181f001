import { beforeAll, describe, expect, test } from 'vitest'
import type { Deployment } from '../deployment/deployment.ts'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { changesNothing } from '../testing/changes-nothing.ts'
import { changeInstrument } from '../testing/engine-setup.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

const GBPUSD = 2
const NEVER_PRICED = 3

/** GBPUSD has no leverage to choose from. */
const withoutLeverage = ({ engine }: Deployment) => changeInstrument(engine, GBPUSD, { leverages: [] })

describe.each(DATABASES)('rejections over the wire, %s', (kind) => {
  const server = serverOn(kind, { prepare: withoutLeverage })
  let trader: Trader
  let other: Trader

  const request = async (path: string, body: object | string, token = trader.token) => {
    const headers = { authorization: token, lang: 'en', 'content-type': 'application/json' }
    const answer = await call(server(), `/v1/api/forex/${path}`, { headers, body })
    return answer.body as { code: number; msg: string; data: Record<string, unknown> }
  }
  /** The answer to a call that must not change the state. */
  const refused = async (path: string, body: object | string) => {
    const answer = await changesNothing(server().deployment.engine, () => request(path, body))
    expect(answer.code).toBe(0)
    return answer
  }
  const reasonFor = async (path: string, body: object | string) => (await refused(path, body)).data['reason']

  const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
  const pending = { ...ticket, status: 0, target_price: 1.09 }

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await server().price('GBPUSD', [1.3, 1.30009])
    trader = await newTrader(server())
    other = await newTrader(server())
  })

  const NOT_NUMBERS = [
    '1e309',
    '"0x10"',
    'null',
    '[]',
    '[1]',
    '{}',
    'true',
    '"1e1"',
    '"+1"',
    '" 1"',
    '"1,5"',
  ].concat([
    '"NaN"',
    '"Infinity"',
    '-1e309',
    '1e21',
    '"１"',
    '"1\\u0000"',
    '"99999999999999999"',
    '1e-7',
    '"--1"',
  ])

  test.each(NOT_NUMBERS)('rejects a value that is not a plain number in every field: %s', async (value) => {
    const put = (base: object, field: string) =>
      JSON.stringify({ ...base, [field]: '@' }).replace('"@"', value)
    const expectReason = async (path: string, base: object, field: string, reason: RegExp) =>
      expect([field, await reasonFor(path, put(base, field))]).toEqual([field, expect.stringMatching(reason)])
    await expectReason('submit', ticket, 'type', /^sideInvalid$/)
    await expectReason('submit', ticket, 'cont', /^lotsInvalid$/)
    await expectReason('submit', ticket, 'forex_id', /^idInvalid$/)
    await expectReason('submit', ticket, 'status', /^notUnderstood$/)
    await expectReason('submit', ticket, 'multiple', /^leverageInvalid$/)
    await expectReason('submit', pending, 'target_price', /^price(Malformed|TooManyDigits|Invalid)$/)
    await expectReason('submit', ticket, 'stop_loss_price', /^price(Malformed|TooManyDigits|Invalid)$/)
    await expectReason('submit', ticket, 'target_profit_price', /^price(Malformed|TooManyDigits|Invalid)$/)
    await expectReason('submit', pending, 'expire_time', /^timeInvalid$/)
    for (const path of ['close', 'cancel_trade', 'set_stop_price'])
      await expectReason(path, {}, 'id', /^idInvalid$/)
  })

  test('rejects an empty text in required fields, and reads it as none in optional ones', async () => {
    const required = {
      type: 'sideInvalid',
      cont: 'lotsInvalid',
      forex_id: 'idInvalid',
      status: 'notUnderstood',
    }
    for (const [field, reason] of Object.entries(required))
      expect([field, await reasonFor('submit', { ...ticket, [field]: '' })]).toEqual([field, reason])
    expect(await reasonFor('submit', { ...pending, target_price: '' })).toBe('priceMissing')
    expect(await reasonFor('submit', { ...ticket, multiple: '' })).toBe('leverageNotOffered')
    for (const path of ['close', 'cancel_trade', 'set_stop_price'])
      expect([path, await reasonFor(path, { id: '' })]).toEqual([path, 'idInvalid'])
  })

  test.each<[string, object, string]>([
    ['an unknown instrument', { forex_id: 9_999 }, 'unknownInstrument'],
    ['no lots', { cont: 0 }, 'lotsBelowMinimum'],
    ['lots below the minimum', { cont: 0.009 }, 'lotsBelowMinimum'],
    ['lots above the maximum', { cont: '100.01' }, 'lotsAboveMaximum'],
    ['more lots than can be counted', { cont: '999999999999.9999' }, 'lotsAboveMaximum'],
    ['lots between two steps', { cont: 0.015 }, 'lotsOffStep'],
    ['too many decimals of lots', { cont: 0.00001 }, 'lotsInvalid'],
    ['negative lots', { cont: -0.1 }, 'lotsInvalid'],
    ['an invalid side', { type: 3 }, 'sideInvalid'],
    ['a leverage that is not on offer', { multiple: 25 }, 'leverageNotOffered'],
    ['no leverage where one must be chosen', { multiple: undefined }, 'leverageNotOffered'],
    ['a fractional leverage', { multiple: 1.5 }, 'leverageInvalid'],
    ['an instrument without any leverage', { forex_id: GBPUSD }, 'noLeverage'],
    ['no leverage, where there is none', { forex_id: GBPUSD, multiple: 0 }, 'noLeverage'],
    ['an instrument without a price', { forex_id: NEVER_PRICED }, 'stalePrice'],
    ['a pending order without its price', { status: 0 }, 'priceMissing'],
    ['a pending order at zero', { status: 0, target_price: 0 }, 'priceMissing'],
    ['a negative target price', { status: 0, target_price: -1.09 }, 'priceInvalid'],
    ['a target price of too many digits', { status: 0, target_price: '1.0900001' }, 'priceTooManyDigits'],
    ['a stop loss of too many digits', { stop_loss_price: 1.0900001 }, 'priceTooManyDigits'],
    ['a stop loss above the price of a buy', { stop_loss_price: 1.2 }, 'stopLossWrongSide'],
    ['a stop loss too near', { stop_loss_price: 1.09995 }, 'stopLossWrongSide'],
    ['a take profit below the price of a buy', { target_profit_price: 1.05 }, 'takeProfitWrongSide'],
    ['a take profit above the price of a sell', { type: 2, target_profit_price: 1.2 }, 'takeProfitWrongSide'],
    [
      'an expiry beyond the range of dates',
      { ...pending, expire_time: 8_640_000_000_000_001 },
      'timeInvalid',
    ],
    ['an expiry in the past', { ...pending, expire_time: 1_000 }, 'expiryInPast'],
    ['an expiry of a market order', { expire_time: Date.now() + 60_000 }, 'expiryInPast'],
    ['an order beyond the free margin', { cont: 100 }, 'notEnoughPrepayment'],
    ['a pending order beyond the free margin', { ...pending, cont: 100 }, 'notEnoughPrepayment'],
    [
      'amounts larger than can be booked',
      { ...pending, cont: 100, target_price: 10_000_000 },
      'amountOutOfRange',
    ],
  ])('%s is refused', async (_name, fields, reason) => {
    expect(await reasonFor('submit', { ...ticket, ...fields })).toBe(reason)
  })

  test('ignores fields that only the server sets', async () => {
    const own = {
      UserId: other.user.id,
      Price: 0.5,
      CautionMoney: 0,
      TradeFee: 0,
      Id: 1,
      account_id: other.user.id,
    }
    const { data } = await request('submit', { ...ticket, ...own })
    expect(data).toMatchObject({ UserId: trader.user.id, Price: 1.10006, CautionMoney: 366.686667 })
    await request('close', { id: data['Id'] })
  })

  test('explains rejections with the figures of the order', async () => {
    const messageFor = async (fields: object) => (await refused('submit', { ...ticket, ...fields })).msg
    expect(await messageFor({ cont: 0.015 })).toBe('The lot size must be a multiple of 0.01; 0.015 is not.')
    expect(await messageFor({ multiple: 25 })).toBe(
      'A leverage of 25 is not available here. Choose one of 1, 2, 5, 10, 20, 30.',
    )
    expect(await messageFor({ forex_id: GBPUSD, multiple: 0 })).toBe(
      'No leverage configured, unable to place an order.',
    )
    expect(await messageFor({ stop_loss_price: 1.2 })).toBe(
      'The stop loss of a buy must be 1.09994 or lower; 1.20000 is too close or on the wrong side.',
    )
  })

  test('returns the required margin, the fee and the available amount when margin is missing', async () => {
    const poor = await newTrader(server())
    expect(await request('submit', { ...ticket, cont: 100 }, poor.token)).toEqual({
      code: 0,
      msg: 'This order needs 366,686.67 of margin and a fee of 366.69; only 100,000.00 is available.',
      data: {
        reason: 'notEnoughPrepayment',
        should_deduct: 367053.353334,
        trade_fee: 366.686667,
        available_prepayment: 100000,
      },
    })
  })

  describe('an order', () => {
    const submitted = async (body: object, token = trader.token) =>
      (await request('submit', body, token)).data['Id']
    const onEveryCall = async (id: unknown) => {
      const stops = [
        {},
        { stop_loss_price: 1.05 },
        { stop_loss_price: '1.050000001' },
        { target_profit_price: 0.5 },
      ]
      return [
        await request('close', { id }),
        await request('cancel_trade', { id }),
        ...(await Promise.all(stops.map((fields) => request('set_stop_price', { id, ...fields })))),
      ]
    }

    test('of another user is answered like an unknown one, in any state', async () => {
      const open = await submitted(ticket, other.token)
      const waiting = await submitted(pending, other.token)
      const over = await submitted(ticket, other.token)
      await request('close', { id: over }, other.token)
      await changesNothing(server().deployment.engine, async () => {
        const nothing = await onEveryCall(888_888_888)
        expect(nothing[0]).toEqual({
          code: 0,
          msg: 'There is no such order.',
          data: { reason: 'orderNotFound' },
        })
        for (const id of [open, waiting, over]) expect(await onEveryCall(id)).toEqual(nothing)
      })
    })

    test('that has ended rejects every change as already closed', async () => {
      const id = await submitted(ticket)
      await request('close', { id })
      expect(await refused('close', { id })).toEqual({
        code: 0,
        msg: 'This order is already closed or cancelled.',
        data: { reason: 'alreadyClosed' },
      })
      expect(await reasonFor('cancel_trade', { id })).toBe('alreadyClosed')
      expect(await reasonFor('set_stop_price', { id, stop_loss_price: 1 })).toBe('alreadyClosed')
      const cancelled = await submitted(pending)
      await request('cancel_trade', { id: cancelled })
      expect(await reasonFor('cancel_trade', { id: cancelled })).toBe('alreadyClosed')
    })

    test('that is pending cannot be closed, one that is open cannot be cancelled', async () => {
      const waiting = await submitted(pending)
      const open = await submitted(ticket)
      expect(await reasonFor('close', { id: waiting })).toBe('orderNotHolding')
      expect(await reasonFor('cancel_trade', { id: open })).toBe('orderNotPending')
    })

    test.each([
      [0, 'lotsBelowMinimum'],
      [0.015, 'lotsOffStep'],
      [0.11, 'lotsAboveMaximum'],
      [-0.05, 'lotsInvalid'],
      ['0.00001', 'lotsInvalid'],
    ])('closes no part of %s lots', async (cont, reason) => {
      const id = await submitted(ticket)
      expect(await reasonFor('close', { id, cont })).toBe(reason)
    })

    test('that is pending cannot be reversed or get a trailing stop', async () => {
      const id = await submitted(pending)
      expect(await reasonFor('reverse', { id })).toBe('orderNotHolding')
      expect(await reasonFor('set_trailing', { id, distance: 0.001 })).toBe('orderNotHolding')
    })

    test.each([
      [0.00001, 'trailingDistanceInvalid'],
      [99999999, 'trailingDistanceInvalid'],
      [0.000001, 'priceTooManyDigits'],
      [-0.001, 'trailingDistanceInvalid'],
      ['x', 'priceMalformed'],
    ])('takes no trailing distance of %s', async (distance, reason) => {
      const id = await submitted(ticket)
      expect(await reasonFor('set_trailing', { id, distance })).toBe(reason)
    })

    test('takes no stops on the wrong side or of too many digits', async () => {
      const id = await submitted(ticket)
      expect(await reasonFor('set_stop_price', { id, stop_loss_price: 1.2 })).toBe('stopLossWrongSide')
      expect(await reasonFor('set_stop_price', { id, target_profit_price: 1 })).toBe('takeProfitWrongSide')
      expect(await reasonFor('set_stop_price', { id, stop_loss_price: 1.0000001 })).toBe('priceTooManyDigits')
    })
  })
})

/** The wire of payments, pinned: each sample is read to clean values and written again to the letter. */
import { describe, expect, it } from 'vitest'
import { type Codec, encode } from '../protocol/codec.ts'
import { decode } from '../protocol/server.ts'
import {
  coinDeposit,
  depositChannel,
  depositPage,
  depositQuery,
  wireAccount,
  wireCurrency,
  wireDeposit,
  wireQuery,
} from './deposits.wire.ts'
import {
  methodForm,
  methodId,
  methodQuery,
  receivingMethod,
  payoutCurrency,
  payoutQuery,
  withdrawalForm,
  withdrawalId,
  withdrawalPage,
  withdrawalQuery,
} from './withdrawals.wire.ts'

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const CREATED = { created_at: '2023-11-14 22:13:20', created_time: 1_700_000_000_000 }

const VALUATION = { rate: 1.0834, rate_fixed: 1, account_currency: 'USD' }

const charge = {
  id: 12,
  number: 500.5,
  type: 0,
  currency_code: 'USDT',
  protocol_code: 'TRC20',
  status: 2,
  ...CREATED,
  remark: 'nothing has arrived',
  real_number: null,
  ended_time: 1_700_000_100_000,
  estimated_number: 1.5,
  estimated_rate: 1.0834,
  arrived_number: 0.12345678,
  arrived_time: 1_700_000_050_000,
  rate: 64_000.5,
  account_currency: 'USD',
}

const bank = {
  dc_address: ADDRESS,
  coin_tag: '77',
  bank_name: 'A bank',
  bank_address: '1 Street',
  bank_swift: 'DEUTDEFF',
  payee_name: 'Ada',
  payee_account: '123',
  route_number: '1',
  payee_address: '2 Street',
  post_code: '9',
  iban: 'DE89370400440532013000',
  account_type: 'savings',
  bank_remark: 'For the account of Ada',
}

const draw = {
  id: 41,
  number: 400,
  fee: 12,
  real_number: 388,
  status: 1,
  status_name: 'Paid',
  ...CREATED,
  type: 1,
  address: ADDRESS,
  coin_tag: '77',
  payee_account: '',
  notes: 'rent',
  draw_currency: { code: 'USDT', protocol: 'TRC20' },
  usd_price: 1,
  draw_method_id: 5,
  remark: '',
  transaction_number: 'tx 1',
  holder: '',
  steps: [{ step: 'asked', time: 1_700_000_000_000, role: 'you', reason: '' }],
}

const SAMPLES: readonly (readonly [name: string, codec: Codec, sample: unknown])[] = [
  [
    'a channel of charge info',
    depositChannel,
    {
      id: 1,
      currency_code: 'USDT',
      protocol_code: 'TRC20',
      address: ADDRESS,
      coin_tag: '77',
      left_today: 100.5,
      ...VALUATION,
    },
  ],
  ['a row of symbols', wireCurrency, { bank_coin: 'EUR' }],
  ['what wire_info takes', wireQuery, { bank_coin: 'EUR' }],
  [
    'a row of wire_info',
    wireAccount,
    {
      id: 1,
      bank_name: 'A bank',
      bank_address: '1 Street',
      bank_swift: 'DEUTDEFF',
      payee_name: 'A house',
      payee_account: '123',
      bank_remark: 'number',
      left_today: null,
      ...VALUATION,
    },
  ],
  [
    'what submit takes',
    coinDeposit,
    { number: 500.5, proofImg: '/p/1', address: ADDRESS, charge_id: 1, transaction_number: 'a1' },
  ],
  [
    'what wire_submit takes',
    wireDeposit,
    { number: 500.5, proofImg: '/p/1', wire_id: 1, transaction_number: '' },
  ],
  ['what quick_ist takes', depositQuery, { type: 1, page: 2 }],
  ['a page of quick_ist', depositPage, { data: [charge], total: 1 }],
  ['what draw_symbol_list takes', payoutQuery, { type: 2 }],
  [
    'a row of draw_symbol_list',
    payoutCurrency,
    {
      id: 1,
      code: 'USDT',
      protocol: 'TRC20',
      draw_rate: 12,
      fee_type: 1,
      usd_price: 1,
      min_number: 10,
      max_number: null,
      left_today: null,
    },
  ],
  [
    'what draw takes',
    withdrawalForm,
    {
      draw_currency_id: 1,
      number: 400,
      memo: 'rent',
      draw_method_id: 5,
      auth_code: '123456',
      fee: 12,
      usd_price: 1,
      receive: 388,
    },
  ],
  ['what draw_list takes', withdrawalQuery, { type: 2, page: 1 }],
  ['what draw_cancel takes', withdrawalId, { id: 41 }],
  ['a page of draw_list', withdrawalPage, { data: [draw], total: 1 }],
  ['what get_draw_method takes', methodQuery, { draw_type: 1, draw_id: 3 }],
  [
    'what bind_draw_method takes',
    methodForm,
    { draw_id: 1, type: 2, ...bank, coin_tag_none: 1, password: ' a b ', auth_code: '1' },
  ],
  ['what del_draw_method takes', methodId, { id: 5 }],
  [
    'a row of get_draw_method',
    receivingMethod,
    {
      id: 5,
      type: 1,
      draw_id: 1,
      ...bank,
      draw_currency: { id: 1, code: 'USDT', protocol: 'TRC20' },
      created_time: 1_700_000_000_000,
      usable_time: 1_700_086_400_000,
    },
  ],
]

describe('payments on the wire', () => {
  it.each(SAMPLES)('%s', (_name, codec, sample) => {
    const read = decode(codec, sample)
    if (!read.ok) expect.fail(`${read.field}: ${read.reason}`)
    expect(JSON.parse(JSON.stringify(encode(codec, read.value)))).toEqual(sample)
  })

  it('accepts fields that older clients omit or send empty', () => {
    const read = decode(methodForm, {
      draw_id: '1',
      type: '1',
      dc_address: ADDRESS,
      bank_name: '',
      account_type: '',
    })
    expect(read).toMatchObject({ ok: true, value: { bankName: '', accountType: null, password: null } })
    expect(decode(withdrawalForm, { draw_currency_id: 1, number: 400, draw_method_id: 5 })).toMatchObject({
      ok: true,
      value: { quotedFee: null, quotedPrice: null, quotedReceived: null },
    })
    expect(decode(wireQuery, { bank_coin: '' })).toMatchObject({ ok: true, value: { currency: null } })
    expect(decode(depositQuery, { type: '0' })).toMatchObject({ ok: true, value: { kind: 'coin', page: 1 } })
  })

  it('writes the amount credited by both of its names, once there is one', () => {
    const written = (deposit: object) => {
      const read = decode(depositPage, { data: [deposit], total: 1 })
      if (!read.ok) throw new Error(read.reason)
      return encode(depositPage, read.value)
    }
    expect(written({ ...charge, real_number: 499.5 })).toMatchObject({
      data: [{ real_number: 499.5, credited: 499.5 }],
    })
    expect(written(charge)).toMatchObject({ data: [{ real_number: null, credited: undefined }] })
  })

  it.each([
    [0, 'unchecked'],
    [1, 'finished'],
    [2, 'rejected'],
    [3, 'invalid'],
  ])('reads the status %i of a deposit as %s', (status, name) => {
    expect(decode(depositPage, { data: [{ ...charge, status }], total: 1 })).toMatchObject({
      ok: true,
      value: { deposits: [{ status: name }] },
    })
  })

  it('treats any fee type but 1 as a rate', () => {
    const row = {
      id: 1,
      code: 'A',
      protocol: '',
      draw_rate: 0.01,
      fee_type: 7,
      usd_price: '1',
      min_number: 0,
      max_number: null,
    }
    expect(decode(payoutCurrency, row)).toMatchObject({
      ok: true,
      value: { feeType: 'rate', feeRate: 10_000n },
    })
  })
})

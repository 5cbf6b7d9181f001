import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import {
  bindReceivingMethod,
  cancelWithdrawal,
  getDeposit,
  getWithdrawal,
  LANGUAGE_CODES,
  listDepositAccounts,
  listDeposits,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  removeReceivingMethod,
  reportCoinDeposit,
  reportWireDeposit,
  requestWithdrawal,
  valueOf,
  type Endpoint,
} from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { all, allOf, type BadField, outcomesOf } from '../testing/bad-values.ts'
import { call, type RawCall } from '../testing/calls.ts'
import { changesNothing } from '../testing/changes-nothing.ts'
import { IBAN, methodForm, newPayer, setUpPayments, TRON_ADDRESS, type Payer } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const NONE = { empty: 'taken' } as const
const ID = allOf('idInvalid')
const AMOUNT = allOf('amountMalformed')
const CHOICE = allOf('notUnderstood')
const PAGE = allOf('pageInvalid', NONE)
const AFTER = allOf('idInvalid', NONE)
/** Marks without a glyph are dropped. */
const FREE = all('taken')

type Tried = {
  readonly endpoint: Endpoint
  readonly form: Readonly<Record<string, string>>
  /** The reasons of a call whose fields are all right: it is refused for something else, so that nothing happens. */
  readonly taken: readonly string[]
  readonly fields: readonly BadField[]
}
const tried = (
  endpoint: Endpoint,
  { taken, form }: Pick<Tried, 'taken' | 'form'>,
  ...fields: readonly BadField[]
): Tried => ({ endpoint, form, taken, fields })

const PICTURE = '/files/no-such-picture'
const PAGES = [
  ['page', '1', IBAN, PAGE],
  ['before', '7', IBAN, AFTER],
] as const
const TRANSFER = [
  ['number', '50.25', 'TX 77', AMOUNT],
  ['transaction_number', 'TX 77', '50.25', FREE],
] as const
const PROOF = ['proofImg', PICTURE, '50.25', all('proofUnknown')] as const

const WITHDRAWAL = { draw_currency_id: '1', number: '50', draw_method_id: '1' }
const TRIED: readonly Tried[] = [
  tried(
    requestWithdrawal,
    // The method is new.
    { form: WITHDRAWAL, taken: ['methodTooNew'] },
    ['draw_currency_id', '1', '50', { ...ID, 'the value of another field': 'currencyNotFound' }],
    ['number', '50', 'the rent', AMOUNT],
    ['memo', 'the rent', '50', FREE],
    ['draw_method_id', '1', '50', { ...ID, 'the value of another field': 'methodNotFound' }],
    ['fee', '12', 'the rent', { ...AMOUNT, ...NONE }],
    ['usd_price', '1', 'the rent', allOf('priceMalformed', NONE)],
    ['receive', '38', 'the rent', allOf('notUnderstood', NONE)],
  ),
  tried(cancelWithdrawal, { form: {}, taken: ['caseNotFound'] }, ['id', '999', '50.25', ID]),
  tried(getWithdrawal, { form: {}, taken: ['caseNotFound'] }, ['id', '999', '50.25', ID]),
  tried(listWithdrawals, { form: { type: '1' }, taken: [] }, ['type', '1', IBAN, CHOICE], ...PAGES),
  tried(listPayoutCurrencies, { form: {}, taken: [] }, ['type', '1', IBAN, CHOICE]),
  tried(
    reportCoinDeposit,
    { form: { number: '50', proofImg: PICTURE, charge_id: '1' }, taken: ['proofUnknown'] },
    ...TRANSFER,
    ['address', TRON_ADDRESS, '50.25', FREE],
    ['charge_id', '1', '50', { ...ID, 'the value of another field': 'channelNotFound' }],
  ),
  tried(reportCoinDeposit, { form: { number: '50', charge_id: '1' }, taken: [] }, PROOF),
  tried(
    reportWireDeposit,
    { form: { number: '50', proofImg: PICTURE, wire_id: '1' }, taken: ['proofUnknown'] },
    ...TRANSFER,
    ['wire_id', '1', '50', { ...ID, 'the value of another field': 'channelNotFound' }],
  ),
  tried(reportWireDeposit, { form: { number: '50', wire_id: '1' }, taken: [] }, PROOF),
  tried(getDeposit, { form: {}, taken: ['caseNotFound'] }, ['id', '999', '50.25', ID]),
  tried(listDeposits, { form: { type: '0' }, taken: [] }, ['type', '0', IBAN, CHOICE], ...PAGES),
  tried(listDepositAccounts, { form: {}, taken: [] }, [
    'bank_coin',
    'EUR',
    IBAN,
    { ...FREE, 'the value of another field': 'textTooLong' },
  ]),
  tried(
    listReceivingMethods,
    { form: { draw_type: '1' }, taken: [] },
    ['draw_type', '1', IBAN, CHOICE],
    ['draw_id', '1', IBAN, AFTER],
  ),
  tried(removeReceivingMethod, { form: {}, taken: [] }, [
    'id',
    '999',
    '50',
    { ...ID, 'the value of another field': 'methodNotFound' },
  ]),
]

const CASES = TRIED.flatMap(({ fields, ...of }) =>
  fields.map((field) => ({ ...of, field, name: of.endpoint.name, wireName: field[0], outcomes: field[3] })),
)

/** The form as the app sends it: in the query, as a form or as JSON. */
function requestOf({ path, method, isForm }: Endpoint, form: object): [string, RawCall] {
  const fields = new URLSearchParams(form as Record<string, string>).toString()
  if (method === 'GET') return [`${path}?${fields}`, {}]
  if (!isForm) return [path, { method, body: form }]
  return [path, { method, body: fields, headers: { 'content-type': 'application/x-www-form-urlencoded' } }]
}

describe.each(DATABASES)('a field of a payment, %s', (kind) => {
  const server = serverOn(kind)
  let payer: Payer
  beforeAll(async () => {
    await setUpPayments(server())
    payer = await newPayer(server())
    valueOf(await payer.client.call(bindReceivingMethod, methodForm()))
  })

  const send = (endpoint: Endpoint, form: object, own: Record<string, string> = {}) => {
    const [path, request] = requestOf(endpoint, form)
    const headers = { authorization: payer.token, lang: 'en', ...request.headers, ...own }
    return call(server(), path, { ...request, headers })
  }
  const rows = async () => {
    const { queries } = server().deployment.database
    const tables = ['deposit', 'withdrawal', 'receiving_method', 'money_case'] as const
    return Promise.all(tables.map((table) => queries.selectFrom(table).selectAll().execute()))
  }

  test.each(CASES)(
    '$name, $wireName: each spoilt value',
    async ({ endpoint, form, taken, field, outcomes }) => {
      const before = await rows()
      const found = await changesNothing(server().deployment.engine, () =>
        outcomesOf(field, (value) => send(endpoint, { ...form, [field[0]]: value }), taken),
      )
      expect(found).toEqual(outcomes)
      expect(await rows()).toEqual(before)
    },
  )

  test('the key of a request', async () => {
    // A header carries bytes: the tests send them in UTF-8.
    const bytes = (value: string) => Buffer.from(value).toString('latin1')
    const field: BadField = [
      'Idempotency-Key',
      'key-1',
      IBAN,
      all('taken', { '10,000 characters': 'requestIdTooLong' }),
    ]
    const found = await outcomesOf(
      field,
      // No client can send NUL; the next test writes it to the socket.
      (value, bad) =>
        send(requestWithdrawal, WITHDRAWAL, { 'idempotency-key': bytes(bad === 'NUL' ? 'key-1' : value) }),
      ['methodTooNew'],
    )
    expect(found).toEqual(field[3])
  })

  test('a key with NUL is no request', async () => {
    const { hostname, port } = new URL(server().url)
    const socket = connect(Number(port), hostname)
    const head = [
      'POST /api/account/draw HTTP/1.1',
      'host: x',
      `authorization: ${payer.token}`,
      'idempotency-key: a\u0000b',
    ]
    socket.end(`${[...head, 'content-length: 0', '', ''].join('\r\n')}`)
    expect(await textOf(socket)).toContain('HTTP/1.1 400')
  })

  test.each(LANGUAGE_CODES.filter((code) => code !== 'en'))(
    'is named in the language of the caller: %s',
    async (lang) => {
      for (const [endpoint, form, field] of [
        [requestWithdrawal, { ...WITHDRAWAL, number: '٥٠' }, 'number'],
        [requestWithdrawal, { ...WITHDRAWAL, receive: 'x' }, 'receive'],
        [listWithdrawals, { type: '' }, 'type'],
        [reportCoinDeposit, { number: '50', charge_id: '1', proofImg: '' }, 'proofImg'],
      ] as const) {
        const [own, english] = [
          await send(endpoint, form, { lang }),
          await send(endpoint, form, { lang: 'en' }),
        ]
        expect(own.body).toMatchObject({ code: 0, data: { field } })
        expect(own.body?.msg).not.toBe(english.body?.msg)
      }
    },
  )
})

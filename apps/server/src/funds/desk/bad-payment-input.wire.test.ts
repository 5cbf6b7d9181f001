import {
  approveWithdrawal,
  decideAdjustment,
  decideApproval,
  findReference,
  finishDeposit,
  getPayment,
  listTransfers,
  payWithdrawal,
  previewCredit,
  refuseDeposit,
  refuseWithdrawal,
  requestAdjustment,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  startPayment,
  switchOffReceiving,
  type DeskEndpoint,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { all, allOf, type BadField, outcomesOf } from '../../testing/bad-values.ts'
import { call } from '../../testing/calls.ts'
import { changesNothing } from '../../testing/changes-nothing.ts'
import { atDesk } from '../../testing/desk.ts'
import {
  IBAN,
  newPayer,
  openedDeposit,
  sentUnits,
  setUpPayments,
  TRON_ADDRESS,
  units,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const NONE = { empty: 'taken' } as const
const ID = allOf('idInvalid')
const AMOUNT = allOf('amountMalformed')
const CHOICE = allOf('notUnderstood')
const TIME = allOf('timeInvalid')
const WHOLE = allOf('notUnderstood')
/** Marks without a glyph are dropped from what is no name. */
const UNSEEN = { NUL: 'taken', 'a mark of direction': 'taken' } as const
const FREE = all('taken')
const MISSING = { empty: 'methodFieldMissing', 'only spaces': 'methodFieldMissing' } as const
const NAME = all('taken', { ...MISSING, NUL: 'nameInvalid', 'a mark of direction': 'nameInvalid' })
const CODE = allOf('paymentFieldInvalid', UNSEEN)
const NO_REASON = { empty: 'reasonMissing', 'only spaces': 'reasonMissing' } as const
const REASON: BadField = [
  'reason',
  'seen',
  IBAN,
  all('taken', { ...NO_REASON, '10,000 characters': 'reasonTooLong' }),
]

const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

type Form = Readonly<Record<string, unknown>>
type Tried = {
  readonly endpoint: DeskEndpoint
  readonly form: Form
  /** The reasons of a call whose fields are all right: it is refused for something else, so that nothing happens. */
  readonly taken: readonly string[]
  readonly fields: readonly BadField[]
}
const tried = (
  endpoint: DeskEndpoint,
  { taken = [], form }: { readonly taken?: readonly string[]; readonly form: Form },
  ...fields: readonly BadField[]
): Tried => ({ endpoint, form, taken, fields })

const LIMITS = [
  ['dayLimit', '5000', IBAN, AMOUNT],
  ['personDayLimit', '5000', IBAN, AMOUNT],
] as const
const ROW = [
  ['id', '99', IBAN, ID],
  ['version', '0', IBAN, WHOLE],
] as const
const RATE: BadField = ['fixedRate', '1', IBAN, allOf('rateMalformed', NONE)]
const UNLISTED: BadField = ['isUnlistedNetwork', 'false', IBAN, allOf('notUnderstood', NONE)]

const NO_LIMITS = { dayLimit: null, personDayLimit: null }
const CHANNEL = {
  version: 0,
  currencyCode: 'USDT',
  protocolCode: 'TRC20',
  address: TRON_ADDRESS,
  tag: '',
  fixedRate: null,
  ...NO_LIMITS,
}
const XRP_CHANNEL = { ...CHANNEL, currencyCode: 'XRP', protocolCode: 'XRP', address: XRP, fixedRate: '0.5' }
const WIRE = {
  version: 0,
  currencyCode: 'EUR',
  bankName: 'Quay Bank',
  bankAddress: '1 Quay',
  bankSwift: 'DEUTDEFF',
  payeeName: 'A broker',
  payeeAccount: 'GB29NWBK60161331926819',
  bankRemark: '',
  fixedRate: '1',
  ...NO_LIMITS,
}
const CURRENCY = {
  version: 0,
  code: 'USDT',
  protocol: 'TRC20',
  kind: 'coin',
  feeType: 'fixed',
  fee: '12',
  usdPrice: '1',
  minimum: '10',
  maximum: null,
  isOn: true,
  personDayLimit: null,
}
/** Forms are read before their reason: without one they change nothing. */
const UNSAID = { reason: '' }
const READ = ['reasonMissing']
/** Their reason is read before the row is looked up. */
const GONE = { id: 99, reason: 'seen' }
const NOT_FOUND = ['paymentRowNotFound']

const SETUP: readonly Tried[] = [
  tried(
    saveDepositChannel,
    { form: { ...CHANNEL, ...UNSAID }, taken: READ },
    ...ROW,
    ['currencyCode', 'USDT', TRON_ADDRESS, CODE],
    ['protocolCode', 'TRC20', TRON_ADDRESS, CODE],
    ['address', TRON_ADDRESS, IBAN, allOf('coinAddressInvalid', { ...MISSING, ...UNSEEN })],
    RATE,
    ...LIMITS,
    UNLISTED,
  ),
  tried(saveDepositChannel, { form: { ...XRP_CHANNEL, ...UNSAID }, taken: READ }, [
    'tag',
    '77',
    XRP,
    allOf('coinTagInvalid', {
      ...UNSEEN,
      empty: 'taken',
      'only spaces': 'taken',
      'digits of six scripts': 'taken',
    }),
  ]),
  tried(saveDepositChannel, { form: { ...CHANNEL, ...GONE }, taken: NOT_FOUND }, REASON),
  tried(
    saveWireAccount,
    { form: { ...WIRE, ...UNSAID }, taken: READ },
    ...ROW,
    ['currencyCode', 'EUR', TRON_ADDRESS, CODE],
    ['bankName', 'Quay Bank', IBAN, NAME],
    ['bankAddress', '1 Quay', IBAN, all('taken', MISSING)],
    ['bankSwift', 'DEUTDEFF', IBAN, allOf('bicInvalid', UNSEEN)],
    ['payeeName', 'A broker', IBAN, NAME],
    ['payeeAccount', IBAN, 'Ada & Bo', all('bankAccountInvalid', { ...MISSING, ...UNSEEN })],
    ['bankRemark', 'your number', IBAN, FREE],
    RATE,
    ...LIMITS,
  ),
  tried(saveWireAccount, { form: { ...WIRE, ...GONE }, taken: NOT_FOUND }, REASON),
  tried(
    saveWithdrawalCurrency,
    { form: { ...CURRENCY, ...UNSAID }, taken: READ },
    ...ROW,
    ['code', 'USDT', TRON_ADDRESS, CODE],
    ['protocol', 'TRC20', TRON_ADDRESS, CODE],
    ['kind', 'coin', IBAN, CHOICE],
    ['feeType', 'fixed', IBAN, CHOICE],
    ['fee', '12', IBAN, AMOUNT],
    ['usdPrice', '1', IBAN, allOf('priceMalformed')],
    ['minimum', '10', IBAN, AMOUNT],
    ['maximum', '5000', IBAN, AMOUNT],
    ['personDayLimit', '5000', IBAN, AMOUNT],
    ['isOn', 'true', IBAN, CHOICE],
    UNLISTED,
  ),
  tried(
    switchOffReceiving,
    { form: { kind: 'channel', version: 1, ...GONE }, taken: NOT_FOUND },
    ['kind', 'channel', IBAN, CHOICE],
    ...ROW,
    REASON,
  ),
]

const NO_CASE = ['caseNotFound']
const DECIDED = { form: { id: 999, reason: 'seen' }, taken: NO_CASE }
const CASE: BadField = ['id', '999', IBAN, ID]
const ARRIVAL = [
  ['amount', '50.25', IBAN, AMOUNT],
  ['arrivedAt', '1795000000000', IBAN, TIME],
] as const
const REFERENCE: BadField = ['reference', '0xAB12', '50.25', FREE]
const RANGE = allOf('timeInvalid', NONE)

const DECISIONS: readonly Tried[] = [
  tried(finishDeposit, { ...DECIDED, form: { ...DECIDED.form, amount: '50' } }, CASE, ...ARRIVAL),
  tried(previewCredit, { form: { id: 999, amount: '50' }, taken: NO_CASE }, CASE, ...ARRIVAL),
  tried(refuseDeposit, { ...DECIDED, form: { ...DECIDED.form, outcome: 'invalid' } }, CASE, [
    'outcome',
    'invalid',
    IBAN,
    CHOICE,
  ]),
  tried(approveWithdrawal, DECIDED, CASE),
  tried(startPayment, DECIDED, CASE),
  tried(payWithdrawal, { ...DECIDED, form: { ...DECIDED.form, reference: 'TX 77' } }, CASE, [
    'reference',
    'TX 77',
    '50.25',
    all('taken', { empty: 'referenceMissing', 'only spaces': 'referenceMissing' }),
  ]),
  tried(refuseWithdrawal, DECIDED, CASE),
  tried(decideAdjustment, { ...DECIDED, form: { ...DECIDED.form, isApproved: true } }, CASE, [
    'isApproved',
    'true',
    IBAN,
    CHOICE,
  ]),
  tried(
    decideApproval,
    { ...DECIDED, form: { ...DECIDED.form, isApproved: true } },
    CASE,
    ['isApproved', 'true', IBAN, CHOICE],
    REASON,
  ),
  tried(
    requestAdjustment,
    { form: { id: 999, amount: '-5', reason: 'seen' }, taken: ['accountNotFound'] },
    CASE,
    ['amount', '-5', IBAN, AMOUNT],
    REASON,
  ),
  tried(getPayment, { form: {}, taken: NO_CASE }, CASE),
  tried(findReference, { form: { id: 999, reference: 'TX 77' } }, CASE, REFERENCE),
  tried(
    listTransfers,
    { form: {} },
    ['ledger', 'real', IBAN, allOf('notUnderstood', NONE)],
    ['accountId', '7', IBAN, allOf('idInvalid', NONE)],
    ['kind', 'deposit', IBAN, allOf('notUnderstood', NONE)],
    REFERENCE,
    ['since', '1795000000000', IBAN, RANGE],
    ['until', '1795000000000', IBAN, RANGE],
    ['page', '1', IBAN, allOf('pageInvalid', NONE)],
  ),
]

const casesOf = (of: readonly Tried[]) =>
  of.flatMap(({ fields, ...rest }) =>
    fields.map((field) => ({
      ...rest,
      field,
      name: rest.endpoint.name,
      wireName: field[0],
      outcomes: field[3],
    })),
  )

describe.each(DATABASES)('a field of money at the desk, %s', (kind) => {
  const server = serverOn(kind)
  /** Several operators, as each may make so many calls in a second. */
  const tokens: string[] = []
  let accountId = 0
  beforeAll(async () => {
    await setUpPayments(server())
    for (let count = 0; count < 12; count += 1) tokens.push((await atDesk(server(), 'finance')).token)
    accountId = (await newPayer(server())).user.id
    const funds = { amount: sentUnits(100), arrivedAt: null, reason: 'arrived' }
    const id = await openedDeposit(server(), accountId, units(100))
    await (await atDesk(server(), 'finance')).request(finishDeposit, { id, ...funds })
  })

  let calls = 0
  const send = ({ path, method }: DeskEndpoint, form: Form) => {
    const headers = { lang: 'en', authorization: tokens[(calls += 1) % tokens.length] ?? '' }
    if (method !== 'GET') return call(server(), path, { method, headers, body: form })
    const fields = new URLSearchParams(form as Record<string, string>).toString()
    return call(server(), `${path}?${fields}`, { headers })
  }
  const rows = () => {
    const { queries } = server().deployment.database
    const tables = [
      'deposit_channel',
      'wire_account',
      'withdrawal_currency',
      'approval',
      'money_case',
    ] as const
    return Promise.all(tables.map((table) => queries.selectFrom(table).selectAll().execute()))
  }

  test.each(casesOf([...SETUP, ...DECISIONS]))(
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

  const held = async (): Promise<number> => {
    const request = { type: 'requestWithdrawal', accountId, amount: units(1), fee: units(0) } as const
    const answer = await server().deployment.engine.execute(request)
    const [opened] = 'entry' in answer ? answer.entry.events : []
    return opened?.type === 'withdrawalHeld' ? opened.caseId : 0
  }
  const deposited = () => openedDeposit(server(), accountId, units(50))

  // Where a good reason ends a case, each value has a case of its own.
  test.each([
    ['a credit', finishDeposit, deposited, { amount: '50' }],
    ['a refused deposit', refuseDeposit, deposited, { outcome: 'rejected' }],
    ['an approved withdrawal', approveWithdrawal, held, {}],
    ['a rejected withdrawal', refuseWithdrawal, held, {}],
    ['the start of a payment', startPayment, held, {}],
    ['a payment', payWithdrawal, held, { reference: 'TX 77' }],
  ] as const)('the reason of %s: each spoilt value', async (_what, endpoint, newCase, form) => {
    const { engine } = server().deployment
    const refused: number[] = []
    const found = await outcomesOf(
      REASON,
      async (reason) => {
        const id = await newCase()
        const answer = await send(endpoint, { id, ...form, reason })
        if (answer.body?.code === 0) refused.push(id)
        return answer
      },
      // Its approval is missing.
      ['withdrawalNotApproved'],
    )
    expect(found).toEqual(REASON[3])
    await engine.caughtUp()
    for (const id of refused) expect(engine.state().cases.get(id)).toMatchObject({ id })
  })
})

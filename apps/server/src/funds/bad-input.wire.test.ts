import { bindReceivingMethod } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { all, BAD, SPOILT } from '../testing/bad-values.ts'
import {
  bankForm,
  BITCOIN_ADDRESS,
  IBAN,
  methodForm,
  newPayer,
  setUpPayments,
  TRON_ADDRESS,
  type Payer,
} from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

/** Marks without a glyph are dropped from what is no name. */
const UNSEEN = { NUL: 'taken', 'a mark of direction': 'taken' } as const
const MISSING = { empty: 'methodFieldMissing', 'only spaces': 'methodFieldMissing' } as const
const FREE = all('taken')
const NAME = all('taken', { ...MISSING, NUL: 'nameInvalid', 'a mark of direction': 'nameInvalid' })
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

/** Each field with its wire name, a right value, that of another field, and the outcomes. */
const FIELDS = [
  ['address', 'dc_address', TRON_ADDRESS, IBAN, all('coinAddressInvalid', { ...MISSING, ...UNSEEN })],
  [
    'tag',
    'coin_tag',
    '77',
    XRP,
    all('coinTagInvalid', {
      ...UNSEEN,
      empty: 'coinTagMissing',
      'only spaces': 'coinTagMissing',
      'digits of six scripts': 'taken',
    }),
  ],
  ['payeeName', 'payee_name', 'Ada Heron', IBAN, NAME],
  ['bankName', 'bank_name', 'Quay Bank', IBAN, NAME],
  ['iban', 'iban', IBAN, TRON_ADDRESS, all('ibanInvalid', { ...MISSING, ...UNSEEN })],
  [
    'payeeAccount',
    'payee_account',
    '12345678',
    'Ada & Bo',
    all('bankAccountInvalid', {
      ...UNSEEN,
      empty: 'methodFieldMissing at iban',
      'only spaces': 'methodFieldMissing at iban',
    }),
  ],
  [
    'bic',
    'bank_swift',
    'DEUTDEFF',
    IBAN,
    all('bicInvalid', { ...UNSEEN, empty: 'taken', 'only spaces': 'taken' }),
  ],
  ['routeNumber', 'route_number', '021000021', IBAN, FREE],
  ['bankAddress', 'bank_address', '1 Quay', IBAN, FREE],
  ['payeeAddress', 'payee_address', '1 Quay', IBAN, FREE],
  ['postCode', 'post_code', 'N1 9GU', IBAN, FREE],
  ['remark', 'bank_remark', 'Reference 4', IBAN, FREE],
] as const

const CASES = FIELDS.flatMap(([field, wireName, right, other, outcomes]) =>
  BAD.map((bad) => ({ field, wireName, bad, value: SPOILT[bad](right, other), outcome: outcomes[bad] })),
)

describe.each(DATABASES)('a field of a receiving method, %s', (kind) => {
  const server = serverOn(kind, { env: { SETTING_FAILED_LOGINS_PER_ACCOUNT: '1000' } })
  let payer: Payer
  beforeAll(async () => {
    await setUpPayments(server())
    const { queries } = server().deployment.database
    const [usdt] = await queries.selectFrom('withdrawal_currency').selectAll().where('id', '=', 1n).execute()
    if (!usdt) throw new Error('no currency')
    const xrp = { ...usdt, id: 5n, code: 'XRP', protocol: 'XRP Ledger' }
    await queries.insertInto('withdrawal_currency').values(xrp).execute()
    payer = await newPayer(server())
  })

  /** The form with one field; its password is wrong, so that nothing is bound. */
  const formOf = (field: string, value: string) => {
    const given = { password: 'a wrong one', [field]: value }
    if (field === 'address') return methodForm(given)
    if (field === 'tag') return methodForm({ currencyId: 5, address: XRP, ...given })
    return bankForm({ ...(field === 'payeeAccount' && { iban: '' }), ...given })
  }

  test.each(CASES)('$field with $bad: $outcome', async ({ field, wireName, value, outcome }) => {
    const answer = await payer.client.call(bindReceivingMethod, formOf(field, value) as never)
    if (answer.ok) expect.fail('nothing should have been bound')
    if (outcome === 'taken') expect(answer.reason).toBe('passwordWrong')
    else {
      const [reason, at = wireName] = outcome.split(' at ')
      expect(answer).toMatchObject({ reason, details: { field: at } })
      // What is expected, not only that it is wrong.
      expect(answer.message).toMatch(/fill in|at most \d|Copy it again|Enter|check digits|has |no emoji/)
    }
  })

  test('takes an address of one network only', async () => {
    const form = methodForm({ address: BITCOIN_ADDRESS, password: 'a wrong one' })
    const answer = await payer.client.call(bindReceivingMethod, form)
    expect(answer).toMatchObject({ reason: 'coinAddressInvalid', details: { field: 'dc_address' } })
  })
})

import {
  bindReceivingMethod,
  confirmSecondFactor,
  listReceivingMethods,
  prepareSecondFactor,
  removeReceivingMethod,
  valueOf,
} from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { movablePace, PASSWORD, postForm, reasonOf, sentTo } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
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
import { totpCode } from '../platform/security/second-factor.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const HOUR_MS = 3_600_000
const COINS = { kind: 'coin', currencyId: null } as const

describe.each(DATABASES)('a receiving method, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { SETTING_FAILED_LOGINS_PER_ACCOUNT: '1000' } })
  let payer: Payer
  beforeAll(async () => {
    await setUpPayments(server())
    payer = await newPayer(server())
  })
  const refusalOf = async (form: ReturnType<typeof methodForm>, of: Payer = payer) => {
    const outcome = await of.client.call(bindReceivingMethod, form)
    return outcome.ok ? null : outcome.reason
  }

  test('is bound with the password, usable after a day, and announced to its owner by mail', async () => {
    const method = valueOf(await payer.client.call(bindReceivingMethod, methodForm()))
    expect(method).toMatchObject({ kind: 'coin', address: TRON_ADDRESS, currency: { code: 'USDT' } })
    expect(method.usableAt - method.boundAt).toBe(24 * HOUR_MS)
    expect(valueOf(await payer.client.call(listReceivingMethods, COINS))).toEqual([method])
    const [mail] = await sentTo(server(), payer.email)
    expect(mail?.subject).toBe('A receiving method was added')
    expect(mail?.body).toContain(TRON_ADDRESS.slice(-6))
    expect(mail?.body).not.toContain(TRON_ADDRESS)
  })

  test('that is bound twice stays one method', async () => {
    const [before] = valueOf(await payer.client.call(listReceivingMethods, COINS))
    expect(valueOf(await payer.client.call(bindReceivingMethod, methodForm())).id).toBe(before?.id)
  })

  test('is not bound with a wrong password, or without one', async () => {
    expect(await refusalOf(methodForm({ password: 'a wrong one' }))).toBe('passwordWrong')
    expect(await refusalOf(methodForm({ password: null }))).toBe('passwordWrong')
  })

  test.each([
    [methodForm({ address: '' }), 'methodFieldMissing'],
    [methodForm({ address: `${TRON_ADDRESS.slice(0, -1)}u` }), 'coinAddressInvalid'],
    [methodForm({ address: BITCOIN_ADDRESS }), 'coinAddressInvalid'],
    [methodForm({ currencyId: 2 }), 'coinAddressInvalid'],
    [methodForm({ currencyId: 3 }), 'currencyNotFound'],
    [methodForm({ currencyId: 77 }), 'currencyNotFound'],
    [bankForm({ iban: 'DE88370400440532013000' }), 'ibanInvalid'],
    [bankForm({ iban: '12345678' }), 'ibanInvalid'],
    [bankForm({ bic: 'DEUT' }), 'bicInvalid'],
    [bankForm({ iban: '', payeeAccount: '' }), 'methodFieldMissing'],
    [bankForm({ accountType: null }), 'methodFieldMissing'],
    [bankForm({ payeeName: '' }), 'methodFieldMissing'],
    [bankForm({ iban: '', payeeAccount: '<script>' }), 'bankAccountInvalid'],
  ])('is refused with invalid details: %#', async (form, reason) => {
    expect(await refusalOf(form as ReturnType<typeof methodForm>)).toBe(reason)
  })

  test('for a bank account needs an IBAN or an account number', async () => {
    const method = valueOf(
      await payer.client.call(bindReceivingMethod, bankForm({ iban: 'de89 3704 0044 0532 0130 00' })),
    )
    expect(method).toMatchObject({ kind: 'bank', iban: IBAN, accountType: 'checking' })
    const plain = bankForm({ iban: '', payeeAccount: '123-456789-0', bic: '' })
    expect(await refusalOf(plain as never)).toBeNull()
    expect(
      valueOf(await payer.client.call(listReceivingMethods, { kind: 'bank', currencyId: 3 })),
    ).toHaveLength(2)
  })

  test.each([
    ['in small letters and groups', { iban: 'de89 3704 0044 0532 0130 00' }],
    ['with "IBAN" before it', { iban: 'IBAN: DE89 3704 0044 0532 0130 00' }],
    ['in the field for an account', { iban: '', payeeAccount: 'iban de89-3704-0044-0532-0130-00' }],
  ])('takes an IBAN %s for the same account', async (_how, fields) => {
    const other = await newPayer(server())
    const method = valueOf(await other.client.call(bindReceivingMethod, bankForm(fields)))
    expect(method).toMatchObject({ iban: IBAN, payeeAccount: '' })
    const wrong = bankForm({ iban: '', payeeAccount: 'iban de88370400440532013000' })
    expect(await other.client.call(bindReceivingMethod, wrong)).toMatchObject({ reason: 'ibanInvalid' })
  })

  test('keeps the remark for the bank, at most 200 characters; one without a remark has an empty one', async () => {
    const other = await newPayer(server())
    const remark = 'For the account of Ada, branch 12'
    valueOf(await other.client.call(bindReceivingMethod, bankForm({ remark })))
    valueOf(await other.client.call(bindReceivingMethod, bankForm()))
    const listed = valueOf(await other.client.call(listReceivingMethods, { kind: 'bank', currencyId: null }))
    expect(listed.map((method) => method.remark)).toEqual(['', remark])
    const tooLong = await other.client.call(bindReceivingMethod, bankForm({ remark: 'x'.repeat(201) }))
    expect(tooLong).toMatchObject({ ok: false })
  })

  test('is seen and removed by its owner only', async () => {
    const stranger = await newPayer(server())
    const [own] = valueOf(await payer.client.call(listReceivingMethods, COINS))
    expect(valueOf(await stranger.client.call(listReceivingMethods, COINS))).toEqual([])
    const taken = await stranger.client.call(removeReceivingMethod, { id: own?.id ?? 0 })
    expect(taken).toMatchObject({ ok: false, reason: 'methodNotFound' })
  })

  test('is no longer listed once it is removed', async () => {
    const [own] = valueOf(await payer.client.call(listReceivingMethods, COINS))
    valueOf(await payer.client.call(removeReceivingMethod, { id: own?.id ?? 0 }))
    expect(valueOf(await payer.client.call(listReceivingMethods, COINS))).toEqual([])
  })

  test('is accepted as a form, as older clients send it', async () => {
    const fields = { draw_id: '1', type: '1', dc_address: TRON_ADDRESS, password: 'wrong', bank_name: '' }
    const answer = await postForm(server(), '/api/wallet/bind_draw_method', fields)
    expect(reasonOf(answer)).toBe('sessionGone')
    const form = new URLSearchParams(fields).toString()
    const headers = {
      lang: 'en',
      authorization: payer.token,
      'content-type': 'application/x-www-form-urlencoded',
    }
    expect(reasonOf(await call(server(), '/api/wallet/bind_draw_method', { headers, body: form }))).toBe(
      'passwordWrong',
    )
  })

  test('is refused beyond the most that a user may have', async () => {
    const many = await newPayer(server())
    for (let count = 0; count < 20; count += 1)
      expect(await refusalOf(bankForm({ payeeName: `Ada ${count}` }) as never, many)).toBeNull()
    expect(await refusalOf(bankForm({ payeeName: 'Ada 20' }) as never, many)).toBe('tooManyMethods')
  })

  test('needs a code instead of the password if a second factor is set up', async () => {
    const careful = await newPayer(server())
    const { secret } = valueOf(
      await careful.client.call(prepareSecondFactor, { password: PASSWORD, authCode: null }),
    )
    const code = () => totpCode(secret, pace.wall())
    valueOf(await careful.client.call(confirmSecondFactor, { authCode: code() }))
    expect(await refusalOf(methodForm(), careful)).toBe('secondFactorNeeded')
    pass(60_000)
    const authCode = code()
    expect(await refusalOf(methodForm({ authCode: '000000' }), careful)).toBe('secondFactorWrong')
    expect(await refusalOf(methodForm({ password: null, authCode }), careful)).toBeNull()
  })
})

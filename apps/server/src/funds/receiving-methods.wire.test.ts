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

const LONG_IBAN = 'IBAN: MT84 MALT 0110 0001 2345 MTLC AST0 01S'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const HOUR_MS = 3_600_000
const TO_XRP = { currencyId: 5, address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }
const COINS = { kind: 'coin', currencyId: null } as const

describe.each(DATABASES)('a receiving method, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { SETTING_FAILED_LOGINS_PER_ACCOUNT: '1000' } })
  let payer: Payer
  beforeAll(async () => {
    await setUpPayments(server())
    const { queries } = server().deployment.database
    const [usdt] = await queries.selectFrom('withdrawal_currency').selectAll().where('id', '=', 1n).execute()
    if (!usdt) throw new Error('no currency')
    const evm = { ...usdt, id: 4n, protocol: 'ERC20' }
    const xrp = { ...usdt, id: 5n, code: 'XRP', protocol: 'XRP Ledger' }
    const named = { ...usdt, id: 6n, protocol: 'TRC20-USDT' }
    await queries.insertInto('withdrawal_currency').values([evm, xrp, named]).execute()
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

  test.each([
    ['a coin address in capitals', { currencyId: 2 }, 'address', [SEGWIT, SEGWIT.toUpperCase()]],
    [
      'an address of hexadecimal digits in small, mixed and capital letters',
      { currencyId: 4 },
      'address',
      [EVM.toLowerCase(), EVM, EVM.toUpperCase()],
    ],
    [
      'an account number in groups and capitals',
      { currencyId: 3, iban: '' },
      'payeeAccount',
      ['abc-123456-7', 'ABC 123456 7', 'ABC1234567'],
    ],
    [
      'an IBAN in groups, in small letters and in the other field',
      { currencyId: 3 },
      'iban',
      [IBAN, 'de89 3704 0044 0532 0130 00', 'IBAN DE89-3704-0044-0532-0130-00'],
    ],
  ] as const)('that is %s stays one method, shown as first typed', async (_how, form, field, spellings) => {
    const own = await newPayer(server())
    const made = form.currencyId === 3 ? bankForm : methodForm
    const bound = []
    for (const typed of spellings)
      bound.push(valueOf(await own.client.call(bindReceivingMethod, made({ ...form, [field]: typed }))))
    expect(new Set(bound.map(({ id }) => id)).size).toBe(1)
    expect(bound.map((method) => method[field])).toEqual(spellings.map(() => spellings[0]))
  })

  test('of a bank account that is bound already is not bound again with other details', async () => {
    const own = await newPayer(server())
    valueOf(await own.client.call(bindReceivingMethod, bankForm()))
    expect(await refusalOf(bankForm({ payeeName: 'Ada L.' }) as never, own)).toBe('methodAlreadyBound')
    expect(await refusalOf(bankForm({ bic: 'DEUTDEFFXXX' }) as never, own)).toBeNull()
    const [method] = valueOf(await own.client.call(listReceivingMethods, { kind: 'bank', currencyId: 3 }))
    valueOf(await own.client.call(removeReceivingMethod, { id: method?.id ?? 0 }))
    expect(await refusalOf(bankForm({ payeeName: 'Ada L.' }) as never, own)).toBeNull()
  })

  test('has the tag that its address needs, typed or in a payment link, or the word that it needs none', async () => {
    const own = await newPayer(server())
    const bind = async (form: object) =>
      valueOf(await own.client.call(bindReceivingMethod, methodForm({ ...TO_XRP, ...form })))
    const typed = await bind({ tag: '\u0660\u0667\u0667' })
    expect(typed).toMatchObject({ address: TO_XRP.address, tag: '77' })
    expect((await bind({ address: `xrpl:${TO_XRP.address}?dt=77` })).id).toBe(typed.id)
    expect((await bind({ tag: '78' })).id).not.toBe(typed.id)
    expect(await bind({ hasNoTag: true })).toMatchObject({ tag: '' })
  })

  test('is read from a payment link of its network', async () => {
    const own = await newPayer(server())
    const link = methodForm({ currencyId: 2, address: `bitcoin:${SEGWIT}?amount=0.1` })
    expect(valueOf(await own.client.call(bindReceivingMethod, link)).address).toBe(SEGWIT)
  })

  test('is announced with the end of the address as it was typed', async () => {
    const own = await newPayer(server())
    valueOf(await own.client.call(bindReceivingMethod, methodForm({ currencyId: 4, address: EVM })))
    const [mail] = await sentTo(server(), own.email)
    expect(mail?.body).toContain(EVM.slice(-6))
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
    [methodForm({ currencyId: 6, address: `${TRON_ADDRESS.slice(0, -1)}u` }), 'coinAddressInvalid'],
    [methodForm({ currencyId: 6, address: EVM }), 'coinAddressInvalid'],
    [methodForm({ currencyId: 2, address: `tron:${TRON_ADDRESS}` }), 'paymentLinkOtherNetwork'],
    [methodForm({ currencyId: 4, address: `ethereum:${EVM}@56` }), 'paymentLinkOtherNetwork'],
    [methodForm({ currencyId: 2, address: 'lightning:lnbc1' }), 'paymentLinkUnreadable'],
    [methodForm({ tag: '77' }), 'coinTagInvalid'],
    [methodForm({ ...TO_XRP, tag: '' }), 'coinTagMissing'],
    [methodForm({ ...TO_XRP, tag: ' \u3000 ' }), 'coinTagMissing'],
    [methodForm({ ...TO_XRP, tag: 'seven' }), 'coinTagInvalid'],
    [methodForm({ ...TO_XRP, tag: TO_XRP.address }), 'coinTagInvalid'],
    [methodForm({ ...TO_XRP, tag: '\u04377' }), 'coinTagInvalid'],
    [methodForm({ ...TO_XRP, tag: '9'.repeat(10_000) }), 'textTooLong'],
    [methodForm({ ...TO_XRP, address: `xrpl:${TO_XRP.address}?dt=8`, tag: '7' }), 'coinTagDiffers'],
    [methodForm({ currencyId: 3 }), 'currencyNotFound'],
    [methodForm({ currencyId: 77 }), 'currencyNotFound'],
    [bankForm({ iban: 'DE88370400440532013000' }), 'ibanInvalid'],
    [bankForm({ iban: '12345678' }), 'ibanInvalid'],
    [bankForm({ iban: `${LONG_IBAN}${' '.repeat(10)}1` }), 'ibanInvalid'],
    [bankForm({ iban: '', payeeAccount: '1'.repeat(35) }), 'bankAccountInvalid'],
    [bankForm({ iban: '1'.repeat(10_000) }), 'textTooLong'],
    [methodForm({ address: 'T'.repeat(121) }), 'coinAddressInvalid'],
    [methodForm({ address: 'T'.repeat(10_000) }), 'textTooLong'],
    [bankForm({ bic: 'DEUT' }), 'bicInvalid'],
    [bankForm({ iban: '', payeeAccount: '' }), 'methodFieldMissing'],
    [bankForm({ accountType: null }), 'methodFieldMissing'],
    [bankForm({ payeeName: '' }), 'methodFieldMissing'],
    [bankForm({ payeeName: '\u3000\u00a0' }), 'methodFieldMissing'],
    [bankForm({ payeeName: 'Ann \u202enoreH' }), 'nameInvalid'],
    [bankForm({ payeeName: 'Ann\u0000' }), 'nameInvalid'],
    [bankForm({ payeeName: 'a'.repeat(10_000) }), 'textTooLong'],
    [bankForm({ bankName: 'Bank 🏦' }), 'nameInvalid'],
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

  test.each([{ iban: LONG_IBAN }, { iban: '', payeeAccount: LONG_IBAN }])(
    'takes the longest IBAN in groups, with the word before it: %j',
    async (fields) => {
      const other = await newPayer(server())
      const method = valueOf(await other.client.call(bindReceivingMethod, bankForm(fields)))
      expect(method).toMatchObject({ iban: 'MT84MALT011000012345MTLCAST001S', payeeAccount: '' })
    },
  )

  test('takes an address within a long payment link', async () => {
    const own = await newPayer(server())
    const link = `bitcoin:${SEGWIT}?label=${'a'.repeat(500)}`
    const form = methodForm({ currencyId: 2, address: link })
    expect(valueOf(await own.client.call(bindReceivingMethod, form)).address).toBe(SEGWIT)
  })

  test('keeps the remark for the bank, at most 200 characters; one without a remark has an empty one', async () => {
    const other = await newPayer(server())
    const remark = 'For the account of Ada, branch 12'
    valueOf(await other.client.call(bindReceivingMethod, bankForm({ remark })))
    const another = bankForm({ iban: 'GB82WEST12345698765432' })
    valueOf(await other.client.call(bindReceivingMethod, another))
    const listed = valueOf(await other.client.call(listReceivingMethods, { kind: 'bank', currencyId: null }))
    expect(listed.map((method) => method.remark)).toEqual(['', remark])
    const tooLong = await other.client.call(bindReceivingMethod, bankForm({ remark: 'x'.repeat(201) }))
    expect(tooLong).toMatchObject({ ok: false })
  })

  test('has payee and bank as documents carry them, with single spaces', async () => {
    const other = await newPayer(server())
    const form = bankForm({ payeeName: ' Siti @\u00a0Aminah  A/P Raj ', bankName: '山田\u3000銀行 (東京)' })
    const method = valueOf(await other.client.call(bindReceivingMethod, form))
    expect(method).toMatchObject({ payeeName: 'Siti @ Aminah A/P Raj', bankName: '山田 銀行 (東京)' })
    // Read as it was typed in other spaces, it is the same account.
    const again = { ...form, payeeName: 'Siti\u2007@ Aminah A/P\u3000Raj' }
    expect(valueOf(await other.client.call(bindReceivingMethod, again)).id).toBe(method.id)
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
    const account = (count: number) => bankForm({ iban: '', payeeAccount: `${1_000 + count}` }) as never
    for (let count = 0; count < 20; count += 1) expect(await refusalOf(account(count), many)).toBeNull()
    expect(await refusalOf(account(20), many)).toBe('tooManyMethods')
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

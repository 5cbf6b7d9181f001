/** The wire of registration and log-in: round trips, and pinned samples. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Codec, encode, type Infer } from '../protocol/codec.ts'
import { decode } from '../protocol/server.ts'
import { typedCode } from '../protocol/typed-code.ts'
import { LANGUAGE_CODES } from './language.ts'
import {
  countries,
  captcha,
  consentDocuments,
  emailCodeRequest,
  passwordReset,
  registration,
  smsCodeRequest,
} from './sign-up.wire.ts'
import {
  authCode,
  demoKey,
  freshToken,
  loggedIn,
  loginRequest,
  passwordChange,
  passwordProof,
  recoveryCodes,
  secondFactor,
  secondFactorRemoval,
  secondFactorSecret,
  sessionId,
  sessions,
} from './login.wire.ts'
import { languageChoice } from './user.wire.ts'

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
const text = fc.string({ unit: 'grapheme' })
/** Filled in: an empty text is read as null. */
const filled = fc.string({ unit: 'grapheme', minLength: 1 })
/** As `typedCode` leaves it. */
const code = text.map(typedCode)
const givenCode = code.filter((value) => value !== '')
const typed = text.filter((value) => value.trim() !== '')
const bool = fc.boolean()
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const user = fc.record({
  id,
  uid: text,
  email: nullable(text),
  phone: nullable(text),
  areaCode: nullable(text),
  isDemo: bool,
  inviteCode: nullable(text),
  creditScore: fc.maxSafeInteger(),
  restriction: nullable(
    fc.record({ status: fc.constantFrom('closeOnly' as const, 'frozen' as const), reason: text }),
  ),
  identityCheck: fc.constantFrom(
    'form' as const,
    'waiting' as const,
    'verified' as const,
    'rejected' as const,
  ),
})

type Trip = { readonly name: string; readonly run: () => void }

const trip = <C extends Codec>(name: string, codec: C, values: fc.Arbitrary<Infer<C>>): Trip => ({
  name,
  run: () =>
    fc.assert(
      fc.property(values, (value) => {
        const sent: unknown = JSON.parse(JSON.stringify(encode(codec, value)))
        expect(decode(codec, sent)).toEqual({ ok: true, value })
      }),
    ),
})

const contact = fc.constantFrom('email' as const, 'mobile' as const)
const purpose = fc.constantFrom('register' as const, 'reset' as const)
const countryId = nullable(id)
const credentials = fc.record({
  contact,
  account: typed,
  password: filled,
  countryId,
  authCode: nullable(givenCode),
})
const session = fc.record({
  id: text,
  startedAt: time,
  seenAt: time,
  device: text,
  address: text,
  isCurrent: bool,
})
const application = fc.record({
  contact,
  countryId,
  account: text,
  password: text,
  repeatedPassword: text,
  code,
  inviteCode: nullable(givenCode),
  captchaId: nullable(filled),
  consentVersion: nullable(filled),
  hasConsented: bool,
})
const area = fc.record({ id, code: text, callingCode: text, name: text, isBlocked: bool })

describe('a round trip keeps', () => {
  it.each([
    trip('demo key', demoKey, fc.record({ demoId: text })),
    trip('log-in to a demo account', loginRequest, fc.record({ demoId: fc.string({ minLength: 1 }) })),
    trip('log-in', loginRequest, credentials),
    trip('logged in', loggedIn, fc.record({ token: text, user })),
    trip('sessions', sessions, fc.array(session)),
    trip('session id', sessionId, fc.record({ id: text })),
    trip('language', languageChoice, fc.record({ language: fc.constantFrom(...LANGUAGE_CODES) })),
    trip(
      'change of password',
      passwordChange,
      fc.record({
        contact: fc.constantFrom('email', 'mobile'),
        oldPassword: text,
        newPassword: text,
        authCode: nullable(givenCode),
      }),
    ),
    trip('fresh token', freshToken, fc.record({ token: text })),
    trip(
      'second factor',
      secondFactor,
      fc.record({ isOn: bool, hasApp: bool, passkeys: fc.nat(), recoveryCodesLeft: fc.nat() }),
    ),
    trip('proof by password', passwordProof, fc.record({ password: text, authCode: nullable(givenCode) })),
    trip('secret of a second factor', secondFactorSecret, fc.record({ secret: text, address: text })),
    trip('code of a second factor', authCode, fc.record({ authCode: code })),
    trip('recovery codes', recoveryCodes, fc.record({ recoveryCodes: fc.array(text) })),
    trip('end of a second factor', secondFactorRemoval, fc.record({ password: text, authCode: code })),
    trip('areas', countries, fc.array(area)),
    trip('registration', registration, application),
    trip('code by e-mail', emailCodeRequest, fc.record({ to: text, purpose })),
    trip('code by SMS', smsCodeRequest, fc.record({ to: text, countryId, purpose })),
    trip('captcha', captcha, fc.record({ id: text, image: text, challenge: text })),
    trip(
      'new password',
      passwordReset,
      fc.record({ contact, account: text, countryId, newPassword: text, repeatedPassword: text, code }),
    ),
    trip('documents', consentDocuments, fc.record({ version: text, terms: text, riskDisclosure: text })),
  ])('$name', ({ run }) => {
    run()
  })
})

describe('the exact wire form', () => {
  test('a registration by a form with empty optional fields', () => {
    const form = {
      type: 'mobile',
      area_id: '190',
      account: '91234567',
      mobile: '91234567',
      consent: '1',
      password: 'p',
      re_password: 'p',
      invite_code: '',
      sms_code: '012345',
      key: '',
    }
    expect(decode(registration, form)).toEqual({
      ok: true,
      value: {
        contact: 'mobile',
        countryId: 190,
        account: '91234567',
        password: 'p',
        repeatedPassword: 'p',
        inviteCode: null,
        code: '012345',
        captchaId: null,
        hasConsented: true,
        consentVersion: null,
      },
    })
  })

  test.each([[{ lang: 'xx' }], [{ lang: '' }], [{}]])('no language in %j is refused', (wire) => {
    expect(decode(languageChoice, wire)).toMatchObject({ ok: false, reason: 'notUnderstood', field: 'lang' })
  })

  test('a log-in by e-mail', () => {
    const value = { contact: 'email' as const, account: 'a@b.example', password: 'p' }
    const wire = { login_type: 'email', account: 'a@b.example', password: 'p' }
    expect(JSON.parse(JSON.stringify(encode(loginRequest, value)))).toEqual(wire)
    expect(decode(loginRequest, wire)).toEqual({
      ok: true,
      value: { ...value, countryId: null, authCode: null },
    })
  })

  test.each([
    [{}, 'account'],
    [{ account: 'a' }, 'password'],
    [{ account: 'a', password: 1 }, 'password'],
    [{ account: ['a'], password: 'p' }, 'account'],
    [{ account: 'a', password: 'p', login_type: 'fax' }, 'login_type'],
    [{ demo_id: null }, 'demo_id'],
  ])('a log-in of %j is refused for its %s', (wire, field) => {
    expect(decode(loginRequest, wire)).toMatchObject({ ok: false, reason: 'notUnderstood', field })
  })

  test('a change of password, a reset, a code', () => {
    expect(
      decode(passwordChange, { old_password: 'a', new_password: 'b', type: 'mobile', auth_code: '' }),
    ).toMatchObject({ value: { contact: 'mobile', oldPassword: 'a', newPassword: 'b', authCode: null } })
    const reset = { type: 'email', account: 'a', new_password: 'b', secondary_password: 'b', auth_code: '1' }
    expect(decode(passwordReset, reset)).toMatchObject({
      value: { contact: 'email', account: 'a', newPassword: 'b', repeatedPassword: 'b', code: '1' },
    })
    expect(decode(emailCodeRequest, { to: 'a', type: 2 })).toMatchObject({ value: { purpose: 'reset' } })
    expect(decode(smsCodeRequest, { to: '9', area_id: '0', type: '1' })).toMatchObject({
      reason: 'areaInvalid',
      field: 'area_id',
    })
  })
})

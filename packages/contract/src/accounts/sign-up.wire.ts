import { object } from '../protocol/codec.ts'
import { codeText } from '../protocol/user-text.ts'
import { flag, id, listOf, text, choice, omittableOrBlank, withDefault } from '../protocol/field.ts'

/** A country or territory. */
const country = object({
  id: ['id', id],
  /** ISO 3166-1 alpha-2. */
  code: ['code', text],
  /** Its calling code, without the plus. */
  callingCode: ['global_code', text],
  /** In the caller's language. */
  name: ['name', text],
  /** Residents are not accepted as clients. */
  isBlocked: ['blocked', flag(1, 0)],
})

export const countries = listOf(country)

/** The contact used to log in. */
export const contact = choice({ email: 'email', mobile: 'mobile' })

const countryId = omittableOrBlank(id, 'areaInvalid')

export const registration = object({
  contact: ['type', contact],
  /** The country of residence; for a mobile number also its country. */
  countryId: ['area_id', countryId],
  /** The address, or the number's digits. */
  account: ['account', text],
  password: ['password', text],
  repeatedPassword: ['re_password', text],
  inviteCode: ['invite_code', omittableOrBlank(codeText())],
  /** The code that was sent, or the captcha's answer if the deployment requires one: its digits, or a `workText`. */
  code: ['sms_code', codeText()],
  captchaId: ['key', omittableOrBlank(text)],
  /** Consent to the terms and the risk disclosure. */
  hasConsented: ['consent', withDefault(flag(1, 0), false)],
  /** The version that was shown; null: the current one. */
  consentVersion: ['consent_version', omittableOrBlank(text)],
})

const purpose = choice({ register: 1, reset: 2 })

export const emailCodeRequest = object({ to: ['to', text], purpose: ['type', purpose] })

export const smsCodeRequest = object({
  /** The number's digits. */
  to: ['to', text],
  countryId: ['area_id', countryId],
  purpose: ['type', purpose],
})

/**
 * `image` is a data URL. `challenge`: JSON of an altcha challenge, whose solution is accepted in place of the digits, for those who
 * cannot see them; empty: there is none.
 */
export const captcha = object({
  id: ['id', text],
  image: ['b64s', text],
  challenge: ['altcha', withDefault(text, '')],
})

export const passwordReset = object({
  contact: ['type', contact],
  account: ['account', text],
  countryId: ['area_id', countryId],
  newPassword: ['new_password', text],
  repeatedPassword: ['secondary_password', text],
  code: ['auth_code', codeText()],
})

/** The terms that a new user agrees to, in the caller's language. */
export const consentDocuments = object({
  version: ['version', text],
  terms: ['terms', text],
  riskDisclosure: ['risk_disclosure', text],
})

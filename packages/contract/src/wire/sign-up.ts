import { noun } from '../codec.ts'
import { choice, flag, id, maybeBlank, text, withDefault } from '../field.ts'

/** How somebody is reached, and what they log in with. */
export const contact = choice({ email: 'email', mobile: 'mobile' })

const countryId = maybeBlank(id, 'areaInvalid')

export const registration = noun({
  contact: ['type', contact],
  /** Where the person lives; for a mobile number also its country. */
  countryId: ['area_id', countryId],
  /** The address, or the number's digits. */
  account: ['account', text],
  password: ['password', text],
  repeatedPassword: ['re_password', text],
  inviteCode: ['invite_code', maybeBlank(text)],
  /** The code that was sent, or the captcha's answer where the deployment asks for that. */
  code: ['sms_code', text],
  captchaId: ['key', maybeBlank(text)],
  /** To the terms and the risk disclosure. */
  hasConsented: ['consent', withDefault(flag(1, 0), false)],
  /** Which wording was shown; null: the one in force. */
  consentVersion: ['consent_version', maybeBlank(text)],
})

const purpose = choice({ register: 1, reset: 2 })

export const emailCodeRequest = noun({ to: ['to', text], purpose: ['type', purpose] })

export const smsCodeRequest = noun({
  /** The number's digits. */
  to: ['to', text],
  countryId: ['area_id', countryId],
  purpose: ['type', purpose],
})

/** `image` is a data URL. */
export const captcha = noun({ id: ['id', text], image: ['b64s', text] })

export const passwordReset = noun({
  contact: ['type', contact],
  account: ['account', text],
  countryId: ['area_id', countryId],
  newPassword: ['new_password', text],
  repeatedPassword: ['secondary_password', text],
  code: ['auth_code', text],
})

/** What whoever registers agrees to, in the caller's language. */
export const consentDocuments = noun({
  version: ['version', text],
  terms: ['terms', text],
  riskDisclosure: ['risk_disclosure', text],
})

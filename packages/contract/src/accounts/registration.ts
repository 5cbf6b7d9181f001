import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import {
  countries,
  captcha,
  consentDocuments,
  emailCodeRequest,
  passwordReset,
  registration,
  smsCodeRequest,
  type contact,
} from './sign-up.wire.ts'
import { loggedIn } from './login.wire.ts'

export type Country = Infer<typeof countries>[number]
export type Registration = Infer<typeof registration>
export type PasswordReset = Infer<typeof passwordReset>
export type CodePurpose = Infer<typeof emailCodeRequest>['purpose']
/** By e-mail or by mobile phone. */
export type Contact = Infer<typeof contact>

/** Minimum and maximum length of passwords, in characters. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

/** Digits of a code, and the seconds before another is sent to the same target. */
export const CODE_DIGITS = 6
export const CODE_COUNTDOWN_S = 60

export const listCountries = defineEndpoint({
  name: 'listAreas',
  method: 'GET',
  path: '/api/default/area_list',
  access: ACCESS.information,
  request: nothing,
  response: countries,
  summary: 'Every country with its calling code; the second is the one to preselect',
})

export const getConsentDocuments = defineEndpoint({
  name: 'getConsentDocuments',
  method: 'GET',
  path: '/api/default/consent',
  access: ACCESS.information,
  request: nothing,
  response: consentDocuments,
  summary: 'Terms and risk disclosure, which anybody who registers agrees to, with their version',
})

export const getCaptcha = defineEndpoint({
  name: 'getCaptcha',
  method: 'GET',
  path: '/api/notify/captcha',
  access: ACCESS.signUp,
  request: nothing,
  response: captcha,
  summary: 'A picture of digits to be typed, or a calculation in its place; works once and for a few minutes',
})

export const sendEmailCode = defineEndpoint({
  name: 'sendEmailCode',
  method: 'POST',
  path: '/api/notify/send_email',
  access: ACCESS.signUp,
  request: emailCodeRequest,
  response: nothing,
  summary: 'Sends a code by e-mail; the answer is the same whether an account exists or not',
})

export const sendSmsCode = defineEndpoint({
  name: 'sendSmsCode',
  method: 'POST',
  path: '/api/notify/send_sms',
  access: ACCESS.signUp,
  request: smsCodeRequest,
  response: nothing,
  summary: 'Sends a code by SMS; the answer is the same whether an account exists or not',
})

export const register = defineEndpoint({
  name: 'register',
  method: 'POST',
  path: '/api/user/register',
  isForm: true,
  access: ACCESS.signUp,
  request: registration,
  response: loggedIn,
  summary: 'Opens a real account and logs in to it',
})

export const resetPassword = defineEndpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/user/forget_password',
  access: ACCESS.signUp,
  request: passwordReset,
  response: nothing,
  summary: 'Sets a new password by a code that was sent; ends every session of the user',
})

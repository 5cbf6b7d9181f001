import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import {
  authCode,
  passwordProof,
  recoveryCodes,
  secondFactor,
  secondFactorRemoval,
  secondFactorSecret,
} from './wire/login.ts'

export type SecondFactor = Inside<typeof secondFactor>
export type SecondFactorSecret = Inside<typeof secondFactorSecret>

export const getSecondFactor = defineEndpoint({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/api/user/second_factor',
  access: ACCESS.password,
  request: nothing,
  response: secondFactor,
  summary: 'Whether log-ins and payouts need a second factor, and how many recovery codes are left',
})

export const prepareSecondFactor = defineEndpoint({
  name: 'prepareSecondFactor',
  method: 'POST',
  path: '/api/user/second_factor/prepare',
  access: ACCESS.password,
  request: passwordProof,
  response: secondFactorSecret,
  summary: 'A new secret for an authenticator app; it counts once a code of it is confirmed',
})

export const confirmSecondFactor = defineEndpoint({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/user/second_factor/confirm',
  access: ACCESS.password,
  request: authCode,
  response: recoveryCodes,
  summary: 'Switches the second factor on by a code of the prepared secret; answers recovery codes',
})

export const removeSecondFactor = defineEndpoint({
  name: 'removeSecondFactor',
  method: 'POST',
  path: '/api/user/second_factor/remove',
  access: ACCESS.password,
  request: secondFactorRemoval,
  response: nothing,
  summary: 'Switches the second factor off',
})

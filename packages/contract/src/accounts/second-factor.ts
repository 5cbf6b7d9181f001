import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import {
  authCode,
  passwordProof,
  recoveryCodes,
  secondFactor,
  secondFactorRemoval,
  secondFactorSecret,
} from './login.wire.ts'

export type SecondFactor = Infer<typeof secondFactor>
export type SecondFactorSecret = Infer<typeof secondFactorSecret>

export const getSecondFactor = defineEndpoint({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/api/user/second_factor',
  access: ACCESS.password,
  request: nothing,
  response: secondFactor,
  summary:
    'Whether log-ins and payouts need a second factor, by an app or passkeys, and how many recovery codes are left',
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
  summary: 'Adds the authenticator app by a code of the prepared secret; answers recovery codes',
})

export const removeSecondFactor = defineEndpoint({
  name: 'removeSecondFactor',
  method: 'POST',
  path: '/api/user/second_factor/remove',
  access: ACCESS.password,
  request: secondFactorRemoval,
  response: nothing,
  summary: 'Removes the authenticator app; without passkeys the second factor is off',
})

import { ACCESS } from '../protocol/access.ts'
import { INVALID, type Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { loggedIn, recoveryCodes } from './login.wire.ts'
import {
  addedPasskey,
  keyedProof,
  newPasskey,
  newPasskeyChallenge,
  type PASSKEY_PURPOSES,
  passkeyChallenge,
  passkeyList,
  passkeyLogin,
  passkeyPurpose,
  passkeySignature,
  type passkeyView,
} from './passkeys.wire.ts'
import { ownProof } from './user.wire.ts'

export type PasskeyPurpose = keyof typeof PASSKEY_PURPOSES
export type PasskeyChallenge = Infer<typeof passkeyChallenge>
export type NewPasskeyChallenge = Infer<typeof newPasskeyChallenge>
export type PasskeySignature = Infer<typeof passkeySignature>
export type NewPasskey = Infer<typeof newPasskey>
export type MadePasskey = NewPasskey['passkey']
export type PasskeyView = Infer<typeof passkeyView>

/** A signature as the text that is sent in place of a code of the second factor. */
export const passkeyCode = (signature: PasskeySignature): string =>
  JSON.stringify(passkeySignature.write(signature))

/** Whether a text that was sent as a code is the signature of a passkey: codes are letters and digits. */
export const isPasskeyCode = (code: string): boolean => code.trimStart().startsWith('{')

/** The signature in such a text; null if it is none. */
export function readPasskeyCode(code: string): PasskeySignature | null {
  try {
    const signature = passkeySignature.read(JSON.parse(code), [])
    return signature === INVALID ? null : signature
  } catch {
    return null
  }
}

export const preparePasskeyLogin = defineEndpoint({
  name: 'preparePasskeyLogin',
  method: 'POST',
  path: '/api/user/passkey/login_challenge',
  access: ACCESS.signUp,
  request: nothing,
  response: passkeyChallenge,
  summary: 'A challenge for a log-in by passkey; it is valid once and for five minutes',
})

export const logInByPasskey = defineEndpoint({
  name: 'logInByPasskey',
  method: 'POST',
  path: '/api/user/passkey/login',
  access: ACCESS.signUp,
  request: passkeyLogin,
  response: loggedIn,
  summary: 'Logs in by the signature of a passkey, without a password',
})

export const listPasskeys = defineEndpoint({
  name: 'listPasskeys',
  method: 'GET',
  path: '/api/user/passkeys',
  access: ACCESS.password,
  request: nothing,
  response: passkeyList,
  summary: "The user's passkeys, the newest first",
})

export const preparePasskeyProof = defineEndpoint({
  name: 'preparePasskeyProof',
  method: 'POST',
  path: '/api/user/passkey/challenge',
  access: ACCESS.password,
  request: passkeyPurpose,
  response: passkeyChallenge,
  summary:
    'A challenge whose signature may be sent as `auth_code` of one call of this purpose, as JSON text: `id`, `client_data`, `authenticator_data`, `signature`, `user_handle`',
})

export const preparePasskey = defineEndpoint({
  name: 'preparePasskey',
  method: 'POST',
  path: '/api/user/passkey/prepare',
  access: ACCESS.password,
  request: ownProof,
  response: newPasskeyChallenge,
  summary:
    'A challenge for a new passkey, after a code of the second factor or, where it is off, the password',
})

export const addPasskey = defineEndpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/user/passkey/add',
  access: ACCESS.password,
  request: newPasskey,
  response: addedPasskey,
  summary: 'Adds a passkey; log-ins by password then need it, a code or a recovery code as second factor',
})

export const removePasskey = defineEndpoint({
  name: 'removePasskey',
  method: 'POST',
  path: '/api/user/passkey/remove',
  access: ACCESS.password,
  request: keyedProof,
  response: nothing,
  summary: 'Removes a passkey, after a code of the second factor or the signature of a passkey',
})

export const renewRecoveryCodes = defineEndpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/user/second_factor/recovery_codes',
  access: ACCESS.password,
  request: ownProof,
  response: recoveryCodes,
  summary: 'New recovery codes in place of the earlier ones',
})

import {
  madePasskey,
  newPasskeyChallenge,
  passkeyChallenge,
  passkeyList,
  passkeySignature,
} from '../accounts/passkeys.wire.ts'
import { nothing, text } from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { entered } from './operators.ts'
import { enumeration, record } from './record.ts'

export { isPasskeyCode, passkeyCode, readPasskeyCode } from '../accounts/passkeys.ts'
export type {
  MadePasskey,
  NewPasskeyChallenge,
  PasskeyChallenge,
  PasskeySignature,
  PasskeyView,
} from '../accounts/passkeys.ts'

const NAME_LENGTH = 60

export const prepareDeskPasskeyLogIn = defineDeskEndpoint({
  name: 'prepareDeskPasskeyLogIn',
  method: 'POST',
  path: '/desk/api/passkeys/log-in-challenge',
  permission: null,
  request: nothing,
  response: passkeyChallenge,
  summary: 'A challenge for a log-in by passkey; it is valid once and for five minutes',
})

export const logInToDeskByPasskey = defineDeskEndpoint({
  name: 'logInToDeskByPasskey',
  method: 'POST',
  path: '/desk/api/passkeys/log-in',
  permission: null,
  request: record({ passkey: passkeySignature }),
  response: entered,
  summary: 'Starts a session of an operator by the signature of a passkey, without name, password and code',
})

export const listDeskPasskeys = defineDeskEndpoint({
  name: 'listDeskPasskeys',
  method: 'GET',
  path: '/desk/api/passkeys',
  permission: 'ownAccess',
  request: nothing,
  response: passkeyList,
  summary: "The operator's own passkeys, the newest first",
})

/** What a passkey may prove at the desk in place of a code. */
export const DESK_PASSKEY_PURPOSES = ['confirm', 'password'] as const

export const prepareDeskPasskeyProof = defineDeskEndpoint({
  name: 'prepareDeskPasskeyProof',
  method: 'POST',
  path: '/desk/api/passkeys/challenge',
  permission: 'ownAccess',
  isPreview: true,
  request: record({ purpose: enumeration(DESK_PASSKEY_PURPOSES) }),
  response: passkeyChallenge,
  summary:
    'A challenge whose signature, as JSON text, may be sent in place of a code: to confirm, or for a new password',
})

export const prepareDeskPasskey = defineDeskEndpoint({
  name: 'prepareDeskPasskey',
  method: 'POST',
  path: '/desk/api/passkeys/prepare',
  permission: 'ownAccess',
  needsFreshFactor: true,
  isPreview: true,
  request: nothing,
  response: newPasskeyChallenge,
  summary: 'A challenge for a new passkey',
})

export const addDeskPasskey = defineDeskEndpoint({
  name: 'addDeskPasskey',
  method: 'POST',
  path: '/desk/api/passkeys/add',
  permission: 'ownAccess',
  needsFreshFactor: true,
  request: record({ name: userLine(NAME_LENGTH), passkey: madePasskey }),
  response: nothing,
  summary: 'Adds a passkey for log-ins and in place of codes',
})

export const removeDeskPasskey = defineDeskEndpoint({
  name: 'removeDeskPasskey',
  method: 'POST',
  path: '/desk/api/passkeys/remove',
  permission: 'ownAccess',
  needsFreshFactor: true,
  request: record({ id: text }),
  response: nothing,
  summary: 'Removes a passkey',
})

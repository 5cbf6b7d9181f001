import { object, refine, type Codec } from '../protocol/codec.ts'
import {
  choice,
  flag,
  listOf,
  nullable,
  omittableOrBlank,
  text,
  time,
  withDefault,
} from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'
import { PROOF_FIELDS } from './user.wire.ts'

/** Bytes in base64url, as browsers and authenticators write them. `most`: the maximum number of characters. */
const bytes = (most: number): Codec<string> =>
  refine(text, {
    decode: (value) => (value.length <= most && /^[A-Za-z0-9_-]+$/.test(value) ? value : null),
    encode: (value) => value,
    reason: 'passkeyWrong',
  })

/** The specification allows ids of 1,023 bytes. */
const keyId = bytes(1_364)
/** Characters, several times what browsers send. */
const CLIENT_DATA_LENGTH = 2_000
const SIGNATURE_LENGTH = 1_000
const ATTESTATION_LENGTH = 16_000
const HANDLE_LENGTH = 100
const TRANSPORT_LENGTH = 20
const NAME_LENGTH = 60

const knownKey = object({ id: ['id', keyId], transports: ['transports', listOf(text)] })

/** The proofs that a passkey can give in place of a code. Each is valid for one kind of call only. */
export const PASSKEY_PURPOSES = {
  withdrawal: 'withdrawal',
  payoutMethod: 'payout_method',
  password: 'password',
  secondFactor: 'second_factor',
  passkeys: 'passkeys',
  dataCopy: 'data_copy',
  closing: 'closing',
  copying: 'copying',
} as const

export const passkeyPurpose = object({ purpose: ['purpose', choice(PASSKEY_PURPOSES)] })

/** What a passkey has to sign. Without keys, the browser offers those that it has for the domain. */
export const passkeyChallenge = object({
  challenge: ['challenge', text],
  domain: ['rp_id', text],
  keys: ['keys', listOf(knownKey)],
})

/** What a new passkey is made for. `keys`: those that exist, so that one device does not make two. */
export const newPasskeyChallenge = object({
  challenge: ['challenge', text],
  domain: ['rp_id', text],
  keys: ['keys', listOf(knownKey)],
  /** The account, as the device lists it. */
  account: ['account', text],
  handle: ['user_handle', text],
})

/** The answer of a passkey to a challenge. */
export const passkeySignature = object({
  id: ['id', keyId],
  clientData: ['client_data', bytes(CLIENT_DATA_LENGTH)],
  authenticatorData: ['authenticator_data', bytes(SIGNATURE_LENGTH)],
  signature: ['signature', bytes(SIGNATURE_LENGTH)],
  handle: ['user_handle', omittableOrBlank(bytes(HANDLE_LENGTH))],
})

/** A passkey that a device has made. */
export const madePasskey = object({
  id: ['id', keyId],
  clientData: ['client_data', bytes(CLIENT_DATA_LENGTH)],
  attestation: ['attestation', bytes(ATTESTATION_LENGTH)],
  transports: ['transports', listOf(userLine(TRANSPORT_LENGTH))],
})

export const newPasskey = object({
  name: ['name', withDefault(userLine(NAME_LENGTH), '')],
  passkey: ['passkey', madePasskey],
})

/** The recovery codes made for the first passkey; null where the account has some already. */
export const addedPasskey = object({ recoveryCodes: ['recovery_codes', nullable(listOf(text))] })

/** A passkey, as its owner sees it. */
export const passkeyView = object({
  id: ['id', keyId],
  name: ['name', text],
  createdAt: ['created_time', time],
  usedAt: ['used_time', nullable(time)],
  /** The device's maker keeps copies of it on other devices of its owner. */
  isSynced: ['is_synced', flag(1, 0)],
  /** It was made for another domain and does not work at this one. */
  isOfOtherDomain: ['other_domain', flag(1, 0)],
})

export const passkeyList = object({ passkeys: ['passkeys', listOf(passkeyView)] })

/** The id of a passkey, and the proof that its owner asks. */
export const keyedProof = object({ id: ['id', keyId], ...PROOF_FIELDS })

export const passkeyLogin = object({ passkey: ['passkey', passkeySignature] })

import {
  type MadePasskey,
  type NewPasskeyChallenge,
  type PasskeyChallenge,
  type PasskeySignature,
  type PasskeyView,
  readPasskeyCode,
} from '@fairlot/contract'
import type { PasskeySite } from '../config/passkey-site.ts'
import type { Queries } from '../database/database.ts'
import type { PasskeyTable } from '../database/user-schema.ts'
import { passkeyParts, passkeyVerifier } from '../lazy-packages.ts'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'
import { newSecret } from './secrets.ts'

/** Whom a passkey belongs to. Users and operators have the same ids. */
export type PasskeyOwner = { readonly kind: 'user' | 'operator'; readonly id: number }
type Kind = PasskeyOwner['kind']

/** A new passkey that has been verified. */
type VerifiedPasskey = Pick<
  PasskeyTable,
  'id' | 'public_key' | 'counter' | 'transports' | 'is_synced' | 'domain'
>

/** Passkeys of users and operators: making, using and removing them. Each challenge is valid once, for five minutes. */
export type Passkeys = {
  /** The domain of passkeys; null where browsers offer none: then every challenge is refused. */
  readonly domain: string | null
  /** For a log-in: who signs it is known only afterwards. */
  challengeLogin(kind: Kind): PasskeyChallenge | Refusal
  /** For one use of a purpose. A further challenge for the same purpose replaces it. */
  challengeProof(owner: PasskeyOwner, purpose: string): Promise<PasskeyChallenge | Refusal>
  /** For a new passkey. `account`: the name under which the device lists it. */
  challengeNew(owner: PasskeyOwner, account: string): Promise<NewPasskeyChallenge | Refusal>
  /** The id of the owner who signed a log-in. */
  logIn(kind: Kind, signature: PasskeySignature): Promise<number | Refusal>
  /** Null for a right signature, given as the text of `passkeyCode`, of a challenge for this owner and purpose. */
  prove(owner: PasskeyOwner, purpose: string, code: string): Promise<Refusal | null>
  verifyNew(owner: PasskeyOwner, made: MadePasskey): Promise<VerifiedPasskey | Refusal>
  /** Stores a verified passkey; null when done. `at` is epoch ms. */
  add(
    owner: PasskeyOwner,
    passkey: VerifiedPasskey & { readonly name: string; readonly at: number },
    within: Queries,
  ): Promise<Refusal | null>
  /** The newest first. */
  list(owner: PasskeyOwner, within?: Queries): Promise<PasskeyView[]>
  /** Removes one of the owner's passkeys and returns its name. */
  remove(owner: PasskeyOwner, id: string, within: Queries): Promise<string | Refusal>
}

type PasskeyOptions = {
  readonly queries: Queries
  readonly site: PasskeySite | null
  /** Real time, epoch ms. */
  readonly now: () => number
  /** Receives sentences for the operator's log. */
  readonly warn: (sentence: string) => void
}

const PASSKEYS_MAX = 20
/** The purpose of challenges for new passkeys; not one that a client can name. */
const NEW = 'new passkey'
/** The COSE numbers of ES256, EdDSA and RS256, which all devices know at least one of. */
const ALGORITHMS = [-7, -8, -257]

export function createPasskeys({ queries, site, now, warn }: PasskeyOptions): Passkeys {
  const challenges = createChallenges(now)

  const rowsOf = (owner: PasskeyOwner, within = queries) =>
    within
      .selectFrom('passkey')
      .selectAll()
      .where(columnOf(owner.kind), '=', BigInt(owner.id))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
  const knownKeysOf = async (owner: PasskeyOwner, { domain }: PasskeySite) =>
    (await rowsOf(owner))
      .filter((row) => row.domain === domain)
      .map(({ id, transports }) => ({ id, transports: JSON.parse(transports) as string[] }))

  /** Checks the signature of a challenge that has been taken, and returns the owner of its passkey. */
  const verify = async (
    kind: Kind,
    owner: PasskeyOwner | null,
    signature: PasskeySignature,
    { domain, origins }: PasskeySite,
  ): Promise<PasskeyOwner | Refusal> => {
    const row = await queries
      .selectFrom('passkey')
      .selectAll()
      .where('id', '=', signature.id)
      .where(columnOf(kind), 'is not', null)
      .executeTakeFirst()
    const id = Number(row?.[columnOf(kind)])
    if (row?.domain !== domain || (owner !== null && id !== owner.id)) return refuse('passkeyUnknown')
    const signer = { kind, id }
    if (signature.handle !== null && signature.handle !== handleOf(signer)) return refuse('passkeyWrong')
    if (!isUserVerified(signature.authenticatorData)) return refuse('passkeyUnverified')
    const checked = await passkeyVerifier()
      .verifyAuthenticationResponse({
        response: shownSignature(signature),
        expectedChallenge: challengeIn(signature.clientData) ?? '',
        expectedOrigin: [...origins],
        expectedRPID: domain,
        // The counter is judged below: synced passkeys have none that could be compared.
        credential: { id: row.id, publicKey: Buffer.from(row.public_key, 'base64url'), counter: 0 },
      })
      .catch(() => null)
    if (checked === null || !checked.verified) return refuse('passkeyWrong')
    const counter = BigInt(checked.authenticationInfo.newCounter)
    if (counter <= row.counter && row.counter > 0n) {
      const isAccepted = row.is_synced === 1n
      warn(
        `the counter of a passkey of ${kind} ${id} went back from ${row.counter} to ${counter}: ${isAccepted ? 'accepted, as the passkey is synced' : 'refused, as there may be a copy of the device'}`,
      )
      if (!isAccepted) return refuse('passkeyWrong')
    }
    const { numUpdatedRows } = await queries
      .updateTable('passkey')
      .set({ counter, used_at: BigInt(Math.floor(now())) })
      .where('id', '=', row.id)
      .executeTakeFirst()
    return numUpdatedRows === 1n ? signer : refuse('passkeyUnknown')
  }

  return {
    domain: site?.domain ?? null,
    challengeLogin: (kind) => {
      if (site === null) return refuse('passkeysOff')
      return { challenge: challenges.forLogin(kind), domain: site.domain, keys: [] }
    },
    challengeProof: async (owner, purpose) => {
      if (site === null) return refuse('passkeysOff')
      const keys = await knownKeysOf(owner, site)
      if (keys.length === 0) return refuse('passkeyUnknown')
      return { challenge: challenges.forOwner(owner, purpose), domain: site.domain, keys }
    },
    challengeNew: async (owner, account) => {
      if (site === null) return refuse('passkeysOff')
      const keys = await knownKeysOf(owner, site)
      const challenge = challenges.forOwner(owner, NEW)
      return { challenge, domain: site.domain, keys, account, handle: handleOf(owner) }
    },
    logIn: async (kind, signature) => {
      if (site === null) return refuse('passkeysOff')
      if (!challenges.takeLogin(kind, challengeIn(signature.clientData))) return refuse('passkeyExpired')
      const signer = await verify(kind, null, signature, site)
      return isRefusal(signer) ? signer : signer.id
    },
    prove: async (owner, purpose, code) => {
      if (site === null) return refuse('passkeysOff')
      const signature = readPasskeyCode(code)
      if (signature === null) return refuse('passkeyWrong')
      if (!challenges.takeOwn(owner, purpose, challengeIn(signature.clientData)))
        return refuse('passkeyExpired')
      const signer = await verify(owner.kind, owner, signature, site)
      return isRefusal(signer) ? signer : null
    },
    verifyNew: async (owner, made) => {
      if (site === null) return refuse('passkeysOff')
      const challenge = challengeIn(made.clientData)
      if (challenge === null || !challenges.takeOwn(owner, NEW, challenge)) return refuse('passkeyExpired')
      return verifyMade(made, challenge, site)
    },
    add: async (owner, { at, ...passkey }, within) => {
      if ((await rowsOf(owner, within)).length >= PASSKEYS_MAX) return refuse('tooManyPasskeys')
      const added = await within
        .insertInto('passkey')
        .values({
          ...passkey,
          user_id: owner.kind === 'user' ? BigInt(owner.id) : null,
          operator_id: owner.kind === 'operator' ? BigInt(owner.id) : null,
          created_at: BigInt(Math.floor(at)),
          used_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return added ? null : refuse('passkeyTaken')
    },
    list: async (owner, within) =>
      (await rowsOf(owner, within)).map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: Number(row.created_at),
        usedAt: row.used_at === null ? null : Number(row.used_at),
        isSynced: row.is_synced === 1n,
        isOfOtherDomain: row.domain !== site?.domain,
      })),
    remove: async (owner, id, within) => {
      const removed = await within
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where(columnOf(owner.kind), '=', BigInt(owner.id))
        .returning('name')
        .executeTakeFirst()
      return removed ? removed.name : refuse('passkeyUnknown')
    },
  }
}

const columnOf = (kind: Kind) => (kind === 'user' ? 'user_id' : 'operator_id')

/** Removes all passkeys of an owner whose access is reset. */
export const removePasskeys = async (owner: PasskeyOwner, within: Queries): Promise<void> =>
  void (await within.deleteFrom('passkey').where(columnOf(owner.kind), '=', BigInt(owner.id)).execute())

/** The handle that a device stores with a passkey: it keeps one passkey for each handle. */
const handleOf = ({ kind, id }: PasskeyOwner): string => Buffer.from(`${kind} ${id}`).toString('base64url')

const VALID_FOR_MS = 300_000
/** Open challenges of each sort; beyond this the oldest is dropped. */
const OPEN_MAX = 10_000

/**
 * The open challenges. They are in memory: after a restart they are requested again. Those of log-ins, which anybody can
 * request, are kept apart, so that strangers cannot displace those of users.
 */
function createChallenges(now: () => number) {
  type Open = Map<string, { readonly challenge: string; readonly until: number }>
  const [ofLogins, ofOwners]: [Open, Open] = [new Map(), new Map()]

  const open = (where: Open, keyOf: (challenge: string) => string): string => {
    const challenge = newSecret()
    const key = keyOf(challenge)
    // To the end, so that the first is always the oldest.
    where.delete(key)
    where.set(key, { challenge, until: now() + VALID_FOR_MS })
    const oldest = where.keys().next()
    if (where.size > OPEN_MAX && !oldest.done) where.delete(oldest.value)
    return challenge
  }
  const take = (where: Open, key: string, challenge: string | null): boolean => {
    const found = where.get(key)
    if (found?.challenge !== challenge) return false
    where.delete(key)
    return found !== undefined && now() < found.until
  }
  const loginKey = (kind: Kind, challenge: string | null) => `${kind} ${challenge ?? ''}`
  const ownKey = ({ kind, id }: PasskeyOwner, purpose: string) => `${kind} ${id} ${purpose}`
  return {
    forLogin: (kind: Kind) => open(ofLogins, (challenge) => loginKey(kind, challenge)),
    takeLogin: (kind: Kind, challenge: string | null) => take(ofLogins, loginKey(kind, challenge), challenge),
    forOwner: (owner: PasskeyOwner, purpose: string) => open(ofOwners, () => ownKey(owner, purpose)),
    takeOwn: (owner: PasskeyOwner, purpose: string, challenge: string | null) =>
      take(ofOwners, ownKey(owner, purpose), challenge),
  }
}

/** The challenge that a client claims to have signed, not verified yet; null for none. */
function challengeIn(clientData: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown } | null
    return typeof data?.challenge === 'string' ? data.challenge : null
  } catch {
    return null
  }
}

/** After the hash of the domain, one byte of flags; this one says that the device has checked who is using it. */
const FLAGS_AT = 32
const USER_VERIFIED = 0x04

/** Whether the device has checked its user. The verifier demands it too; this tells it from other faults. */
const isUserVerified = (authenticatorData: string): boolean =>
  ((Buffer.from(authenticatorData, 'base64url')[FLAGS_AT] ?? 0) & USER_VERIFIED) !== 0

/** A signature as the verifier expects it. */
const shownSignature = ({ id, clientData, authenticatorData, signature }: PasskeySignature) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
  response: { clientDataJSON: clientData, authenticatorData, signature },
})

async function verifyMade(
  { id, clientData, attestation, transports }: MadePasskey,
  challenge: string,
  { domain, origins }: PasskeySite,
): Promise<VerifiedPasskey | Refusal> {
  const bare = withoutStatement(attestation)
  if (bare === null) return refuse('passkeyWrong')
  if (!isUserVerified(bare.authenticatorData)) return refuse('passkeyUnverified')
  const checked = await passkeyVerifier()
    .verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, attestationObject: bare.attestation },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: domain,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    .catch(() => null)
  if (checked?.registrationInfo?.credential.id !== id) return refuse('passkeyWrong')
  const { credential, credentialDeviceType } = checked.registrationInfo
  return {
    id,
    domain,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: BigInt(credential.counter),
    transports: JSON.stringify(transports.slice(0, TRANSPORTS_MAX)),
    is_synced: credentialDeviceType === 'multiDevice' ? 1n : 0n,
  }
}

const TRANSPORTS_MAX = 6

/**
 * An attestation without what a maker states about its device; null for bytes that are none. The verifier would follow
 * the addresses in a maker's certificates, and anybody could send their own.
 */
function withoutStatement(
  attestation: string,
): { readonly attestation: string; readonly authenticatorData: string } | null {
  const { decodeAttestationObject, isoCBOR } = passkeyParts()
  try {
    const authData = decodeAttestationObject(Buffer.from(attestation, 'base64url')).get('authData')
    if (!(authData instanceof Uint8Array)) return null
    const parts = new Map<string, string | Uint8Array | Map<string, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ])
    return {
      attestation: Buffer.from(isoCBOR.encode(parts)).toString('base64url'),
      authenticatorData: Buffer.from(authData).toString('base64url'),
    }
  } catch {
    return null
  }
}

/** A sentence for the log about passkeys that the setting of their domain has made useless; null for none. */
export async function passkeysOfOtherDomains(
  queries: Queries,
  site: PasskeySite | null,
): Promise<string | null> {
  const rows = await queries
    .selectFrom('passkey')
    .select(({ fn }) => ['domain', fn.countAll<bigint>().as('count')])
    .groupBy('domain')
    .orderBy('domain')
    .execute()
  const others = rows.filter(({ domain }) => domain !== site?.domain)
  if (others.length === 0) return null
  const counts = others.map(({ domain, count }) => `${count} of ${domain}`).join(', ')
  return `passkeys that do not work at ${site?.domain ?? 'this address'}: ${counts}. Set PASSKEY_DOMAIN back, or their owners log in by password and a recovery code and add new ones`
}

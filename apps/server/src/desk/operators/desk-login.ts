import type { PasskeySignature } from '@fairlot/contract/desk'
import { createMutex } from '../../platform/concurrency.ts'
import type { Queries } from '../../platform/database/open.ts'
import { networkOf } from '../../platform/network-address.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { createAttemptLimit, withAttemptLimits } from '../../platform/security/attempt-limits.ts'
import { fingerprintOf, type Origin } from '../../platform/security/known-logins.ts'
import type { Hasher } from '../../platform/security/password-hash.ts'
import type { Passkeys } from '../../platform/security/passkeys.ts'
import { checkPassword } from '../../platform/security/password-rule.ts'
import { secretHash } from '../../platform/security/secrets.ts'
import type { AuditLog } from '../audit-log/audit-log.ts'
import type { EngineCommands } from '../audit-log/engine-commands.ts'
import {
  changeOperatorRow,
  CONFIRMATION_TRIES,
  confirmationHash,
  type DeskOperator,
  findInvited,
  findOperator,
  findOperatorByName,
  nameKey,
  NO_KEYS,
  type OperatorRow,
} from './operators.ts'
import type { DeskSessions } from './desk-sessions.ts'
import { isSlip, type OperatorFactor } from './operator-factor.ts'
import type { RecoveryService } from './recovery.ts'

export type LoginOptions = {
  readonly recovery: Pick<RecoveryService, 'find' | 'join'>
  readonly queries: Queries
  readonly sessions: DeskSessions
  readonly factor: OperatorFactor
  readonly passkeys: Passkeys
  readonly hasher: Hasher
  readonly auditLog: AuditLog
  readonly engineCommands: EngineCommands
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly limits: { readonly failedLoginsPerAddress: number; readonly failedLoginsPerAccount: number }
}

const OPERATOR_JOINED = 'operatorJoined'
type Joined = { readonly id: number; readonly passwordHash: string }

type Joining = { readonly invitation: string; readonly confirmation: string; readonly password: string }

/** The password is right, and no code was given. */
type CodeMissing = { readonly codeNeeded: Refusal }

type Credentials = { readonly name: string; readonly password: string; readonly code: string | null }

const INVITATION_INVALID = refuse('invitationInvalid', { field: 'invitation' })

/** The id of no operator. */
const NOBODY = 0

/** The limit per name from all networks is so many times that from one, so that guessing does not lock out the owner. */
const ANYWHERE_FACTOR = 10

const deskOperator = ({ id, name, role }: OperatorRow): DeskOperator => ({ id, name, role })

/** The log-in of operators: by name, password and code, or the first time with an invitation and its confirmation. */
export function createDeskLogin({
  queries,
  sessions,
  factor,
  passkeys,
  hasher,
  auditLog,
  engineCommands,
  recovery,
  now,
  limits,
}: LoginOptions) {
  engineCommands.registerEffect(OPERATOR_JOINED, async (within, body) => {
    const { id, passwordHash } = body as Joined
    await changeOperatorRow(within, id, { password_hash: passwordHash, ...NO_KEYS })
  })
  const perAddress = createAttemptLimit(() => limits.failedLoginsPerAddress)
  const perName = createAttemptLimit(() => limits.failedLoginsPerAccount)
  const perNameAnywhere = createAttemptLimit(() => limits.failedLoginsPerAccount * ANYWHERE_FACTOR)
  const withLock = createMutex()
  const known = createKnownLogins(queries)

  /**
   * A wrong name and a wrong password get the same answer after the same work. A right password without its code is
   * not counted as a failure: it reveals nothing. Wrong codes are counted, and recorded, as the password was right.
   */
  const checkCredentials = async (
    found: OperatorRow | null,
    { password, code }: Credentials,
  ): Promise<OperatorRow | CodeMissing | Refusal> => {
    const isRight = await hasher.verify(password, found?.is_on === 1n ? found.password_hash : null)
    if (!found || !isRight) return refuse('credentialsWrong')
    const refusal = await factor.refusalOf(found, code)
    if (!refusal) return found
    if (refusal.rejected === 'secondFactorNeeded') return { codeNeeded: refusal }
    const operator = deskOperator(found)
    await auditLog.recordRefusal({ operator, act: 'ownAccess', subject: `operator:${found.id}` }, refusal)
    return refusal
  }

  const startSession = async (
    row: OperatorRow,
    origin: Origin,
    by: { readonly loggedInBy?: 'passkey' } = {},
  ): Promise<string | Refusal> => {
    const { address, device } = origin
    const subject = `operator:${row.id}`
    const isEnrolled = row.totp_confirmed_at !== null
    const loggedInFrom = placeOf(origin)
    const refusal = await auditLog.performWithoutReason(
      { operator: deskOperator(row), act: 'ownAccess', subject, after: { loggedInFrom, ...by } },
      async (within) => (isEnrolled ? null : endEnrolment(within, row.id)),
    )
    if (refusal) return refusal
    known.add(row.id, origin)
    const token = await sessions.start(row.id, { address, device }, isEnrolled)
    // Ends other log-ins that were waiting to set up a second factor with the same password.
    if (!isEnrolled) await sessions.endAll(row.id, secretHash(token))
    return token
  }

  /**
   * The limits that a wrong password counts against. Strangers who guess, from one network or many, lock out each
   * other but not the owner: where the owner has logged in before, only a limit of that browser applies. The first
   * administrator, who has logged in nowhere yet, has no limit over all networks, which strangers could use up.
   */
  const attemptLimitsFor = async (name: string, found: OperatorRow | null, origin: Origin) => {
    const { network } = origin
    if (await known.has(found?.id ?? NOBODY, origin))
      return [[perName, `${name} ${fingerprintOf(origin)}`]] as const
    const ofNetwork = [
      [perAddress, network],
      [perName, `${name} ${network}`],
    ] as const
    return found && (await known.isNew(found.id))
      ? ofNetwork
      : ([...ofNetwork, [perNameAnywhere, name]] as const)
  }

  const logIn = async (credentials: Credentials, origin: Origin): Promise<string | Refusal> => {
    // Before the password is looked at, so that the answer says nothing of it.
    if (isSlip(credentials.code)) return refuse('secondFactorWrong', { field: 'code' })
    const found = await findOperatorByName(queries, credentials.name)
    const attemptLimits = await attemptLimitsFor(nameKey(credentials.name), found, origin)
    const row = await withAttemptLimits(attemptLimits, () => checkCredentials(found, credentials))
    if (isRefusal(row)) return row
    return 'codeNeeded' in row ? row.codeNeeded : withLock(() => startSession(row, origin))
  }

  /** The device has checked the operator, so a passkey stands for name, password and code. */
  const logInByPasskey = async (signature: PasskeySignature, origin: Origin): Promise<string | Refusal> => {
    const id = await withAttemptLimits([[perAddress, `passkey ${origin.network}`]], () =>
      passkeys.logIn('operator', signature),
    )
    if (isRefusal(id)) return id
    return withLock(async () => {
      const row = await findOperator(queries, id)
      // Switched off or reset since.
      if (row?.is_on !== 1n || row.password_hash === null || row.totp_confirmed_at === null)
        return refuse('passkeyUnknown')
      return startSession(row, origin, { loggedInBy: 'passkey' })
    })
  }

  /** A wrong confirmation is counted in the row before it is refused: too many end the invitation, from whatever network. */
  const checkKeys = (hash: string, confirmation: string): Promise<OperatorRow | Refusal> =>
    auditLog.withoutEntry(async (within) => {
      const invited = await findInvited(within, hash, now())
      if (!invited) return INVITATION_INVALID
      if (invited.confirmation_hash === confirmationHash(confirmation)) return invited
      const tries = Number(invited.confirmation_tries ?? 0) + 1
      await changeOperatorRow(within, invited.id, {
        ...(tries < CONFIRMATION_TRIES ? { confirmation_tries: BigInt(tries) } : NO_KEYS),
      })
      return refuse('confirmationWrong', { field: 'confirmation' })
    })

  const join = async (
    { invitation, confirmation, password }: Joining,
    origin: Origin,
  ): Promise<string | Refusal> => {
    const hash = secretHash(invitation)
    const recovered = recovery.find(hash, confirmation)
    if (recovered) {
      const weak = await checkPassword(password, recovered.name)
      if (weak) return weak
      const passwordHash = await hasher.hash(password)
      const id = await withLock(() => recovery.join(recovered, passwordHash, placeOf(origin)))
      if (isRefusal(id)) return id
      known.add(id, origin)
      return sessions.start(id, { address: origin.address, device: origin.device }, false)
    }
    const invited = await withAttemptLimits([[perAddress, origin.network]], () =>
      checkKeys(hash, confirmation),
    )
    if (isRefusal(invited)) return invited
    const weak = await checkPassword(password, invited.name)
    if (weak) return weak
    const passwordHash = await hasher.hash(password)
    const joined = await withLock(async () => {
      // Two may open the same link: the second is refused.
      if (!(await findInvited(queries, hash, now()))) return INVITATION_INVALID
      return engineCommands.execute(
        {
          operator: deskOperator(invited),
          act: 'ownAccess',
          subject: `operator:${invited.id}`,
          reason: 'joined with both keys',
          // Both keys prove that the browser is the operator's: guesses of strangers do not lock it out.
          after: { joined: true, loggedInFrom: placeOf(origin) },
          effect: { name: OPERATOR_JOINED, body: { id: invited.id, passwordHash } satisfies Joined },
        },
        { type: 'joinOperator' },
      )
    })
    if (isRefusal(joined)) return joined
    known.add(invited.id, origin)
    const { address, device } = origin
    return sessions.start(invited.id, { address, device }, false)
  }

  return { logIn, logInByPasskey, join }
}

/** Where somebody is, as kept in an audit entry. */
const placeOf = ({ address, device, network }: Origin) => ({
  address,
  device,
  ...(network !== networkOf(address) && { network }),
})

/** Before a second factor is set up, a new log-in invalidates the secret that an earlier one has prepared. */
async function endEnrolment(within: Queries, id: number): Promise<Refusal | null> {
  const row = await findOperator(within, id)
  // It was set up after the password was checked.
  if (row?.totp_confirmed_at !== null) return refuse('secondFactorNeeded')
  await changeOperatorRow(within, id, { totp_secret: null })
  return null
}

/** The browsers and networks from which operators have logged in. */
export type KnownLogins = {
  /** `operatorId`: 0 for an unknown name, which takes the same work. */
  has(operatorId: number, origin: Origin): Promise<boolean>
  /** True for an operator who has neither joined nor logged in anywhere. */
  isNew(operatorId: number): Promise<boolean>
  add(operatorId: number, origin: Origin): void
}

/** The most log-ins read for each operator. */
const LATEST_MAX = 500

/** Reads each operator's log-ins from the audit log once and caches them. */
export function createKnownLogins(queries: Queries): KnownLogins {
  const known = new Map<number, Promise<Set<string>>>()
  const of = (operatorId: number): Promise<Set<string>> => {
    const found = known.get(operatorId)
    if (found) return found
    const read = readLogins(queries, operatorId)
    known.set(operatorId, read)
    read.catch(() => known.delete(operatorId))
    return read
  }
  return {
    has: async (operatorId, origin) => (await of(operatorId)).has(fingerprintOf(origin)),
    isNew: async (operatorId) => (await of(operatorId)).size === 0,
    add: (operatorId, origin) =>
      void of(operatorId).then(
        (prints) => prints.add(fingerprintOf(origin)),
        () => undefined,
      ),
  }
}

async function readLogins(queries: Queries, operatorId: number): Promise<Set<string>> {
  const rows = await queries
    .selectFrom('desk_act')
    .select('after')
    .where('operator_id', '=', BigInt(operatorId))
    .where('act', '=', 'ownAccess')
    .where('outcome', '=', 'done')
    .where('after', 'like', '%loggedInFrom%')
    .orderBy('id', 'desc')
    .limit(LATEST_MAX)
    .execute()
  return new Set(rows.flatMap(({ after }) => fingerprintIn(after) ?? []))
}

/** The fingerprint in an audit entry; null if it has none. */
function fingerprintIn(after: string | null): string | null {
  const { loggedInFrom: from } = JSON.parse(after ?? '{}') as { loggedInFrom?: Partial<Origin> }
  if (typeof from?.address !== 'string' || typeof from.device !== 'string') return null
  return fingerprintOf({ device: from.device, network: from.network ?? networkOf(from.address) })
}

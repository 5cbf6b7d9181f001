import {
  createDemoAccount,
  deviceName,
  endSession,
  listSessions,
  logIn,
  logInByPasskey,
  logOut,
  logOutEverywhere,
  type LoggedIn,
  type LoginRequest,
  type PasskeySignature,
  preparePasskeyLogin,
} from '@fairlot/contract'
import { sql } from 'kysely'
import type { Queries } from '../platform/database/open.ts'
import { noteActivity } from '../platform/database/user-activity.ts'
import type { Api } from '../platform/http/api.ts'
import { newSecret, secretHash } from '../platform/security/secrets.ts'
import { createBurstLimit, createLimit } from '../platform/rate-limits.ts'
import { maskedAddress, networkOf } from '../platform/network-address.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import { writeNotice } from '../engine/projection/notice-facts.ts'
import { originText } from '../notices/notice-text.ts'
import { withAttemptLimits } from '../platform/security/attempt-limits.ts'
import { refuseWhenBusy } from '../platform/security/password-hash.ts'
import { isPossibleCode } from '../platform/security/second-factor.ts'
import { type AuthServices, countryOf, openAccount } from './auth-services.ts'
import { attemptKey, refusalOfAccount } from './identity.ts'
import { fingerprintOf, isKnownBrowser, saveOrigin, type Origin } from '../platform/security/known-logins.ts'
import { addUser, type RegisteredUser } from './users.ts'

type Credentials = Exclude<LoginRequest, { demoId: string }>
type Result = Promise<LoggedIn | Refusal>

/** Challenges for log-ins per network: a log-in page requests one when it opens, and again every few minutes. */
const CHALLENGES = { perSecond: 5, burst: 50 }
const HOUR_S = 3_600
const HOUR_MS = 3_600_000
/** The id of no user. */
const NO_USER = 0

/** Demo accounts, log-in, log-out and the list of sessions. */
export function registerLogin(api: Api, parts: AuthServices): void {
  const { queries, engine, sessions } = parts
  const demoAccounts = createLimit(() => parts.limits.demoAccountsPerHour, HOUR_S)
  const challenges = createBurstLimit(CHALLENGES.perSecond, CHALLENGES.burst)
  const login = createLogin(parts)

  api.visitor(createDemoAccount, async ({ network }) => {
    if (!(await demoAccounts(network))) return refuse('tooManyRequests')
    const id = await openAccount(engine, 'demo')
    if (isRefusal(id)) return id
    const demoId = newSecret()
    // After a crash before this line the account has no owner, as no one has its secret.
    await addUser(parts, { id, demoHash: secretHash(demoId) }, queries)
    return { demoId }
  })

  api.visitor(
    logIn,
    refuseWhenBusy(({ input, ...origin }) =>
      'demoId' in input ? login.withDemoId(input.demoId, origin) : login.withPassword(input, origin),
    ),
  )

  api.visitor(preparePasskeyLogin, async ({ network }) =>
    (await challenges(network)) ? parts.passkeys.challengeLogin('user') : refuse('tooManyRequests'),
  )

  api.visitor(logInByPasskey, ({ input, ...origin }) => login.withPasskey(input.passkey, origin))

  api.user(logOut, async ({ token }) => {
    if (token !== null) await sessions.end(token)
    return null
  })

  api.user(logOutEverywhere, async ({ user, address, device }) => {
    await sessions.endAll(user.id)
    await noteActivity(queries, {
      userId: user.id,
      kind: 'loggedOutEverywhere',
      at: parts.now(),
      address,
      device,
    })
    return null
  })

  api.user(listSessions, ({ user, token }) => sessions.list(user.id, token))

  api.user(endSession, async ({ user, input, address, device }) => {
    if (!(await sessions.endById(user.id, input.id))) return refuse('sessionUnknown')
    await noteActivity(queries, {
      userId: user.id,
      kind: 'sessionEnded',
      at: parts.now(),
      address,
      device,
    })
    return null
  })
}

function createLogin(parts: AuthServices) {
  const { queries, sessions, findUser, addressLimit, accountLimit, anywhereLimit, onError } = parts

  const withDemoId = async (demoId: string, { address, device, network }: Origin): Result => {
    const user = await withAttemptLimits([[addressLimit, network]], async () => {
      const row = await queries
        .selectFrom('app_user')
        .select('id')
        .where('demo_hash', '=', secretHash(demoId))
        .executeTakeFirst()
      return (row && (await findUser(Number(row.id)))) ?? refuse('demoIdUnknown', { field: 'demo_id' })
    })
    if (isRefusal(user)) return user
    const token = await sessions.start(user.id, { address, device })
    await noteActivity(queries, { userId: user.id, kind: 'loggedIn', at: parts.now(), address, device })
    return { token, user }
  }

  /**
   * The limits that a wrong password counts against. In a browser where the owner has logged in before, only a limit of
   * that browser applies: neither guesses from many networks nor strangers behind the same proxy can lock the owner out.
   * The browser is looked up whether the account exists or not.
   */
  const attemptLimitsOf = async (account: string, user: RegisteredUser | null, origin: Origin) => {
    const fingerprint = fingerprintOf(origin)
    const isKnown = await isKnownBrowser(queries, user?.userId ?? NO_USER, fingerprint)
    return isKnown
      ? ([[accountLimit, `${account} ${fingerprint}`]] as const)
      : ([
          [addressLimit, origin.network],
          [accountLimit, `${account} ${origin.network}`],
          [anywhereLimit, account],
        ] as const)
  }

  /** Runs after the response, so that the response takes no longer for an account that exists. */
  const recordFailure = ({ userId }: RegisteredUser, kind: FailedKind, origin: Origin): void =>
    void setImmediate(() => {
      const { address, device } = origin
      const failed = { userId, kind, at: parts.now(), address, device }
      recordFailedLogin(queries, failed).catch((error: unknown) =>
        onError(error, 'recording a failed log-in'),
      )
    })

  /** A wrong account and a wrong password get the same response after the same work. */
  const withPassword = async (credentials: Credentials, given: Origin): Result => {
    const { address, device, network } = given
    const origin = { address, device, network }
    const { contact, account, password, authCode = null } = credentials
    const area = countryOf(parts, credentials)
    if (isRefusal(area)) return area
    // By what was typed alone, so that the answer says nothing of any account.
    const wrong = refusalOfAccount(contact, account, area)
    if (wrong) return wrong
    const key = attemptKey(contact, account, area)
    const found = await parts.users.byTyped(contact, account, area)
    const user = await withAttemptLimits(await attemptLimitsOf(key, found, origin), async () => {
      const isRight = await parts.hasher.verify(password, found?.passwordHash ?? null)
      if (found && !isRight) recordFailure(found, 'logInFailed', origin)
      return found && isRight ? found : refuse('credentialsWrong')
    })
    if (isRefusal(user)) return user
    const refused = await parts.reauthentication.checkSecondFactor(user.userId, authCode, 'logIn')
    if (refused?.rejected === 'secondFactorWrong' && isPossibleCode(authCode ?? ''))
      recordFailure(user, 'logInCodeWrong', origin)
    return refused ?? startSession(parts, user, origin)
  }

  /** The device has checked the user, so a passkey stands for password and second factor. */
  const withPasskey = async (signature: PasskeySignature, given: Origin): Result => {
    const { address, device, network } = given
    const user = await withAttemptLimits([[addressLimit, `passkey ${network}`]], async () => {
      const userId = await parts.passkeys.logIn('user', signature)
      return isRefusal(userId) ? userId : ((await parts.users.byId(userId)) ?? refuse('passkeyUnknown'))
    })
    return isRefusal(user) ? user : startSession(parts, user, { address, device, network })
  }

  return { withDemoId, withPassword, withPasskey }
}

/** Starts a session, and notifies the user if the browser or network is new. */
async function startSession(parts: AuthServices, registered: RegisteredUser, origin: Origin): Result {
  const { queries, sessions, users, findUser, messageWriter, now } = parts
  const { userId } = registered
  const user = await findUser(userId)
  if (!user) return refuse('credentialsWrong')
  const { address, device } = origin
  const token = await sessions.start(userId, { address, device })
  // The password may have changed since it was checked, which ended all sessions but this one.
  if ((await users.byId(userId))?.passwordHash !== registered.passwordHash) {
    await sessions.end(token)
    return refuse('credentialsWrong')
  }
  await queries.transaction().execute(async (within) => {
    await noteActivity(within, { userId, kind: 'loggedIn', at: now(), ...origin })
    if (!(await saveOrigin(userId, origin, now(), within))) return
    await messageWriter.write('newLogin', registered.addressee, { origin: originText(origin) }, within)
    await writeNotice(within, {
      userId,
      at: now(),
      fact: { kind: 'newLogin', device, address },
    })
  })
  messageWriter.send()
  return { token, user }
}

/** What was wrong: the password, or the code of the second factor after the right password. */
type FailedKind = 'logInFailed' | 'logInCodeWrong'

const KEPT_MS = 90 * 24 * HOUR_MS
/** Rows per account, kind and hour: one for each of the first ten networks, and one for all others together. */
const NETWORKS_MAX = 10

type FailedLogin = {
  readonly address: string
  readonly device: string
  readonly userId: number
  readonly kind: FailedKind
  /** Epoch ms. */
  readonly at: number
}

/**
 * Records a failed log-in for the account's owner to read: one row per hour and network, with a count. However many
 * attempts there are, an account gets at most 22 rows an hour, and each is deleted after 90 days.
 */
export async function recordFailedLogin(
  queries: Queries,
  { userId, kind, at, ...origin }: FailedLogin,
): Promise<void> {
  const user_id = BigInt(userId)
  const hour = Math.floor(at / HOUR_MS)
  const idOf = (place: string) => `${kind} ${userId} ${hour} ${place}`
  const recorded = await queries
    .selectFrom('user_activity')
    .select('id')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('at', '>=', BigInt(hour * HOUR_MS))
    .execute()
  const own = idOf(secretHash(networkOf(origin.address)).slice(0, 16))
  const isShown = recorded.length < NETWORKS_MAX || recorded.some(({ id }) => id === own)
  const place = isShown
    ? { device: deviceName(origin.device) ?? '', address: maskedAddress(origin.address) }
    : { device: '', address: '' }
  const row = { user_id, kind, at: BigInt(Math.floor(at)), ...place }
  await queries
    .insertInto('user_activity')
    .values({ ...row, id: isShown ? own : idOf('elsewhere'), times: 1n })
    .onConflict((known) =>
      known.column('id').doUpdateSet({ ...row, times: sql<bigint>`user_activity.times + 1` }),
    )
    .execute()
  if (recorded.length === 0) await deleteOld(queries, row, at - KEPT_MS)
}

const deleteOld = async (
  queries: Queries,
  { user_id, kind }: { readonly user_id: bigint; readonly kind: FailedKind },
  before: number,
): Promise<void> =>
  void (await queries
    .deleteFrom('user_activity')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('at', '<', BigInt(Math.floor(before)))
    .execute())

import type { LoggedIn, LoginRequest } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import { noteActivity } from '../database/user-activity.ts'
import { networkOf } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { writeNotice } from '../notifications/notice-row.ts'
import { originText } from '../notifications/origin-text.ts'
import { secretHash } from '../http/login-sessions.ts'
import { counted } from './attempt-limits.ts'
import { noteFailedLogin, type FailedKind } from './failed-logins.ts'
import { guessKey } from './identity.ts'
import type { Member } from './members.ts'
import { countryOf, type AuthServices } from './auth-services.ts'

/** Where a call comes from. */
export type Origin = { readonly address: string; readonly device: string }

type Credentials = Exclude<LoginRequest, { demoId: string }>
type Result = Promise<LoggedIn | Refusal>

/** The id of no user. */
const NOBODY = 0

/** A browser in a network, as the log-ins that a user is known by are kept. */
const fingerprintOf = ({ address, device }: Origin): string => secretHash(`${networkOf(address)} ${device}`)

export function createLogin(parts: AuthServices) {
  const { queries, sessions, findUser, addressAttempts, accountAttempts, anywhereAttempts, onError } = parts

  const withDemoId = async (demoId: string, { address, device }: Origin): Result => {
    const user = await counted([[addressAttempts, networkOf(address)]], async () => {
      const row = await queries
        .selectFrom('app_user')
        .select('id')
        .where('demo_hash', '=', secretHash(demoId))
        .executeTakeFirst()
      return (row && (await findUser(Number(row.id)))) ?? refuse('demoIdUnknown')
    })
    if (isRefusal(user)) return user
    const token = await sessions.start(user.id, { address, device })
    await noteActivity(queries, { userId: user.id, kind: 'loggedIn', at: parts.now(), address, device })
    return { token, user }
  }

  /**
   * What a wrong password counts for. Whoever guesses from many networks stops all others like them, but not the owner:
   * where they have logged in before a count of its own holds. It is looked for whether there is such an account or not.
   */
  const guessCounts = async (guess: string, member: Member | null, origin: Origin) => {
    const fingerprint = fingerprintOf(origin)
    const known = await queries
      .selectFrom('known_login')
      .select('user_id')
      .where('user_id', '=', BigInt(member?.userId ?? NOBODY))
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst()
    return known
      ? ([[accountAttempts, `${guess} ${fingerprint}`]] as const)
      : ([
          [accountAttempts, `${guess} ${networkOf(origin.address)}`],
          [anywhereAttempts, guess],
        ] as const)
  }

  /** For the owner to read. After the answer has gone, which must not take longer for an account that exists. */
  const noteFailed = ({ userId }: Member, kind: FailedKind, origin: Origin): void =>
    void setImmediate(() => {
      const failed = { userId, kind, at: parts.now(), ...origin }
      noteFailedLogin(queries, failed).catch((error: unknown) => onError(error, 'noting a failed log-in'))
    })

  /** One answer for a wrong account and a wrong password, after the same work. */
  const withPassword = async (credentials: Credentials, { address, device }: Origin): Result => {
    const { contact, account, password, authCode = null } = credentials
    const area = countryOf(parts, credentials)
    if (isRefusal(area)) return area
    const guess = guessKey(contact, account, area)
    const member = await counted([[addressAttempts, networkOf(address)]], async () => {
      const found = await parts.members.byTyped(contact, account, area)
      return counted(await guessCounts(guess, found, { address, device }), async () => {
        const isRight = await parts.hasher.verify(password, found?.passwordHash ?? null)
        if (found && !isRight) noteFailed(found, 'logInFailed', { address, device })
        return found && isRight ? found : refuse('credentialsWrong')
      })
    })
    if (isRefusal(member)) return member
    const unproved = await parts.reauthentication.ofSecondFactor(member.userId, authCode)
    if (unproved?.rejected === 'secondFactorWrong') noteFailed(member, 'logInCodeWrong', { address, device })
    return unproved ?? enter(parts, member, { address, device })
  }

  return { withDemoId, withPassword }
}

/** Starts a session, and tells the user when the browser or network is new to them. */
async function enter(parts: AuthServices, member: Member, origin: Origin): Result {
  const { queries, sessions, members, findUser, notifier, now } = parts
  const user = await findUser(member.userId)
  if (!user) return refuse('credentialsWrong')
  const token = await sessions.start(member.userId, origin)
  // A change of password may have ended all sessions since it was checked: this one came too late for that.
  if ((await members.byId(member.userId))?.passwordHash !== member.passwordHash) {
    await sessions.end(token)
    return refuse('credentialsWrong')
  }
  await queries.transaction().execute(async (within) => {
    await noteActivity(within, { userId: member.userId, kind: 'loggedIn', at: now(), ...origin })
    if (!(await rememberOrigin(member.userId, origin, now(), within))) return
    await notifier.write('newLogin', member.addressee, { origin: originText(origin) }, within)
    const { device, address } = origin
    await writeNotice(within, {
      userId: member.userId,
      at: now(),
      fact: { kind: 'newLogin', device, address },
    })
  })
  notifier.send()
  return { token, user }
}

/** True for an origin that the user has not logged in from before. `at`: epoch ms. */
export async function rememberOrigin(
  userId: number,
  origin: Origin,
  at: number,
  queries: Queries,
): Promise<boolean> {
  const known = await queries
    .insertInto('known_login')
    .values({
      user_id: BigInt(userId),
      fingerprint: fingerprintOf(origin),
      at: BigInt(Math.floor(at)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return known !== undefined
}

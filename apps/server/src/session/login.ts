import type { LoggedIn, LoginRequest } from '@fairlot/contract'
import { networkOf } from '../plugins/limits.ts'
import { refuse, type Refusal } from '../plugins/refusal.ts'
import { secretHash } from '../plugins/sessions.ts'
import { identityOf } from './identity.ts'
import type { Member } from './members.ts'
import type { SessionParts } from './parts.ts'

/** Where a call comes from. */
export type Origin = { readonly address: string; readonly device: string }

type Credentials = Exclude<LoginRequest, { demoId: string }>
type Result = Promise<LoggedIn | Refusal>

export function createLogin(parts: SessionParts) {
  const { queries, sessions, findUser, addressAttempts, accountAttempts, anywhereAttempts } = parts

  const findMember = ({ contact, account, areaId = null }: Credentials): Promise<Member | null> => {
    if (contact === 'email' || areaId === null) return parts.members.byTyped(contact, account)
    const identity = identityOf(contact, account, parts.areaList.byId(areaId))
    return identity ? parts.members.byIdentity(identity) : Promise.resolve(null)
  }

  const withDemoId = async (demoId: string, { address, device }: Origin): Result => {
    const network = networkOf(address)
    if (!(await addressAttempts.begin(network))) return refuse('tooManyRequests')
    const row = await queries
      .selectFrom('app_user')
      .select('id')
      .where('demo_hash', '=', secretHash(demoId))
      .executeTakeFirst()
    const user = row ? await findUser(Number(row.id)) : null
    if (!user) return refuse('demoIdUnknown')
    await addressAttempts.succeeded(network)
    return { token: await sessions.start(user.id, { address, device }), user }
  }

  /** One answer for a wrong account and a wrong password, after the same work. */
  const withPassword = async (credentials: Credentials, { address, device }: Origin): Result => {
    const network = networkOf(address)
    const account = `${credentials.contact} ${credentials.account.trim().toLowerCase()}`.slice(0, KEY_LENGTH)
    const member = await findMember(credentials)
    // However an account is written, it is the same account to guess at.
    const anywhere = member?.target ?? account
    const fromHere = `${anywhere} ${network}`
    const begun = [
      await addressAttempts.begin(network),
      await accountAttempts.begin(fromHere),
      await anywhereAttempts.begin(anywhere),
    ]
    if (!begun.every(Boolean)) return refuse('tooManyRequests')
    const isRight = await parts.hasher.verify(credentials.password, member?.passwordHash ?? null)
    if (!member || !isRight) return refuse('credentialsWrong')
    await Promise.all([
      addressAttempts.succeeded(network),
      accountAttempts.succeeded(fromHere),
      anywhereAttempts.succeeded(anywhere),
    ])
    const unproved = await parts.proof.ofSecondFactor(member.userId, credentials.authCode ?? null)
    return unproved ?? enter(parts, member, { address, device })
  }

  return { withDemoId, withPassword }
}

/** Longest part of an account's text that failures are counted by. */
const KEY_LENGTH = 300

/** Starts a session, and tells the user when the browser or network is new to them. */
async function enter(parts: SessionParts, member: Member, origin: Origin): Result {
  const { sessions, members, findUser, post } = parts
  const user = await findUser(member.userId)
  if (!user) return refuse('credentialsWrong')
  const token = await sessions.start(member.userId, origin)
  // A change of password may have ended all sessions since it was checked: this one came too late for that.
  if ((await members.byId(member.userId))?.passwordHash !== member.passwordHash) {
    await sessions.end(token)
    return refuse('credentialsWrong')
  }
  if (await rememberOrigin(parts, member.userId, origin)) {
    await post.write('newLogin', member.addressee, { ...origin })
    post.send()
  }
  return { token, user }
}

/** True for an origin that the user has not logged in from before. */
export async function rememberOrigin(
  { queries, now }: Pick<SessionParts, 'queries' | 'now'>,
  userId: number,
  { address, device }: Origin,
): Promise<boolean> {
  const known = await queries
    .insertInto('known_login')
    .values({
      user_id: BigInt(userId),
      fingerprint: secretHash(`${networkOf(address)} ${device}`),
      at: BigInt(Math.floor(now())),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return known !== undefined
}

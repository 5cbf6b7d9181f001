import { changePassword, resetPassword, type PasswordReset } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import type { Api, Call } from '../plugins/api.ts'
import { networkOf } from '../plugins/limits.ts'
import { refuse, type Refusal } from '../plugins/refusal.ts'
import { identityOf } from './identity.ts'
import type { Member } from './members.ts'
import { inTurn, type SessionParts } from './parts.ts'
import { refusalOfPassword } from './password-rule.ts'

/** A new password: with the old one, or with a code for those who forgot it. */
export function registerPassword(api: Api, parts: SessionParts): void {
  const { sessions, members, proof } = parts

  api.user(
    changePassword,
    inTurn(async ({ user, input, address, device }) => {
      const unproved = await proof.ofUser(user.id, input.oldPassword, input.authCode)
      if (unproved) return unproved
      const member = await members.byId(user.id)
      if (!member) return refuse('sessionGone')
      const weak = refusalOfPassword(input.newPassword, member.target)
      if (weak) return weak
      await renew(parts, member, input.newPassword, () => Promise.resolve(true))
      return { token: await sessions.start(user.id, { address, device }) }
    }),
  )

  api.visitor(resetPassword, inTurn(createReset(parts)))
}

/** One answer for an unknown account, a wrong code and an old one. */
const createReset =
  (parts: SessionParts) =>
  async ({ input, address }: Call<PasswordReset>): Promise<Refusal | null> => {
    if (input.newPassword !== input.repeatedPassword) return refuse('passwordsDiffer')
    const weak = refusalOfPassword(input.newPassword, input.account)
    if (weak) return weak
    const network = `resetting ${networkOf(address)}`
    if (!(await parts.addressAttempts.begin(network))) return refuse('tooManyRequests')
    const member = await findMember(parts, input)
    const key = { purpose: 'reset', target: member?.target ?? '' } as const
    const code = input.code.trim()
    const isRight = await parts.codes.isRight(key, code)
    if (!member || !isRight) return refuse('codeWrong')
    await parts.addressAttempts.succeeded(network)
    const isDone = await renew(parts, member, input.newPassword, (within) =>
      parts.codes.use(key, code, within),
    )
    return isDone ? null : refuse('codeWrong')
  }

function findMember({ members, areaList }: SessionParts, input: PasswordReset): Promise<Member | null> {
  const { contact, account, areaId } = input
  if (contact === 'email' || areaId === null) return members.byTyped(contact, account)
  const identity = identityOf(contact, account, areaList.byId(areaId))
  return identity ? members.byIdentity(identity) : Promise.resolve(null)
}

/** Sets a password and ends every session; false, and nothing changed, when `may` says no. */
async function renew(
  { queries, hasher, members, post, sessions }: SessionParts,
  member: Member,
  password: string,
  may: (within: Transaction<Tables>) => Promise<boolean>,
): Promise<boolean> {
  const passwordHash = await hasher.hash(password)
  const isDone = await queries.transaction().execute(async (within) => {
    if (!(await may(within))) return false
    await members.setPassword(member.userId, passwordHash, within)
    await post.write('passwordChanged', member.addressee, {}, within)
    return true
  })
  if (isDone) await sessions.endAll(member.userId)
  post.send()
  return isDone
}

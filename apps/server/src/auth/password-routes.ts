import { changePassword, resetPassword, type PasswordReset } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import type { Api, Call } from '../http/api.ts'
import { writeNotice } from '../notifications/notice-row.ts'
import { networkOf } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { noteActivity, type Activity } from '../database/user-activity.ts'
import { counted } from './attempt-limits.ts'
import { identityOf } from './identity.ts'
import type { Member, PasswordChange } from './members.ts'
import { countryOf, inTurn, type AuthServices } from './auth-services.ts'
import { refusalOfPassword } from './password-rule.ts'

/** A new password: with the old one, or with a code for those who forgot it. */
export function registerPassword(api: Api, parts: AuthServices): void {
  const { sessions, members, reauthentication } = parts

  api.user(
    changePassword,
    inTurn(async ({ user, input, address, device }) => {
      // Read before it is proved: whatever takes its place from here on makes this change come too late.
      const member = await members.byId(user.id)
      if (!member) return refuse('sessionGone')
      // Before the proof: a code of the second factor is good for one use.
      const weak = await refusalOfPassword(input.newPassword, member.target)
      if (weak) return weak
      const unproved = await reauthentication.ofUser(user.id, input.oldPassword, input.authCode)
      if (unproved) return unproved
      const how = { kind: 'passwordChanged', address, device } as const
      const isDone = await renew(parts, member, { ...how, password: input.newPassword }, (change, within) =>
        members.setPassword({ ...change, insteadOf: member.passwordHash }, within),
      )
      return isDone ? { token: await sessions.start(user.id, { address, device }) } : refuse('passwordWrong')
    }),
  )

  api.visitor(resetPassword, inTurn(createReset(parts)))
}

/** One answer for an unknown account, a wrong code and an old one, after the same work. */
const createReset =
  (parts: AuthServices) =>
  async ({ input, address, device }: Call<PasswordReset>): Promise<Refusal | null> => {
    const { addressAttempts, codes, members } = parts
    if (input.newPassword !== input.repeatedPassword) return refuse('passwordsDiffer')
    const weak = await refusalOfPassword(input.newPassword, input.account)
    if (weak) return weak
    const area = countryOf(parts, input)
    if (isRefusal(area)) return area
    const code = input.code.trim()
    const proved = await counted([[addressAttempts, `resetting ${networkOf(address)}`]], async () => {
      const member = await members.byTyped(input.contact, input.account, area)
      const target = member?.target ?? identityOf(input.contact, input.account, area)?.target ?? ''
      const isRight = await codes.isRight({ purpose: 'reset', target }, code)
      return member && isRight ? member : refuse('codeWrong')
    })
    if (isRefusal(proved)) return proved
    // Whoever holds the code is the owner: it counts whatever the password has become meanwhile.
    const isDone = await renew(
      parts,
      proved,
      { kind: 'passwordReset', address, device, password: input.newPassword },
      async (change, within) =>
        (await codes.use({ purpose: 'reset', target: proved.target }, code, within)) &&
        members.setPassword({ ...change, insteadOf: null }, within),
    )
    return isDone ? null : refuse('codeWrong')
  }

type Renewal = Pick<Activity, 'kind' | 'address' | 'device'> & { readonly password: string }

/** Sets a password by `set` and ends every session; false, and nothing changed, when it says no. */
async function renew(
  { queries, hasher, notifier, sessions, now }: AuthServices,
  { userId, addressee }: Member,
  { password, ...how }: Renewal,
  set: (change: Omit<PasswordChange, 'insteadOf'>, within: Transaction<Tables>) => Promise<boolean>,
): Promise<boolean> {
  const passwordHash = await hasher.hash(password)
  const ended = await queries.transaction().execute(async (within) => {
    if (!(await set({ userId, passwordHash }, within))) return null
    await noteActivity(within, { userId, at: now(), ...how })
    await notifier.write('passwordChanged', addressee, {}, within)
    await writeNotice(within, { userId, at: now(), fact: { kind: 'passwordChanged' } })
    return sessions.endAllWithin(userId, within)
  })
  await ended?.()
  notifier.send()
  return ended !== null
}

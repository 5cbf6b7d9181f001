import { changePassword, resetPassword, type PasswordReset } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../platform/database/schema.ts'
import type { Api, Call } from '../platform/http/api.ts'
import { writeNotice } from '../engine/projection/notice-facts.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import { noteActivity, type Activity } from '../platform/database/user-activity.ts'
import { withAttemptLimits } from '../platform/security/attempt-limits.ts'
import { identityOf, refusalOfAccount } from './identity.ts'
import type { RegisteredUser, PasswordChange } from './users.ts'
import { type AuthServices, countryOf } from './auth-services.ts'
import { refuseWhenBusy } from '../platform/security/password-hash.ts'
import { checkPassword } from '../platform/security/password-rule.ts'
import { knownPlace, saveOrigin } from '../platform/security/known-logins.ts'
import { codeSlot, isPossibleCode } from './verification-codes.ts'

/** The id of no user. */
const NO_USER = 0

/** Setting a new password with the old one, or with a code when it is forgotten. */
export function registerPassword(api: Api, parts: AuthServices): void {
  const { sessions, users, reauthentication } = parts

  api.user(
    changePassword,
    refuseWhenBusy(async ({ user, input, address, device }) => {
      // Read before the check, so that a password that replaces it in the meantime makes this change fail.
      const registered = await users.byId(user.id)
      if (!registered) return refuse('sessionGone')
      // Before reauthentication, as a code of the second factor is valid only once.
      const weak = await checkPassword(input.newPassword, registered.target, 'new_password')
      if (weak) return weak
      const proof = { password: input.oldPassword, code: input.authCode, field: 'old_password' }
      const refused = await reauthentication.checkBoth(user.id, proof, 'password')
      if (refused) return refused
      const activity = { kind: 'passwordChanged', address, device } as const
      const isDone = await replacePassword(
        parts,
        registered,
        { ...activity, password: input.newPassword },
        (change, within) => users.setPassword({ ...change, insteadOf: registered.passwordHash }, within),
      )
      return isDone
        ? { token: await sessions.start(user.id, { address, device }) }
        : refuse('passwordWrong', { field: 'old_password' })
    }),
  )

  api.visitor(resetPassword, refuseWhenBusy(createReset(parts)))
}

/** An unknown account, a wrong code and an expired code get the same response after the same work. */
const createReset =
  (parts: AuthServices) =>
  async ({ input, address, device, network }: Call<PasswordReset>): Promise<Refusal | null> => {
    const { addressLimit, codes, users, queries } = parts
    if (input.newPassword !== input.repeatedPassword)
      return refuse('passwordsDiffer', { field: 'secondary_password' })
    const weak = await checkPassword(input.newPassword, input.account, 'new_password')
    if (weak) return weak
    const area = countryOf(parts, input)
    if (isRefusal(area)) return area
    const wrong = refusalOfAccount(input.contact, input.account, area)
    if (wrong) return wrong
    const { code } = input
    const wrongCode = refuse('codeWrong', { field: 'auth_code' })
    // What can be no code is a slip, and no attempt.
    if (!isPossibleCode(code)) return wrongCode
    const registered = await users.byTyped(input.contact, input.account, area)
    const target = registered?.target ?? identityOf(input.contact, input.account, area)?.target ?? ''
    const place = await knownPlace(queries, registered?.userId ?? NO_USER, { address, device, network })
    // At a known place of the owner, wrong codes of strangers do not count, even if they share its address.
    const counting = place === null ? network : codeSlot(target, place).target
    // A code requested elsewhere is also valid at a known place of the owner.
    const slots =
      place === null ? [codeSlot(target, null)] : [codeSlot(target, place), codeSlot(target, null)]
    const proved = await withAttemptLimits([[addressLimit, `resetting ${counting}`]], async () => {
      for (const slot of slots)
        if ((await codes.isRight(slot, code)) && registered) return { registered, slot }
      return wrongCode
    })
    if (isRefusal(proved)) return proved
    // The code proves ownership, so it is valid even if the password has changed in the meantime.
    const isDone = await replacePassword(
      parts,
      proved.registered,
      { kind: 'passwordReset', address, device, password: input.newPassword },
      async (change, within) =>
        (await codes.use(proved.slot, code, within)) &&
        users.setPassword({ ...change, insteadOf: null }, within),
    )
    if (!isDone) return wrongCode
    // The code has proved that this browser is the owner's, so guesses of strangers do not lock it out.
    await saveOrigin(proved.registered.userId, { address, device, network }, parts.now(), queries)
    return null
  }

type PasswordReplacement = Pick<Activity, 'kind' | 'address' | 'device'> & { readonly password: string }

/** Sets a new password through `set`, ends every session and notifies the user. Returns false and changes nothing if `set` does. */
async function replacePassword(
  { queries, hasher, messageWriter, sessions, now }: AuthServices,
  { userId, addressee }: RegisteredUser,
  { password, ...activity }: PasswordReplacement,
  set: (change: Omit<PasswordChange, 'insteadOf'>, within: Transaction<Tables>) => Promise<boolean>,
): Promise<boolean> {
  const passwordHash = await hasher.hash(password)
  const ended = await queries.transaction().execute(async (within) => {
    if (!(await set({ userId, passwordHash }, within))) return null
    await noteActivity(within, { userId, at: now(), ...activity })
    await messageWriter.write('passwordChanged', addressee, {}, within)
    await writeNotice(within, { userId, at: now(), fact: { kind: 'passwordChanged' } })
    return sessions.endAllWithin(userId, within)
  })
  await ended?.()
  messageWriter.send()
  return ended !== null
}

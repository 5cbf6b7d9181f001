import {
  confirmSecondFactor,
  getSecondFactor,
  prepareSecondFactor,
  removeSecondFactor,
  type InputOf,
  typedCode,
} from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../platform/database/schema.ts'
import type { Api, UserCall } from '../platform/http/api.ts'
import { isRefusal, refuse } from '../platform/refusal.ts'
import { noteActivity } from '../platform/database/user-activity.ts'
import { writeNotice } from '../engine/projection/notice-facts.ts'
import { withAttemptLimits } from '../platform/security/attempt-limits.ts'
import { refuseWhenBusy } from '../platform/security/password-hash.ts'
import type { AuthServices } from './auth-services.ts'
import { isPossibleCode, totpUri } from '../platform/security/second-factor.ts'

const ISSUER = 'Fairlot'

export function registerSecondFactor(api: Api, parts: AuthServices): void {
  const { queries, users, secondFactor, reauthentication, messageWriter, accountLimit, withSecurityLock } =
    parts

  const note = async (
    within: Transaction<Tables>,
    kind: 'secondFactorOn' | 'secondFactorOff',
    { user, address, device }: UserCall<unknown>,
  ) => {
    const [userId, at] = [user.id, parts.now()]
    await noteActivity(within, { userId, kind, at, address, device })
    await writeNotice(within, { userId, at, fact: { kind } })
  }

  api.user(getSecondFactor, ({ user }) => secondFactor.status(user.id))

  api.user(
    prepareSecondFactor,
    refuseWhenBusy(async ({ user, input }) => {
      if ((await secondFactor.status(user.id)).hasApp) return refuse('secondFactorOn')
      const { password, authCode } = input
      const refused = await reauthentication.checkBoth(user.id, { password, code: authCode }, 'secondFactor')
      if (refused) return refused
      const registered = await users.byId(user.id)
      const secret = await secondFactor.prepare(user.id)
      if (secret === null) return refuse('secondFactorOn')
      return { secret, address: totpUri(secret, ISSUER, registered?.target ?? '') }
    }),
  )

  api.user(confirmSecondFactor, async (call) => {
    const { user, input } = call
    if ((await secondFactor.status(user.id)).hasApp) return refuse('secondFactorOn')
    if (!isPossibleCode(input.authCode)) return refuse('secondFactorWrong', { field: 'auth_code' })
    const registered = await users.byId(user.id)
    const confirm = () =>
      queries.transaction().execute(async (within) => {
        const codes = await secondFactor.confirm(user.id, typedCode(input.authCode), within)
        if (codes) await note(within, 'secondFactorOn', call)
        if (codes && registered) await messageWriter.write('secondFactorOn', registered.addressee, {}, within)
        return codes ?? refuse('secondFactorWrong', { field: 'auth_code' })
      })
    const recoveryCodes = await withAttemptLimits(
      [[accountLimit, `second factor set-up ${user.id}`]],
      confirm,
    )
    if (isRefusal(recoveryCodes)) return recoveryCodes
    messageWriter.send()
    return { recoveryCodes }
  })

  api.user(
    removeSecondFactor,
    refuseWhenBusy(async (call: UserCall<InputOf<typeof removeSecondFactor>>) => {
      const { user, input } = call
      if (!(await secondFactor.status(user.id)).hasApp) return refuse('secondFactorOff')
      const { password, authCode } = input
      const refused = await reauthentication.checkBoth(user.id, { password, code: authCode }, 'secondFactor')
      if (refused) return refused
      const registered = await users.byId(user.id)
      return withSecurityLock(user.id, async () => {
        const refusal = await queries.transaction().execute(async (within) => {
          const isKept = await secondFactor.removeApp(user.id, within)
          if (isKept) return isKept
          await note(within, 'secondFactorOff', call)
          if (registered) await messageWriter.write('secondFactorOff', registered.addressee, {}, within)
          return null
        })
        messageWriter.send()
        return refusal
      })
    }),
  )
}

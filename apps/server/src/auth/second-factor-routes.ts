import {
  confirmSecondFactor,
  getSecondFactor,
  prepareSecondFactor,
  removeSecondFactor,
  type InputOf,
} from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import type { Api, UserCall } from '../http/api.ts'
import { isRefusal, refuse } from '../http/refusal.ts'
import { noteActivity } from '../database/user-activity.ts'
import { writeNotice } from '../notifications/notice-row.ts'
import { counted } from './attempt-limits.ts'
import { inTurn, type AuthServices } from './auth-services.ts'
import { secondFactorKey } from './reauthentication.ts'
import { totpAddress } from './totp.ts'

const ISSUER = 'Fairlot'

export function registerSecondFactor(api: Api, parts: AuthServices): void {
  const { queries, members, secondFactor, reauthentication, notifier, accountAttempts } = parts

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
    inTurn(async ({ user, input }) => {
      if ((await secondFactor.status(user.id)).isOn) return refuse('secondFactorOn')
      const unproved = await reauthentication.ofUser(user.id, input.password, null)
      if (unproved) return unproved
      const member = await members.byId(user.id)
      const secret = await secondFactor.prepare(user.id)
      if (secret === null) return refuse('secondFactorOn')
      return { secret, address: totpAddress(secret, ISSUER, member?.target ?? '') }
    }),
  )

  api.user(confirmSecondFactor, async (call) => {
    const { user, input } = call
    if ((await secondFactor.status(user.id)).isOn) return refuse('secondFactorOn')
    const member = await members.byId(user.id)
    const confirm = () =>
      queries.transaction().execute(async (within) => {
        const codes = await secondFactor.confirm(user.id, input.authCode.trim(), within)
        if (codes) await note(within, 'secondFactorOn', call)
        if (codes && member) await notifier.write('secondFactorOn', member.addressee, {}, within)
        return codes ?? refuse('secondFactorWrong')
      })
    const recoveryCodes = await counted([[accountAttempts, secondFactorKey(user.id)]], confirm)
    if (isRefusal(recoveryCodes)) return recoveryCodes
    notifier.send()
    return { recoveryCodes }
  })

  api.user(
    removeSecondFactor,
    inTurn(async (call: UserCall<InputOf<typeof removeSecondFactor>>) => {
      const { user, input } = call
      if (!(await secondFactor.status(user.id)).isOn) return refuse('secondFactorOff')
      const unproved = await reauthentication.ofUser(user.id, input.password, input.authCode)
      if (unproved) return unproved
      const member = await members.byId(user.id)
      await queries.transaction().execute(async (within) => {
        await secondFactor.remove(user.id, within)
        await note(within, 'secondFactorOff', call)
        if (member) await notifier.write('secondFactorOff', member.addressee, {}, within)
      })
      notifier.send()
      return null
    }),
  )
}

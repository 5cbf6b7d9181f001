import {
  confirmSecondFactor,
  getSecondFactor,
  prepareSecondFactor,
  removeSecondFactor,
} from '@fairlot/contract'
import type { Api } from '../plugins/api.ts'
import { isRefusal, refuse } from '../plugins/refusal.ts'
import { counted } from './attempts.ts'
import { inTurn, type SessionParts } from './parts.ts'
import { secondFactorKey } from './proof.ts'
import { totpAddress } from './totp.ts'

const ISSUER = 'Fairlot'

export function registerSecondFactor(api: Api, parts: SessionParts): void {
  const { queries, members, secondFactor, proof, post, accountAttempts } = parts

  api.user(getSecondFactor, ({ user }) => secondFactor.status(user.id))

  api.user(
    prepareSecondFactor,
    inTurn(async ({ user, input }) => {
      if ((await secondFactor.status(user.id)).isOn) return refuse('secondFactorOn')
      const unproved = await proof.ofUser(user.id, input.password, null)
      if (unproved) return unproved
      const member = await members.byId(user.id)
      const secret = await secondFactor.prepare(user.id)
      if (secret === null) return refuse('secondFactorOn')
      return { secret, address: totpAddress(secret, ISSUER, member?.target ?? '') }
    }),
  )

  api.user(confirmSecondFactor, async ({ user, input }) => {
    if ((await secondFactor.status(user.id)).isOn) return refuse('secondFactorOn')
    const member = await members.byId(user.id)
    const confirm = () =>
      queries.transaction().execute(async (within) => {
        const codes = await secondFactor.confirm(user.id, input.authCode.trim(), within)
        if (codes && member) await post.write('secondFactorOn', member.addressee, {}, within)
        return codes ?? refuse('secondFactorWrong')
      })
    const recoveryCodes = await counted([[accountAttempts, secondFactorKey(user.id)]], confirm)
    if (isRefusal(recoveryCodes)) return recoveryCodes
    post.send()
    return { recoveryCodes }
  })

  api.user(
    removeSecondFactor,
    inTurn(async ({ user, input }) => {
      if (!(await secondFactor.status(user.id)).isOn) return refuse('secondFactorOff')
      const unproved = await proof.ofUser(user.id, input.password, input.authCode)
      if (unproved) return unproved
      const member = await members.byId(user.id)
      await queries.transaction().execute(async (within) => {
        await secondFactor.remove(user.id, within)
        if (member) await post.write('secondFactorOff', member.addressee, {}, within)
      })
      post.send()
      return null
    }),
  )
}

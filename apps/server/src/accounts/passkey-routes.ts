import {
  addPasskey,
  deviceName,
  listPasskeys,
  preparePasskey,
  preparePasskeyProof,
  removePasskey,
  renewRecoveryCodes,
  type InputOf,
} from '@fairlot/contract'
import type { Transaction } from 'kysely'
import { writeNotice } from '../engine/projection/notice-facts.ts'
import type { Tables } from '../platform/database/schema.ts'
import { noteActivity } from '../platform/database/user-activity.ts'
import type { Api, UserCall } from '../platform/http/api.ts'
import { createLimit } from '../platform/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import type { PasskeyOwner } from '../platform/security/passkeys.ts'
import { refuseWhenBusy } from '../platform/security/password-hash.ts'
import type { AuthServices } from './auth-services.ts'

/** Challenges per user in an hour: each is for one log-in, payout or change. */
const CHALLENGES_PER_HOUR = 120
const HOUR_S = 3_600

const ownerOf = ({ user }: Pick<UserCall<unknown>, 'user'>): PasskeyOwner => ({ kind: 'user', id: user.id })

/** A user's passkeys: adding, listing and removing them, their challenges, and new recovery codes. */
export function registerPasskeys(api: Api, parts: AuthServices): void {
  const { queries, users, passkeys, secondFactor, reauthentication, messageWriter, withSecurityLock } = parts
  const challenges = createLimit(CHALLENGES_PER_HOUR, HOUR_S)

  /**
   * Changes the second factor and reports it by activity, notice and mail, all or nothing. The fact is that of a change
   * that is not refused.
   */
  const change = async <Result>(
    { user, address, device }: UserCall<unknown>,
    fact:
      | { readonly kind: 'passkeyAdded' | 'passkeyRemoved'; readonly name: string }
      | { readonly kind: 'recoveryCodesRenewed' },
    effect: (within: Transaction<Tables>) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> => {
    const [userId, at, { kind }] = [user.id, parts.now(), fact]
    const values = 'name' in fact ? { name: fact.name } : {}
    const registered = await users.byId(userId)
    const result = await withSecurityLock(userId, () =>
      queries.transaction().execute(async (within) => {
        const done = await effect(within)
        if (isRefusal(done)) return done
        await noteActivity(within, { userId, kind, at, address, device })
        await writeNotice(within, { userId, at, fact })
        if (registered) await messageWriter.write(kind, registered.addressee, values, within)
        return done
      }),
    )
    messageWriter.send()
    return result
  }

  api.user(listPasskeys, async (call) => ({ passkeys: await passkeys.list(ownerOf(call)) }))

  api.user(preparePasskeyProof, async (call) =>
    (await challenges(call.user.id))
      ? passkeys.challengeProof(ownerOf(call), call.input.purpose)
      : refuse('tooManyRequests'),
  )

  api.user(
    preparePasskey,
    refuseWhenBusy(async (call: UserCall<InputOf<typeof preparePasskey>>) => {
      const { user, input } = call
      if (passkeys.domain === null) return refuse('passkeysOff')
      const { password, authCode } = input
      const refused = await reauthentication.checkEither(user.id, password, authCode, 'passkeys')
      if (refused) return refused
      const registered = await users.byId(user.id)
      return passkeys.challengeNew(ownerOf(call), registered?.target ?? String(user.id))
    }),
  )

  api.user(addPasskey, async (call) => {
    const { user, input } = call
    const verified = await passkeys.verifyNew(ownerOf(call), input.passkey)
    if (isRefusal(verified)) return verified
    const name = input.name.trim() || deviceName(call.device) || 'Passkey'
    return change(call, { kind: 'passkeyAdded', name }, async (within) => {
      const { recoveryCodesLeft } = await secondFactor.status(user.id, within)
      const refused = await passkeys.add(ownerOf(call), { ...verified, name, at: parts.now() }, within)
      if (refused) return refused
      return {
        recoveryCodes:
          recoveryCodesLeft === 0 ? await secondFactor.renewRecoveryCodes(user.id, within) : null,
      }
    })
  })

  api.user(
    removePasskey,
    refuseWhenBusy(async (call: UserCall<InputOf<typeof removePasskey>>) => {
      const { user, input } = call
      const { id, password, authCode } = input
      const removed = (await passkeys.list(ownerOf(call))).find((each) => each.id === id)
      // Before the proof, as a code is valid only once.
      if (!removed) return refuse('passkeyUnknown')
      const refused = await reauthentication.checkEither(user.id, password, authCode, 'passkeys')
      if (refused) return refused
      return change(call, { kind: 'passkeyRemoved', name: removed.name }, async (within) => {
        const isKept = await secondFactor.beforeRemoval(user.id, 'passkey', within)
        if (isKept) return isKept
        const name = await passkeys.remove(ownerOf(call), id, within)
        return isRefusal(name) ? name : null
      })
    }),
  )

  api.user(
    renewRecoveryCodes,
    refuseWhenBusy(async (call: UserCall<InputOf<typeof renewRecoveryCodes>>) => {
      const { user, input } = call
      if (!(await secondFactor.status(user.id)).isOn) return refuse('secondFactorOff')
      const { password, authCode } = input
      const refused = await reauthentication.checkEither(user.id, password, authCode, 'secondFactor')
      if (refused) return refused
      return change(call, { kind: 'recoveryCodesRenewed' }, async (within) => ({
        recoveryCodes: await secondFactor.renewRecoveryCodes(user.id, within),
      }))
    }),
  )
}

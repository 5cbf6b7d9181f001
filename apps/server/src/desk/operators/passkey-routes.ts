import type { OutputOf } from '@fairlot/contract'
import {
  addDeskPasskey,
  listDeskPasskeys,
  logInToDeskByPasskey,
  prepareDeskPasskey,
  prepareDeskPasskeyLogIn,
  prepareDeskPasskeyProof,
  removeDeskPasskey,
} from '@fairlot/contract/desk'
import { createBurstLimit, createLimit } from '../../platform/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import type { PasskeyOwner } from '../../platform/security/passkeys.ts'
import { type OperatorCall, operatorOf } from '../desk-api.ts'
import type { DeskServices } from '../desk-services.ts'
import type { createDeskLogin } from './desk-login.ts'

/** Challenges per operator in an hour, and for log-ins per network. */
const CHALLENGES_PER_HOUR = 120
const HOUR_S = 3_600
const LOG_IN_CHALLENGES = { perSecond: 2, burst: 20 }

const ownerOf = ({ operator }: Pick<OperatorCall<unknown>, 'operator'>): PasskeyOwner => ({
  kind: 'operator',
  id: operator.id,
})

/** Operators' passkeys: log-in, and adding and removing them after a fresh code or signature. */
export function registerDeskPasskeys(
  { api, auditLog, passkeys, now }: DeskServices,
  login: Pick<ReturnType<typeof createDeskLogin>, 'logInByPasskey'>,
  answerLogIn: (token: string | Refusal) => Promise<OutputOf<typeof logInToDeskByPasskey> | Refusal>,
): void {
  const challenges = createLimit(CHALLENGES_PER_HOUR, HOUR_S)
  const loginChallenges = createBurstLimit(LOG_IN_CHALLENGES.perSecond, LOG_IN_CHALLENGES.burst)
  const entryOf = ({ session }: OperatorCall<unknown>, after: object) =>
    ({
      operator: operatorOf(session),
      act: 'ownAccess',
      subject: `operator:${session.operator.id}`,
      after,
    }) as const

  api.anyone(prepareDeskPasskeyLogIn, async ({ network }) =>
    (await loginChallenges(network)) ? passkeys.challengeLogin('operator') : refuse('tooManyRequests'),
  )
  api.anyone(logInToDeskByPasskey, async ({ input, ...origin }) =>
    answerLogIn(await login.logInByPasskey(input.passkey, origin)),
  )
  api.operator(listDeskPasskeys, async (call) => ({ passkeys: await passkeys.list(ownerOf(call)) }))
  api.operator(prepareDeskPasskeyProof, async (call) =>
    (await challenges(call.operator.id))
      ? passkeys.challengeProof(ownerOf(call), call.input.purpose)
      : refuse('tooManyRequests'),
  )
  api.operator(prepareDeskPasskey, async (call) =>
    (await challenges(call.operator.id))
      ? passkeys.challengeNew(ownerOf(call), `${call.operator.name} (desk)`)
      : refuse('tooManyRequests'),
  )
  api.operator(addDeskPasskey, async (call) => {
    const verified = await passkeys.verifyNew(ownerOf(call), call.input.passkey)
    if (isRefusal(verified)) return verified
    const name = call.input.name.trim() || 'Passkey'
    return auditLog.performWithoutReason(entryOf(call, { passkeyAdded: name }), (within) =>
      passkeys.add(ownerOf(call), { ...verified, name, at: now() }, within),
    )
  })
  api.operator(removeDeskPasskey, async (call) => {
    const { id } = call.input
    const removed = (await passkeys.list(ownerOf(call))).find((each) => each.id === id)
    if (!removed) return refuse('passkeyUnknown', { field: 'id' })
    return auditLog.performWithoutReason(entryOf(call, { passkeyRemoved: removed.name }), async (within) => {
      const name = await passkeys.remove(ownerOf(call), id, within)
      return isRefusal(name) ? name : null
    })
  })
}

import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { NoticeFact } from '../../notifications/notice-fact.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'

type Verified = {
  readonly operator: DeskOperator
  readonly input: {
    readonly accountId: number
    readonly outcome: 'verified' | 'unverified'
    readonly reason: string
  }
}

/** Somebody at the desk has seen who a person is, or takes that back. */
export function createPersonVerification({ queries, acts, hub, notices, now }: DeskServices) {
  return async ({ operator, input: { accountId, outcome, reason } }: Verified): Promise<null | Refusal> => {
    const userId = BigInt(accountId)
    const user = await queries
      .selectFrom('app_user')
      .select('is_demo')
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!user) return refuse('accountNotFound')
    if (user.is_demo === 1n) return refuse('realOnly')
    const row = { user_id: userId, at: BigInt(now()), operator_id: BigInt(operator.id), reason }
    const news: NoticeFact =
      outcome === 'verified' ? { kind: 'identityVerified' } : { kind: 'identityUnverified', reason }
    let isNews = false
    const done = await acts.perform(
      {
        ...{ operator, act: 'verifyPerson', subject: `person:${accountId}`, accountId, reason },
        after: { identity: outcome },
      },
      async (within) => {
        const before = await within
          .deleteFrom('verified_person')
          .where('user_id', '=', userId)
          .executeTakeFirst()
        const wasVerified = before.numDeletedRows > 0n
        isNews = wasVerified !== (outcome === 'verified')
        if (outcome === 'verified') await within.insertInto('verified_person').values(row).execute()
        if (isNews) await notices.write(within, accountId, news)
        return null
      },
    )
    if (isNews && !isRefusal(done)) notices.tell(accountId, news)
    hub.changed('people', 'waiting')
    return done
  }
}

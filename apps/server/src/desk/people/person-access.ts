import { createMembers } from '../../auth/members.ts'
import { createSecondFactor } from '../../auth/second-factor.ts'
import { isRefusal, refuse } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { actOn, type Asked } from './act-on.ts'

/** How a person gets in: their sessions and their second factor can be ended, and nothing of it can be set. */
export function createPersonAccess({ queries, acts, traders, notices, now, deployment }: DeskServices) {
  const { sessions, notifier } = traders
  const members = createMembers(queries)
  const secondFactor = createSecondFactor(queries, deployment.vault, now)
  const isKnown = async (id: number) => {
    const row = await queries
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', BigInt(id))
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    logOut: async (operator: DeskOperator, { id, reason }: Asked) => {
      if (!(await isKnown(id))) return refuse('accountNotFound')
      const { length: ended } = await sessions.list(id, null)
      const act = { ...actOn(operator, 'logPersonOut', { id, reason }), after: { endedSessions: ended } }
      const end = await acts.perform(act, (within) => sessions.endAllWithin(id, within))
      if (isRefusal(end)) return end
      await end()
      return { ended }
    },

    resetSecondFactor: async (operator: DeskOperator, { id, reason }: Asked) => {
      const reset = { kind: 'secondFactorReset', reason: reason.trim() } as const
      const member = await members.byId(id)
      if (!member || !(await secondFactor.status(id)).isOn) return refuse('secondFactorOff')
      const { length: ended } = await sessions.list(id, null)
      const act = {
        ...actOn(operator, 'resetPersonSecondFactor', { id, reason }),
        ...{ before: { secondFactor: 'on' }, after: { secondFactor: 'off', endedSessions: ended } },
      }
      const end = await acts.perform(act, async (within) => {
        await secondFactor.remove(id, within)
        await notifier.write('secondFactorReset', member.addressee, { reason: reason.trim() }, within)
        await notices.write(within, id, reset)
        return sessions.endAllWithin(id, within)
      })
      if (isRefusal(end)) return end
      await end()
      notifier.send()
      notices.tell(id, reset)
      return { ended }
    },
  }
}

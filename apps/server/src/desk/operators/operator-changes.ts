import type { DeskOutcome } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import {
  createOperatorEffects,
  differenceOf,
  isAlone,
  registerOperatorApprovals,
  resetOf,
  type Invitation,
  type OperatorChange,
} from './operator-effects.ts'
import { findOperator, findOperatorByName } from './operator-repository.ts'

/** Names of operators are shown to colleagues and in lists of acts: plain, and never given twice. */
const NAME = /^\p{L}[\p{L}\p{N} .-]{1,39}$/u

type WithReason<T> = T & { readonly reason: string }

/** Who belongs to the desk, in which role. Where there is a second person, that one has to agree: nobody gives themselves or a friend a role. */
export function createOperatorChanges(services: DeskServices) {
  const { queries, approvals, now } = services
  const effects = createOperatorEffects(services)
  registerOperatorApprovals(services, effects)
  const act = 'changeOperators' as const

  return {
    invite: async (
      operator: DeskOperator,
      { name: typed, role, reason }: WithReason<Invitation>,
      request?: Request,
    ) => {
      const invitation = { name: typed.trim(), role }
      const { name } = invitation
      if (!NAME.test(name)) return refuse('operatorNameInvalid', { field: 'name' })
      if (await findOperatorByName(queries, name)) return refuse('operatorNameTaken', { field: 'name' })
      const subject = 'operator:new'
      if (await isAlone(queries, operator.id, now())) {
        const secret = await effects.add({ operator, act, subject, reason }, invitation)
        return isRefusal(secret) ? secret : { approvalId: null, invitation: secret }
      }
      const asked = { kind: 'inviteOperator', subject, body: invitation, after: invitation, reason, request }
      const approvalId = await approvals.ask(operator, asked)
      return isRefusal(approvalId) ? approvalId : { approvalId, invitation: null }
    },

    /** Once somebody has been added, any administrator may give them a link: it gives no role. */
    renew: async (operator: DeskOperator, { id, reason }: WithReason<{ readonly id: number }>) => {
      const invitation = await effects.renew({ operator, act, subject: `operator:${id}`, reason }, id)
      return isRefusal(invitation) ? invitation : { invitation }
    },

    /** A password or second factor that was lost: never one's own, for whoever holds an open page could take the desk over. */
    reset: async (operator: DeskOperator, { id, reason }: WithReason<{ readonly id: number }>) => {
      if (id === operator.id) return refuse('ownReset')
      const row = await findOperator(queries, id)
      if (!row) return refuse('operatorUnknown')
      if (row.password_hash === null) return refuse('operatorNotJoined')
      const subject = `operator:${id}`
      if (await isAlone(queries, operator.id, now())) {
        const invitation = await effects.reset({ operator, act, subject, reason }, id)
        return isRefusal(invitation) ? invitation : { approvalId: null, invitation }
      }
      const asked = { kind: 'resetOperator', subject, body: { id }, ...resetOf(row), reason }
      const approvalId = await approvals.ask(operator, asked)
      return isRefusal(approvalId) ? approvalId : { approvalId, invitation: null }
    },

    change: async (
      operator: DeskOperator,
      { reason, ...change }: WithReason<OperatorChange>,
      request?: Request,
    ): Promise<DeskOutcome | Refusal> => {
      const row = await findOperator(queries, change.id)
      if (!row) return refuse('operatorUnknown')
      const { before, after } = differenceOf(row, change)
      const subject = `operator:${change.id}`
      // Switching somebody off takes power away and may be urgent.
      const isUrgent = before.isOn && !after.isOn && after.role === before.role
      if (isUrgent || (await isAlone(queries, operator.id, now()))) {
        const done = await effects.change({ operator, act, subject, reason }, change)
        return isRefusal(done) ? done : { approvalId: null }
      }
      const body = { ...change, before }
      const asked = { kind: 'changeOperator', subject, body, before, after, reason, request }
      const approvalId = await approvals.ask(operator, asked)
      return isRefusal(approvalId) ? approvalId : { approvalId }
    },
  }
}

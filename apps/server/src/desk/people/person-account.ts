import type { Money, Outcome, Request } from '@fairlot/core'
import { isRefusal, refuse } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { actOn, type Asked } from './act-on.ts'

/** `before` is what the form showed. */
type NewScore = Asked & { readonly before: number; readonly score: number }

/** What operators may do to an account. Nothing here takes a price, a fill or a result. */
export const createPersonAccount = ({ acts, engineActs, traders }: DeskServices) => ({
  setCreditScore: (operator: DeskOperator, { id, before, score, reason }: NewScore) => {
    const act = {
      ...actOn(operator, 'setCreditScore', { id, reason }),
      ...{ before: { creditScore: before }, after: { creditScore: score } },
    }
    return acts.perform(act, async (within) => {
      const changed = await within
        .updateTable('app_user')
        .set({ credit_score: BigInt(score) })
        .where('id', '=', BigInt(id))
        .where('credit_score', '=', BigInt(before))
        .executeTakeFirst()
      return changed.numUpdatedRows === 1n ? { score } : refuse('formOutdated')
    })
  },

  /** Booked by nobody but the operator who decides the case. By the same request it is the same case. */
  askAdjustment: async (
    operator: DeskOperator,
    { id, amount, reason }: Asked & { readonly amount: Money },
    request?: Request,
  ) => {
    const act = { ...actOn(operator, 'askAdjustment', { id, reason }), after: { amount } }
    const done = await engineActs.execute(act, { type: 'askAdjustment', accountId: id, amount }, request)
    return isRefusal(done) ? done : { caseId: caseOf(done) }
  },

  closeOrder: async (
    operator: DeskOperator,
    { id, orderId, reason }: Asked & { readonly orderId: number },
  ) => {
    const act = { ...actOn(operator, 'closeOrder', { id, reason }), subject: `order:${orderId}` }
    const done = await engineActs.execute(act, { type: 'closeByOperator', accountId: id, orderId })
    if (isRefusal(done)) return done
    const order = await traders.orderQueries.ended(id, orderId)
    return order ? { order } : refuse('orderNotFound', { orderId })
  },
})

function caseOf({ entry }: Outcome): number {
  const asked = entry.events.find(({ type }) => type === 'adjustmentAsked')
  if (asked?.type !== 'adjustmentAsked') throw new Error('an adjustment was asked for, and no case opened')
  return asked.caseId
}

import type { OpenStatus } from '@fairlot/core'
import { isRefusal, readEngine, refuse } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { actOn, type Asked } from './act-on.ts'

/** `before` is what the form showed. */
type NewStatus = Asked & { readonly before: OpenStatus; readonly status: OpenStatus }

/** Restricts an account, or lets it trade again. Of two forms at once the second is outdated. */
export function createSetStatus({ deployment: { engine }, engineActs }: DeskServices) {
  const underWay = new Set<number>()

  const set = async (operator: DeskOperator, { id, before, status, reason }: NewStatus) => {
    const now = await readEngine(engine, (state) => {
      const account = state.accounts.get(id)
      return account ? { status: account.status, reason: account.statusReason } : refuse('accountNotFound')
    })
    if (isRefusal(now)) return now
    if (now.status !== before || before === status) return refuse('formOutdated')
    const act = { ...actOn(operator, 'restrictPerson', { id, reason }), before: now, after: { status } }
    const done = await engineActs.execute(act, { type: 'setAccountStatus', accountId: id, status })
    return isRefusal(done) ? done : { status }
  }

  return async (operator: DeskOperator, asked: NewStatus) => {
    if (underWay.has(asked.id)) return refuse('formOutdated')
    underWay.add(asked.id)
    try {
      return await set(operator, asked)
    } finally {
      underWay.delete(asked.id)
    }
  }
}

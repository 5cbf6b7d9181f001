import { money, type Money, type Request } from '@fairlot/core'
import type { DeskOutcome } from '@fairlot/contract/desk'
import type { Engine } from '../../engine/engine.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import type { Approvals } from '../approvals/approvals.ts'
import type { Act } from '../acts/act-log.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { amountText } from './money-facts.ts'

type Finish = { readonly id: number; readonly amount: Money; readonly reason: string }
type Refuse = { readonly id: number; readonly outcome: 'rejected' | 'invalid'; readonly reason: string }

const ACT = 'decideDeposit'
/** The approval of a credit above the limit. */
export const FINISH = 'finishDeposit'
export const caseKeyOf = (id: number): string => `deposit:${id}`

/** Ends deposits: finished at the amount that has arrived, or refused. Above the limit two people stand behind one that is credited. */
export function createDepositDecisions({ deployment, engineActs, approvals, hub }: DeskServices) {
  const { engine } = deployment
  const find = (id: number) => findOpen(engine, id)
  const credit = async (
    { id, amount, reason }: Finish,
    people: Pick<Act, 'operator' | 'second' | 'approval'>,
  ): Promise<Refusal | null> => {
    const found = await find(id)
    if (isRefusal(found)) return found
    const done = await engineActs.execute(
      { ...people, ...actOn(id, found), reason, after: { credited: amountText(amount), status: 'finished' } },
      { type: 'endDeposit', caseId: id, outcome: 'finished', amount },
    )
    return isRefusal(done) ? done : null
  }

  approvals.register(FINISH, {
    ...{ askAct: ACT, decideAct: ACT, isAtItsSubject: true },
    execute: (body, { asked, second, reason, approval }) => {
      const { id, amount } = body as { readonly id: number; readonly amount: string }
      return credit({ id, amount: money(BigInt(amount)), reason }, { operator: asked, second, approval })
    },
  })

  const finish = async (
    operator: DeskOperator,
    asked: Finish,
    request?: Request,
  ): Promise<DeskOutcome | Refusal> => {
    const { id, amount, reason } = asked
    const found = await find(id)
    if (isRefusal(found)) return found
    const { fourEyesLimit } = engine.state().settings
    if (amount <= fourEyesLimit) {
      const refusal = await credit(asked, { operator, second: null })
      return refusal ?? { approvalId: null }
    }
    const approvalId = await approvals.ask(operator, {
      ...{ kind: FINISH, subject: caseKeyOf(id), accountId: found.accountId, reason, request },
      body: { id, amount },
      ...{ before: { told: amountText(found.told) }, after: { credited: amountText(amount) } },
    })
    if (isRefusal(approvalId)) return approvalId
    hub.changed('waiting')
    return { approvalId }
  }
  const refuseIt = async (
    operator: DeskOperator,
    { id, outcome, reason }: Refuse,
  ): Promise<Refusal | null> => {
    const found = await find(id)
    if (isRefusal(found)) return found
    const done = await engineActs.execute(
      { operator, ...actOn(id, found), reason, after: { status: outcome } },
      { type: 'endDeposit', caseId: id, outcome, amount: money(0n) },
    )
    return isRefusal(done) ? done : null
  }
  const once = createOnce(approvals)
  return {
    finish: async (operator: DeskOperator, asked: Finish, request?: Request) => {
      const approvalId = await approvals.askedBefore(request)
      if (approvalId !== null) return isRefusal(approvalId) ? approvalId : { approvalId }
      return once(asked.id, () => finish(operator, asked, request))
    },
    refuse: (operator: DeskOperator, asked: Refuse) => once(asked.id, () => refuseIt(operator, asked)),
  }
}

type OpenDeposit = { readonly accountId: number; readonly told: Money }

const findOpen = (engine: Engine, id: number) =>
  readEngine(engine, (state): OpenDeposit | Refusal => {
    const found = state.cases.get(id)
    if (found?.kind === 'deposit') return { accountId: found.accountId, told: found.amount }
    return refuse(id <= state.lastCaseId ? 'caseEnded' : 'caseNotFound', { caseId: id })
  })

const actOn = (id: number, { accountId, told }: OpenDeposit) => ({
  ...({ act: ACT, subject: caseKeyOf(id), caseKey: caseKeyOf(id), accountId } as const),
  before: { told: amountText(told), status: 'open' },
})

/** Of two at once the first is under way, and decides; none while a second person has been asked. */
function createOnce({ waitingAt }: Pick<Approvals, 'waitingAt'>) {
  const underWay = new Set<number>()
  return async <T>(id: number, work: () => Promise<T | Refusal>): Promise<T | Refusal> => {
    if (underWay.has(id)) return refuse('caseEnded', { caseId: id })
    underWay.add(id)
    try {
      const asked = await waitingAt(FINISH, [caseKeyOf(id)])
      return asked.size > 0 ? refuse('secondPersonAsked') : await work()
    } finally {
      underWay.delete(id)
    }
  }
}

import {
  decideApproval,
  getWaitingCase,
  handOnCase,
  letCaseGo,
  listWaiting,
  mayDo,
  ROLES,
  takeCase,
  waitingFile,
  withdrawApproval,
  type OperatorRole,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import type { InputOf, OutputOf } from '@fairlot/contract'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { latestEntriesOn } from '../audit-log/audit-entries.ts'
import type { ListFile } from '../desk-api.ts'
import type { DeskServices } from '../desk-services.ts'
import { type DeskOperator, findOperator } from '../operators/operators.ts'
import { approvalSource } from '../approvals/approval-cases.ts'
import type { WaitingItem } from './waiting-list.ts'

const WAITING_FILE: ListFile<InputOf<typeof listWaiting>, OutputOf<typeof listWaiting>> = {
  file: waitingFile,
  rowsOf: ({ cases }) => cases.map((each) => ({ ...each, holder: each.heldBy?.name })),
}

/** The waiting list, its cases, their assignment and the decisions of approvals. */
export function registerWaiting(services: DeskServices): void {
  const { api, queries, auditLog, approvals, confirmations, waiting, assignments, hub, deployment } = services
  waiting.register(approvalSource(queries, approvals))

  api.list(listWaiting, ({ operator, input }, limit) => waiting.list(operator, input, limit), WAITING_FILE)
  api.operator(getWaitingCase, ({ operator, input }) => detailOf(services, operator, input.caseKey))

  /** Refused for a case that is not open. */
  const withOpenCase = async (caseKey: string, act: (item: WaitingItem) => Promise<Refusal | null>) => {
    const found = await waiting.find(caseKey)
    return isRefusal(found) ? found : act(found.item)
  }
  api.operator(takeCase, ({ operator, input: { caseKey, from } }) =>
    withOpenCase(caseKey, async ({ decidePermission }) => {
      if (mayDo(operator.role, decidePermission)) return assignments.take(operator, caseKey, from)
      const refusal = refuse('roleRefused')
      await auditLog.recordRefusal({ operator, act: 'takeCase', subject: caseKey, caseKey }, refusal)
      return refusal
    }),
  )
  api.operator(handOnCase, ({ operator, input: { caseKey, ...to } }) =>
    withOpenCase(caseKey, async ({ decidePermission }) => {
      const next = await findOperator(queries, to.operatorId)
      if (next && !mayDo(next.role as OperatorRole, decidePermission)) return refuse('deciderNeeded')
      return assignments.handOver(operator, caseKey, to)
    }),
  )
  api.operator(letCaseGo, ({ operator, input: { caseKey } }) => assignments.release(operator, caseKey))

  /** Releases a case that has ended. */
  const finishCase = async (caseKey: string, refusal: Refusal | null) => {
    if (refusal) return refusal
    await assignments.clear(caseKey)
    await deployment.engine.caughtUp()
    hub.changed('waiting')
    return null
  }
  api.operator(decideApproval, async ({ operator, input: { id, isApproved, reason } }) => {
    const at = { caseKey: await approvals.caseKeyOf(id), act: 'decideApproval' } as const
    const refusal = await assignments.decideUnlessTaken(operator, at, async () =>
      finishCase(at.caseKey, await approvals.decide(operator, id, isApproved, reason)),
    )
    return refusal ?? { confirmation: confirmations.take(at.caseKey) }
  })
  api.operator(withdrawApproval, async ({ operator, input: { id, reason } }) =>
    finishCase(await approvals.caseKeyOf(id), await approvals.withdraw(operator, id, reason)),
  )
}

/** A case as one operator sees it. */
async function detailOf(
  { waiting, assignments, queries }: DeskServices,
  operator: DeskOperator,
  caseKey: string,
): Promise<WaitingDetail | Refusal> {
  const found = await waiting.find(caseKey)
  if (isRefusal(found)) return found
  const { item } = found
  const contents = await found.source.contents(item)
  if (isRefusal(contents)) return contents
  const { texts: words, noTexts: noWords = '', ...rest } = contents
  const barrier =
    reasonNotToDecide(operator, item) ?? (await assignments.refusalOf(operator, caseKey))?.rejected
  return {
    related: [],
    approvalId: null,
    ...rest,
    words,
    noWords,
    case: await waiting.listedCase(found),
    barrier: barrier ?? null,
    deciders: ROLES.filter((role) => mayDo(role, item.decidePermission)),
    mayWithdraw: contents.decision === 'approval' && item.requestedBy?.id === operator.id,
    acts: item.accountId === null ? [] : await latestEntriesOn(queries, item.accountId),
  }
}

/** Why an operator may not decide a case, as far as is known in advance. */
function reasonNotToDecide(
  { id, role }: DeskOperator,
  { decidePermission, needsSecond, requestedBy }: WaitingItem,
) {
  if (!mayDo(role, decidePermission)) return 'roleRefused'
  return needsSecond && requestedBy?.id === id ? 'sameOperator' : null
}

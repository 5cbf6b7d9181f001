import {
  askHalt,
  decideAdjustment,
  decideApproval,
  getHouseFigures,
  getWaitingCase,
  handOnCase,
  letCaseGo,
  listWaiting,
  mayDo,
  takeCase,
  withdrawApproval,
  type DeskAct,
} from '@fairlot/contract/desk'
import { isRefusal, type Refusal } from '../../http/refusal.ts'
import { lastActsOn } from '../acts/act-repository.ts'
import { approvalKey } from '../approvals/approvals.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { adjustmentSource, createAdjustmentDecision } from './adjustments.ts'
import { approvalSource } from './approval-cases.ts'
import { createAskedHalts } from './asked-halts.ts'
import { houseFigures } from './house-figures.ts'
import type { WaitingItem } from './waiting-source.ts'

/** What waits for people: the list, its cases, who has them, and the decisions of the desk itself. */
export function registerWaiting(services: DeskServices): void {
  const { api, queries, acts, approvals, waiting, holders, hub, deployment } = services
  waiting.register(adjustmentSource(services))
  waiting.register(approvalSource(queries, approvals))
  const decide = createAdjustmentDecision(services)
  const ask = createAskedHalts(services)

  api.operator(listWaiting, ({ operator, input }) => waiting.list(operator, input))
  api.operator(getWaitingCase, async ({ operator, input: { caseKey } }) => {
    const found = await waiting.find(caseKey)
    if (isRefusal(found)) return found
    const { item } = found
    const contents = await found.source.contents(item)
    if (isRefusal(contents)) return contents
    const barrier = barrierOf(operator, item) ?? (await holders.refusalOf(operator, caseKey))?.rejected
    return {
      ...contents,
      ...{ case: await waiting.shown(found), barrier: barrier ?? null },
      mayWithdraw: contents.decision === 'approval' && item.asked?.id === operator.id,
      acts: item.accountId === null ? [] : await lastActsOn(queries, item.accountId),
    }
  })

  /** Only of a case that still waits. */
  const ofWaiting = async (caseKey: string, move: () => Promise<Refusal | null>) => {
    const found = await waiting.find(caseKey)
    return isRefusal(found) ? found : move()
  }
  api.operator(takeCase, ({ operator, input: { caseKey, from } }) =>
    ofWaiting(caseKey, () => holders.take(operator, caseKey, from)),
  )
  api.operator(handOnCase, ({ operator, input: { caseKey, ...to } }) =>
    ofWaiting(caseKey, () => holders.handOn(operator, caseKey, to)),
  )
  api.operator(letCaseGo, ({ operator, input: { caseKey } }) => holders.letGo(operator, caseKey))

  /** Nobody has a case once it is over. */
  const ended = async (caseKey: string, refusal: Refusal | null) => {
    if (refusal) return refusal
    await holders.forget(caseKey)
    await deployment.engine.caughtUp()
    hub.changed('waiting')
    return null
  }
  /** Not while somebody else has the case. */
  const deciding = async (
    operator: DeskOperator,
    { caseKey, act }: { readonly caseKey: string; readonly act: DeskAct },
    end: () => Promise<Refusal | null>,
  ) => {
    const held = await holders.refusalOf(operator, caseKey)
    if (held) await acts.tellRefused({ operator, act, subject: caseKey, caseKey }, held)
    return held ?? ended(caseKey, await end())
  }
  api.operator(decideAdjustment, ({ operator, input }) =>
    deciding(operator, { caseKey: `adjustment:${input.id}`, act: 'decideAdjustment' }, () =>
      decide(operator, input),
    ),
  )
  api.operator(decideApproval, ({ operator, input: { id, isApproved, reason } }) =>
    deciding(operator, { caseKey: approvalKey(id), act: 'decideApproval' }, () =>
      approvals.decide(operator, id, isApproved, reason),
    ),
  )
  api.operator(withdrawApproval, async ({ operator, input: { id, reason } }) =>
    ended(approvalKey(id), await approvals.withdraw(operator, id, reason)),
  )
  api.operator(askHalt, ({ operator, input, request }) => ask(operator, input, request))
  api.operator(getHouseFigures, () => houseFigures(services))
}

/** Why somebody may not decide a case, as far as it is known beforehand. */
function barrierOf({ id, role }: DeskOperator, { decideAct, needsSecond, asked }: WaitingItem) {
  if (!mayDo(role, decideAct)) return 'roleRefused'
  return needsSecond && asked?.id === id ? 'sameOperator' : null
}

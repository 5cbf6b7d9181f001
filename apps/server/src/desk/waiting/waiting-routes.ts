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
  waitingFile,
  withdrawApproval,
  type DeskAct,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import type { InputOf, OutputOf } from '@fairlot/contract'
import { isRefusal, type Refusal } from '../../http/refusal.ts'
import { lastActsOn } from '../acts/act-repository.ts'
import type { ListFile } from '../desk-api.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { adjustmentSource, createAdjustmentDecision } from './adjustments.ts'
import { approvalSource } from './approval-cases.ts'
import { createAskedHalts } from './asked-halts.ts'
import { houseFigures } from './house-figures.ts'
import type { WaitingItem } from './waiting-source.ts'

const WAITING_FILE: ListFile<InputOf<typeof listWaiting>, OutputOf<typeof listWaiting>> = {
  file: waitingFile,
  rowsOf: ({ cases }) => cases.map((each) => ({ ...each, holder: each.heldBy?.name })),
}

/** What waits for people: the list, its cases, who has them, and the decisions of the desk itself. */
export function registerWaiting(services: DeskServices): void {
  const { api, queries, acts, approvals, waiting, holders, hub, deployment } = services
  waiting.register(adjustmentSource(services))
  waiting.register(approvalSource(queries, approvals))
  const decide = createAdjustmentDecision(services)
  const ask = createAskedHalts(services)

  api.list(listWaiting, ({ operator, input }, limit) => waiting.list(operator, input, limit), WAITING_FILE)
  api.operator(getWaitingCase, ({ operator, input }) => detailOf(services, operator, input.caseKey))

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
  api.operator(decideApproval, async ({ operator, input: { id, isApproved, reason } }) =>
    deciding(operator, { caseKey: await approvals.caseKeyOf(id), act: 'decideApproval' }, () =>
      approvals.decide(operator, id, isApproved, reason),
    ),
  )
  api.operator(withdrawApproval, async ({ operator, input: { id, reason } }) =>
    ended(await approvals.caseKeyOf(id), await approvals.withdraw(operator, id, reason)),
  )
  api.operator(askHalt, ({ operator, input, request }) => ask(operator, input, request))
  api.operator(getHouseFigures, () => houseFigures(services))
}

/** A case as one operator sees it. */
async function detailOf(
  { waiting, holders, queries }: DeskServices,
  operator: DeskOperator,
  caseKey: string,
): Promise<WaitingDetail | Refusal> {
  const found = await waiting.find(caseKey)
  if (isRefusal(found)) return found
  const { item } = found
  const contents = await found.source.contents(item)
  if (isRefusal(contents)) return contents
  const barrier = barrierOf(operator, item) ?? (await holders.refusalOf(operator, caseKey))?.rejected
  return {
    ...{ related: [], approvalId: null, noWords: '' },
    ...contents,
    ...{ case: await waiting.shown(found), barrier: barrier ?? null },
    mayWithdraw: contents.decision === 'approval' && item.asked?.id === operator.id,
    acts: item.accountId === null ? [] : await lastActsOn(queries, item.accountId),
  }
}

/** Why somebody may not decide a case, as far as it is known beforehand. */
function barrierOf({ id, role }: DeskOperator, { decideAct, needsSecond, asked }: WaitingItem) {
  if (!mayDo(role, decideAct)) return 'roleRefused'
  return needsSecond && asked?.id === id ? 'sameOperator' : null
}

import type { Money } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import type { WithdrawalTable } from '../../database/payment-schema.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { amountText } from './money-facts.ts'

type Decided = { readonly id: number; readonly reason: string }
type Paid = Decided & { readonly reference: string }

const ACT = 'decideWithdrawal'
/**
 * So long nobody approves what its owner has begun to take back. The engine takes seconds to decide; a mark that is older stayed
 * behind because the server died or the call came to nothing, and it must not keep the money frozen.
 */
const TAKING_BACK_MS = 60_000
const caseKeyOf = (id: number): string => `withdrawal:${id}`

type Held = { readonly accountId: number; readonly amount: Money }

/** A withdrawal whose money is frozen. */
const findHeld = ({ deployment }: DeskServices, id: number): Promise<Held | Refusal> =>
  readEngine(deployment.engine, (state): Held | Refusal => {
    const found = state.cases.get(id)
    if (found?.kind === 'withdrawal') return { accountId: found.accountId, amount: found.amount }
    return refuse(id <= state.lastCaseId ? 'caseEnded' : 'caseNotFound', { caseId: id })
  })

const actOn = (id: number, { accountId, amount }: Held, status: string) => ({
  ...({ act: ACT, subject: caseKeyOf(id), caseKey: caseKeyOf(id), accountId } as const),
  before: { amount: amountText(amount), status },
})

type Deciding = Promise<Refusal | null>

/** Withdrawals are approved, then paid; or rejected at any time before that, and the whole amount is free again. */
export function createWithdrawalDecisions(services: DeskServices) {
  /** Two at once: the first is under way, and decides. */
  const underWay = new Set<number>()
  const once = async (id: number, work: (held: Held) => Deciding): Deciding => {
    if (underWay.has(id)) return refuse('caseEnded', { caseId: id })
    underWay.add(id)
    try {
      const held = await findHeld(services, id)
      return isRefusal(held) ? held : await work(held)
    } finally {
      underWay.delete(id)
    }
  }
  return {
    approve: (by: DeskOperator, decided: Decided) =>
      once(decided.id, (held) => approve(services, by, decided, held)),
    pay: (by: DeskOperator, paid: Paid) => once(paid.id, (held) => pay(services, by, paid, held)),
    reject: (operator: DeskOperator, { id, reason }: Decided) =>
      once(id, async (held) => {
        const done = await services.engineActs.execute(
          { operator, ...actOn(id, held, 'open'), reason, after: { status: 'rejected' } },
          { type: 'endWithdrawal', caseId: id, outcome: 'rejected' },
        )
        return isRefusal(done) ? done : null
      }),
  }
}

async function approve(
  { acts, deployment, notices, hub }: DeskServices,
  operator: DeskOperator,
  { id, reason }: Decided,
  held: Held,
): Deciding {
  const approved = { kind: 'withdrawalApproved', caseId: id } as const
  const done = await acts.perform(
    { operator, ...actOn(id, held, 'waiting'), reason, after: { status: 'approved' } },
    async (within) => {
      const refusal = await markApproved(within, id, operator, deployment)
      if (!refusal) await notices.write(within, held.accountId, approved)
      return refusal
    },
  )
  if (isRefusal(done)) return done
  notices.tell(held.accountId, approved)
  hub.changed('waiting')
  return null
}

/** Not one that is taken back at the same time: of both, the first to mark the row decides. */
async function markApproved(
  within: Transaction<Tables>,
  id: number,
  operator: DeskOperator,
  { market, wallClock }: DeskServices['deployment'],
): Deciding {
  const { numUpdatedRows } = await within
    .updateTable('withdrawal')
    .set({
      ...{ approved_at: BigInt(market.now()), approved_by: BigInt(operator.id) },
      ...{ approved_name: operator.name, approved_role: operator.role },
    })
    .where('case_id', '=', BigInt(id))
    .where('approved_at', 'is', null)
    .where((row) =>
      row.or([
        row('taken_back_at', 'is', null),
        row('taken_back_at', '<', BigInt(wallClock() - TAKING_BACK_MS)),
      ]),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return null
  const row = await rowOf(within, id)
  return refuse((row?.approved_at ?? null) === null ? 'caseEnded' : 'withdrawalApproved', { caseId: id })
}

async function pay(
  { queries, engineActs }: DeskServices,
  operator: DeskOperator,
  { id, reference, reason }: Paid,
  held: Held,
): Deciding {
  if (reference === '') return refuse('referenceMissing', { field: 'reference' })
  const row = await rowOf(queries, id)
  const approver = row && approverOf(row)
  if (!approver) return refuse('withdrawalNotApproved')
  // Before the engine's word, so that no payment is without it; it is shown once the case has ended as paid.
  await queries.updateTable('withdrawal').set({ reference }).where('case_id', '=', BigInt(id)).execute()
  const second = approver.id === operator.id ? null : approver
  const done = await engineActs.execute(
    { operator, second, ...actOn(id, held, 'approved'), reason, after: { status: 'paid', reference } },
    { type: 'endWithdrawal', caseId: id, outcome: 'paid' },
  )
  return isRefusal(done) ? done : null
}

const rowOf = (queries: Queries, id: number): Promise<WithdrawalTable | undefined> =>
  queries.selectFrom('withdrawal').selectAll().where('case_id', '=', BigInt(id)).executeTakeFirst()

const approverOf = (row: WithdrawalTable): DeskOperator | null =>
  row.approved_by === null
    ? null
    : {
        id: Number(row.approved_by),
        name: row.approved_name ?? '',
        role: (row.approved_role ?? 'finance') as DeskOperator['role'],
      }

/** The actions of operators: written as rows from journal entries, and read back with their events. */
import type { Entry, Event, Operator, OperatorRole } from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { OperatorActTable } from '../../platform/database/schema.ts'
import { decodeEntries } from '../journal/entry-codec.ts'

export type OperatorActionRows = Written<OperatorActTable>[]

/** Id 0 is the operator of entries from before entries had authors. */
export function projectActions(
  rows: OperatorActionRows,
  numbers: { actionId: number },
  seq: number,
  { at, events }: Pick<Entry, 'at' | 'events'>,
  { id, role, reason, second }: Operator,
): void {
  if (id === 0) return
  for (const event of events) {
    numbers.actionId += 1
    rows.push({
      id: numbers.actionId,
      journal_seq: seq,
      at,
      operator_id: id,
      role,
      reason,
      second_id: second?.id ?? null,
      second_role: second?.role ?? null,
      account_id: 'accountId' in event ? event.accountId : null,
      event: event.type,
    })
  }
}

/** An operator's action as recorded in the journal. */
type JournaledAction = {
  readonly id: bigint
  /** Epoch ms on the market clock. */
  readonly at: number
  readonly role: OperatorRole
  readonly reason: string
  readonly event: Event
}

type Found = Pick<OperatorActTable, 'id' | 'journal_seq' | 'at' | 'role' | 'reason'>

/** The events behind an account's rows of `operator_act`: a row is identified by its place among those of one journal row. */
export async function journaledActions(
  queries: Queries,
  accountId: number,
  rows: readonly Found[],
): Promise<JournaledAction[]> {
  if (rows.length === 0) return []
  const seqs = [...new Set(rows.map((row) => row.journal_seq))]
  const all = await queries
    .selectFrom('operator_act')
    .select(['id', 'journal_seq'])
    .where('account_id', '=', BigInt(accountId))
    .where('journal_seq', 'in', seqs)
    .orderBy('id')
    .execute()
  const journal = await queries
    .selectFrom('journal')
    .select(['seq', 'entries'])
    .where('seq', 'in', seqs)
    .execute()
  const actions = new Map<bigint, EventOfOperator>()
  for (const { seq, entries } of journal) {
    const ofRow = all.filter((row) => row.journal_seq === seq)
    actionsIn(entries, accountId).forEach((action, place) => {
      const row = ofRow[place]
      if (row) actions.set(row.id, action)
    })
  }
  return rows.flatMap(({ id, at, role, reason }) => {
    const action = actions.get(id)
    if (!action) return []
    const { event, isReasonPrivate } = action
    return [{ id, at: Number(at), role: role as OperatorRole, reason: isReasonPrivate ? '' : reason, event }]
  })
}

type EventOfOperator = { readonly event: Event; readonly isReasonPrivate: boolean }

/**
 * In the order in which the projection numbers them. A change of an operator voids approvals on users' accounts; its reason
 * concerns the operator, and is not shown to users.
 */
const actionsIn = (entries: string, accountId: number): EventOfOperator[] =>
  decodeEntries(entries).flatMap(({ author, events }) => {
    if (author.type !== 'operator' || author.id === 0) return []
    const isReasonPrivate = events[0]?.type === 'operatorSet'
    return events
      .filter((event) => 'accountId' in event && event.accountId === accountId)
      .map((event) => ({ event, isReasonPrivate }))
  })

/** Positions of an account that operators closed at these times (epoch ms), by order. */
export async function positionsClosedByOperators(
  queries: Queries,
  accountId: number,
  times: readonly number[],
): Promise<ReadonlyMap<number, JournaledAction>> {
  if (times.length === 0) return new Map()
  const rows = await queries
    .selectFrom('operator_act')
    .select(['id', 'journal_seq', 'at', 'role', 'reason'])
    .where('account_id', '=', BigInt(accountId))
    .where('event', '=', 'positionClosed')
    .where('at', 'in', [...new Set(times)].map(BigInt))
    .execute()
  const actions = await journaledActions(queries, accountId, rows)
  return new Map(
    actions.flatMap((action) =>
      action.event.type === 'positionClosed' ? [[action.event.orderId, action] as const] : [],
    ),
  )
}

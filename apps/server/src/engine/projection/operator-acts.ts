/** What operators did to one account, whole: the table says who and why, the journal what. */
import type { Event, OperatorRole } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import type { OperatorActTable } from '../../database/schema.ts'
import { decodeEntries } from '../journal/entry-codec.ts'

/** An act as it is in the journal. */
export type JournaledAct = {
  readonly id: bigint
  /** Epoch ms on the market clock. */
  readonly at: number
  readonly role: OperatorRole
  readonly reason: string
  readonly event: Event
}

type Found = Pick<OperatorActTable, 'id' | 'journal_seq' | 'at' | 'role' | 'reason'>

/** The events behind rows of an account's acts. Rows are found again by their place among the account's acts in one journal row. */
export async function journaledActs(
  queries: Queries,
  accountId: number,
  rows: readonly Found[],
): Promise<JournaledAct[]> {
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
  const events = new Map<bigint, Event>()
  for (const { seq, entries } of journal) {
    const told = all.filter((row) => row.journal_seq === seq)
    actsIn(entries, accountId).forEach((event, place) => {
      const row = told[place]
      if (row) events.set(row.id, event)
    })
  }
  return rows.flatMap(({ id, at, role, reason }) => {
    const event = events.get(id)
    return event ? [{ id, at: Number(at), role: role as OperatorRole, reason, event }] : []
  })
}

/** As the projection counts them: operators without a name are those of before entries had authors. */
const actsIn = (entries: string, accountId: number): Event[] =>
  decodeEntries(entries).flatMap(({ author, events }) =>
    author.type === 'operator' && author.id !== 0
      ? events.filter((event) => 'accountId' in event && event.accountId === accountId)
      : [],
  )

/** Who closed positions of an account at these moments, by order. */
export async function operatorsCloses(
  queries: Queries,
  accountId: number,
  moments: readonly number[],
): Promise<ReadonlyMap<number, JournaledAct>> {
  if (moments.length === 0) return new Map()
  const rows = await queries
    .selectFrom('operator_act')
    .select(['id', 'journal_seq', 'at', 'role', 'reason'])
    .where('account_id', '=', BigInt(accountId))
    .where('event', '=', 'positionClosed')
    .where('at', 'in', [...new Set(moments)].map(BigInt))
    .execute()
  const acts = await journaledActs(queries, accountId, rows)
  return new Map(
    acts.flatMap((act) => (act.event.type === 'positionClosed' ? [[act.event.orderId, act] as const] : [])),
  )
}

import type { DeskAct } from '@fairlot/contract/desk'
import type { OperatorRole } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import type { OperatorActTable } from '../../database/schema.ts'
import { readHead } from '../../engine/journal/journal.ts'
import type { Engine } from '../../engine/engine.ts'
import { listOperatorRows } from '../operators/operator-repository.ts'
import type { DeskOperator } from '../operator.ts'
import type { ActLog } from './act-log.ts'

/**
 * A crash between the journal's commit and the list of acts leaves an act in the one that is not in the other: it is written down from
 * what the journal says about it, by the next start, or before the next act of a server whose database went away. Answers how many
 * there were.
 */
export async function tellUntoldActs(queries: Queries, engine: Engine, log: ActLog): Promise<number> {
  // What comes from now on is told by whoever does it.
  const { seq } = await readHead(queries)
  await engine.caughtUp()
  const rows = await untoldRows(queries, seq)
  const names = new Map((await listOperatorRows(queries)).map(({ id, name }) => [id, name]))
  const entries = Map.groupBy(rows, (row) => `${row.journal_seq}:${row.at}:${row.operator_id}`)
  for (const [first, ...more] of entries.values()) {
    if (!first) continue
    const all = [first, ...more]
    const person = (id: bigint, role: string): DeskOperator => ({
      ...{ id: Number(id), name: names.get(Number(id)) ?? `operator ${id}`, role: role as OperatorRole },
    })
    const accountId = all.find((row) => row.account_id !== null)?.account_id ?? null
    await log.tell(
      {
        operator: person(first.operator_id, first.role),
        second: first.second_id === null ? null : person(first.second_id, first.second_role ?? first.role),
        act: ACTS[first.event] ?? 'changeTerms',
        subject: `journal:${first.journal_seq}`,
        accountId: accountId === null ? null : Number(accountId),
        reason: first.reason,
        after: { writtenDownLater: true, events: all.map(({ event }) => event) },
      },
      Number(first.at),
    )
  }
  return entries.size
}

const untoldRows = (queries: Queries, upTo: number): Promise<OperatorActTable[]> =>
  queries
    .selectFrom('operator_act')
    .selectAll()
    .where('journal_seq', '<=', BigInt(upTo))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('desk_act')
            .select('desk_act.id')
            .whereRef('desk_act.journal_at', '=', 'operator_act.at')
            .whereRef('desk_act.operator_id', '=', 'operator_act.operator_id'),
        ),
      ),
    )
    .orderBy('id')
    .execute()

/** Which line of the table of permissions an event of the journal belongs to. */
const ACTS: Readonly<Record<string, DeskAct>> = {
  adjustmentAsked: 'askAdjustment',
  adjustmentEnded: 'decideAdjustment',
  depositEnded: 'decideDeposit',
  withdrawalEnded: 'decideWithdrawal',
  accountStatusSet: 'restrictPerson',
  positionClosed: 'closeOrder',
  orderCancelled: 'closeOrder',
  instrumentHalted: 'halt',
  tradingModeSet: 'halt',
}

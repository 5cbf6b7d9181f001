import { requestKey, type Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { ApprovalTable } from '../../database/desk-schema.ts'
import type { Queries } from '../../database/open.ts'
import type { Tables } from '../../database/schema.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import { nextId } from '../next-id.ts'
import type { DeskOperator } from '../operator.ts'

/** An act that waits for a second person, as it was asked for. */
export type Asked = {
  /** A kind that was registered. */
  readonly kind: string
  readonly subject: string
  readonly accountId?: number | null
  /** What is to be done: plain JSON, read again by the kind when it is approved. */
  readonly body: unknown
  readonly before?: unknown
  readonly after?: unknown
  readonly reason: string
  /** Names the asking, where the caller named it: sent again it opens no second case. */
  readonly request?: Request | undefined
}

export type Ending = 'approved' | 'refused' | 'withdrawn'

/** Who decides, why, and when (epoch ms). */
export type Decided = { readonly by: DeskOperator; readonly reason: string; readonly at: number }

export const findApproval = (queries: Queries, id: number): Promise<ApprovalTable | undefined> =>
  queries.selectFrom('approval').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()

/** Those that somebody was about to approve when something went wrong. */
export const listIntended = (queries: Queries): Promise<ApprovalTable[]> =>
  queries
    .selectFrom('approval')
    .selectAll()
    .where('status', '=', 'waiting')
    .where('decided_by', 'is not', null)
    .execute()

export async function insertApproval(
  within: Transaction<Tables>,
  operator: DeskOperator,
  { kind, subject, body, before, after, reason, accountId = null, request }: Asked,
  at: number,
): Promise<number> {
  const id = await nextId(within, 'approval')
  await within
    .insertInto('approval')
    .values({
      ...{ id, kind, subject, account_id: accountId === null ? null : BigInt(accountId) },
      ...{ body: jsonOf(body), before: jsonOf(before ?? null), after: jsonOf(after ?? null) },
      ...{ reason: reason.trim(), asked_by: BigInt(operator.id), asked_name: operator.name },
      ...{ asked_role: operator.role, asked_at: BigInt(Math.floor(at)), status: 'waiting' },
      ...{ decided_by: null, decided_name: null, decided_role: null, decided_at: null, decided_reason: '' },
      ...{ request_key: request ? requestKey(request) : null, request_digest: request?.digest ?? null },
    })
    .execute()
  return Number(id)
}

/** The case that this request has opened before, or its refusal where it asked for something else; null for a new one. */
export async function askedBefore(
  queries: Queries,
  request: Request | undefined,
): Promise<number | Refusal | null> {
  if (!request) return null
  const row = await queries
    .selectFrom('approval')
    .select(['id', 'request_digest'])
    .where('request_key', '=', requestKey(request))
    .executeTakeFirst()
  if (!row) return null
  return row.request_digest === request.digest
    ? Number(row.id)
    : refuse('requestIdReused', { requestId: request.id })
}

/** Keeps who is about to approve it, and why: should the server die over it, they stand under what was done. */
export async function intendApproval(
  queries: Queries,
  { id }: Pick<ApprovalTable, 'id'>,
  decided: Decided,
): Promise<void> {
  await queries
    .updateTable('approval')
    .set(decidedColumns(decided))
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

/** Ends a case that waits; refuses one that does not. */
export async function endApproval(
  within: Transaction<Tables>,
  { id }: Pick<ApprovalTable, 'id'>,
  status: Ending,
  decided: Decided,
): Promise<Refusal | null> {
  const { numUpdatedRows } = await within
    .updateTable('approval')
    .set({ status, ...decidedColumns(decided) })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n ? null : refuse('caseEnded')
}

const decidedColumns = ({ by, reason, at }: Decided) => ({
  ...{ decided_by: BigInt(by.id), decided_name: by.name, decided_role: by.role },
  ...{ decided_at: BigInt(Math.floor(at)), decided_reason: reason.trim() },
})

export const askerOf = (row: ApprovalTable): DeskOperator => ({
  id: Number(row.asked_by),
  name: row.asked_name,
  role: row.asked_role as DeskOperator['role'],
})

/** Who decided it or was about to; null while nobody was. */
export const decidedOf = (row: ApprovalTable): Decided | null =>
  row.decided_by === null
    ? null
    : {
        by: {
          ...{ id: Number(row.decided_by), name: row.decided_name ?? '' },
          role: (row.decided_role ?? row.asked_role) as DeskOperator['role'],
        },
        ...{ reason: row.decided_reason, at: Number(row.decided_at) },
      }

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

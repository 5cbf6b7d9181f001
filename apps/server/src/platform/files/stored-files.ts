import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import { REMOVAL, type StoredFileTable } from '../database/file-schema.ts'
import type { Tables } from '../database/schema.ts'

/** A stored file, without its bytes. */
export type StoredFile = {
  readonly key: string
  /** Null for a file of an operator. */
  readonly userId: number | null
  readonly kind: string
  readonly type: string
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly sha256: string
  readonly originalSha256: string
  readonly look: string
  readonly createdAt: number
  /** The case that it belongs to; null for none yet. */
  readonly usedBy: string | null
}

export async function findFile(queries: Queries, key: string): Promise<StoredFile | null> {
  const row = await queries.selectFrom('stored_file').selectAll().where('key', '=', key).executeTakeFirst()
  return row && row.used_by !== REMOVAL ? fileOf(row) : null
}

/** Assigns a file to a case, in the transaction that opens the case; false when it is gone or belongs to another case. */
export async function tieFile(within: Transaction<Tables>, key: string, caseKey: string): Promise<boolean> {
  const { numUpdatedRows } = await within
    .updateTable('stored_file')
    .set({ used_by: caseKey })
    .where('key', '=', key)
    .where((its) => its.or([its('used_by', 'is', null), its('used_by', '=', caseKey)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The operator who passes a picture to a user, and its case. */
export type HandOver = { readonly operatorId: number; readonly userId: number; readonly caseKey: string }

/**
 * Passes a picture of an operator to a user and assigns it to a case, in the case's transaction; false when it is gone,
 * another operator's, public, or was passed to a user before.
 */
export async function handOverFile(
  within: Transaction<Tables>,
  key: string,
  { operatorId, userId, caseKey }: HandOver,
): Promise<boolean> {
  const { numUpdatedRows } = await within
    .updateTable('stored_file')
    .set({ user_id: BigInt(userId), used_by: caseKey })
    .where('key', '=', key)
    .where('operator_id', '=', BigInt(operatorId))
    .where('used_by', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks unused files created before a moment (epoch ms) for removal; returns the keys of all marked files, earlier ones included. */
export async function markUnused(queries: Queries, before: number): Promise<readonly string[]> {
  await queries
    .updateTable('stored_file')
    .set({ used_by: REMOVAL })
    .where('used_by', 'is', null)
    .where('created_at', '<', BigInt(before))
    .execute()
  const rows = await queries.selectFrom('stored_file').select('key').where('used_by', '=', REMOVAL).execute()
  return rows.map(({ key }) => key)
}

export async function forgetFile(queries: Queries, key: string): Promise<void> {
  await queries.deleteFrom('picture_text').where('key', '=', key).execute()
  await queries.deleteFrom('stored_file').where('key', '=', key).execute()
}

const fileOf = (row: StoredFileTable): StoredFile => ({
  key: row.key,
  userId: row.user_id === null ? null : Number(row.user_id),
  kind: row.kind,
  type: row.content_type,
  bytes: Number(row.bytes),
  width: Number(row.width),
  height: Number(row.height),
  sha256: row.sha256,
  originalSha256: row.original_sha256,
  look: row.look,
  createdAt: Number(row.created_at),
  usedBy: row.used_by,
})

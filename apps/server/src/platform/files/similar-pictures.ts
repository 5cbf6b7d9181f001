import { sql } from 'kysely'
import type { StoredFileTable } from '../database/file-schema.ts'
import type { Queries } from '../database/open.ts'
import { REMOVAL } from '../database/file-schema.ts'

/** A picture of another case that is the same, byte for byte, or looks like it. */
export type SimilarPicture = {
  /** The case that it belongs to, such as `deposit:7`. */
  readonly caseKey: string
  /** Null for one of an operator. */
  readonly userId: number | null
  /** Whether the very same bytes were sent. */
  readonly isSame: boolean
}

type Row = Pick<StoredFileTable, 'key' | 'user_id' | 'original_sha256' | 'look' | 'used_by'>

/** Bits in which two perceptual hashes may differ: what saving a picture again, or cropping its edge, changes. */
const MAX_DIFFERENT_BITS = 3
/** Where the quarters of a hash begin: two hashes that differ in three bits at most share one of the four. */
const QUARTERS = [0, 4, 8, 12] as const
const QUARTER = 4
/** Pictures in one query. */
const AT_ONCE = 100

/** For each picture the same or similar ones of other cases and any user, the earliest first. */
export async function similarPictures(
  queries: Queries,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly SimilarPicture[]>> {
  const found = new Map<string, readonly SimilarPicture[]>()
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const own = await queries
      .selectFrom('stored_file')
      .select(['key', 'user_id', 'original_sha256', 'look', 'used_by'])
      .where('key', 'in', keys.slice(from, from + AT_ONCE))
      .execute()
    const candidates = await candidatesOf(queries, own)
    for (const row of own)
      found.set(
        row.key,
        candidates.flatMap((other) => similarityOf(row, other)),
      )
  }
  return found
}

/** Pictures that share a byte hash or a quarter of a perceptual hash with one of them; an index finds each. */
async function candidatesOf(queries: Queries, rows: readonly Row[]): Promise<readonly Row[]> {
  if (rows.length === 0) return []
  const hashes = [...new Set(rows.map((row) => row.original_sha256))]
  const quarters = QUARTERS.map((at) => {
    const parts = rows.map(({ look }) => look.slice(at, at + QUARTER)).filter((part) => !isPlain(part))
    return { at, parts: [...new Set(parts)] }
  })
  return (
    queries
      .selectFrom('stored_file')
      .select(['key', 'user_id', 'original_sha256', 'look', 'used_by'])
      .where('used_by', 'is not', null)
      .where('used_by', '!=', REMOVAL)
      .where('user_id', 'is not', null)
      // A picture sent to support staff does not claim a second transfer.
      .where('used_by', 'not like', 'chat:%')
      .where((its) =>
        its.or([
          its('original_sha256', 'in', hashes),
          ...quarters
            .filter(({ parts }) => parts.length > 0)
            .map(({ at, parts }) => its(sql<string>`substr(look, ${sql.lit(at + 1)}, 4)`, 'in', parts)),
        ]),
      )
      .orderBy('created_at')
      .orderBy('key')
      .execute()
  )
}

/** Rows of a single grey: half of all documents have some at their edge, so they identify nothing. */
const isPlain = (part: string): boolean => /^(0+|f+)$/.test(part)

function similarityOf(own: Row, other: Row): SimilarPicture[] {
  if (other.key === own.key || other.used_by === null || other.used_by === own.used_by) return []
  const isSame = other.original_sha256 === own.original_sha256
  if (!isSame && (isPlain(own.look) || bitsBetween(own.look, other.look) > MAX_DIFFERENT_BITS)) return []
  const userId = other.user_id === null ? null : Number(other.user_id)
  return [{ caseKey: other.used_by, userId, isSame }]
}

function bitsBetween(one: string, other: string): number {
  let [bits, rest] = [0, BigInt(`0x${one}`) ^ BigInt(`0x${other}`)]
  for (; rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}

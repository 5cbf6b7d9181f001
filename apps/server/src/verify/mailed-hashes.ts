import type { Queries } from '../platform/database/open.ts'

/** The number of a row and its hash, as a mail or a desk screen once published them. */
export type PublishedHash = { readonly number: number; readonly hash: string }

const PUBLISHED = /^(\d{1,15}):([0-9a-f]{64})$/

/** `12:ab…` as a row and its hash; null for anything else. */
export function readPublishedHash(text: string): PublishedHash | null {
  const [, number, hash] = PUBLISHED.exec(text.trim().toLowerCase()) ?? []
  return number === undefined || hash === undefined ? null : { number: Number(number), hash }
}

/** How a journal row or an audit entry differs from its published hash; null if it does not. */
export async function publishedHashDifference(
  queries: Queries,
  table: 'journal' | 'desk_act',
  { number, hash }: PublishedHash,
): Promise<string | null> {
  const name = table === 'journal' ? 'journal row' : 'audit entry'
  const found = await hashAt(queries, table, BigInt(number))
  if (found === hash || (number === 0 && /^0+$/.test(hash))) return null
  if (found === null) return `${name} ${number}, whose hash was published as ${hash}, is missing`
  return `${name} ${number} has the hash ${found}, but was published as ${hash}: it was rewritten since`
}

async function hashAt(
  queries: Queries,
  table: 'journal' | 'desk_act',
  number: bigint,
): Promise<string | null> {
  const row =
    table === 'journal'
      ? await queries.selectFrom('journal').select('hash').where('seq', '=', number).executeTakeFirst()
      : await queries.selectFrom('desk_act').select('hash').where('id', '=', number).executeTakeFirst()
  return row?.hash ?? null
}

/** The mailed hashes stored in the database must match its journal and its audit log. */
export async function* mailedHashFaults(queries: Queries): AsyncGenerator<string> {
  for (const row of await queries.selectFrom('mailed_hash').selectAll().orderBy('day').execute()) {
    const ends = [
      ['journal', row.journal_seq, row.journal_hash],
      ['desk_act', row.act_id, row.act_hash],
    ] as const
    for (const [table, number, hash] of ends) {
      const difference = await publishedHashDifference(queries, table, { number: Number(number), hash })
      if (difference !== null) yield `hashes mailed on ${row.day}: ${difference}`
    }
  }
}

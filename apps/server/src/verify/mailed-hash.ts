import type { Queries } from '../database/open.ts'

/** A row and its hash, as a mail or a screen of the desk once told them. */
export type ToldHash = { readonly number: number; readonly hash: string }

const TOLD = /^(\d{1,15}):([0-9a-f]{64})$/

/** `12:ab…` as a row and its hash; null for anything else. */
export function readToldHash(text: string): ToldHash | null {
  const [, number, hash] = TOLD.exec(text.trim().toLowerCase()) ?? []
  return number === undefined || hash === undefined ? null : { number: Number(number), hash }
}

/** What is wrong where a row of the journal, or an act, has not the hash that was told; null where it has. */
export async function toldDifference(
  queries: Queries,
  table: 'journal' | 'desk_act',
  { number, hash }: ToldHash,
): Promise<string | null> {
  const name = table === 'journal' ? 'journal row' : 'act'
  const found = await hashAt(queries, table, BigInt(number))
  if (found === hash || (number === 0 && /^0+$/.test(hash))) return null
  if (found === null) return `${name} ${number}, whose hash was told as ${hash}, is no longer there`
  return `${name} ${number} has the hash ${found}, and it was told as ${hash}: it was rewritten since`
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

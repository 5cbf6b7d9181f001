import { randomBytes } from 'node:crypto'
import type { Queries } from '../database/open.ts'

/** Two of a million users share one of these with a chance of one in ten million. */
const INVITE_CODE_BYTES = 8
const INVITE_CODE = /^[0-9A-F]{16}$/

/** The person behind an account: they share its id. */
export async function addUser(
  { creditScore, now }: { readonly creditScore: () => number; readonly now: () => number },
  user: { readonly id: number; readonly demoHash: string | null },
  queries: Queries,
): Promise<void> {
  await queries
    .insertInto('app_user')
    .values({
      id: BigInt(user.id),
      is_demo: user.demoHash === null ? 0n : 1n,
      demo_hash: user.demoHash,
      invite_code: randomBytes(INVITE_CODE_BYTES).toString('hex').toUpperCase(),
      credit_score: BigInt(creditScore()),
      created_at: BigInt(Math.floor(now())),
      closed_at: null,
    })
    .execute()
}

/** Whose invitation code this is; null for a code of nobody who may invite. */
export async function findInviter(queries: Queries, code: string): Promise<number | null> {
  const written = code.trim().toUpperCase()
  if (!INVITE_CODE.test(written)) return null
  const row = await queries
    .selectFrom('app_user')
    .select('id')
    .where('invite_code', '=', written)
    .where('is_demo', '=', 0n)
    .executeTakeFirst()
  return row ? Number(row.id) : null
}

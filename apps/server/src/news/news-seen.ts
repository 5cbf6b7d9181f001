import type { Queries } from '../database/open.ts'

/** Up to which moment of publishing, epoch ms, a user has seen the list; null for never. */
export async function newsSeenBy(queries: Queries, userId: number): Promise<number | null> {
  const seen = queries.selectFrom('news_seen').select('at').where('user_id', '=', BigInt(userId))
  const row = await seen.executeTakeFirst()
  return row ? Number(row.at) : null
}

/** Never goes back: of two devices the one that has seen more counts. */
export async function rememberNewsSeen(queries: Queries, userId: number, at: number): Promise<void> {
  await queries
    .insertInto('news_seen')
    .values({ user_id: BigInt(userId), at: BigInt(at) })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(({ ref }) => ({ at: ref('excluded.at') }))
        .whereRef('news_seen.at', '<', 'excluded.at'),
    )
    .execute()
}

import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** What copiers have been notified of. Everything up to now counts as notified, since it is on their screens already. */
export const copyNews = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      copy_news: [
        ['copy_id', 'bigint'],
        ['notified', 'text'],
        ['has_moved', 'bigint'],
      ],
      flow_news: [
        ['id', 'bigint'],
        ['transfer_id', 'bigint'],
      ],
    })
    await sql`insert into copy_news (copy_id, notified, has_moved)
      select account_id, case when ended_at is null then 'started' else 'ended' end, 0 from copy`.execute(db)
    await sql`insert into flow_news (id, transfer_id) select 1, coalesce(max(id), 0) from transfer`.execute(
      db,
    )
  },
})

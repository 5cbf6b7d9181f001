import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Daily limits that an announced change replaces, and when. */
export const announcedLimits = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    const columns = {
      deposit_channel: ['day_limit_before', 'user_day_limit_before', 'limits_from'],
      wire_account: ['day_limit_before', 'user_day_limit_before', 'limits_from'],
      withdrawal_currency: ['user_day_limit_before', 'limits_from'],
    }
    for (const [table, names] of Object.entries(columns))
      for (const name of names) await db.schema.alterTable(table).addColumn(name, 'bigint').execute()
  },
})

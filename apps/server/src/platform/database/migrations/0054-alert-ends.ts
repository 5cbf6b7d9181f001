import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Alerts that wait for the price to be on their other side, and alerts that end by themselves. None does so far. */
export const alertEnds = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    const alert = () => db.schema.alterTable('alert')
    await alert()
      .addColumn('awaits_return', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await alert().addColumn('expires_at', 'bigint').execute()
    await alert().addColumn('ended_at', 'bigint').execute()
  },
})

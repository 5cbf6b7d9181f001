import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The two operators who gave the keys of an invitation: without either of them the keys are void. */
export const keysGivenBy = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const column of ['invited_by', 'confirmed_by'])
      await db.schema.alterTable('operator').addColumn(column, 'bigint').execute()
  },
})

import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The confirmation key of an invitation, and when a session last gave a code of the second factor. Existing invitations
 * have no confirmation key and become invalid; existing sessions have to give a code.
 */
export const operatorKeys = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('operator').addColumn('confirmation_hash', 'text').execute()
    await db.schema.alterTable('operator').addColumn('confirmation_tries', 'bigint').execute()
    await db.schema.alterTable('operator_session').addColumn('factor_at', 'bigint').execute()
  },
})

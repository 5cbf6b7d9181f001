import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** Strategies, copies of them, skipped orders, and the orders that positions copy. */
export const copying = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      strategy: [
        ['id', 'bigint'],
        ['account_id', 'bigint'],
        ['fee_share', 'bigint'],
        ['equity', 'bigint'],
        ['published_at', 'bigint'],
        ['ended_at', 'bigint', 'nullable'],
        ['end_reason', 'text', 'nullable'],
      ],
      copy: [
        ['account_id', 'bigint'],
        ['owner_id', 'bigint'],
        ['provider_id', 'bigint'],
        ['strategy_id', 'bigint'],
        ['multiplier', 'bigint'],
        ['exposure_limit', 'bigint'],
        ['stop_loss', 'bigint'],
        ['fee_share', 'bigint'],
        ['status', 'text'],
        ['end_reason', 'text', 'nullable'],
        ['base', 'bigint'],
        ['mark', 'bigint'],
        ['fee_charged_at', 'bigint'],
        ['amount', 'bigint'],
        ['carried_loss', 'bigint'],
        ['started_at', 'bigint'],
        ['ended_at', 'bigint', 'nullable'],
        ['loss', 'bigint'],
      ],
      copy_skip: [
        ['id', 'text'],
        ['account_id', 'bigint'],
        ['provider_order_id', 'bigint'],
        ['reason', 'text'],
        ['equity', 'bigint', 'nullable'],
        ['at', 'bigint'],
      ],
    })
    await db.schema.createIndex('strategy_account').on('strategy').columns(['account_id', 'id']).execute()
    await db.schema.createIndex('copy_owner').on('copy').columns(['owner_id', 'account_id']).execute()
    await db.schema.createIndex('copy_strategy').on('copy').columns(['strategy_id', 'account_id']).execute()
    await db.schema.createIndex('copy_skip_account').on('copy_skip').columns(['account_id', 'at']).execute()
    for (const column of ['copied_order_id', 'copied_provider_lots', 'copied_lots'])
      await db.schema.alterTable('trade_order').addColumn(column, 'bigint').execute()
  },
})

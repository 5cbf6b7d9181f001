import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

const DAY = ['day', 'up_to', 'growth', 'highest', 'lowest', 'drawdown', 'balance', 'equity'] as const
const DAY_SUMS = ['counted_ms', 'exposed_ms', 'leverage_ms', 'highest_leverage'] as const
const DAY_ORDERS = ['orders', 'wins', 'gains', 'losses', 'best'] as const

const FIGURES = ['up_to', 'journal_seq', 'is_short', 'score', 'profit', 'drawdown', 'exposed_share'] as const
const COUNTS = ['orders', 'days', 'copiers', 'copied_money', 'copiers_result'] as const
const UNKNOWN = [
  'ended_at',
  'rate',
  'win_rate',
  'profit_factor',
  'average_leverage',
  'highest_leverage',
] as const
const UNKNOWN_COPIERS = ['copiers_in_profit', 'copiers_median'] as const

/** The texts of strategies, reports about them, and the tables of the ranking. */
export const ranking = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      strategy_text: [
        ['strategy_id', 'bigint'],
        ['user_id', 'bigint'],
        ['name', 'text'],
        ['name_key', 'text'],
        ['description', 'text'],
        ['hidden_for', 'text', 'nullable'],
        ['changed_at', 'bigint'],
      ],
      strategy_report: [
        ['id', 'bigint'],
        ['strategy_id', 'bigint'],
        ['user_id', 'bigint'],
        ['reason', 'text'],
        ['at', 'bigint'],
        ['answered_at', 'bigint', 'nullable'],
      ],
      strategy_order: [
        ['order_id', 'bigint'],
        ['strategy_id', 'bigint'],
        ['instrument_id', 'bigint'],
        ['lots', 'bigint'],
        ['opened_at', 'bigint'],
        ['ended_at', 'bigint'],
        ['result', 'bigint'],
      ],
    })
    let days: CreateTableBuilder<string, string> = db.schema.createTable('strategy_day')
    for (const column of ['strategy_id', ...DAY, ...DAY_SUMS, ...DAY_ORDERS])
      days = days.addColumn(column, 'bigint', (built) => built.notNull())
    await days.addPrimaryKeyConstraint('strategy_day_key', ['strategy_id', 'day']).execute()
    let figures: CreateTableBuilder<string, string> = db.schema.createTable('strategy_figures')
    for (const column of ['span', 'ledger', 'flags'])
      figures = figures.addColumn(column, 'text', (built) => built.notNull())
    for (const column of ['strategy_id', ...FIGURES, ...COUNTS])
      figures = figures.addColumn(column, 'bigint', (built) => built.notNull())
    for (const column of [...UNKNOWN, ...UNKNOWN_COPIERS]) figures = figures.addColumn(column, 'bigint')
    await figures.addPrimaryKeyConstraint('strategy_figures_key', ['strategy_id', 'span']).execute()
    await sql`create index strategy_figures_score on strategy_figures (span, ledger, is_short, score, strategy_id)`.execute(
      db,
    )
    await db.schema
      .createIndex('strategy_order_ended')
      .on('strategy_order')
      .columns(['strategy_id', 'ended_at'])
      .execute()
    await db.schema.createIndex('strategy_text_name').on('strategy_text').columns(['name_key']).execute()
    await db.schema
      .createIndex('strategy_report_strategy')
      .on('strategy_report')
      .columns(['strategy_id', 'id'])
      .execute()
  },
})

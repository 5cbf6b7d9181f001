import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { createTables, makeAppendOnly } from './new-tables.ts'

/** Steps of withdrawals from the journal, decided sums for the limits of two operators, and payout destinations. */
export const twoOperators = (kind: DatabaseKind): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [column, type] of [
      ['payout', 'text'],
      ['approved_at', 'bigint'],
      ['approved_by', 'bigint'],
      ['paying_at', 'bigint'],
      ['paying_by', 'bigint'],
    ] as const)
      await db.schema.alterTable('money_case').addColumn(column, type).execute()
    await createMoneyDecisions(db, kind)
    await createTables(db, {
      payout_destination: [
        ['id', 'bigint'],
        ['account_key', 'text'],
      ],
      follow_up: [
        ['id', 'text'],
        ['kind', 'text'],
        ['body', 'text'],
        ['written_at', 'bigint'],
      ],
    })
    await db.schema
      .createIndex('payout_destination_account_key')
      .on('payout_destination')
      .column('account_key')
      .unique()
      .execute()
    for (const [column, type] of [
      ['destination', 'bigint'],
      ['salt', 'text'],
    ] as const)
      await db.schema.alterTable('receiving_method').addColumn(column, type).execute()
    await moveDrafts(db)
    await moveApprovals(db)
  },
})

/** Keeps the approvals of ended withdrawals; open ones have to be approved again, by the new rules. */
async function moveApprovals(db: Kysely<unknown>): Promise<void> {
  await sql`update money_case set
      approved_at = (select approved_at from withdrawal where case_id = money_case.id),
      approved_by = (select approved_by from withdrawal where case_id = money_case.id)
    where kind = 'withdrawal' and status <> 'open'`.execute(db)
  for (const column of ['taken_back_at', 'approved_at', 'approved_by', 'approved_name', 'approved_role'])
    await db.schema.alterTable('withdrawal').dropColumn(column).execute()
}

/** Turns the drafts that a crash has left into follow-ups. */
async function moveDrafts(db: Kysely<unknown>): Promise<void> {
  type Draft = { id: string; kind: string; body: string; drafted_at: bigint }
  const { rows } = await sql<Draft>`select id, kind, body, drafted_at from payment_draft`.execute(db)
  for (const { id, kind, body, drafted_at: at } of rows)
    await sql`insert into follow_up (id, kind, body, written_at)
      values (${id}, ${kind}, ${`{"digest":"","body":${body}}`}, ${at})`.execute(db)
  await db.schema.dropTable('payment_draft').execute()
}

async function createMoneyDecisions(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await db.schema
    .createTable('money_decision')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('case_id', 'bigint', (column) => column.notNull())
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('destination', 'bigint')
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('money_decision_at').on('money_decision').column('at').execute()
  await makeAppendOnly(db, kind, 'money_decision')
}

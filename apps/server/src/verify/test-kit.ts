import type { TwoOperatorRuleName } from '@fairlot/contract/desk'
import { lots, type Entry, type Event } from '@fairlot/core'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { hashOfAuditEntry, NOTHING_BEFORE } from '../platform/database/audit-hash.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Database, DatabaseKind, Queries } from '../platform/database/open.ts'
import { decodeEntries, encodeEntry } from '../engine/journal/entry-codec.ts'
import { headAt, nextRow, NO_ROW, type JournalHead } from '../engine/journal/journal.ts'
import { openTraders } from '../testing/random-commands.ts'
import { marketOrder, orderIdOf, TEST_OPERATOR } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { verify } from './verify.ts'

/** Rules of two operators that concern tables only: `verify` judges their audit entries, of all others the journal. */
export const RULES_OF_TABLES = [
  'receivingAccount',
  'payoutCurrency',
  'setting',
  'renewInvitation',
  'resetOperator',
  'verifyPerson',
] as const satisfies readonly TwoOperatorRuleName[]

export type RuleOfTables = (typeof RULES_OF_TABLES)[number]

/** Half a minute before 17:00 in New York. */
const BEFORE_ROLLOVER = Date.UTC(2026, 0, 5, 21, 59, 30)
const STEPS = 150

/** A database with every kind of event: fills, partial closes, reversals, trailing stops, a rollover, a stop-out, a reset. */
export async function tradedDatabase(database: Database): Promise<void> {
  const harness = await createHarness(database, { startAt: BEFORE_ROLLOVER })
  const traders = await openTraders(harness, 11)
  for (let step = 1; step <= STEPS; step += 1) await traders.step()
  const accountId = await harness.openAccount()
  const { engine } = harness
  await harness.tick(108_000)
  const orderId = orderIdOf(await engine.execute(marketOrder(accountId, { lots: lots(2_000) })))
  await engine.execute({ type: 'closePosition', accountId, orderId, lots: lots(500) })
  const gambler = await harness.openAccount()
  await engine.execute(marketOrder(gambler, { lots: lots(400_000), leverage: 100 }))
  await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: 'a test', by: TEST_OPERATOR })
  await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: null, by: TEST_OPERATOR })
  // Far below zero equity: negative balance protection restores the account to zero.
  await harness.tick(100_000)
  harness.clock.at += 3_600_000
  await harness.tick(100_010)
  await engine.caughtUp()
  expect(harness.errors).toEqual([])
  await engine.stop()
}

/** Forges the database, verifies it, and rolls the forgery back. */
export async function differenceWith(
  database: Database,
  forge: (queries: Queries) => Promise<unknown>,
): Promise<string | null> {
  let difference: string | null = null
  const undo = new Error('roll back')
  await database.queries
    .transaction()
    .execute(async (transaction) => {
      await dropGuards(transaction, database.kind)
      await forge(transaction)
      difference = (await verify({ ...database, queries: transaction })).difference
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return difference
}

/** Drops the triggers of the append-only tables, as somebody with full access to the database could. */
async function dropGuards(queries: Queries, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres')
    return void (await sql.raw('set local session_replication_role = replica').execute(queries))
  for (const table of [
    'journal',
    'transfer',
    'receipt',
    'price_mark',
    'operator_act',
    'desk_act',
    'person_note',
  ]) {
    for (const action of ['update', 'delete'])
      await sql.raw(`drop trigger ${table}_no_${action}`).execute(queries)
  }
}

/** Replaces an event; null leaves it. */
export type EventEdit = (event: Event) => Event | readonly Event[] | null

/** Replaces an entry; null leaves it. */
export type EntryEdit = (entry: Entry) => Entry | readonly Entry[] | null

/** Changes the first event that the edit matches, and recomputes the hashes from its row on. */
export function forgeEvent(queries: Queries, edit: EventEdit): Promise<void> {
  return forgeEntry(queries, (entry) => {
    for (const [index, event] of entry.events.entries()) {
      const edited = edit(event)
      if (edited !== null) return { ...entry, events: entry.events.toSpliced(index, 1, ...[edited].flat()) }
    }
    return null
  })
}

/** The same for the first entry that the edit matches. */
export async function forgeEntry(queries: Queries, edit: EntryEdit): Promise<void> {
  let previous: JournalHead = { seq: 0, hash: NO_ROW.hash, at: 0 }
  let isDone = false
  for (const row of await queries.selectFrom('journal').selectAll().orderBy('seq').execute()) {
    const entries = decodeEntries(row.entries).flatMap((entry) => {
      const edited = isDone ? null : edit(entry)
      isDone ||= edited !== null
      return edited ?? entry
    })
    const forged = nextRow(previous, { at: Number(row.at), entries: entries.map(encodeEntry) }, row.writer)
    await queries.updateTable('journal').set(forged).where('seq', '=', row.seq).execute()
    previous = headAt(forged)
  }
  if (!isDone) throw new Error('there is nothing to forge')
}

export type AuditEdit = (row: DeskActTable) => Partial<DeskActTable> | readonly DeskActTable[] | null

const isList = (edited: object): edited is readonly DeskActTable[] => Array.isArray(edited)

/** Rewrites the first audit entry that matches, and recomputes numbers and hashes from there on. */
export const audit = (edit: AuditEdit) => async (queries: Queries) => {
  let isDone = false
  const rows: DeskActTable[] = []
  for (const row of await queries.selectFrom('desk_act').selectAll().orderBy('id').execute()) {
    const edited: ReturnType<AuditEdit> = isDone ? null : edit(row)
    isDone ||= edited !== null
    if (edited === null) rows.push(row)
    else rows.push(...(isList(edited) ? edited : [{ ...row, ...edited }]))
  }
  if (!isDone) throw new Error('there is nothing to forge')
  await queries.deleteFrom('desk_act').execute()
  let previous = NOTHING_BEFORE
  for (const [index, { hash: _hash, ...row }] of rows.entries()) {
    const forged = { ...row, id: BigInt(index + 1), previous_hash: previous }
    previous = hashOfAuditEntry(forged)
    await queries
      .insertInto('desk_act')
      .values({ ...forged, hash: previous })
      .execute()
  }
  // Somebody who rewrites the log also rewrites the stored copies of mailed hashes.
  await queries.deleteFrom('mailed_hash').execute()
}

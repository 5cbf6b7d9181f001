import { createCore, evolve, violations, type Core } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Queries } from '../../database/open.ts'
import { openLife } from '../../testing/journal-life.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { unpackFirstJournal } from '../../testing/old-database.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { findBrokenLink, readJournal, readRequestEntry, readRows } from './journal.ts'
import { NO_CHAIN, readReceipt, receiptBody, receiptHash } from '../projection/receipt-chain.ts'
import { restore } from '../restore/restore.ts'
import { describeState } from '../state-hash.ts'

/** The database of the first version opened by this one, and who trades on it. */
async function openOld({ kind, open }: Databases) {
  const old = await unpackFirstJournal(kind)
  onTestFinished(old.remove)
  return open(old.place)
}

async function folded(queries: Queries): Promise<Core> {
  const core = createCore()
  for await (const { seq, entries } of readJournal(queries, 0)) {
    core.journalRow = seq
    for (const entry of entries) evolve(core, entry)
  }
  return core
}

const told = (core: Core): unknown => JSON.parse(describeState(core))

/** The texts of all events with a receipt, as the journal has them. */
async function provenTexts(queries: Queries): Promise<string[]> {
  const texts: string[] = []
  for await (const { entries } of readRows(queries, 0)) {
    for (const { events } of JSON.parse(entries) as { events: object[] }[])
      for (const event of events) if ('receipt' in event) texts.push(JSON.stringify(event))
  }
  return texts
}

async function receiptFaults(queries: Queries): Promise<string[]> {
  const faults: string[] = []
  const ends = new Map<bigint, { number: number; hash: string }>()
  for (const row of await queries.selectFrom('receipt').selectAll().orderBy('id').execute()) {
    const last = ends.get(row.account_id) ?? NO_CHAIN
    const { number, event } = readReceipt(row.body)
    if (number !== last.number + 1 || row.previous_hash !== last.hash)
      faults.push(`${row.id}: number or hash`)
    if (row.hash !== receiptHash(last.hash, row.body)) faults.push(`${row.id}: body`)
    if (event.accountId !== Number(row.account_id)) faults.push(`${row.id}: account`)
    ends.set(row.account_id, { number, hash: row.hash })
  }
  return faults
}

describe.each(everyDatabase)('a database of the first journal, $kind', (databases) => {
  it('gives the state that its journal gives', async () => {
    const database = await openOld(databases)
    const { core } = await restore(database, {})
    expect(core.state.accounts.size).toBeGreaterThan(4)
    expect(core.state.nights.size).toBe(0)
    expect(told(core)).toEqual(told(await folded(database.queries)))
  })

  it('finds what a request did in the journal', async () => {
    const { queries } = await openOld(databases)
    const [asked, ...others] = await queries.selectFrom('request').selectAll().execute()
    if (!asked) throw new Error('no request')
    for (const { journal_seq, account_id, call, request_id, digest, at } of [asked, ...others]) {
      const request = { accountId: Number(account_id), call, id: request_id, digest }
      const entry = await readRequestEntry(queries, Number(journal_seq), request)
      expect(entry).toMatchObject({ at: Number(at), request, author: { type: 'user' } })
    }
  })

  it('has what was left out of its tables written as it would have been then', async () => {
    const database = await openOld(databases)
    const life = await openLife(database)
    await life.caughtUp()
    const { queries } = database
    const receipts = await queries
      .selectFrom('receipt')
      .select(['number', 'at', 'body'])
      .orderBy('id')
      .execute()
    const bodies = (await provenTexts(queries)).map((text, index) => {
      const { number = 0n, at = 0n } = receipts[index] ?? {}
      return receiptBody(Number(number), { at: Number(at), text })
    })
    expect(receipts.map(({ body }) => body)).toEqual(bodies)
    expect(await receiptFaults(queries)).toEqual([])
    expect(await ledgerFaults(queries)).toEqual([])
  })

  it('names no operator that nobody knew', async () => {
    const database = await openOld(databases)
    const life = await openLife(database)
    await life.caughtUp()
    expect(await database.queries.selectFrom('operator_act').selectAll().execute()).toEqual([])
  })

  it('goes on with the terms of now, through nights and starts', { timeout: 60_000 }, async () => {
    const database = await openOld(databases)
    const life = await openLife(database, 5)
    for (let step = 1; step <= 120; step += 1) {
      await life.step()
      if (step % 30 === 0) await life.restart()
    }
    await life.caughtUp()
    const { core } = await restore(database, {})
    expect(told(core)).toEqual(told(await folded(database.queries)))
    expect(violations(core)).toEqual([])
    expect(await findBrokenLink(database.queries)).toBeNull()
    expect(await receiptFaults(database.queries)).toEqual([])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })
})

import { createCore, evolve, violations, type Core } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Queries } from '../../platform/database/open.ts'
import { openSimulation } from '../../testing/journal-simulation.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { unpackFirstJournal } from '../../testing/old-database.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { findBrokenLink, readJournal, readRequestEntry, readRows } from './journal.ts'
import { NO_CHAIN, readReceipt, receiptBody, receiptHash } from '../projection/receipt-chain.ts'
import { restore } from '../restore/restore.ts'
import { describeState } from '../state-hash.ts'

/** Opens a database that was written by the first version. */
async function openOld({ kind, open }: Databases) {
  const old = await unpackFirstJournal(kind)
  onTestFinished(old.remove)
  return open(old.place)
}

async function replayed(queries: Queries): Promise<Core> {
  const core = createCore()
  for await (const { seq, entries } of readJournal(queries, 0)) {
    core.journalRow = seq
    for (const entry of entries) evolve(core, entry)
  }
  return core
}

const described = (core: Core): unknown => JSON.parse(describeState(core))

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

describe.each(everyDatabase)('a database of the first journal version, $kind', (databases) => {
  it('restores the same state from its tables as from its journal', async () => {
    const database = await openOld(databases)
    const { core } = await restore(database, {})
    expect(core.state.accounts.size).toBeGreaterThan(4)
    expect(core.state.rollovers.size).toBe(0)
    expect(described(core)).toEqual(described(await replayed(database.queries)))
  })

  it('finds the entry of a request in the journal', async () => {
    const { queries } = await openOld(databases)
    const [first, ...others] = await queries.selectFrom('request').selectAll().execute()
    if (!first) throw new Error('no request')
    for (const { journal_seq, account_id, call, request_id, digest, at } of [first, ...others]) {
      const request = { accountId: Number(account_id), call, id: request_id, digest }
      const entry = await readRequestEntry(queries, Number(journal_seq), request)
      expect(entry).toMatchObject({ at: Number(at), request, author: { type: 'user' } })
    }
  })

  it('writes journal rows missing from its tables as the first version would have', async () => {
    const database = await openOld(databases)
    const simulation = await openSimulation(database)
    await simulation.caughtUp()
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

  it('has no audit entry of an operator, as its entries name none', async () => {
    const database = await openOld(databases)
    const simulation = await openSimulation(database)
    await simulation.caughtUp()
    expect(await database.queries.selectFrom('operator_act').selectAll().execute()).toEqual([])
  })

  it('continues with current terms, through rollovers and restarts', { timeout: 60_000 }, async () => {
    const database = await openOld(databases)
    const simulation = await openSimulation(database, 5)
    for (let step = 1; step <= 120; step += 1) {
      await simulation.step()
      if (step % 30 === 0) await simulation.restart()
    }
    await simulation.caughtUp()
    const { core } = await restore(database, {})
    expect(described(core)).toEqual(described(await replayed(database.queries)))
    expect(violations(core)).toEqual([])
    expect(await findBrokenLink(database.queries)).toBeNull()
    expect(await receiptFaults(database.queries)).toEqual([])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })
})

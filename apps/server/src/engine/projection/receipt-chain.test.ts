import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { expect, it } from 'vitest'
import { inserted } from '../../platform/database/bulk.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { createReceiptChain, NO_CHAIN, receiptHash, type Proof } from './receipt-chain.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

it('starts the chain of an account with 64 zeros', () => {
  expect(NO_CHAIN).toEqual({ number: 0, hash: '0'.repeat(64) })
})

it('hashes the previous hash and the text of a receipt, so that anybody can compute it', () => {
  const first = receiptHash(NO_CHAIN.hash, '{"number":1}')
  expect(first).toBe(sha256(`${'0'.repeat(64)}{"number":1}`))
  expect(receiptHash(first, '{"number":2}')).toBe(sha256(`${first}{"number":2}`))
})

it('gives another hash after another previous receipt', () => {
  const [one, other] = [receiptHash(NO_CHAIN.hash, 'one'), receiptHash(NO_CHAIN.hash, 'other')]
  expect(receiptHash(one, 'next')).not.toBe(receiptHash(other, 'next'))
})

const proofOf = (accountId: number): Proof => ({
  id: accountId,
  accountId,
  orderId: accountId,
  at: 1,
  text: '{}',
})

const ACCOUNTS = 6_000
const RECEIPTS_EACH = 5

/** Five receipts for each of many accounts, and one account that has none. */
async function writeReceipts({ writeRows }: Database, transaction: Transaction<Tables>): Promise<void> {
  const accounts = Array.from({ length: ACCOUNTS + 1 }, (_, index) => ({
    id: index + 1,
    owner_id: index + 1,
    ledger: 'demo',
    opened_at: 1,
    status: 'active',
    status_reason: '',
  }))
  const receipts = Array.from({ length: ACCOUNTS * RECEIPTS_EACH }, (_, index) => {
    const [accountId, number] = [1 + Math.floor(index / RECEIPTS_EACH), 1 + (index % RECEIPTS_EACH)]
    const row = { id: index + 1, account_id: accountId, number, order_id: index + 1, at: 1 }
    return { ...row, previous_hash: '', hash: `hash ${number} of ${accountId}`, body: '' }
  })
  await writeRows(transaction, inserted('account', accounts))
  await writeRows(transaction, inserted('receipt', receipts))
}

onEveryDatabase('the heads of the chains', ({ kind, open }) => {
  it('are read with a few different statements for any number of accounts', async () => {
    const database = await open()
    const connection = database.openConnection({ timeoutMs: 5_000, isDurable: true })
    const chain = createReceiptChain()
    const counts = Array.from({ length: 70 }, (_, index) => index + 1)
    for (const count of [...counts, 600]) {
      chain.forget()
      const proofs = Array.from({ length: count }, (_, index) => proofOf(index + 1))
      const rows = await chain.seal(connection.queries, proofs)
      expect(rows.map(({ number }) => number)).toEqual(proofs.map(() => 1))
    }
    if (kind === 'postgres') {
      const kept =
        await sql`select from pg_prepared_statements where statement like 'select "account"%'`.execute(
          connection.queries,
        )
      // For 1, 2, 4 ... 128 accounts, and for 512.
      expect(kept.rows).toHaveLength(9)
    }
    await connection.close()
  })

  it('are found without a scan of the receipts, even before the database has statistics', async () => {
    const database = await open()
    await database.queries.transaction().execute(async (transaction) => {
      await writeReceipts(database, transaction)
      const rows = await createReceiptChain().seal(transaction, [7, 8, ACCOUNTS + 1].map(proofOf))
      expect(rows.map((row) => [row.number, row.previous_hash])).toEqual([
        [RECEIPTS_EACH + 1, `hash ${RECEIPTS_EACH} of 7`],
        [RECEIPTS_EACH + 1, `hash ${RECEIPTS_EACH} of 8`],
        [1, NO_CHAIN.hash],
      ])
      if (kind === 'postgres') {
        const scans =
          await sql`select seq_tup_read as read from pg_stat_xact_user_tables where relname = 'receipt'`.execute(
            transaction,
          )
        expect(scans.rows).toEqual([{ read: 0n }])
      }
    })
  })
})

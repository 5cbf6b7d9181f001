import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { createReceiptChain, NO_CHAIN, receiptHash, type Proof } from './receipt-chain.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

it('the first receipt of an account names 64 zeros', () => {
  expect(NO_CHAIN).toEqual({ number: 0, hash: '0'.repeat(64) })
})

it('the hash of a receipt is that of the hash before it and its own text, so that anybody can work it out', () => {
  const first = receiptHash(NO_CHAIN.hash, '{"number":1}')
  expect(first).toBe(sha256(`${'0'.repeat(64)}{"number":1}`))
  expect(receiptHash(first, '{"number":2}')).toBe(sha256(`${first}{"number":2}`))
})

it('another receipt before it gives another hash', () => {
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

onEveryDatabase('the ends of the chains', ({ kind, open }) => {
  it('are asked for with a few statements, however many accounts there are', async () => {
    const database = await open()
    const line = database.openLine({ timeoutMs: 5_000, isDurable: true })
    const chain = createReceiptChain()
    const counts = Array.from({ length: 70 }, (_, index) => index + 1)
    for (const count of [...counts, 600]) {
      chain.forget()
      const proofs = Array.from({ length: count }, (_, index) => proofOf(index + 1))
      const rows = await chain.seal(line.queries, proofs)
      expect(rows.map(({ number }) => number)).toEqual(proofs.map(() => 1))
    }
    if (kind === 'postgres') {
      const kept =
        await sql`select from pg_prepared_statements where statement like 'select "receipt"%'`.execute(
          line.queries,
        )
      // For 1, 2, 4 ... 128 accounts, and for 512.
      expect(kept.rows).toHaveLength(9)
    }
    await line.close()
  })
})

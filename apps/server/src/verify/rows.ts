/** The rows of receipts, accounts and the ledger, compared one by one with those that the journal gives. */
import type { Written } from '../database/bulk.ts'
import type { Queries } from '../database/open.ts'
import type { AccountTable, ReceiptTable, TransferTable } from '../database/schema.ts'
import type { ProjectedRows } from '../engine/projection-rows.ts'
import { NO_CHAIN, receiptBody, receiptHash, type ChainEnd, type Proof } from '../engine/receipt-chain.ts'
import { firstDifference } from './difference.ts'
import { createPager, type Pager } from './pager.ts'

type Counted = { rows: number }

/** Receipts: each is what its event says, and names the hash of the account's receipt before it. */
export function createReceiptRows(queries: Queries, accountId: number | null) {
  const ends = new Map<number, ChainEnd>()
  const counted: Counted = { rows: 0 }
  const all = queries.selectFrom('receipt').selectAll().orderBy('id')
  const mine = accountId === null ? all : all.where('account_id', '=', BigInt(accountId))
  const pager = createPager<ReceiptTable>((after, limit) =>
    mine.where('id', '>', after).limit(limit).execute(),
  )

  const expectedRow = (proof: Proof): Written<ReceiptTable> => {
    const { id, orderId, at } = proof
    const { number: last, hash: previousHash } = ends.get(proof.accountId) ?? NO_CHAIN
    const number = last + 1
    const body = receiptBody(number, proof)
    const hash = receiptHash(previousHash, body)
    ends.set(proof.accountId, { number, hash })
    const row = { id, account_id: proof.accountId, number, order_id: orderId, at }
    return { ...row, previous_hash: previousHash, hash, body }
  }

  return {
    counted,
    compare: async function* (proof: Proof): AsyncGenerator<string> {
      if (accountId !== null && proof.accountId !== accountId) return
      yield* compareNext(pager, expectedRow(proof), 'receipt', counted)
    },
    finish: () => compareEnd(pager, 'receipt'),
  }
}

/** Accounts: each is what opened it, and as operators have restricted it since; their rows are compared at the end. */
export function createAccountRows(queries: Queries, accountId: number | null) {
  const counted: Counted = { rows: 0 }
  const expected = new Map<number, Written<AccountTable>>()
  const all = queries.selectFrom('account').selectAll().orderBy('id')
  const mine = accountId === null ? all : all.where('id', '=', BigInt(accountId))
  const pager = createPager<AccountTable>((after, limit) =>
    mine.where('id', '>', after).limit(limit).execute(),
  )
  const isMine = (id: number) => accountId === null || id === accountId
  return {
    take: ({ accounts, desk }: Pick<ProjectedRows, 'accounts' | 'desk'>) => {
      for (const row of accounts) if (isMine(Number(row.id))) expected.set(Number(row.id), { ...row })
      for (const [id, status] of desk.statuses) Object.assign(expected.get(id) ?? {}, status)
    },
    finish: async function* (): AsyncGenerator<string> {
      for (const row of expected.values()) yield* compareNext(pager, row, 'account', counted)
      yield* compareEnd(pager, 'account')
    },
  }
}

/** The ledger: each row is one transfer of the journal, with the balances it left. */
export function createLedgerRows(queries: Queries, accountId: number | null) {
  const counted: Counted = { rows: 0 }
  const all = queries.selectFrom('transfer').selectAll().orderBy('id')
  const mine = accountId === null ? all : all.where('account_id', '=', BigInt(accountId))
  const pager = createPager<TransferTable>((after, limit) =>
    mine.where('id', '>', after).limit(limit).execute(),
  )
  return {
    counted,
    compare: (row: Written<TransferTable>) => compareNext(pager, row, 'ledger row', counted),
    finish: () => compareEnd(pager, 'ledger row'),
  }
}

async function* compareNext<Row extends AccountTable | ReceiptTable | TransferTable>(
  pager: Pager<Row>,
  expected: Written<Row>,
  name: string,
  counted: Counted,
): AsyncGenerator<string> {
  const found = await pager.next()
  if (!found || found.id > BigInt(expected.id)) yield `${name} ${expected.id} is missing`
  const difference = firstDifference(found, expected, '')
  if (difference !== null) yield `${name} ${expected.id}: ${difference}`
  counted.rows += 1
}

async function* compareEnd<Row extends { id: bigint }>(
  pager: Pager<Row>,
  name: string,
): AsyncGenerator<string> {
  const found = await pager.next()
  if (found) yield `${name} ${found.id} is not in the journal`
}

/** The rows of receipts, accounts and the ledger, compared one by one with those that the journal gives. */
import type { Written } from '../database/bulk.ts'
import type { Queries } from '../database/open.ts'
import type {
  AccountTable,
  MoneyCaseTable,
  OperatorActTable,
  ReceiptTable,
  TermsChangeTable,
  TransferTable,
} from '../database/schema.ts'
import type { ProjectedRows } from '../engine/projection/projection-orders.ts'
import {
  NO_CHAIN,
  receiptBody,
  receiptHash,
  type ChainEnd,
  type Proof,
} from '../engine/projection/receipt-chain.ts'
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
    take: ({ accounts, operations }: Pick<ProjectedRows, 'accounts' | 'operations'>) => {
      for (const row of accounts) if (isMine(Number(row.id))) expected.set(Number(row.id), { ...row })
      for (const [id, status] of operations.statuses) Object.assign(expected.get(id) ?? {}, status)
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

/** Money cases, changes of terms and acts of operators: few beside the rest, so they are compared at the end, with what became of them. */
export function createOperationRows(queries: Queries, accountId: number | null) {
  const counted: Counted = { rows: 0 }
  const isMine = (id: unknown) => accountId === null || id === accountId
  const cases = new Map<number, Written<MoneyCaseTable>>()
  const changes = new Map<number, Written<TermsChangeTable>>()
  const acts: Written<OperatorActTable>[] = []
  const allCases = queries.selectFrom('money_case').selectAll().orderBy('id')
  const mineCases = accountId === null ? allCases : allCases.where('account_id', '=', BigInt(accountId))
  const allActs = queries.selectFrom('operator_act').selectAll().orderBy('id')
  const mineActs = accountId === null ? allActs : allActs.where('account_id', '=', BigInt(accountId))
  const actPager = createPager<OperatorActTable>((after, limit) =>
    mineActs.where('id', '>', after).limit(limit).execute(),
  )
  const casePager = createPager<MoneyCaseTable>((after, limit) =>
    mineCases.where('id', '>', after).limit(limit).execute(),
  )
  const termsPager = createPager<TermsChangeTable & { id: bigint }>((after, limit) =>
    queries
      .selectFrom('terms_change')
      .selectAll()
      .select('change_id as id')
      .where('change_id', '>', after)
      .orderBy('change_id')
      .limit(limit)
      .execute(),
  )
  return {
    take: ({ operations, terms }: Pick<ProjectedRows, 'operations' | 'terms'>) => {
      for (const row of operations.newCases) if (isMine(row.account_id)) cases.set(Number(row.id), { ...row })
      for (const [id, end] of operations.caseEnds) Object.assign(cases.get(id) ?? {}, end)
      for (const row of terms.changes) changes.set(Number(row.change_id), { ...row })
      for (const more of [terms.inEffect, terms.withdrawn])
        for (const [id, row] of more) Object.assign(changes.get(id) ?? {}, row)
      for (const row of operations.acts) if (isMine(row.account_id)) acts.push(row)
    },
    finish: async function* (): AsyncGenerator<string> {
      for (const row of acts) yield* compareNext(actPager, row, 'act of an operator', counted)
      yield* compareEnd(actPager, 'act of an operator')
      for (const row of cases.values()) yield* compareNext(casePager, row, 'case', counted)
      yield* compareEnd(casePager, 'case')
      for (const row of changes.values())
        yield* compareNext(termsPager, { ...row, id: row.change_id }, 'change of terms', counted)
      yield* compareEnd(termsPager, 'change of terms')
    },
  }
}

async function* compareNext<Row extends { id: bigint }>(
  pager: Pager<Row>,
  expected: { readonly id: number | string },
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

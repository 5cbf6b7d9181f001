import type { ProjectedRows } from '../engine/projection/project-entry.ts'
import {
  NO_CHAIN,
  receiptBody,
  receiptHash,
  type ChainHead,
  type Proof,
} from '../engine/projection/receipt-chain.ts'
import type { Written } from '../platform/database/bulk.ts'
import type {
  CopySkipTable,
  CopyTable,
  EquityRangeTable,
  StrategyTable,
} from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type {
  AccountTable,
  MoneyCaseTable,
  OperatorActTable,
  OrderTable,
  ReceiptTable,
  TermsChangeTable,
  TransferTable,
} from '../platform/database/schema.ts'
import { firstDifference } from './figure.ts'
import { createPager, type Pager } from './pager.ts'

type Counted = { rows: number }

/** Closed or skipped orders compared in one query. */
const CHUNK = 500

/** Receipts: each matches its event and names the hash of the account's previous receipt. */
export function createReceiptRows(queries: Queries, accountId: number | null) {
  const ends = new Map<number, ChainHead>()
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

/** Accounts: compared at the end, since operators may restrict one long after it was opened. */
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
    take: ({ accounts, statuses }: Pick<ProjectedRows, 'accounts' | 'statuses'>) => {
      for (const row of accounts) if (isMine(Number(row.id))) expected.set(Number(row.id), { ...row })
      for (const [id, status] of statuses) Object.assign(expected.get(id) ?? {}, status)
    },
    finish: async function* (): AsyncGenerator<string> {
      for (const row of expected.values()) yield* compareNext(pager, row, 'account', counted)
      yield* compareEnd(pager, 'account')
    },
  }
}

/**
 * Strategies and copies are compared at the end, since they change; skipped orders and ranges of equity in chunks,
 * since they are many.
 */
export function createCopyingRows(queries: Queries, accountId: number | null) {
  const isMine = (id: unknown) => accountId === null || Number(id) === accountId
  const strategies = new Map<number, Written<StrategyTable>>()
  const copies = new Map<number, Written<CopyTable>>()
  const skips: Written<CopySkipTable>[] = []
  const ranges = new Map<string, Written<EquityRangeTable>>()
  let ranged = 0
  /** All of the moments that it names. */
  const compareRanges = async function* (): AsyncGenerator<string> {
    const moments = new Set([...ranges.values()].map(({ moment }) => BigInt(moment)))
    const found =
      moments.size === 0
        ? []
        : await queries
            .selectFrom('equity_range')
            .selectAll()
            .where('moment', 'in', [...moments])
            .execute()
    yield* compareKeyed(
      'equity range',
      found.filter((row) => isMine(row.account_id)),
      ranges,
      rangeKey,
    )
    ranged += ranges.size
    ranges.clear()
  }
  const numbered = createSkipNumbers()
  let skipped = 0
  const compareSkips = async function* (): AsyncGenerator<string> {
    const expected = skips.splice(0)
    skipped += expected.length
    const ids = expected.map(({ id }) => id)
    const found =
      ids.length === 0
        ? []
        : await queries.selectFrom('copy_skip').selectAll().where('id', 'in', ids).execute()
    const byId = new Map(expected.map((row) => [row.id, row]))
    yield* compareKeyed('skipped order', found, byId, (row) => row.id)
  }
  return {
    compare: async function* ({ copying: rows }: Pick<ProjectedRows, 'copying'>): AsyncGenerator<string> {
      for (const row of rows.strategies) if (isMine(row.account_id)) strategies.set(Number(row.id), row)
      for (const changes of [rows.strategyFees, rows.strategyEnds])
        for (const [id, columns] of changes) change(strategies, id, columns)
      for (const row of rows.copies) if (isMine(row.account_id)) copies.set(Number(row.account_id), row)
      const { statuses, stopLosses, terms, bases, marks, fees, ends } = rows
      for (const changes of [statuses, stopLosses, terms, bases, marks, fees, ends])
        for (const [id, columns] of changes) change(copies, id, columns)
      for (const row of rows.ranges) if (isMine(row.account_id)) ranges.set(rangeKey(row), row)
      // Those of a moment come at once.
      if (ranges.size >= CHUNK) yield* compareRanges()
      for (const row of rows.skips.map(numbered)) {
        if (isMine(row.account_id)) skips.push(row)
        if (skips.length >= CHUNK) yield* compareSkips()
      }
    },
    finish: async function* (): AsyncGenerator<string> {
      const ofMine = <Row extends { account_id: bigint }>(rows: Row[]) =>
        rows.filter((row) => isMine(row.account_id))
      const [kept, keptCopies] = [
        ofMine(await queries.selectFrom('strategy').selectAll().execute()),
        ofMine(await queries.selectFrom('copy').selectAll().execute()),
      ]
      yield* compareKeyed('strategy', kept, strategies, (row) => Number(row.id))
      yield* compareKeyed('copy', keptCopies, copies, (row) => Number(row.account_id))
      yield* compareRanges()
      const { kept: keptRanges } = await queries
        .selectFrom('equity_range')
        .select(({ fn }) => fn.countAll<bigint>().as('kept'))
        .$if(accountId !== null, (mine) => mine.where('account_id', '=', BigInt(accountId ?? 0)))
        .executeTakeFirstOrThrow()
      if (BigInt(keptRanges) !== BigInt(ranged))
        yield `there are ${keptRanges} equity ranges in the table, the journal knows ${ranged}`
      yield* compareSkips()
      const { count } = await queries
        .selectFrom('copy_skip')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .$if(accountId !== null, (mine) => mine.where('account_id', '=', BigInt(accountId ?? 0)))
        .executeTakeFirstOrThrow()
      if (BigInt(count) !== BigInt(skipped))
        yield `there are ${count} skipped orders in the table, the journal knows ${skipped}`
    },
  }
}

type RangeKey = 'account_id' | 'moment'
const rangeKey = (
  row: Pick<EquityRangeTable, RangeKey> | Pick<Written<EquityRangeTable>, RangeKey>,
): string => `${row.account_id} ${row.moment}`

/** Entries are projected one by one here, and the places of skipped orders go on over all entries of a journal row. */
function createSkipNumbers() {
  let [current, place] = ['', 0]
  return (skip: Written<CopySkipTable>): Written<CopySkipTable> => {
    const [row = ''] = skip.id.split('.')
    place = row === current ? place + 1 : 0
    current = row
    return { ...skip, id: `${row}.${place}` }
  }
}

function change<Key, Row extends object>(rows: Map<Key, Row>, key: Key, columns: Partial<Row>): void {
  const row = rows.get(key)
  if (row) rows.set(key, { ...row, ...columns })
}

function* compareKeyed<Key, Row extends object>(
  name: string,
  found: readonly Row[],
  expected: ReadonlyMap<Key, object>,
  keyOf: (row: Row) => Key,
): Generator<string> {
  const rows = new Map(found.map((row) => [keyOf(row), row]))
  for (const [key, row] of expected) {
    const kept = rows.get(key)
    const difference = kept ? firstDifference(kept, row, '') : 'it is missing from the table'
    if (difference !== null) yield `${name} ${String(key)}: ${difference}`
  }
  for (const key of rows.keys()) if (!expected.has(key)) yield `${name} ${String(key)} is not in the journal`
}

/** The ledger: each row is one journaled transfer, with the balances after it. */
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

/** Money cases, changes of terms and journaled actions of operators: few enough to be compared at the end. */
export function createOperationRows(queries: Queries, accountId: number | null) {
  const counted: Counted = { rows: 0 }
  const isMine = (id: unknown) => accountId === null || id === accountId
  const cases = new Map<number, Written<MoneyCaseTable>>()
  const changes = new Map<number, Written<TermsChangeTable>>()
  const actions: Written<OperatorActTable>[] = []
  const allCases = queries.selectFrom('money_case').selectAll().orderBy('id')
  const mineCases = accountId === null ? allCases : allCases.where('account_id', '=', BigInt(accountId))
  const allActions = queries.selectFrom('operator_act').selectAll().orderBy('id')
  const mineActions = accountId === null ? allActions : allActions.where('account_id', '=', BigInt(accountId))
  const actionPager = createPager<OperatorActTable>((after, limit) =>
    mineActions.where('id', '>', after).limit(limit).execute(),
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
    take: (rows: Pick<ProjectedRows, 'cases' | 'actions' | 'terms'>) => {
      const { opened, approvals, payments, ends } = rows.cases
      const { terms } = rows
      for (const row of opened) if (isMine(row.account_id)) cases.set(Number(row.id), { ...row })
      for (const steps of [approvals, payments, ends])
        for (const [id, step] of steps) Object.assign(cases.get(id) ?? {}, step)
      for (const row of terms.changes) changes.set(Number(row.change_id), { ...row })
      for (const more of [terms.inEffect, terms.withdrawn])
        for (const [id, row] of more) Object.assign(changes.get(id) ?? {}, row)
      for (const row of rows.actions) if (isMine(row.account_id)) actions.push(row)
    },
    finish: async function* (): AsyncGenerator<string> {
      for (const row of actions) yield* compareNext(actionPager, row, 'action of an operator', counted)
      yield* compareEnd(actionPager, 'action of an operator')
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

type OrderRow = Written<OrderTable>

/** All orders: active ones stay in memory, closed ones are compared and dropped. */
type OrderRows = {
  /** Takes the orders that a journal row changes. */
  take(rows: ProjectedRows): void
  /** Returns the first difference of closed orders; with `isLast` of an incomplete chunk and of active orders too. */
  compare(queries: Queries, isLast: boolean): Promise<string | null>
  readonly counted: { orders: number }
}

export function createOrderRows(isWanted: (row: OrderRow) => boolean): OrderRows {
  const active = new Map<number, OrderRow>()
  const finished: OrderRow[] = []
  const counted = { orders: 0 }

  const take = (rows: ProjectedRows) => {
    for (const row of rows.newOrders) active.set(Number(row.id), { ...row })
    const changes = [rows.openings, rows.rests, rows.stops, rows.trails, rows.swaps, rows.ends].flatMap(
      (map) => [...map.values()],
    )
    for (const change of changes) Object.assign(active.get(Number(change.id)) ?? {}, change)
    const over = [...rows.ends.keys(), ...rows.newOrders.map(({ id }) => Number(id))]
    for (const id of over) {
      const row = active.get(id)
      if (!row || row.status === 'pending' || row.status === 'holding') continue
      active.delete(id)
      if (isWanted(row)) finished.push(row)
    }
  }

  return {
    take,
    counted,
    compare: async (queries, isLast) => {
      if (isLast) finished.push(...[...active.values()].filter(isWanted))
      while (finished.length >= (isLast ? 1 : CHUNK)) {
        const chunk = finished.splice(0, CHUNK)
        const difference = await compareChunk(queries, chunk)
        if (difference !== null) return difference
        counted.orders += chunk.length
      }
      return null
    },
  }
}

async function compareChunk(queries: Queries, expected: readonly OrderRow[]): Promise<string | null> {
  const ids = expected.map(({ id }) => BigInt(id))
  const rows = await queries.selectFrom('trade_order').selectAll().where('id', 'in', ids).execute()
  const found = new Map(rows.map((row) => [String(row.id), row]))
  for (const row of expected) {
    const kept = found.get(String(row.id))
    const difference = kept ? firstDifference(kept, row, '') : 'it is missing from the table'
    if (difference !== null) return `order ${row.id}: ${difference}`
  }
  return null
}

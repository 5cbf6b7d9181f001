/** From journal events to rows of the ordinary tables: pure, so that folding twice gives the same rows. */
import type { Event, LedgerAccountId, OrderTerms, Posting, Receipt } from '@fairlot/core'
import type {
  AccountTable,
  LedgerAccountTable,
  OrderTable,
  ReceiptTable,
  RequestTable,
  TransferTable,
} from '../database/schema.ts'
import type { Entry } from '@fairlot/core'
import { encodeEvents } from './entry-codec.ts'

/** The latest word on an order: all of it for a new one, else the columns that change. */
export type OrderChange = { readonly id: bigint } & Partial<OrderTable>

/** What one stretch of the journal does to the tables. */
export type ProjectedRows = {
  readonly accounts: AccountTable[]
  readonly newOrders: Map<bigint, OrderTable>
  readonly orderChanges: Map<bigint, OrderChange>
  readonly receipts: ReceiptTable[]
  readonly requests: RequestTable[]
  readonly transfers: TransferTable[]
  /** Balances as the last transfer left them. */
  readonly ledgerAccounts: Map<LedgerAccountId, LedgerAccountTable>
}

/** Running numbers of rows that the events do not number themselves. */
export type RowNumbers = { transferId: bigint; receiptId: bigint }

export const emptyRows = (): ProjectedRows => ({
  accounts: [],
  newOrders: new Map(),
  orderChanges: new Map(),
  receipts: [],
  requests: [],
  transfers: [],
  ledgerAccounts: new Map(),
})

export function projectEntry(
  rows: ProjectedRows,
  numbers: RowNumbers,
  { entry, postings }: { entry: Entry; postings: readonly Posting[] },
): void {
  for (const event of entry.events) projectEvent(rows, numbers, event, BigInt(entry.at))
  for (const posting of postings) projectPosting(rows, numbers, posting)
  if (entry.request) {
    const { accountId, call, id, digest } = entry.request
    const request = { account_id: BigInt(accountId), call, request_id: id, digest }
    rows.requests.push({ ...request, at: BigInt(entry.at), events: encodeEvents(entry.events) })
  }
}

function projectEvent(rows: ProjectedRows, numbers: RowNumbers, event: Event, at: bigint): void {
  if ('receipt' in event) rows.receipts.push(receiptRow(numbers, event, event.receipt, at))
  switch (event.type) {
    case 'accountOpened':
      rows.accounts.push({ id: BigInt(event.accountId), ledger: event.ledger, opened_at: at })
      return
    case 'orderPlaced':
      rows.newOrders.set(BigInt(event.orderId), orderRow(event))
      return
    case 'positionOpened':
      return openOrder(rows, event, at)
    case 'orderCancelled':
      return changeOrder(rows, event.orderId, { status: 'cancelled', end_reason: event.reason, ended_at: at })
    case 'positionClosed':
      return changeOrder(rows, event.orderId, {
        status: 'closed',
        end_reason: event.reason,
        ended_at: at,
        close_price: bigintOrNull(event.closePrice),
        profit: event.profit,
      })
    case 'stopsSet':
      return changeOrder(rows, event.orderId, {
        take_profit: bigintOrNull(event.takeProfit),
        stop_loss: bigintOrNull(event.stopLoss),
      })
    case 'moneyMoved':
  }
}

function openOrder(rows: ProjectedRows, event: Extract<Event, { type: 'positionOpened' }>, at: bigint): void {
  const opened = {
    status: 'holding',
    open_price: BigInt(event.openPrice),
    opened_at: at,
    margin: event.margin as bigint,
    fee: event.fee as bigint,
  }
  if (event.kind === 'market') rows.newOrders.set(BigInt(event.orderId), { ...orderRow(event), ...opened })
  else changeOrder(rows, event.orderId, opened)
}

/** A change to an order of the same stretch goes into its new row, so that each row is written once. */
function changeOrder(rows: ProjectedRows, orderId: number, change: Partial<OrderTable>): void {
  const id = BigInt(orderId)
  const created = rows.newOrders.get(id)
  if (created) Object.assign(created, change)
  else rows.orderChanges.set(id, { ...rows.orderChanges.get(id), ...change, id })
}

const bigintOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value))

const orderRow = (terms: OrderTerms): OrderTable => ({
  id: BigInt(terms.orderId),
  account_id: BigInt(terms.accountId),
  instrument_id: BigInt(terms.instrumentId),
  side: terms.side,
  kind: terms.kind,
  status: 'pending',
  end_reason: 'none',
  lots: BigInt(terms.lots),
  leverage: BigInt(terms.leverage),
  target_price: bigintOrNull(terms.targetPrice),
  accepted_price: BigInt(terms.acceptedPrice),
  open_price: null,
  close_price: null,
  take_profit: bigintOrNull(terms.takeProfit),
  stop_loss: bigintOrNull(terms.stopLoss),
  margin: terms.margin,
  fee: terms.fee,
  profit: 0n,
  expires_at: bigintOrNull(terms.expiresAt),
  created_at: BigInt(terms.createdAt),
  opened_at: null,
  ended_at: null,
})

function receiptRow(
  numbers: RowNumbers,
  event: { orderId: number; accountId: number },
  receipt: Receipt,
  at: bigint,
): ReceiptTable {
  numbers.receiptId += 1n
  return {
    id: numbers.receiptId,
    account_id: BigInt(event.accountId),
    order_id: BigInt(event.orderId),
    at,
    body: JSON.stringify(receipt),
  }
}

function projectPosting(rows: ProjectedRows, numbers: RowNumbers, posting: Posting): void {
  numbers.transferId += 1n
  const { debit, credit } = posting
  const debitRow = { balance: posting.debitBalance as bigint, entry_count: BigInt(posting.debitEntry) }
  const creditRow = { balance: posting.creditBalance as bigint, entry_count: BigInt(posting.creditEntry) }
  rows.transfers.push({
    id: numbers.transferId,
    at: BigInt(posting.at),
    debit,
    credit,
    amount: posting.amount,
    kind: posting.kind,
    order_id: bigintOrNull(posting.orderId),
    account_id: userOf(debit) ?? userOf(credit),
    debit_balance: debitRow.balance,
    debit_entry: debitRow.entry_count,
    credit_balance: creditRow.balance,
    credit_entry: creditRow.entry_count,
  })
  rows.ledgerAccounts.set(debit, { id: debit, ...debitRow })
  rows.ledgerAccounts.set(credit, { id: credit, ...creditRow })
}

/** The user a ledger account belongs to; null for the house. */
function userOf(id: LedgerAccountId): bigint | null {
  const [owner, number] = id.split(':')
  return owner === 'house' || number === undefined ? null : BigInt(number)
}

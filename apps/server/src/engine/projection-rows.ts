/** From journal events to rows of the ordinary tables: pure, so that folding twice gives the same rows. */
import {
  requestKey,
  type Entry,
  type Event,
  type LedgerAccountId,
  type OrderTerms,
  type Posting,
  type Receipt,
  type Request,
} from '@fairlot/core'
import type {
  AccountTable,
  LedgerAccountTable,
  OrderTable,
  ReceiptTable,
  RequestTable,
  TransferTable,
} from '../database/schema.ts'
import { encodeEvents } from './entry-codec.ts'

type OrderColumns<Column extends keyof OrderTable> = Pick<OrderTable, 'id' | Column>
export type OrderOpening = OrderColumns<'status' | 'open_price' | 'opened_at' | 'margin' | 'fee'>
export type OrderStops = OrderColumns<'take_profit' | 'stop_loss'>
export type OrderEnd = OrderColumns<'status' | 'end_reason' | 'ended_at' | 'close_price' | 'profit'>

/** What one stretch of the journal does to the tables. */
export type ProjectedRows = {
  readonly accounts: AccountTable[]
  readonly newOrders: OrderTable[]
  /** What became of orders, to be applied in this order. */
  readonly openings: Map<bigint, OrderOpening>
  readonly stops: Map<bigint, OrderStops>
  readonly ends: Map<bigint, OrderEnd>
  readonly receipts: ReceiptTable[]
  readonly requests: Map<string, RequestTable>
  readonly transfers: TransferTable[]
  /** Balances as the last transfer left them. */
  readonly ledgerAccounts: Map<LedgerAccountId, LedgerAccountTable>
}

/** Running numbers of rows that the events do not number themselves. */
export type RowNumbers = { transferId: bigint; receiptId: bigint }

export const emptyRows = (): ProjectedRows => ({
  accounts: [],
  newOrders: [],
  openings: new Map(),
  stops: new Map(),
  ends: new Map(),
  receipts: [],
  requests: new Map(),
  transfers: [],
  ledgerAccounts: new Map(),
})

export function projectEntry(
  rows: ProjectedRows,
  numbers: RowNumbers,
  { entry, postings }: { entry: Entry; postings: readonly Posting[] },
): void {
  const at = BigInt(entry.at)
  for (const event of entry.events) projectEvent(rows, numbers, event, at)
  for (const posting of postings) projectPosting(rows, numbers, posting)
  if (entry.request) rows.requests.set(requestKey(entry.request), requestRow(entry.request, entry.events, at))
}

function projectEvent(rows: ProjectedRows, numbers: RowNumbers, event: Event, at: bigint): void {
  if ('receipt' in event) rows.receipts.push(receiptRow(numbers, event, event.receipt, at))
  switch (event.type) {
    case 'accountOpened':
      rows.accounts.push({ id: BigInt(event.accountId), ledger: event.ledger, opened_at: at })
      return
    case 'orderPlaced':
      rows.newOrders.push(orderRow(event))
      return
    case 'positionOpened':
      return openOrder(rows, event, at)
    case 'orderCancelled':
      return endOrder(rows, event, { status: 'cancelled', close_price: null, profit: 0n, ended_at: at })
    case 'positionClosed': {
      const closed = { status: 'closed', close_price: bigintOrNull(event.closePrice), profit: event.profit }
      return endOrder(rows, event, { ...closed, ended_at: at })
    }
    case 'stopsSet':
      return setStops(rows, event)
    case 'moneyMoved':
  }
}

function openOrder(rows: ProjectedRows, event: Extract<Event, { type: 'positionOpened' }>, at: bigint): void {
  const id = BigInt(event.orderId)
  const opening = {
    id,
    status: 'holding',
    open_price: BigInt(event.openPrice),
    opened_at: at,
    margin: event.margin,
    fee: event.fee,
  }
  if (event.kind === 'market') rows.newOrders.push({ ...orderRow(event), ...opening })
  else rows.openings.set(id, opening)
}

function endOrder(
  rows: ProjectedRows,
  { orderId, reason }: { orderId: number; reason: string },
  end: Omit<OrderEnd, 'id' | 'end_reason'>,
): void {
  const id = BigInt(orderId)
  rows.ends.set(id, { id, end_reason: reason, ...end })
}

function setStops(rows: ProjectedRows, event: Extract<Event, { type: 'stopsSet' }>): void {
  const id = BigInt(event.orderId)
  const stops = { take_profit: bigintOrNull(event.takeProfit), stop_loss: bigintOrNull(event.stopLoss) }
  rows.stops.set(id, { id, ...stops })
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

const requestRow = (request: Request, events: readonly Event[], at: bigint): RequestTable => ({
  account_id: BigInt(request.accountId),
  call: request.call,
  request_id: request.id,
  digest: request.digest,
  at,
  events: encodeEvents(events),
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

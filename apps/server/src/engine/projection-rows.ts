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
import type { Written } from '../database/bulk.ts'
import { encodeEvents } from './entry-codec.ts'

type OrderColumns<Column extends keyof OrderTable> = Written<Pick<OrderTable, 'id' | Column>>
export type OrderOpening = OrderColumns<'status' | 'open_price' | 'opened_at' | 'margin' | 'fee'>
export type OrderStops = OrderColumns<'take_profit' | 'stop_loss'>
export type OrderEnd = OrderColumns<'status' | 'end_reason' | 'ended_at' | 'close_price' | 'profit'>

/** What one stretch of the journal does to the tables. */
export type ProjectedRows = {
  readonly accounts: Written<AccountTable>[]
  readonly newOrders: Written<OrderTable>[]
  /** What became of orders, to be applied in this order. */
  readonly openings: Map<number, OrderOpening>
  readonly stops: Map<number, OrderStops>
  readonly ends: Map<number, OrderEnd>
  readonly receipts: Written<ReceiptTable>[]
  readonly requests: Map<string, Written<RequestTable>>
  readonly transfers: Written<TransferTable>[]
  /** Balances as the last transfer left them. */
  readonly ledgerAccounts: Map<LedgerAccountId, Written<LedgerAccountTable>>
}

/** Running numbers of rows that the events do not number themselves. */
export type RowNumbers = { transferId: number; receiptId: number }

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
  const { at } = entry
  for (const event of entry.events) projectEvent(rows, numbers, event, at)
  for (const posting of postings) projectPosting(rows, numbers, posting)
  if (entry.request) rows.requests.set(requestKey(entry.request), requestRow(entry.request, entry.events, at))
}

function projectEvent(rows: ProjectedRows, numbers: RowNumbers, event: Event, at: number): void {
  if ('receipt' in event) rows.receipts.push(receiptRow(numbers, event, event.receipt, at))
  switch (event.type) {
    case 'accountOpened':
      rows.accounts.push({ id: event.accountId, ledger: event.ledger, opened_at: at })
      return
    case 'orderPlaced':
      rows.newOrders.push(orderRow(event))
      return
    case 'positionOpened':
      return openOrder(rows, event, at)
    case 'orderCancelled':
      return endOrder(rows, event, { status: 'cancelled', close_price: null, profit: 0, ended_at: at })
    case 'positionClosed': {
      const closed = { status: 'closed', close_price: event.closePrice, profit: String(event.profit) }
      return endOrder(rows, event, { ...closed, ended_at: at })
    }
    case 'stopsSet':
      rows.stops.set(event.orderId, {
        id: event.orderId,
        take_profit: event.takeProfit,
        stop_loss: event.stopLoss,
      })
      return
    case 'moneyMoved':
  }
}

function openOrder(rows: ProjectedRows, event: Extract<Event, { type: 'positionOpened' }>, at: number): void {
  const opening = {
    id: event.orderId,
    status: 'holding',
    open_price: event.openPrice,
    opened_at: at,
    margin: String(event.margin),
    fee: String(event.fee),
  }
  if (event.kind === 'market') rows.newOrders.push({ ...orderRow(event), ...opening })
  else rows.openings.set(event.orderId, opening)
}

function endOrder(
  rows: ProjectedRows,
  { orderId, reason }: { orderId: number; reason: string },
  end: Omit<OrderEnd, 'id' | 'end_reason'>,
): void {
  rows.ends.set(orderId, { id: orderId, end_reason: reason, ...end })
}

const orderRow = (terms: OrderTerms): Written<OrderTable> => ({
  id: terms.orderId,
  account_id: terms.accountId,
  instrument_id: terms.instrumentId,
  side: terms.side,
  kind: terms.kind,
  status: 'pending',
  end_reason: 'none',
  lots: terms.lots,
  leverage: terms.leverage,
  target_price: terms.targetPrice,
  accepted_price: terms.acceptedPrice,
  open_price: null,
  close_price: null,
  take_profit: terms.takeProfit,
  stop_loss: terms.stopLoss,
  margin: String(terms.margin),
  fee: String(terms.fee),
  profit: 0,
  expires_at: terms.expiresAt,
  created_at: terms.createdAt,
  opened_at: null,
  ended_at: null,
})

const requestRow = (request: Request, events: readonly Event[], at: number): Written<RequestTable> => ({
  account_id: request.accountId,
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
  at: number,
): Written<ReceiptTable> {
  numbers.receiptId += 1
  return {
    id: numbers.receiptId,
    account_id: event.accountId,
    order_id: event.orderId,
    at,
    body: JSON.stringify(receipt),
  }
}

function projectPosting(rows: ProjectedRows, numbers: RowNumbers, posting: Posting): void {
  numbers.transferId += 1
  const { debit, credit } = posting
  const debitRow = { balance: String(posting.debitBalance), entry_count: posting.debitEntry }
  const creditRow = { balance: String(posting.creditBalance), entry_count: posting.creditEntry }
  rows.transfers.push({
    id: numbers.transferId,
    at: posting.at,
    debit,
    credit,
    amount: String(posting.amount),
    kind: posting.kind,
    order_id: posting.orderId,
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
function userOf(id: LedgerAccountId): number | null {
  const [owner, number] = id.split(':')
  return owner === 'house' || number === undefined ? null : Number(number)
}

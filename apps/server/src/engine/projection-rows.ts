/** From journal events to rows of the ordinary tables: pure, so that folding twice gives the same rows. */
import {
  requestKey,
  type Entry,
  type Event,
  type LedgerAccountId,
  type OrderTerms,
  type PositionReduced,
  type Posting,
  type Request,
  type SwapBooked,
} from '@fairlot/core'
import type {
  AccountTable,
  EngineFactTable,
  LedgerAccountTable,
  OrderTable,
  RequestTable,
  TransferTable,
} from '../database/schema.ts'
import { factOf } from './engine-facts.ts'
import { encodeEvents } from './entry-codec.ts'
import { provenOrder, type Proof } from './receipt-chain.ts'

type OrderColumns<Column extends keyof OrderTable> = Pick<OrderTable, 'id' | Column>
export type OrderOpening = OrderColumns<'status' | 'open_price' | 'opened_at' | 'margin' | 'fee'>
export type OrderRest = OrderColumns<'lots' | 'margin'>
export type OrderStops = OrderColumns<'take_profit' | 'stop_loss' | 'trailing_distance'>
/** `swap` is what comes on top. */
export type OrderFinancing = OrderColumns<'swap' | 'financed_at'>
export type OrderEnd = OrderColumns<'status' | 'end_reason' | 'ended_at' | 'close_price' | 'profit'>

/** What one stretch of the journal does to the tables. */
export type ProjectedRows = {
  readonly accounts: AccountTable[]
  readonly newOrders: OrderTable[]
  /** What became of orders, to be applied in this order. */
  readonly openings: Map<bigint, OrderOpening>
  readonly rests: Map<bigint, OrderRest>
  readonly stops: Map<bigint, OrderStops>
  readonly financings: Map<bigint, OrderFinancing>
  readonly ends: Map<bigint, OrderEnd>
  readonly proofs: Proof[]
  readonly requests: Map<string, RequestTable>
  readonly transfers: TransferTable[]
  /** Balances as the last transfer left them. */
  readonly ledgerAccounts: Map<LedgerAccountId, LedgerAccountTable>
  readonly facts: Map<string, EngineFactTable>
}

/** Running numbers of rows that the events do not number themselves. */
export type RowNumbers = { transferId: bigint; receiptId: bigint }

export const emptyRows = (): ProjectedRows => ({
  accounts: [],
  newOrders: [],
  openings: new Map(),
  rests: new Map(),
  stops: new Map(),
  financings: new Map(),
  ends: new Map(),
  proofs: [],
  requests: new Map(),
  transfers: [],
  ledgerAccounts: new Map(),
  facts: new Map(),
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
  if ('receipt' in event) {
    numbers.receiptId += 1n
    rows.proofs.push({ id: numbers.receiptId, orderId: provenOrder(event), at, event })
  }
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
    case 'positionReduced':
      return reduceOrder(rows, event, at)
    case 'swapBooked':
      return financeOrder(rows, event)
    case 'stopsSet':
      return setStops(rows, event)
    case 'rolledOver':
    case 'instrumentHalted':
    case 'tradingModeSet': {
      const fact = factOf(event)
      rows.facts.set(fact.name, fact)
      return
    }
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

/** The closed part becomes a row of its own; what it shares with the position is told by the event. */
function reduceOrder(rows: ProjectedRows, event: PositionReduced, at: bigint): void {
  const { position, lots, margin } = event
  const id = BigInt(position.orderId)
  const rest = { lots: BigInt(position.lots - lots), margin: position.margin - margin }
  rows.rests.set(id, { id, ...rest })
  rows.newOrders.push({
    ...orderRow({ ...position, orderId: event.partId, lots, margin }),
    parent_id: id,
    status: 'closed',
    end_reason: event.reason,
    open_price: BigInt(position.openPrice),
    close_price: BigInt(event.closePrice),
    profit: event.profit,
    // Charged once, at the opening; it stays with the first.
    fee: 0n,
    opened_at: BigInt(position.openedAt),
    ended_at: at,
  })
}

function financeOrder(rows: ProjectedRows, { orderId, amount, rollover }: SwapBooked): void {
  const id = BigInt(orderId)
  const swap = (rows.financings.get(id)?.swap ?? 0n) + amount
  rows.financings.set(id, { id, swap, financed_at: BigInt(rollover) })
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
  rows.stops.set(id, {
    id,
    take_profit: bigintOrNull(event.takeProfit),
    stop_loss: bigintOrNull(event.stopLoss),
    trailing_distance: bigintOrNull(event.trailingDistance),
  })
}

const bigintOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value))

const orderRow = (terms: OrderTerms): OrderTable => ({
  id: BigInt(terms.orderId),
  parent_id: null,
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
  trailing_distance: null,
  margin: terms.margin,
  fee: terms.fee,
  profit: 0n,
  swap: 0n,
  financed_at: 0n,
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

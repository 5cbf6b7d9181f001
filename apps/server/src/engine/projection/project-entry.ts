/** From journal events to rows of the tables. Pure: projecting twice gives the same rows. */
import {
  requestKey,
  type AccountStatus,
  type CopiedOrder,
  type Entry,
  type Event,
  type LedgerAccountId,
  type PositionReduced,
  type Posting,
  type Request,
} from '@fairlot/core'
import type {
  AccountTable,
  EngineFactTable,
  LedgerAccountTable,
  OrderTable,
  RequestTable,
  TransferTable,
} from '../../platform/database/schema.ts'
import type { Written } from '../../platform/database/bulk.ts'
import { emptyAlertRows, projectAlert, type AlertRows } from './alert-rows.ts'
import type { WrittenChange } from './committed-batch.ts'
import {
  emptyCopyingRows,
  projectCopying,
  projectRange,
  projectSkip,
  type CopyingRows,
} from './copying-rows.ts'
import { factOf } from './engine-facts.ts'
import { emptyCaseRows, projectCase, type CaseRows } from './money-cases.ts'
import { projectNotices, type NoticeRows } from './notice-facts.ts'
import { projectActions, type OperatorActionRows } from './operator-actions.ts'
import { provenOrder, type Proof, type ProvenEvent } from './receipt-chain.ts'
import { orderRow, userOf } from './row-mapping.ts'
import { emptyTermsRows, projectPriceSnapshot, projectTerms, type TermsRows } from './terms-rows.ts'

type OrderColumns<Column extends keyof OrderTable> = Written<Pick<OrderTable, 'id' | Column>>
export type OrderOpening = OrderColumns<'status' | 'open_price' | 'opened_at' | 'margin' | 'fee'>
export type OrderRest = OrderColumns<'lots' | 'margin'>
export type OrderStops = OrderColumns<'take_profit' | 'stop_loss' | 'trailing_distance'>
export type OrderTrail = OrderColumns<'stop_loss'>
export type OrderSwap = OrderColumns<'financed_at'>
export type OrderEnd = OrderColumns<'status' | 'end_reason' | 'ended_at' | 'close_price' | 'profit'>

/** The rows that one segment of the journal writes to the tables. */
export type ProjectedRows = {
  readonly accounts: Written<AccountTable>[]
  readonly statuses: Map<number, Written<Pick<AccountTable, 'id' | 'status' | 'status_reason'>>>
  readonly cases: CaseRows
  readonly alerts: AlertRows
  readonly actions: OperatorActionRows
  readonly terms: TermsRows
  readonly notices: NoticeRows
  readonly copying: CopyingRows
  readonly newOrders: Written<OrderTable>[]
  /** Updates of orders, applied in this order. */
  readonly openings: Map<number, OrderOpening>
  readonly rests: Map<number, OrderRest>
  readonly stops: Map<number, OrderStops>
  /** The last position of trailing stops: one row per order, however often it moved. */
  readonly trails: Map<number, OrderTrail>
  readonly swaps: Map<number, OrderSwap>
  readonly ends: Map<number, OrderEnd>
  readonly proofs: Proof[]
  readonly requests: Map<string, Written<RequestTable>>
  readonly transfers: Written<TransferTable>[]
  /** Balances as the last transfer left them. */
  readonly ledgerAccounts: Map<LedgerAccountId, Written<LedgerAccountTable>>
  readonly facts: Map<string, EngineFactTable>
}

/** The last ids of rows that have no id in their events. */
export type RowNumbers = { transferId: number; receiptId: number; actionId: number; termsVersion: number }

export const emptyRows = (): ProjectedRows => ({
  accounts: [],
  statuses: new Map(),
  cases: emptyCaseRows(),
  alerts: emptyAlertRows(),
  actions: [],
  terms: emptyTermsRows(),
  notices: [],
  copying: emptyCopyingRows(),
  newOrders: [],
  openings: new Map(),
  rests: new Map(),
  stops: new Map(),
  trails: new Map(),
  swaps: new Map(),
  ends: new Map(),
  proofs: [],
  requests: new Map(),
  transfers: [],
  ledgerAccounts: new Map(),
  facts: new Map(),
})

/** `seq` is the journal row of the change. */
export function projectEntry(
  rows: ProjectedRows,
  numbers: RowNumbers,
  seq: number,
  { entry, postings, trailed, texts }: WrittenChange,
): void {
  const { at, author, request } = entry
  entry.events.forEach((event, index) => {
    if ('receipt' in event) rows.proofs.push(proofOf(numbers, event, { at, text: texts[index] ?? '' }))
    projectEvent(rows, numbers, event, { at, author, seq })
  })
  // Trailing stops move after the other events of the same tick.
  for (const { orderId, stopLoss } of trailed) moveStop(rows, orderId, stopLoss)
  for (const posting of postings) projectPosting(rows, numbers, posting)
  if (author.type === 'operator') projectActions(rows.actions, numbers, seq, entry, author)
  projectNotices(rows.notices, seq, entry)
  if (request) rows.requests.set(requestKey(request), requestRow(request, seq, at))
}

function proofOf(numbers: RowNumbers, event: ProvenEvent, written: Pick<Proof, 'at' | 'text'>): Proof {
  numbers.receiptId += 1
  return { id: numbers.receiptId, accountId: event.accountId, orderId: provenOrder(event), ...written }
}

function projectEvent(
  rows: ProjectedRows,
  numbers: RowNumbers,
  event: Event,
  { at, author, seq }: Pick<Entry, 'at' | 'author'> & { readonly seq: number },
): void {
  switch (event.type) {
    case 'accountOpened':
      rows.accounts.push(accountRow(event, at))
      return
    case 'accountStatusSet':
      projectFact(rows, event)
      return projectStatus(rows, event)
    case 'accountClosed':
      return projectStatus(rows, { accountId: event.accountId, status: 'closed', reason: '' })
    case 'depositOpened':
    case 'depositEnded':
    case 'withdrawalHeld':
    case 'withdrawalEnded':
    case 'withdrawalApproved':
    case 'withdrawalApprovalVoided':
    case 'withdrawalPaying':
    case 'adjustmentAsked':
    case 'adjustmentEnded':
      return projectCase(rows.cases, event, at, author)
    case 'alertSet':
    case 'alertRemoved':
    case 'alertFired':
    case 'alertRearmed':
    case 'alertEnded':
      return projectAlert(rows.alerts, event, at)
    case 'termsSet':
    case 'termsTookEffect':
    case 'termsWithdrawn':
      return projectTerms(rows.terms, numbers, event, { at, author })
    case 'pricesMarked':
    case 'rolledOver':
      return projectPriceSnapshot(rows.terms, numbers, event, at)
    case 'instrumentHalted':
    case 'tradingModeSet':
    case 'rulesSet':
    case 'operatorsAdopted':
    case 'operatorSet':
    case 'operatorJoined':
    case 'singleOperatorEnded':
    case 'recoveryAnnounced':
    case 'recoveryCalledOff':
    case 'recoveryUsed':
    case 'referenceAdmitted':
    case 'referenceSettled':
      return projectFact(rows, event)
    // Their stops and transfers are projected separately.
    case 'trailingMoved':
    case 'demoReset':
    // Receiving methods have their own table; verify compares it with the journal.
    case 'payoutMethodBound':
    case 'payoutMethodRemoved':
      return
    case 'copyStarted':
      rows.accounts.push(copyAccountRow(event, at))
      return projectCopying(rows.copying, event, at)
    case 'copyEnded':
      projectStatus(rows, { accountId: event.accountId, status: 'closed', reason: '' })
      return projectCopying(rows.copying, event, at)
    case 'equityRangeNoted':
      return projectRange(rows.copying, event)
    case 'monthFeesCharged':
      return projectFact(rows, event)
    case 'copySkipped':
      return projectSkip(rows.copying, event, { at, seq })
    case 'strategyPublished':
    case 'strategyFeeSet':
    case 'strategyEnded':
    case 'copyPaused':
    case 'copyResumed':
    case 'copyStopLossSet':
    case 'copyTermsSet':
    case 'copyFunded':
    case 'copyReduced':
    case 'copyStopped':
    case 'performanceFeeCharged':
      return projectCopying(rows.copying, event, at)
    default:
      return projectOrder(rows, event, at)
  }
}

function projectFact(rows: ProjectedRows, event: Parameters<typeof factOf>[0]): void {
  const fact = factOf(event)
  rows.facts.set(fact.name, fact)
}

const accountRow = (event: Extract<Event, { type: 'accountOpened' }>, at: number): Written<AccountTable> => ({
  id: event.accountId,
  owner_id: event.accountId,
  ledger: event.ledger,
  opened_at: at,
  status: 'active',
  status_reason: '',
})

const copyAccountRow = (
  event: Extract<Event, { type: 'copyStarted' }>,
  at: number,
): Written<AccountTable> => ({
  id: event.accountId,
  owner_id: event.ownerId,
  ledger: event.ledger,
  opened_at: at,
  status: 'active',
  status_reason: '',
})

type NewStatus = { readonly accountId: number; readonly status: AccountStatus; readonly reason: string }

function projectStatus(rows: ProjectedRows, { accountId, status, reason }: NewStatus): void {
  rows.statuses.set(accountId, { id: accountId, status, status_reason: reason })
}

type OrderEvent = ProvenEvent | Extract<Event, { type: 'stopsSet' }>

function projectOrder(rows: ProjectedRows, event: OrderEvent, at: number): void {
  switch (event.type) {
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
    case 'positionReduced':
      return reduceOrder(rows, event, at)
    case 'swapBooked':
      rows.swaps.set(event.orderId, { id: event.orderId, financed_at: event.rollover })
      return
    case 'stopsSet':
      rows.stops.set(event.orderId, {
        id: event.orderId,
        take_profit: event.takeProfit,
        stop_loss: event.stopLoss,
        trailing_distance: event.trailingDistance,
      })
      rows.trails.delete(event.orderId)
  }
}

function moveStop(rows: ProjectedRows, id: number, stopLoss: number): void {
  const set = rows.stops.get(id)
  if (set) rows.stops.set(id, { ...set, stop_loss: stopLoss })
  else rows.trails.set(id, { id, stop_loss: stopLoss })
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
  // Only what has waited for its target has a row already.
  if (event.receipt.trigger === 'target') rows.openings.set(event.orderId, opening)
  else rows.newOrders.push(Object.assign(orderRow(event, copiedIn(event)), opening))
}

const copiedIn = ({
  copied,
  receipt,
  lots,
}: Extract<Event, { type: 'positionOpened' }>): CopiedOrder | null =>
  copied && receipt.copied
    ? { orderId: receipt.copied.orderId, providerLots: copied.providerLots, lots }
    : null

/** The closed part becomes a row of its own; the event has what it shares with the position. */
function reduceOrder(rows: ProjectedRows, event: PositionReduced, at: number): void {
  const { position, lots, margin } = event
  const id = position.orderId
  rows.rests.set(id, { id, lots: position.lots - lots, margin: String(position.margin - margin) })
  rows.newOrders.push({
    ...orderRow({ ...position, orderId: event.partId, lots, margin }),
    parent_id: id,
    status: 'closed',
    end_reason: event.reason,
    open_price: position.openPrice,
    close_price: event.closePrice,
    profit: String(event.profit),
    // Charged once, at the opening; it stays with the position.
    fee: 0,
    opened_at: position.openedAt,
    ended_at: at,
  })
}

function endOrder(
  rows: ProjectedRows,
  { orderId, reason }: { orderId: number; reason: string },
  end: Omit<OrderEnd, 'id' | 'end_reason'>,
): void {
  rows.ends.set(orderId, { id: orderId, end_reason: reason, ...end })
}

const requestRow = (request: Request, seq: number, at: number): Written<RequestTable> => ({
  account_id: request.accountId,
  call: request.call,
  request_id: request.id,
  digest: request.digest,
  at,
  journal_seq: seq,
})

function projectPosting(rows: ProjectedRows, numbers: RowNumbers, posting: Posting): void {
  numbers.transferId += 1
  const { debit, credit } = posting
  const debitRow = { id: debit, balance: String(posting.debitBalance), entry_count: posting.debitEntry }
  const creditRow = { id: credit, balance: String(posting.creditBalance), entry_count: posting.creditEntry }
  rows.transfers.push({
    id: numbers.transferId,
    at: posting.at,
    debit,
    credit,
    amount: String(posting.amount),
    kind: posting.kind,
    order_id: posting.orderId,
    case_id: posting.caseId ?? null,
    account_id: userOf(debit) ?? userOf(credit),
    debit_balance: debitRow.balance,
    debit_entry: debitRow.entry_count,
    credit_balance: creditRow.balance,
    credit_entry: creditRow.entry_count,
  })
  rows.ledgerAccounts.set(debit, debitRow)
  rows.ledgerAccounts.set(credit, creditRow)
}

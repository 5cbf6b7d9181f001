import type { TransferKind } from '@fairlot/core'
import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittableOrBlank, money, nullable, text, time } from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, ledgerChoice, record, enumeration } from './record.ts'

/** Labels of the kinds of transfer at the desk. */
export const TRANSFER_LABELS = {
  demoIssue: 'Demo money issued',
  demoReset: 'Demo money reset',
  fee: 'Fee of an order',
  result: 'Result of an order',
  swap: 'Swap',
  protection: 'Negative balance protection',
  protectionRepaid: 'Protection repaid',
  deposit: 'Deposit',
  withdrawalHeld: 'Withdrawal: held',
  withdrawalPaid: 'Withdrawal: paid',
  withdrawalFee: 'Withdrawal: fee',
  withdrawalReleased: 'Withdrawal: released',
  adjustment: 'Adjustment',
  copyIn: 'Put into a copy',
  copyOut: 'Taken out of a copy',
  performanceFee: 'Performance fee of a copy',
} as const satisfies Record<TransferKind, string>

/** Links of explorers have up to 200 characters. */
const REFERENCE_LENGTH = 300

const KINDS = Object.keys(TRANSFER_LABELS) as TransferKind[]

const transfer = record({
  id,
  at: time,
  kind: enumeration(KINDS),
  /** The user concerned; null for none. */
  accountId: nullable(id),
  /** The two ledger accounts: `amount` leaves the first and arrives at the second. */
  debit: text,
  credit: text,
  amount: money,
  orderId: nullable(id),
  caseId: nullable(id),
})
export type DeskTransfer = Infer<typeof transfer>

export const listTransfers = defineDeskEndpoint({
  name: 'listTransfers',
  method: 'GET',
  path: '/desk/api/payments/transfers',
  permission: 'viewPayments',
  request: record({
    ledger: ledgerChoice,
    accountId: omittableOrBlank(id),
    kind: omittableOrBlank(enumeration(KINDS)),
    /** The number of a transfer, order or case, or the transaction number of a deposit or withdrawal. */
    reference: omittableOrBlank(userLine(REFERENCE_LENGTH)),
    /** Epoch ms, `until` exclusive. */
    since: omittableOrBlank(time),
    until: omittableOrBlank(time),
    page: deskPage,
  }),
  response: record({ transfers: listOf(transfer) }),
  summary: 'Every transfer of the ledger, the newest first; as CSV at the same address and `.csv`',
})

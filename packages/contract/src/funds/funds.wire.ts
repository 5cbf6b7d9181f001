import type { TransferKind } from '@fairlot/core'
import { object, transform } from '../protocol/codec.ts'
import {
  amount,
  choice,
  day,
  flag,
  id,
  listOf,
  omittable,
  omittableOrBlank,
  money,
  nullable,
  percent,
  price,
  text,
  time,
  int,
  withDefault,
  utcText,
} from '../protocol/field.ts'

const stopOut = object({ orderId: ['order_id', id], price: ['price', price] })

const figuresRow = object({
  balance: ['balance', money],
  /** Balance and open profit. */
  equity: ['net_value', money],
  /** Equity less margin and reserves: available for new orders. */
  free: ['available_prepayment', money],
  margin: ['current_margin', money],
  /** Equity / margin in percent; null while no margin is used. Higher is safer. */
  level: ['risk_rate', nullable(percent)],
  sameLevel: ['prepayment_ratio', nullable(percent)],
  /** Open profit of all positions. */
  profit: ['total_profit', money],
  /** Reserved for pending orders. */
  reserved: ['reserved', money],
  /** The price at which each position would be stopped out. */
  stopOuts: ['stop_out', withDefault(listOf(stopOut), [])],
  /** When the server computed them: a push may overtake this answer, and the later of the two counts. */
  computedAt: ['computed_at', time],
})

/** The account's figures. The wire has the level twice. */
export const accountFigures = transform(figuresRow, {
  decode: ({ sameLevel: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, sameLevel: rest.level }),
})

/** The starting balance for a demo account; null for that of the terms. */
export const demoStart = object({ start: ['balance', omittableOrBlank(amount)] })

export const walletBalance = object({ balance: ['balance', money] })

/** Free balance, and balance frozen by withdrawals in progress. */
export const fundsBalanceFields = {
  available: ['balance', money],
  frozen: ['lock_balance', money],
} as const

export const fundsBalance = object(fundsBalanceFields)

const KINDS = {
  demoIssue: 'demoIssue',
  demoReset: 'demoReset',
  fee: 'fee',
  result: 'result',
  swap: 'swap',
  protection: 'protection',
  protectionRepaid: 'protectionRepaid',
  deposit: 'deposit',
  withdrawalHeld: 'withdrawalHeld',
  withdrawalPaid: 'withdrawalPaid',
  withdrawalFee: 'withdrawalFee',
  withdrawalReleased: 'withdrawalReleased',
  adjustment: 'adjustment',
  copyIn: 'copyIn',
  copyOut: 'copyOut',
  performanceFee: 'performanceFee',
} as const satisfies Record<TransferKind, TransferKind>

const ledgerRow = object({
  id: ['Id', id],
  /** Above zero: money came in. */
  amount: ['Value', money],
  /** A sentence in the caller's language. */
  memo: ['MemoTran', text],
  createdText: ['CreatedAtTran', text],
  createdAt: ['CreatedTime', time],
  /** After this record. */
  balance: ['Balance', money],
  kind: ['Kind', choice(KINDS)],
  orderId: ['OrderId', omittable(id)],
  /** The deposit, withdrawal or correction it belongs to. */
  caseId: ['CaseId', omittable(id)],
  /** A booking of frozen money; the balance is the frozen one. */
  isFrozen: ['Lock', withDefault(flag(1, 0), false)],
})

/** A row of `forexChange`. */
export const ledgerRecord = transform(ledgerRow, {
  decode: ({ createdText: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, createdText: utcText(rest.createdAt) }),
})

export const ledgerPage = object({ records: ['data', listOf(ledgerRecord)], total: ['total', int()] })

/** The category of a record, for a filter: each kind belongs to one. */
export const LEDGER_GROUPS = {
  trading: ['fee', 'result', 'protection', 'protectionRepaid'],
  money: [
    ...(['deposit', 'withdrawalHeld', 'withdrawalPaid', 'withdrawalFee', 'withdrawalReleased'] as const),
    ...(['adjustment', 'demoIssue', 'demoReset'] as const),
    ...(['copyIn', 'copyOut', 'performanceFee'] as const),
  ],
  nights: ['swap'],
} as const satisfies Readonly<Record<string, readonly TransferKind[]>>

export const ledgerQuery = object({
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
  /** In place of a page: the rows after this one of the list, so that a list that grows meanwhile doubles none. */
  before: ['before', omittableOrBlank(id)],
  /** The requested kinds; null for all. */
  group: ['kind', omittableOrBlank(choice({ trading: 'trading', money: 'money', nights: 'nights' }))],
})

/** Days of UTC, both included. */
export const statementQuery = object({
  from: ['from', day],
  to: ['to', day],
  format: ['format', choice({ pdf: 'pdf', csv: 'csv' })],
})

export const balanceQuery = object({ from: ['from', time] })

export const balanceHistory = object({
  points: ['data', listOf(object({ at: ['Time', time], balance: ['Balance', money] }))],
})

export const pageQuery = object({ page: ['page', withDefault(int(1, 'pageInvalid'), 1)] })

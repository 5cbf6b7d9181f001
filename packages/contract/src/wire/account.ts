import type { TransferKind } from '@fairlot/core'
import { noun, reshape } from '../codec.ts'
import {
  choice,
  day,
  flag,
  id,
  listOf,
  maybe,
  maybeBlank,
  money,
  orNull,
  percent,
  price,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'
import { utcText } from './utc-text.ts'

const stopOut = noun({ orderId: ['order_id', id], price: ['price', price] })

const figuresRow = noun({
  balance: ['balance', money],
  /** Balance and open profit. */
  equity: ['net_value', money],
  /** Equity less margin and reserves: what new orders may use. */
  free: ['available_prepayment', money],
  margin: ['current_margin', money],
  /** Equity / margin in percent; null while no margin is used. Higher is safer. */
  level: ['risk_rate', orNull(percent)],
  sameLevel: ['prepayment_ratio', orNull(percent)],
  /** Open profit of all positions. */
  profit: ['total_profit', money],
  /** Held back for pending orders. */
  reserved: ['reserved', money],
  /** The price at which each position would be stopped out. */
  stopOuts: ['stop_out', withDefault(listOf(stopOut), [])],
})

/** The account's figures. The wire says the level twice. */
export const accountFigures = reshape(figuresRow, {
  decode: ({ sameLevel: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, sameLevel: rest.level }),
})

export const walletBalance = noun({ balance: ['balance', money] })

/** Money on hand and money frozen by withdrawals under way. */
export const fundsBalanceFields = {
  available: ['balance', money],
  frozen: ['lock_balance', money],
} as const

export const fundsBalance = noun(fundsBalanceFields)

const KINDS = {
  demoIssue: 'demoIssue',
  demoReset: 'demoReset',
  fee: 'fee',
  result: 'result',
  swap: 'swap',
  protection: 'protection',
  deposit: 'deposit',
  withdrawalHeld: 'withdrawalHeld',
  withdrawalPaid: 'withdrawalPaid',
  withdrawalFee: 'withdrawalFee',
  withdrawalReleased: 'withdrawalReleased',
  adjustment: 'adjustment',
} as const satisfies Record<TransferKind, TransferKind>

const ledgerRow = noun({
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
  orderId: ['OrderId', maybe(id)],
  /** The deposit, withdrawal or correction it belongs to. */
  caseId: ['CaseId', maybe(id)],
  /** Frozen money moved, and the balance is what is left of that. */
  isFrozen: ['Lock', withDefault(flag(1, 0), false)],
})

/** A row of `forexChange`. */
export const ledgerRecord = reshape(ledgerRow, {
  decode: ({ createdText: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, createdText: utcText(rest.createdAt) }),
})

export const ledgerPage = noun({ records: ['data', listOf(ledgerRecord)], total: ['total', whole()] })

/** What a record is about, for a filter: each kind belongs to one. */
export const LEDGER_GROUPS = {
  trading: ['fee', 'result', 'protection'],
  money: [
    ...(['deposit', 'withdrawalHeld', 'withdrawalPaid', 'withdrawalFee', 'withdrawalReleased'] as const),
    ...(['adjustment', 'demoIssue', 'demoReset'] as const),
  ],
  nights: ['swap'],
} as const satisfies Readonly<Record<string, readonly TransferKind[]>>

export const ledgerQuery = noun({
  page: ['page', withDefault(whole(1, 'pageInvalid'), 1)],
  /** The kinds that are wanted; null for all. */
  group: ['kind', maybeBlank(choice({ trading: 'trading', money: 'money', nights: 'nights' }))],
})

/** Days of UTC, both included. */
export const statementQuery = noun({
  from: ['from', day],
  to: ['to', day],
  format: ['format', choice({ pdf: 'pdf', csv: 'csv' })],
})

export const balanceQuery = noun({ from: ['from', time] })

export const balanceHistory = noun({
  points: ['data', listOf(noun({ at: ['Time', time], balance: ['Balance', money] }))],
})

export const pageQuery = noun({ page: ['page', withDefault(whole(1, 'pageInvalid'), 1)] })

import { noun, reshape } from '../codec.ts'
import {
  amount,
  choice,
  decimal,
  id,
  listOf,
  maybeBlank,
  money,
  orNull,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'
import { line } from '../typed-field.ts'
import { utcText } from './utc-text.ts'

/** What is paid out to: an address of coins, or an account of a bank. */
export const payoutKind = choice({ coin: 1, bank: 2 })

export const payoutQuery = noun({ kind: ['type', payoutKind] })

/** What withdrawals can be paid out in, and what that costs. */
export const payoutCurrency = noun({
  id: ['id', id],
  code: ['code', text],
  network: ['protocol', text],
  /** An amount, or a share of the amount such as 0.01. */
  feeRate: ['draw_rate', money],
  feeType: ['fee_type', choice({ fixed: 1, rate: 2 }, { otherwise: 'rate' })],
  /** What is paid out for one unit of the account currency. */
  price: ['usd_price', decimal],
  minimum: ['min_number', money],
  maximum: ['max_number', orNull(money)],
  /** What the caller may still ask for on this day, which ends at midnight UTC; null for no limit. */
  leftToday: ['left_today', withDefault(orNull(money), null)],
})

const MEMO_LENGTH = 200
const CODE_LENGTH = 20

export const withdrawalForm = noun({
  currencyId: ['draw_currency_id', id],
  amount: ['number', amount],
  memo: ['memo', withDefault(line(MEMO_LENGTH), '')],
  methodId: ['draw_method_id', id],
  /** Where a second factor is on. */
  authCode: ['auth_code', maybeBlank(line(CODE_LENGTH))],
})

export const withdrawalQuery = noun({
  kind: ['type', payoutKind],
  page: ['page', withDefault(whole(1, 'pageInvalid'), 1)],
})

export const withdrawalId = noun({ id: ['id', id] })

/** What has happened to a withdrawal, and by whom: the user, or somebody of a role. */
const step = noun({
  kind: [
    'step',
    choice({
      asked: 'asked',
      approved: 'approved',
      paid: 'paid',
      rejected: 'rejected',
      cancelled: 'cancelled',
    }),
  ],
  at: ['time', time],
  /** In the caller's language. */
  role: ['role', text],
  reason: ['reason', text],
})

const row = noun({
  id: ['id', id],
  amount: ['number', money],
  fee: ['fee', money],
  /** What arrives, in the currency that is paid out. */
  received: ['real_number', decimal],
  status: [
    'status',
    choice({ waiting: 0, paid: 1, rejected: 2, cancelled: 3, approved: 4 }, { otherwise: 'waiting' }),
  ],
  /** A word in the caller's language. */
  statusName: ['status_name', text],
  createdText: ['created_at', text],
  createdAt: ['created_time', time],
  kind: ['type', payoutKind],
  address: ['address', text],
  payeeAccount: ['payee_account', text],
  memo: ['notes', text],
  currency: ['draw_currency', noun({ code: ['code', text], network: ['protocol', text] })],
  price: ['usd_price', decimal],
  methodId: ['draw_method_id', id],
  /** Why it was rejected. */
  remark: ['remark', text],
  /** By which the payment is found: of a coin's network, or of a bank. */
  reference: ['transaction_number', text],
  steps: ['steps', listOf(step)],
  /** Who has it now, in the caller's language; empty once it is over. */
  holder: ['holder', text],
})

/** A withdrawal record. */
export const withdrawal = reshape(row, {
  decode: ({ createdText: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, createdText: utcText(rest.createdAt) }),
})

export const withdrawalPage = noun({ withdrawals: ['data', listOf(withdrawal)], total: ['total', whole()] })

import { object, transform, type Codec } from '../protocol/codec.ts'
import {
  amount,
  choice,
  decimal,
  flag,
  id,
  listOf,
  omittableOrBlank,
  money,
  nullable,
  price,
  text,
  time,
  int,
  withDefault,
  utcText,
} from '../protocol/field.ts'
import { nameLine, userLine } from '../protocol/user-text.ts'
import { factorCode } from '../accounts/user.wire.ts'

/** The kind of payout target: a coin address or a bank account. */
const payoutKind = choice({ coin: 1, bank: 2 })

export const payoutQuery = object({ kind: ['type', payoutKind] })

/** A currency and method of payouts, with its fee. */
export const payoutCurrency = object({
  id: ['id', id],
  code: ['code', text],
  network: ['protocol', text],
  /** An amount, or a share of the amount such as 0.01. */
  feeRate: ['draw_rate', money],
  feeType: ['fee_type', choice({ fixed: 1, rate: 2 }, { otherwise: 'rate' })],
  /** The amount paid out for one unit of the account currency. */
  price: ['usd_price', decimal],
  minimum: ['min_number', money],
  maximum: ['max_number', nullable(money)],
  /** The caller's remaining limit for this day, which ends at midnight UTC; null for no limit. */
  leftToday: ['left_today', withDefault(nullable(money), null)],
})

const MEMO_LENGTH = 200

const REQUEST = {
  currencyId: ['draw_currency_id', id],
  amount: ['number', amount],
  memo: ['memo', withDefault(userLine(MEMO_LENGTH), '')],
  methodId: ['draw_method_id', id],
  /**
   * The figures shown to the user: if others are current, the request is refused with those. Null: accept the current
   * ones.
   */
  quotedFee: ['fee', withDefault(nullable(amount), null)],
  quotedPrice: ['usd_price', withDefault(nullable(price), null)],
  quotedReceived: ['receive', withDefault(nullable(decimal), null)],
  /** The second factor, if it is on. */
  authCode: ['auth_code', omittableOrBlank(factorCode)],
} as const

export const withdrawalForm = object(REQUEST)

/** The name on the wire of each field, as refusals name it. */
const wireNamesOf = <Name extends string>(
  fields: Readonly<Record<Name, readonly [wireName: string, codec: Codec]>>,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(
    Object.entries<readonly [string, Codec]>(fields).map(([name, [wireName]]) => [name, wireName]),
  ) as Record<Name, string>

export const WITHDRAWAL_WIRE_NAMES = wireNamesOf(REQUEST)

export const withdrawalQuery = object({
  kind: ['type', payoutKind],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
  /** In place of a page: the rows after this one of the list, so that a list that grows meanwhile doubles none. */
  before: ['before', omittableOrBlank(id)],
})

export const withdrawalId = object({ id: ['id', id] })

/** A step of a withdrawal, by the user or an operator of a role. */
const step = object({
  kind: [
    'step',
    choice({
      asked: 'asked',
      approved: 'approved',
      paying: 'paying',
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

const row = object({
  id: ['id', id],
  amount: ['number', money],
  fee: ['fee', money],
  /** The amount paid out, in the currency of the payout. */
  received: ['real_number', decimal],
  status: [
    'status',
    choice({ waiting: 0, paid: 1, rejected: 2, cancelled: 3, approved: 4 }, { otherwise: 'waiting' }),
  ],
  /** A label in the caller's language. */
  statusName: ['status_name', text],
  createdText: ['created_at', text],
  createdAt: ['created_time', time],
  kind: ['type', payoutKind],
  address: ['address', text],
  tag: ['coin_tag', withDefault(text, '')],
  payeeAccount: ['payee_account', text],
  memo: ['notes', text],
  currency: ['draw_currency', object({ code: ['code', text], network: ['protocol', text] })],
  price: ['usd_price', decimal],
  methodId: ['draw_method_id', id],
  /** Why it was rejected. */
  remark: ['remark', text],
  /** The transaction number of the payment, of a coin's network or a bank. */
  reference: ['transaction_number', text],
  steps: ['steps', listOf(step)],
  /** Who is handling it, in the caller's language; empty once it is completed. */
  holder: ['holder', text],
})

/** A withdrawal in the list of withdrawals. */
export const withdrawal = transform(row, {
  decode: ({ createdText: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, createdText: utcText(rest.createdAt) }),
})

export const withdrawalPage = object({ withdrawals: ['data', listOf(withdrawal)], total: ['total', int()] })

/**
 * The most characters of a field as it is typed. Numbers may come in groups and with a word before them, and an address
 * within a payment link; the checks of numbers and addresses limit what is left of them.
 */
export const METHOD_LENGTHS = { name: 140, text: 200, number: 100, link: 1_000, tag: 256 } as const

const blank = (most: number) => withDefault(userLine(most), '')
const accountType = choice({ savings: 'savings', checking: 'checking' })

const DETAILS = {
  address: ['dc_address', blank(METHOD_LENGTHS.link)],
  /** The tag or memo of a coin address that several users share. */
  tag: ['coin_tag', blank(METHOD_LENGTHS.tag)],
  bankName: ['bank_name', blank(METHOD_LENGTHS.name)],
  bankAddress: ['bank_address', blank(METHOD_LENGTHS.text)],
  bic: ['bank_swift', blank(METHOD_LENGTHS.number)],
  payeeName: ['payee_name', blank(METHOD_LENGTHS.name)],
  payeeAccount: ['payee_account', blank(METHOD_LENGTHS.number)],
  routeNumber: ['route_number', blank(METHOD_LENGTHS.number)],
  payeeAddress: ['payee_address', blank(METHOD_LENGTHS.text)],
  postCode: ['post_code', blank(METHOD_LENGTHS.number)],
  iban: ['iban', blank(METHOD_LENGTHS.number)],
  accountType: ['account_type', omittableOrBlank(accountType)],
  /** What the bank needs besides, such as a reference; shown to the operator who pays. */
  remark: ['bank_remark', blank(METHOD_LENGTHS.text)],
} as const

/** Those of the details of a receiving method. */
export const METHOD_WIRE_NAMES = wireNamesOf(DETAILS)

/** A coin address or a bank account saved by a user as a payout target. */
export const methodForm = object({
  currencyId: ['draw_id', id],
  kind: ['type', payoutKind],
  ...DETAILS,
  bankName: ['bank_name', withDefault(nameLine(METHOD_LENGTHS.name), '')],
  payeeName: ['payee_name', withDefault(nameLine(METHOD_LENGTHS.name), '')],
  /** The user's word that the address has no tag or memo, on a network where addresses may have one. */
  hasNoTag: ['coin_tag_none', withDefault(flag(1, 0), false)],
  /** Taken literally: spaces are part of it. */
  password: ['password', omittableOrBlank(text)],
  authCode: ['auth_code', omittableOrBlank(factorCode)],
})

export const methodQuery = object({
  kind: ['draw_type', payoutKind],
  currencyId: ['draw_id', omittableOrBlank(id)],
})

export const methodId = object({ id: ['id', id] })

export const receivingMethod = object({
  id: ['id', id],
  kind: ['type', payoutKind],
  currencyId: ['draw_id', id],
  ...DETAILS,
  currency: ['draw_currency', object({ id: ['id', id], code: ['code', text], network: ['protocol', text] })],
  boundAt: ['created_time', time],
  /** No payout before this time. */
  usableAt: ['usable_time', time],
})

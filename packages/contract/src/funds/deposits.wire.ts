import { object, transform } from '../protocol/codec.ts'
import {
  choice,
  conversionRate,
  flag,
  id,
  listOf,
  omittable,
  omittableOrBlank,
  money,
  nullable,
  sentAmount,
  text,
  time,
  int,
  withDefault,
  utcText,
} from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'

/** The path prefix of all calls about deposits. */
export const DEPOSIT_PATH = '/api/quickCharge'

/** The path of the list of deposits: as spelled by the first clients of the family, and by later ones. */
export const LIST_PATHS = { first: `${DEPOSIT_PATH}/quick_ist`, later: `${DEPOSIT_PATH}/quick_list` } as const

/** The caller's remaining limit there for this day, which ends at midnight UTC; null for no limit. */
const leftToday = withDefault(nullable(money), null)

/** The rate of one unit, and its currency. */
const valuation = {
  /** The current rate; null if unknown. A deposit is converted at the rate of its arrival. */
  rate: ['rate', withDefault(nullable(conversionRate), null)],
  /** Whether the rate is fixed instead of the market's. */
  isRateFixed: ['rate_fixed', withDefault(flag(1, 0), false)],
  accountCurrency: ['account_currency', withDefault(text, '')],
} as const

/** The target of a deposit of coins. */
export const depositChannel = object({
  id: ['id', id],
  currency: ['currency_code', text],
  network: ['protocol_code', text],
  address: ['address', text],
  /** The tag or memo to send with the coins; empty for none. */
  tag: ['coin_tag', withDefault(text, '')],
  leftToday: ['left_today', leftToday],
  ...valuation,
})

export const wireCurrency = object({ currency: ['bank_coin', text] })

export const wireQuery = object({ currency: ['bank_coin', omittableOrBlank(userLine(20))] })

/** The target of a deposit by wire. */
export const wireAccount = object({
  id: ['id', id],
  bankName: ['bank_name', text],
  bankAddress: ['bank_address', text],
  bic: ['bank_swift', text],
  payeeName: ['payee_name', text],
  payeeAccount: ['payee_account', text],
  remark: ['bank_remark', text],
  leftToday: ['left_today', leftToday],
  ...valuation,
})

const PICTURE_LENGTH = 300
/** Links of explorers, which are pasted whole, have up to 200 characters. */
const REFERENCE_LENGTH = 300

/** The transaction number of the transfer, of a coin's network or a bank; empty if the user does not know it. */
const reference = withDefault(userLine(REFERENCE_LENGTH), '')

const ADDRESS_LENGTH = 200

export const coinDeposit = object({
  /** In the currency of the channel. */
  amount: ['number', sentAmount],
  /** The URL returned by `image_upload` to the same user. */
  proof: ['proofImg', userLine(PICTURE_LENGTH)],
  /** The address that the client showed. */
  address: ['address', omittableOrBlank(userLine(ADDRESS_LENGTH))],
  channelId: ['charge_id', id],
  reference: ['transaction_number', reference],
})

export const wireDeposit = object({
  amount: ['number', sentAmount],
  proof: ['proofImg', userLine(PICTURE_LENGTH)],
  wireId: ['wire_id', id],
  reference: ['transaction_number', reference],
})

const kind = choice({ coin: 0, bank: 1 })

export const depositQuery = object({
  kind: ['type', kind],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
  /** In place of a page: the rows after this one of the list, so that a list that grows meanwhile doubles none. */
  before: ['before', omittableOrBlank(id)],
})

const row = object({
  id: ['id', id],
  /** As reported by the user, in the currency sent. */
  amount: ['number', sentAmount],
  kind: ['type', kind],
  currency: ['currency_code', text],
  network: ['protocol_code', text],
  status: ['status', choice({ unchecked: 0, finished: 1, rejected: 2, invalid: 3 })],
  createdText: ['created_at', text],
  createdAt: ['created_time', time],
  /** Why it was rejected; empty without a reason. */
  remark: ['remark', text],
  /** The amount credited, in the account currency; null before. */
  credited: ['real_number', nullable(money)],
  /** The same by its other name; omitted before. */
  sameCredited: ['credited', omittable(money)],
  endedAt: ['ended_time', nullable(time)],
  /** Its value and rate when it was reported; null for a deposit in account currency. */
  estimate: ['estimated_number', withDefault(nullable(money), null)],
  estimatedRate: ['estimated_rate', withDefault(nullable(conversionRate), null)],
  /** The amount received in the currency sent, its time, and the rate of the credit; null before. */
  arrived: ['arrived_number', withDefault(nullable(sentAmount), null)],
  arrivedAt: ['arrived_time', withDefault(nullable(time), null)],
  rate: ['rate', withDefault(nullable(conversionRate), null)],
  accountCurrency: ['account_currency', withDefault(text, '')],
})

/** A deposit in the list of deposits. */
export const deposit = transform(row, {
  decode: ({ createdText: _text, sameCredited: _credited, ...rest }) => rest,
  encode: (rest) => ({ ...rest, createdText: utcText(rest.createdAt), sameCredited: rest.credited }),
})

export const depositPage = object({ deposits: ['data', listOf(deposit)], total: ['total', int()] })

export const depositId = object({ id: ['id', id] })

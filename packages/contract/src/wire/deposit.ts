import { noun, reshape } from '../codec.ts'
import {
  amount,
  choice,
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

/** Below which all calls about deposits stand. */
export const CHARGE_PATH = '/api/quickCharge'

/** Of the list of deposits: as the first clients of the family spell it, and as later ones do. */
export const LIST_PATHS = { first: `${CHARGE_PATH}/quick_ist`, later: `${CHARGE_PATH}/quick_list` } as const

/** What the caller may still pay in there on this day, which ends at midnight UTC; null for no limit. */
const leftToday = withDefault(orNull(money), null)

/** Where coins are sent to. */
export const depositChannel = noun({
  id: ['id', id],
  currency: ['currency_code', text],
  network: ['protocol_code', text],
  address: ['address', text],
  leftToday: ['left_today', leftToday],
})

export const wireCurrency = noun({ currency: ['bank_coin', text] })

export const wireQuery = noun({ currency: ['bank_coin', maybeBlank(line(20))] })

/** Where money is wired to. */
export const wireAccount = noun({
  id: ['id', id],
  bankName: ['bank_name', text],
  bankAddress: ['bank_address', text],
  bic: ['bank_swift', text],
  payeeName: ['payee_name', text],
  payeeAccount: ['payee_account', text],
  remark: ['bank_remark', text],
  leftToday: ['left_today', leftToday],
})

const PICTURE_LENGTH = 300
const REFERENCE_LENGTH = 120

/** By which the transfer is found: of a coin's network, or of a bank; empty where the user does not know it. */
const reference = withDefault(line(REFERENCE_LENGTH), '')

const ADDRESS_LENGTH = 200

export const coinDeposit = noun({
  amount: ['number', amount],
  /** The url that `image_upload` answered to the same user. */
  proof: ['proofImg', line(PICTURE_LENGTH)],
  /** Where the client has shown that the coins go. */
  address: ['address', maybeBlank(line(ADDRESS_LENGTH))],
  channelId: ['charge_id', id],
  reference: ['transaction_number', reference],
})

export const wireDeposit = noun({
  amount: ['number', amount],
  proof: ['proofImg', line(PICTURE_LENGTH)],
  wireId: ['wire_id', id],
  reference: ['transaction_number', reference],
})

const kind = choice({ coin: 0, bank: 1 })

export const depositQuery = noun({
  kind: ['type', kind],
  page: ['page', withDefault(whole(1, 'pageInvalid'), 1)],
})

const row = noun({
  id: ['id', id],
  /** As the user has told it. */
  amount: ['number', money],
  kind: ['type', kind],
  currency: ['currency_code', text],
  network: ['protocol_code', text],
  status: ['status', choice({ unchecked: 0, finished: 1, rejected: 2, invalid: 3 })],
  createdText: ['created_at', text],
  createdAt: ['created_time', time],
  /** Why it was not taken; empty where there is nothing to say. */
  remark: ['remark', text],
  /** What was credited; null before. */
  credited: ['real_number', orNull(money)],
  endedAt: ['ended_time', orNull(time)],
})

/** A charge record. */
export const deposit = reshape(row, {
  decode: ({ createdText: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, createdText: utcText(rest.createdAt) }),
})

export const depositPage = noun({ deposits: ['data', listOf(deposit)], total: ['total', whole()] })

export const depositId = noun({ id: ['id', id] })

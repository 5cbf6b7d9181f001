import { object, type Codec } from '../protocol/codec.ts'
import {
  choice,
  flag,
  id,
  integer,
  omittable,
  nullable,
  text,
  listOf,
  omittableOrBlank,
  time,
  int,
  money,
} from '../protocol/field.ts'
import { LANGUAGE_CODES, type LanguageCode } from './language.ts'
import { codeText, nameLine, userLine } from '../protocol/user-text.ts'
import { operatorRole } from '../protocol/protocol.wire.ts'

/** The state of a user's identity check. */
const reviewStatus = choice({ form: 0, waiting: 1, verified: 2, rejected: 3 }, { otherwise: 'verified' })

export const user = object({
  id: ['id', id],
  /** The public number that others may see. */
  uid: ['uid', text],
  email: ['email', nullable(text)],
  phone: ['phone', nullable(text)],
  areaCode: ['area_code', nullable(text)],
  isDemo: ['is_demo', flag(1, 0)],
  inviteCode: ['invite_code', nullable(text)],
  creditScore: ['credit_score', integer],
  /** The restriction by an operator and its reason; null without one. */
  restriction: [
    'restriction',
    omittable(
      object({
        status: ['status', choice({ closeOnly: 'closeOnly', frozen: 'frozen' })],
        reason: ['reason', text],
      }),
    ),
  ],
  identityCheck: ['review_status', reviewStatus],
})

const language = choice(Object.fromEntries(LANGUAGE_CODES.map((code) => [code, code]))) as Codec<LanguageCode>

export const languageChoice = object({ language: ['lang', language] })

const NAME_LENGTH = 100
const NUMBER_LENGTH = 40
const PICTURE_LENGTH = 300

/** Omitted fields keep the values sent before. */
export const identityForm = object({
  name: ['name', omittableOrBlank(nameLine(NAME_LENGTH))],
  number: ['card_id', omittableOrBlank(userLine(NUMBER_LENGTH))],
  /** URLs returned by `image_upload` to the same user. */
  front: ['front_pic', omittableOrBlank(userLine(PICTURE_LENGTH))],
  reverse: ['reverse_pic', omittableOrBlank(userLine(PICTURE_LENGTH))],
})

const fault = object({
  field: ['field', choice({ name: 'name', number: 'card_id', front: 'front_pic', reverse: 'reverse_pic' })],
  reason: ['reason', text],
})

export const identityCheck = object({
  status: ['review_status', reviewStatus],
  name: ['name', text],
  /** The problems found, in the caller's language; empty without any. */
  reason: ['reason', text],
  /** Masked but for its end; empty before one was sent. */
  number: ['card_id', text],
  faults: ['faults', listOf(fault)],
  sentAt: ['sent_time', nullable(time)],
})

const activity = object({
  /** Who did it: the user or an operator. */
  by: ['By', choice({ user: 'user', operator: 'operator' })],
  at: ['Time', time],
  /** What was done, in the caller's language. */
  text: ['Text', text],
  /** Of an operator: role and reason. */
  role: ['Role', omittable(operatorRole)],
  reason: ['Reason', omittable(text)],
  /** Of the user: browser and network. */
  device: ['Device', omittable(text)],
  address: ['Address', omittable(text)],
})

export const activityPage = object({ activities: ['data', listOf(activity)], total: ['total', int()] })

const invited = object({
  /** The contact, masked, so that only a friend recognizes it. */
  name: ['name', text],
  joinedAt: ['created_at', time],
})

export const invitedPage = object({ invited: ['data', listOf(invited)], total: ['total', int()] })

/** Longer than any signature of a passkey. */
const FACTOR_LENGTH = 6_000

/** The second factor: a code of the authenticator app, a recovery code, or the signature of a passkey as JSON text. */
export const factorCode = codeText(FACTOR_LENGTH)

export const PROOF_FIELDS = {
  password: ['password', omittableOrBlank(text)],
  authCode: ['auth_code', omittableOrBlank(factorCode)],
} as const

/** Proof of identity for a sensitive call: the second factor where it is on, else the password. None for a demo account. */
export const ownProof = object(PROOF_FIELDS)

const obstacle = object({
  what: [
    'what',
    choice({
      positionsOpen: 'positionsOpen',
      ordersPending: 'ordersPending',
      depositsOpen: 'depositsOpen',
      withdrawalsOpen: 'withdrawalsOpen',
      correctionsOpen: 'correctionsOpen',
      copiesRunning: 'copiesRunning',
      balanceLeft: 'balanceLeft',
    }),
  ],
  /** Their number; for a balance its amount. */
  count: ['count', nullable(int())],
  amount: ['amount', nullable(money)],
})

export const closing = object({
  /** What must be done first; empty: the account can be closed. */
  obstacles: ['obstacles', listOf(obstacle)],
  /** The balance that may be left on the account, and the present one. */
  leftMax: ['left_max', money],
  balance: ['balance', money],
})

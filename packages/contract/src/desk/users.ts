import type { CloseGround } from '@fairlot/core'
import type { Infer } from '../protocol/codec.ts'
import {
  amount,
  day,
  id,
  integer,
  listOf,
  omittableOrBlank,
  money,
  nothing,
  nullable,
  percent,
  text,
  time,
  int,
  withDefault,
} from '../protocol/field.ts'
import { searchText, userText } from '../protocol/user-text.ts'
import { ledgerPage } from '../funds/funds.wire.ts'
import { orderPage } from '../trading/orders.wire.ts'
import { user } from '../accounts/user.wire.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, role, enumeration, yesNo } from './record.ts'
import { ONE_OPERATOR } from './two-operators.ts'

const openStatus = enumeration(['active', 'closeOnly', 'frozen'])
const accountStatus = enumeration(['active', 'closeOnly', 'frozen', 'closed'])
const CLOSE_GROUNDS = [
  'ownerRequest',
  'ownerDeceased',
  'authorityOrder',
  'accountEnds',
  'instrumentEnds',
  'termsBroken',
] as const satisfies readonly CloseGround[]
/** The published grounds for closing a user's position. */
const closeGround = enumeration(CLOSE_GROUNDS)

/** The fields a search covers. */
const foundBy = enumeration(['newest', 'number', 'id', 'email', 'phone', 'order', 'transfer', 'case'])

const userSearchRow = record({
  id,
  /** The public number. */
  uid: text,
  isDemo: yesNo,
  /** E-mail address or phone number; null for a demo account. */
  contact: nullable(text),
  status: accountStatus,
  registeredAt: time,
  foundBy,
})
export type UserSearchRow = Infer<typeof userSearchRow>

export const searchUsers = defineDeskEndpoint({
  name: 'searchPeople',
  method: 'GET',
  path: '/desk/api/people',
  permission: 'viewPeople',
  request: record({ query: withDefault(searchText, ''), page: deskPage }),
  response: record({ people: listOf(userSearchRow), total: int() }),
  summary:
    'People by public number, id, beginning of an e-mail address or phone number, or by the number of an order, a transfer or a case; the newest without a query',
})

const profile = record({
  user,
  status: accountStatus,
  statusReason: text,
  /** When a freeze by a single operator ends; null for all others. */
  freezeLapsesAt: nullable(time),
  area: nullable(text),
  language: nullable(text),
  registeredAt: time,
  hasSecondFactor: yesNo,
  /** The number of passkeys. */
  passkeys: int(),
  invitedBy: nullable(record({ id, uid: text })),
  figures: record({
    balance: money,
    /** Frozen by withdrawals in progress. */
    frozen: money,
    equity: money,
    free: money,
    margin: money,
    level: nullable(percent),
    profit: money,
    reserved: money,
    openOrders: int(),
  }),
  /** Completed ones. */
  deposits: money,
  withdrawals: money,
  noteCount: int(),
})
export type UserProfile = Infer<typeof profile>

export const getUserProfile = defineDeskEndpoint({
  name: 'getPerson',
  method: 'GET',
  path: '/desk/api/people/profile',
  permission: 'viewPeople',
  request: record({ id }),
  response: profile,
  summary: 'Who somebody is, what the account may do, and its figures now',
})

const paged = record({ id, page: deskPage })

export const listUserOrders = defineDeskEndpoint({
  name: 'listPersonOrders',
  method: 'GET',
  path: '/desk/api/people/orders',
  permission: 'viewPeople',
  request: record({ id, list: enumeration(['pending', 'holding', 'history']), page: deskPage }),
  response: orderPage,
  summary: 'Orders of an account with their receipts, as their owner sees them, ten a page',
})

export const listUserMovements = defineDeskEndpoint({
  name: 'listPersonMovements',
  method: 'GET',
  path: '/desk/api/people/movements',
  permission: 'viewPeople',
  request: paged,
  response: ledgerPage,
  summary: 'Ledger rows of an account, as their owner sees them, ten a page',
})

const equityPoint = record({ moment: time, balance: money, equity: nullable(money) })
export type UserEquityPoint = Infer<typeof equityPoint>

export const getUserEquity = defineDeskEndpoint({
  name: 'getPersonEquity',
  method: 'GET',
  path: '/desk/api/people/equity',
  permission: 'viewPeople',
  request: record({ id, from: omittableOrBlank(time), to: omittableOrBlank(time) }),
  response: record({ points: listOf(equityPoint) }),
  summary:
    'What an account was worth at full hours, at most 1,000 of them; without a period the last 30 days',
})

/** The path of a user's statement, for a link with its query. */
export const USER_STATEMENT_PATH = '/desk/api/people/statement'

export const getUserStatement = defineDeskEndpoint({
  name: 'getPersonStatement',
  method: 'GET',
  path: USER_STATEMENT_PATH,
  permission: 'exportStatement',
  request: record({ id, from: day, to: day, format: enumeration(['pdf', 'csv']) }),
  response: nothing,
  summary:
    'The statement of an account, for days of UTC, both included: its bytes, without an envelope. Anybody who takes one is written down',
})

const session = record({ startedAt: time, seenAt: time, device: text, address: text })
/** `times`: the count, where an hour of failed log-ins from one network is one row. */
const ownAct = record({ at: time, kind: text, device: text, address: text, times: int(1) })

export const listUserLogIns = defineDeskEndpoint({
  name: 'listPersonLogIns',
  method: 'GET',
  path: '/desk/api/people/log-ins',
  permission: 'viewPeople',
  request: paged,
  response: record({
    /** Those that are open. */
    sessions: listOf(session),
    /** Known browsers and networks, and since when. */
    knownSince: listOf(time),
    /** The user's own account changes, newest first. */
    acts: listOf(ownAct),
    total: int(),
  }),
  summary: 'Open sessions, known browsers and networks, and log-ins and own changes',
})

const note = record({ id, at: time, operator: text, role, text })
export type UserNote = Infer<typeof note>

export const listUserNotes = defineDeskEndpoint({
  name: 'listPersonNotes',
  method: 'GET',
  path: '/desk/api/people/notes',
  permission: 'viewPeople',
  request: paged,
  response: record({ notes: listOf(note), total: int() }),
  summary: 'What operators wrote about somebody, the newest first; the user does not see it',
})

/** Maximum length of a note, in characters. */
export const NOTE_LENGTH = 4_000

export const addUserNote = defineDeskEndpoint({
  name: 'addPersonNote',
  method: 'POST',
  path: '/desk/api/people/notes/add',
  permission: 'notePerson',
  request: record({ id, text: userText }),
  response: record({ note }),
  summary: 'Writes a note, which nobody can change or delete',
})

export const setUserStatus = defineDeskEndpoint({
  name: 'setPersonStatus',
  method: 'POST',
  path: '/desk/api/people/status',
  permission: 'restrictPerson',
  /** `before`: the value the form was opened with. */
  request: record({ id, before: openStatus, status: openStatus, reason }),
  /** The case of a freeze that takes effect once a second operator confirms it; otherwise null. */
  response: record({ status: openStatus, approvalId: nullable(id) }),
  summary: `Restricts an account to closing, freezes it, or lets it trade again; the user reads the reason. A freeze lapses after ${ONE_OPERATOR.freezeHours} hours unless a second operator confirms it, who is asked at once; within ${ONE_OPERATOR.nextFreezeDays} days of its end another one waits for them`,
})

export const logUserOut = defineDeskEndpoint({
  name: 'logPersonOut',
  method: 'POST',
  path: '/desk/api/people/log-out',
  permission: 'logPersonOut',
  request: record({ id, reason }),
  response: record({ ended: int() }),
  summary: 'Ends every session of a user',
})

export const resetUserSecondFactor = defineDeskEndpoint({
  name: 'resetPersonSecondFactor',
  method: 'POST',
  path: '/desk/api/people/reset-second-factor',
  permission: 'resetPersonSecondFactor',
  request: record({ id, reason }),
  response: record({ ended: int() }),
  summary: 'Ends the second factor of a user who lost it, and every session; the user is informed by mail',
})

/** The range of a credit score. */
export const CREDIT_SCORE_MAX = 1_000

export const setCreditScore = defineDeskEndpoint({
  name: 'setCreditScore',
  method: 'POST',
  path: '/desk/api/people/credit-score',
  permission: 'setCreditScore',
  request: record({ id, before: integer, score: int(0, 'notUnderstood', CREDIT_SCORE_MAX), reason }),
  response: record({ score: integer }),
  summary: 'Sets the credit score',
})

export const requestAdjustment = defineDeskEndpoint({
  name: 'askPersonAdjustment',
  method: 'POST',
  path: '/desk/api/people/ask-adjustment',
  permission: 'askAdjustment',
  needsFreshFactor: true,
  changes: true,
  request: record({ id, amount, reason }),
  response: record({ caseId: id }),
  summary: 'Requests a correction of the balance; nothing is booked before another operator agrees',
})

export const closeUserOrder = defineDeskEndpoint({
  name: 'closePersonOrder',
  method: 'POST',
  path: '/desk/api/people/close-order',
  permission: 'closeOrder',
  needsFreshFactor: true,
  request: record({ id, orderId: id, ground: closeGround, reason }),
  response: record({ approvalId: id }),
  summary:
    "Asks a second operator to close a position at the market's price of that moment, for one of the written reasons; the user reads it",
})

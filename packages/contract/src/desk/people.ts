import type { Inside } from '../codec.ts'
import {
  day,
  id,
  integer,
  listOf,
  maybeBlank,
  money,
  nothing,
  orNull,
  percent,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'
import { typed } from '../typed-field.ts'
import { ledgerPage } from '../wire/account.ts'
import { order, orderPage } from '../wire/order.ts'
import { user } from '../wire/user.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, role, word, yesNo } from './record.ts'

const openStatus = word(['active', 'closeOnly', 'frozen'])
const accountStatus = word(['active', 'closeOnly', 'frozen', 'closed'])

/** What a search looks for: whatever somebody may be named by. */
const foundBy = word(['newest', 'number', 'id', 'email', 'phone', 'order', 'transfer', 'case'])

const personRow = record({
  id,
  /** The public number. */
  uid: text,
  isDemo: yesNo,
  /** E-mail address or phone number; null for a demo account. */
  contact: orNull(text),
  status: accountStatus,
  registeredAt: time,
  foundBy,
})
export type PersonRow = Inside<typeof personRow>

export const searchPeople = defineDeskEndpoint({
  name: 'searchPeople',
  method: 'GET',
  path: '/desk/api/people',
  act: 'viewPeople',
  request: record({ query: withDefault(text, ''), page: deskPage }),
  response: record({ people: listOf(personRow), total: whole() }),
  summary:
    'People by public number, id, beginning of an e-mail address or phone number, or by the number of an order, a transfer or a case; the newest without a query',
})

const profile = record({
  user,
  status: accountStatus,
  statusReason: text,
  area: orNull(text),
  language: orNull(text),
  registeredAt: time,
  hasSecondFactor: yesNo,
  invitedBy: orNull(record({ id, uid: text })),
  figures: record({
    balance: money,
    /** Frozen by withdrawals under way. */
    frozen: money,
    equity: money,
    free: money,
    margin: money,
    level: orNull(percent),
    profit: money,
    reserved: money,
    openOrders: whole(),
  }),
  /** Finished ones, so far. */
  deposits: money,
  withdrawals: money,
  noteCount: whole(),
})
export type PersonProfile = Inside<typeof profile>

export const getPerson = defineDeskEndpoint({
  name: 'getPerson',
  method: 'GET',
  path: '/desk/api/people/profile',
  act: 'viewPeople',
  request: record({ id }),
  response: profile,
  summary: 'Who somebody is, what the account may do, and its figures now',
})

const paged = record({ id, page: deskPage })

export const listPersonOrders = defineDeskEndpoint({
  name: 'listPersonOrders',
  method: 'GET',
  path: '/desk/api/people/orders',
  act: 'viewPeople',
  request: record({ id, list: word(['pending', 'holding', 'history']), page: deskPage }),
  response: orderPage,
  summary: 'Orders of an account with their receipts, as their owner sees them, ten a page',
})

export const listPersonMovements = defineDeskEndpoint({
  name: 'listPersonMovements',
  method: 'GET',
  path: '/desk/api/people/movements',
  act: 'viewPeople',
  request: paged,
  response: ledgerPage,
  summary: 'Ledger rows of an account, as their owner sees them, ten a page',
})

const equityPoint = record({ moment: time, balance: money, equity: orNull(money) })
export type PersonEquityPoint = Inside<typeof equityPoint>

export const getPersonEquity = defineDeskEndpoint({
  name: 'getPersonEquity',
  method: 'GET',
  path: '/desk/api/people/equity',
  act: 'viewPeople',
  request: record({ id, from: maybeBlank(time), to: maybeBlank(time) }),
  response: record({ points: listOf(equityPoint) }),
  summary:
    'What an account was worth at full hours, at most 1,000 of them; without a period the last 30 days',
})

/** The path of a person's statement, for a link with its query. */
export const PERSON_STATEMENT_PATH = '/desk/api/people/statement'

export const getPersonStatement = defineDeskEndpoint({
  name: 'getPersonStatement',
  method: 'GET',
  path: PERSON_STATEMENT_PATH,
  act: 'exportStatement',
  request: record({ id, from: day, to: day, format: word(['pdf', 'csv']) }),
  response: nothing,
  summary:
    'The statement of an account, for days of UTC, both included: its bytes, without an envelope. Whoever takes one is written down',
})

const session = record({ startedAt: time, seenAt: time, device: text, address: text })
/** `times`: how often, where an hour of failed log-ins from one network is one row. */
const ownAct = record({ at: time, kind: text, device: text, address: text, times: whole(1) })

export const listPersonLogIns = defineDeskEndpoint({
  name: 'listPersonLogIns',
  method: 'GET',
  path: '/desk/api/people/log-ins',
  act: 'viewPeople',
  request: paged,
  response: record({
    /** Those that are open. */
    sessions: listOf(session),
    /** Browsers and networks that are known, and since when. */
    knownSince: listOf(time),
    /** What the person did about the account, the newest first. */
    acts: listOf(ownAct),
    total: whole(),
  }),
  summary: 'Open sessions, known browsers and networks, and log-ins and own changes',
})

const note = record({ id, at: time, operator: text, role, text })
export type PersonNote = Inside<typeof note>

export const listPersonNotes = defineDeskEndpoint({
  name: 'listPersonNotes',
  method: 'GET',
  path: '/desk/api/people/notes',
  act: 'viewPeople',
  request: paged,
  response: record({ notes: listOf(note), total: whole() }),
  summary: 'What operators wrote about somebody, the newest first; the person does not see it',
})

/** Characters of a note. */
export const NOTE_LENGTH = 4_000

export const addPersonNote = defineDeskEndpoint({
  name: 'addPersonNote',
  method: 'POST',
  path: '/desk/api/people/notes/add',
  act: 'notePerson',
  request: record({ id, text: typed }),
  response: record({ note }),
  summary: 'Writes a note, which nobody can change or delete',
})

export const setPersonStatus = defineDeskEndpoint({
  name: 'setPersonStatus',
  method: 'POST',
  path: '/desk/api/people/status',
  act: 'restrictPerson',
  /** `before`: what the form showed. */
  request: record({ id, before: openStatus, status: openStatus, reason }),
  response: record({ status: openStatus }),
  summary: 'Restricts an account to closing, freezes it, or lets it trade again; the person reads the reason',
})

export const logPersonOut = defineDeskEndpoint({
  name: 'logPersonOut',
  method: 'POST',
  path: '/desk/api/people/log-out',
  act: 'logPersonOut',
  request: record({ id, reason }),
  response: record({ ended: whole() }),
  summary: 'Ends every session of a person',
})

export const resetPersonSecondFactor = defineDeskEndpoint({
  name: 'resetPersonSecondFactor',
  method: 'POST',
  path: '/desk/api/people/reset-second-factor',
  act: 'resetPersonSecondFactor',
  request: record({ id, reason }),
  response: record({ ended: whole() }),
  summary: 'Ends the second factor of a person who lost it, and every session; the person is told by mail',
})

/** What a credit score may be. */
export const CREDIT_SCORE_MAX = 1_000

export const setCreditScore = defineDeskEndpoint({
  name: 'setCreditScore',
  method: 'POST',
  path: '/desk/api/people/credit-score',
  act: 'setCreditScore',
  request: record({ id, before: integer, score: whole(0, 'notUnderstood', CREDIT_SCORE_MAX), reason }),
  response: record({ score: integer }),
  summary: 'Sets the credit score',
})

export const askPersonAdjustment = defineDeskEndpoint({
  name: 'askPersonAdjustment',
  method: 'POST',
  path: '/desk/api/people/ask-adjustment',
  act: 'askAdjustment',
  changes: true,
  request: record({ id, amount: money, reason }),
  response: record({ caseId: id }),
  summary: 'Asks for a correction of the balance; nothing is booked before another operator agrees',
})

export const closePersonOrder = defineDeskEndpoint({
  name: 'closePersonOrder',
  method: 'POST',
  path: '/desk/api/people/close-order',
  act: 'closeOrder',
  request: record({ id, orderId: id, reason }),
  response: record({ order }),
  summary: "Closes a position at the market's price of the moment; the person is told role, time and reason",
})

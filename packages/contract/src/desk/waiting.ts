import type { Infer } from '../protocol/codec.ts'
import {
  id,
  listOf,
  omittable,
  omittableOrBlank,
  money,
  nothing,
  nullable,
  text,
  time,
  int,
} from '../protocol/field.ts'
import { searchText, userText } from '../protocol/user-text.ts'
import { change, auditEntryRow } from './audit-log.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, role, enumeration, yesNo } from './record.ts'

const holder = record({ id, name: text, role, since: time })

/** A case waiting for an operator. */
const waitingCase = record({
  /** Its kind and number, such as `adjustment:12`. */
  caseKey: text,
  /** Its filter. */
  kind: text,
  title: text,
  /** The decision to take, in one line. */
  what: text,
  accountId: nullable(id),
  amount: nullable(money),
  since: time,
  askedBy: nullable(text),
  heldBy: nullable(holder),
  risk: enumeration(['high', 'raised', 'usual']),
  /** Why it has its place in the list. */
  riskReasons: listOf(text),
  needsSecond: yesNo,
})
export type WaitingCase = Infer<typeof waitingCase>

const fact = record({
  label: text,
  format: enumeration(['text', 'money', 'time']),
  value: text,
  tone: enumeration(['plain', 'good', 'bad']),
})
export type CaseFact = Infer<typeof fact>

/** A step of a case: done, current, or still to come. */
const step = record({
  title: text,
  state: enumeration(['done', 'now', 'next']),
  by: nullable(text),
  at: nullable(time),
  note: text,
})
export type CaseStep = Infer<typeof step>

/** The exact text shown to the trader. */
const words = record({ when: enumeration(['now', 'approved', 'refused']), language: text, text })
export type CaseNotice = Infer<typeof words>

/** A related case, for example with the same picture. */
export const related = record({
  caseKey: text,
  title: text,
  accountId: nullable(id),
  why: text,
  /** Its state. */
  state: text,
  /** Whether it is still open. */
  waits: yesNo,
})
export type RelatedCase = Infer<typeof related>

const detail = record({
  case: waitingCase,
  reason: text,
  facts: listOf(fact),
  changes: listOf(change),
  /** Possible duplicates. */
  related: listOf(related),
  steps: listOf(step),
  words: listOf(words),
  /** Why the trader is shown nothing; empty where there is a text. */
  noWords: text,
  /** The latest actions of operators on this account. */
  acts: listOf(auditEntryRow),
  /** The call that decides it. */
  decision: enumeration(['adjustment', 'approval', 'deposit', 'withdrawal', 'identity', 'chat', 'elsewhere']),
  /** The number for the second operator's decision, if it is not the case's own. */
  approvalId: nullable(id),
  /** The code of the refusal if the current operator cannot decide it; null if they can. */
  barrier: nullable(text),
  /** The roles that may decide it: only they can take it or be assigned it. */
  deciders: listOf(role),
  /** Whether the current operator requested it and may withdraw it. */
  mayWithdraw: yesNo,
})
export type WaitingDetail = Infer<typeof detail>

const kind = record({ kind: text, name: text, count: int() })

export const listWaiting = defineDeskEndpoint({
  name: 'listWaiting',
  method: 'GET',
  path: '/desk/api/waiting',
  permission: 'viewWaiting',
  request: record({
    kind: omittableOrBlank(text),
    held: omittableOrBlank(enumeration(['mine', 'nobody'])),
    search: omittableOrBlank(searchText),
    page: deskPage,
    /** In place of a page: the cases that come after this place, the `next` of an earlier answer. */
    before: omittableOrBlank(text),
  }),
  response: record({
    cases: listOf(waitingCase),
    total: int(),
    all: int(),
    kinds: listOf(kind),
    /** Where the following cases begin, also once those before are decided; null at the end. */
    next: omittable(text),
  }),
  summary: 'Everything that waits for an operator, the highest risk first',
})

export const getWaitingCase = defineDeskEndpoint({
  name: 'getWaitingCase',
  method: 'GET',
  path: '/desk/api/waiting/case',
  permission: 'viewWaiting',
  request: record({ caseKey: text }),
  response: detail,
  summary: 'What decides a case, its steps, and the words that the trader reads',
})

export const takeCase = defineDeskEndpoint({
  name: 'takeCase',
  method: 'POST',
  path: '/desk/api/waiting/take',
  permission: 'takeCase',
  /** `from`: who held it when the page was loaded; the call is refused if that has changed. */
  request: record({ caseKey: text, from: omittable(id) }),
  response: nothing,
  summary: 'Takes a case, so that nobody else works on it; also over from anybody who has it',
})

export const handOnCase = defineDeskEndpoint({
  name: 'handOnCase',
  method: 'POST',
  path: '/desk/api/waiting/hand-on',
  permission: 'takeCase',
  request: record({ caseKey: text, operatorId: id, note: omittableOrBlank(userText) }),
  response: nothing,
  summary: 'Hands a case that one holds on to somebody else',
})

export const letCaseGo = defineDeskEndpoint({
  name: 'letCaseGo',
  method: 'POST',
  path: '/desk/api/waiting/let-go',
  permission: 'takeCase',
  request: record({ caseKey: text }),
  response: nothing,
  summary: 'Lets a case that one holds go',
})

export const decideAdjustment = defineDeskEndpoint({
  name: 'decideAdjustment',
  method: 'POST',
  path: '/desk/api/waiting/decide-adjustment',
  permission: 'decideAdjustment',
  needsFreshFactor: true,
  request: record({ id, isApproved: yesNo, reason }),
  response: nothing,
  summary: 'Approves or refuses an adjustment; above the limit never by anybody who requested it',
})

export const decideApproval = defineDeskEndpoint({
  name: 'decideApproval',
  method: 'POST',
  path: '/desk/api/waiting/decide-approval',
  permission: 'decideApproval',
  needsFreshFactor: true,
  request: record({ id, isApproved: yesNo, reason }),
  /** `confirmation`: the key for the operator whose joining was approved, shown only now; null otherwise. */
  response: record({ confirmation: nullable(text) }),
  summary: 'The second operator approves or refuses; who may be one depends on what was requested',
})

export const withdrawApproval = defineDeskEndpoint({
  name: 'withdrawApproval',
  method: 'POST',
  path: '/desk/api/waiting/withdraw-approval',
  permission: 'decideApproval',
  request: record({ id, reason }),
  response: nothing,
  summary: 'Takes back what one has requested from a second operator',
})

export const requestHalt = defineDeskEndpoint({
  name: 'askHalt',
  method: 'POST',
  path: '/desk/api/waiting/ask-halt',
  permission: 'askHalt',
  changes: true,
  /** Without an instrument: the whole market. */
  request: record({ instrumentId: omittable(id), reason }),
  response: record({ approvalId: id }),
  summary:
    'Asks those who may halt an instrument, or the whole market, to do so until it is lifted; everyone reads the reason',
})

export const getBrokerFigures = defineDeskEndpoint({
  name: 'getHouseFigures',
  method: 'GET',
  path: '/desk/api/waiting/house-figures',
  permission: 'viewWaiting',
  request: nothing,
  response: record({
    freshPrices: int(),
    instruments: int(),
    refusedTicks: int(),
    /** Addresses of proxies missing in TRUST_PROXY. */
    unnamedProxies: listOf(text),
  }),
  summary:
    'How fresh the prices are, how many ticks were refused so far, and proxies that TRUST_PROXY should name',
})

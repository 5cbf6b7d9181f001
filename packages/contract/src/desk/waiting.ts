import type { Inside } from '../codec.ts'
import { id, listOf, maybe, maybeBlank, money, nothing, orNull, text, time, whole } from '../field.ts'
import { typed } from '../typed-field.ts'
import { change, deskActRow } from './acts.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, role, word, yesNo } from './record.ts'

const holder = record({ id, name: text, role, since: time })

/** Something that waits for a person. */
const waitingCase = record({
  /** Its kind and number, such as `adjustment:12`. */
  caseKey: text,
  /** Which filter it belongs to. */
  kind: text,
  title: text,
  /** What is to be decided, in a line. */
  what: text,
  accountId: orNull(id),
  amount: orNull(money),
  since: time,
  askedBy: orNull(text),
  heldBy: orNull(holder),
  risk: word(['high', 'raised', 'usual']),
  /** Why it stands where it stands. */
  riskReasons: listOf(text),
  needsSecond: yesNo,
})
export type WaitingCase = Inside<typeof waitingCase>

const fact = record({
  label: text,
  format: word(['text', 'money', 'time']),
  value: text,
  tone: word(['plain', 'good', 'bad']),
})
export type CaseFact = Inside<typeof fact>

/** A step of a case: done, the one that it waits for now, or one that is still to come. */
const step = record({
  title: text,
  state: word(['done', 'now', 'next']),
  by: orNull(text),
  at: orNull(time),
  note: text,
})
export type CaseStep = Inside<typeof step>

/** What the trader reads, word for word. */
const words = record({ when: word(['now', 'approved', 'refused']), language: text, text })
export type CaseWords = Inside<typeof words>

/** Another case that has something in common with this one, such as its picture. */
export const related = record({
  caseKey: text,
  title: text,
  accountId: orNull(id),
  why: text,
  /** How it stands, in a word. */
  state: text,
  /** Whether it still waits, so that it can be opened. */
  waits: yesNo,
})
export type RelatedCase = Inside<typeof related>

const detail = record({
  case: waitingCase,
  reason: text,
  facts: listOf(fact),
  changes: listOf(change),
  /** Cases that it may double. */
  related: listOf(related),
  steps: listOf(step),
  words: listOf(words),
  /** Why no trader reads anything of it; empty where there are words. */
  noWords: text,
  /** The last that operators did to this account. */
  acts: listOf(deskActRow),
  /** By which call it is decided. */
  decision: word(['adjustment', 'approval', 'deposit', 'withdrawal', 'identity', 'chat', 'elsewhere']),
  /** The number by which a second person decides it, where it is not the case's own. */
  approvalId: orNull(id),
  /** Why the one who looks cannot decide it, as the code of the refusal; null when they can. */
  barrier: orNull(text),
  /** Whether the one who looks asked for it and may take it back. */
  mayWithdraw: yesNo,
})
export type WaitingDetail = Inside<typeof detail>

const kind = record({ kind: text, name: text, count: whole() })

export const listWaiting = defineDeskEndpoint({
  name: 'listWaiting',
  method: 'GET',
  path: '/desk/api/waiting',
  act: 'viewWaiting',
  request: record({
    kind: maybeBlank(text),
    held: maybeBlank(word(['mine', 'nobody'])),
    search: maybeBlank(text),
    page: deskPage,
  }),
  response: record({ cases: listOf(waitingCase), total: whole(), all: whole(), kinds: listOf(kind) }),
  summary: 'Everything that waits for a person, the highest risk first',
})

export const getWaitingCase = defineDeskEndpoint({
  name: 'getWaitingCase',
  method: 'GET',
  path: '/desk/api/waiting/case',
  act: 'viewWaiting',
  request: record({ caseKey: text }),
  response: detail,
  summary: 'What decides a case, its steps, and the words that the trader reads',
})

export const takeCase = defineDeskEndpoint({
  name: 'takeCase',
  method: 'POST',
  path: '/desk/api/waiting/take',
  act: 'takeCase',
  /** `from`: who held it when it was looked at; somebody else by now is a refusal, not a surprise. */
  request: record({ caseKey: text, from: maybe(id) }),
  response: nothing,
  summary: 'Takes a case, so that nobody else works on it; also over from whoever has it',
})

export const handOnCase = defineDeskEndpoint({
  name: 'handOnCase',
  method: 'POST',
  path: '/desk/api/waiting/hand-on',
  act: 'takeCase',
  request: record({ caseKey: text, operatorId: id, note: maybeBlank(typed) }),
  response: nothing,
  summary: 'Hands a case that one holds on to somebody else',
})

export const letCaseGo = defineDeskEndpoint({
  name: 'letCaseGo',
  method: 'POST',
  path: '/desk/api/waiting/let-go',
  act: 'takeCase',
  request: record({ caseKey: text }),
  response: nothing,
  summary: 'Lets a case that one holds go',
})

export const decideAdjustment = defineDeskEndpoint({
  name: 'decideAdjustment',
  method: 'POST',
  path: '/desk/api/waiting/decide-adjustment',
  act: 'decideAdjustment',
  request: record({ id, isApproved: yesNo, reason }),
  response: nothing,
  summary: 'Approves or refuses an adjustment; above the limit never by whoever asked for it',
})

export const decideApproval = defineDeskEndpoint({
  name: 'decideApproval',
  method: 'POST',
  path: '/desk/api/waiting/decide-approval',
  act: 'decideApproval',
  request: record({ id, isApproved: yesNo, reason }),
  response: nothing,
  summary: 'The second person approves or refuses; who may be one depends on what was asked for',
})

export const withdrawApproval = defineDeskEndpoint({
  name: 'withdrawApproval',
  method: 'POST',
  path: '/desk/api/waiting/withdraw-approval',
  act: 'decideApproval',
  request: record({ id, reason }),
  response: nothing,
  summary: 'Takes back what one has asked a second person for',
})

export const askHalt = defineDeskEndpoint({
  name: 'askHalt',
  method: 'POST',
  path: '/desk/api/waiting/ask-halt',
  act: 'askHalt',
  changes: true,
  request: record({ instrumentId: id, reason }),
  response: record({ approvalId: id }),
  summary: 'Asks those who may halt an instrument to do so; everyone reads the reason',
})

export const getHouseFigures = defineDeskEndpoint({
  name: 'getHouseFigures',
  method: 'GET',
  path: '/desk/api/waiting/house-figures',
  act: 'viewWaiting',
  request: nothing,
  response: record({ freshPrices: whole(), instruments: whole(), refusedTicks: whole() }),
  summary: 'How fresh the prices are, and how many ticks were refused so far',
})

import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittableOrBlank, nothing, nullable, text, time, int } from '../protocol/field.ts'
import { searchText } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, record, role, enumeration } from './record.ts'

export const auditEntryRow = record({
  id,
  at: time,
  /** Number and role are null for the deployment, whose first start records settings. */
  operatorId: nullable(id),
  operator: text,
  role: nullable(role),
  /** The second operator, where two are required. */
  second: nullable(text),
  /** A key of the table of permissions. */
  act: text,
  /** The subject, such as `person:12`. */
  subject: text,
  /** The subject as a label, operators by name. */
  about: text,
  accountId: nullable(id),
  reason: text,
  /** The case it belongs to, such as `approval:3`. */
  caseKey: nullable(text),
  /** `done`, or the code of the refusal. */
  outcome: text,
  /** The time of its journal entry on the market clock; null for actions outside the engine. */
  journalAt: nullable(time),
})
/** An action or attempt of an operator. */
export type AuditEntryRow = Infer<typeof auditEntryRow>

/** A changed value before and after; null where there is none. */
export const change = record({ field: text, before: nullable(text), after: nullable(text) })
export type DeskChange = Infer<typeof change>

/** Filters of the audit log. Times in epoch ms, `until` exclusive. */
const filter = {
  operatorId: omittableOrBlank(id),
  act: omittableOrBlank(text),
  subject: omittableOrBlank(text),
  accountId: omittableOrBlank(id),
  outcome: omittableOrBlank(enumeration(['done', 'refused'])),
  since: omittableOrBlank(time),
  until: omittableOrBlank(time),
  /** A text in the name, the reason, the subject or the changes. */
  search: omittableOrBlank(searchText),
}

export const listAuditEntries = defineDeskEndpoint({
  name: 'listActs',
  method: 'GET',
  path: '/desk/api/acts',
  permission: 'viewActs',
  request: record({ ...filter, page: deskPage }),
  response: record({ acts: listOf(auditEntryRow), total: int() }),
  summary: 'What operators did and tried, the latest first; as CSV at the same address and `.csv`',
})

export const getAuditEntry = defineDeskEndpoint({
  name: 'getAct',
  method: 'GET',
  path: '/desk/api/acts/one',
  permission: 'viewActs',
  request: record({ id }),
  response: record({ act: auditEntryRow, changes: listOf(change), previousHash: text, hash: text }),
  summary: 'One audit entry with what was before and after it, and its link in the chain',
})

const link = record({ number: int(), hash: text, at: nullable(time) })
const mailed = record({ day: text, at: time, journalRow: int(), actId: int(), recipients: text })
/** The head of a chain of hashes. */
export type ChainHead = Infer<typeof link>

export const getChainHeads = defineDeskEndpoint({
  name: 'getChainEnds',
  method: 'GET',
  path: '/desk/api/acts/chain-ends',
  permission: 'viewActs',
  request: nothing,
  response: record({ journal: link, acts: link, lastMailed: nullable(mailed) }),
  summary: "The journal's last hash and that of the audit log, and when they were mailed last",
})

import type { Inside } from '../codec.ts'
import { id, listOf, maybeBlank, nothing, orNull, text, time, whole } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, record, role, word } from './record.ts'

export const deskActRow = record({
  id,
  at: time,
  operatorId: id,
  operator: text,
  role,
  /** The second person behind it, where two are asked for. */
  second: orNull(text),
  /** A line of the table of permissions. */
  act: text,
  /** What it was done to, such as `person:12`. */
  subject: text,
  /** The same in words, operators by their names. */
  about: text,
  accountId: orNull(id),
  reason: text,
  /** The case it belongs to, such as `approval:3`. */
  caseKey: orNull(text),
  /** `done`, or the code of the refusal. */
  outcome: text,
  /** The moment of its journal entry on the market clock; null where it is none of the engine's. */
  journalAt: orNull(time),
})
/** What an operator did or tried. */
export type DeskActRow = Inside<typeof deskActRow>

/** One thing that a change touches, as it is before and after; null where there is nothing. */
export const change = record({ field: text, before: orNull(text), after: orNull(text) })
export type DeskChange = Inside<typeof change>

/** What narrows the list of acts. Times in epoch ms, `until` without its own moment. */
const filter = {
  operatorId: maybeBlank(id),
  act: maybeBlank(text),
  subject: maybeBlank(text),
  accountId: maybeBlank(id),
  outcome: maybeBlank(word(['done', 'refused'])),
  since: maybeBlank(time),
  until: maybeBlank(time),
  /** Occurs in the name, the reason, the subject, or in what changed. */
  search: maybeBlank(text),
}

export const listActs = defineDeskEndpoint({
  name: 'listActs',
  method: 'GET',
  path: '/desk/api/acts',
  act: 'viewActs',
  request: record({ ...filter, page: deskPage }),
  response: record({ acts: listOf(deskActRow), total: whole() }),
  summary: 'What operators did and tried, the latest first; as CSV at the same address and `.csv`',
})

export const getAct = defineDeskEndpoint({
  name: 'getAct',
  method: 'GET',
  path: '/desk/api/acts/one',
  act: 'viewActs',
  request: record({ id }),
  response: record({ act: deskActRow, changes: listOf(change), previousHash: text, hash: text }),
  summary: 'One act with what was before and after it, and its link in the chain',
})

const link = record({ number: whole(), hash: text, at: orNull(time) })
const mailed = record({ day: text, at: time, journalRow: whole(), actId: whole(), recipients: text })
/** Where a chain of hashes ends. */
export type ChainEnd = Inside<typeof link>

export const getChainEnds = defineDeskEndpoint({
  name: 'getChainEnds',
  method: 'GET',
  path: '/desk/api/acts/chain-ends',
  act: 'viewActs',
  request: nothing,
  response: record({ journal: link, acts: link, lastMailed: orNull(mailed) }),
  summary: "The journal's last hash and that of the acts, and when they were mailed last",
})

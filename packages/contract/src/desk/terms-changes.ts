import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, nullable, text, time, int } from '../protocol/field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { outcomeOfEntry } from './operators.ts'
import { deskPage, reason, record, enumeration, yesNo } from './record.ts'
import { formKey, instrumentTerms, activeCounts, sessionTerms, tradingTerms } from './terms-forms.ts'

const draft = {
  /** Which of the three fields below is used. */
  kind: enumeration(['instrument', 'calendar', 'settings']),
  /** Null: a new instrument. */
  instrumentId: omittable(id),
  instrument: omittable(instrumentTerms),
  session: omittable(sessionTerms),
  settings: omittable(tradingTerms),
  /** `earliest`: when the notice to traders is over. */
  effect: enumeration(['now', 'earliest', 'at']),
  /** For `at`. */
  effectiveAt: omittable(time),
  formKey,
} as const
const termsDraft = record(draft)
export type TermsDraft = Infer<typeof termsDraft>

/** A field of terms before and after; null where there was none. */
const fieldChange = record({ field: text, before: nullable(text), after: nullable(text) })
export type FieldChange = Infer<typeof fieldChange>

/** An announced change with what it would change, and when. */
const withdrawnChange = record({ changeId: id, effectiveAt: time, changes: listOf(fieldChange) })

const preview = record({
  changes: listOf(fieldChange),
  /** To the traders' disadvantage: needs notice or a second operator. */
  isWorse: yesNo,
  needsSecond: yesNo,
  effectiveAt: time,
  /** The earliest time without a second operator; null if the market is not open that long. */
  earliestAt: nullable(time),
  /** The announced changes that it withdraws, because they would take effect later. */
  withdraws: listOf(withdrawnChange),
  ...activeCounts,
})
export type TermsPreview = Infer<typeof preview>

export const previewTerms = defineDeskEndpoint({
  name: 'previewTerms',
  method: 'POST',
  path: '/desk/api/market/preview',
  permission: 'changeTerms',
  isPreview: true,
  request: termsDraft,
  response: preview,
  summary:
    'What a change of terms would change, from when, and whether it needs a second operator; changes nothing',
})

export const changeTerms = defineDeskEndpoint({
  name: 'changeTerms',
  method: 'POST',
  path: '/desk/api/market/change',
  permission: 'changeTerms',
  needsFreshFactor: true,
  changes: true,
  request: record({ ...draft, reason }),
  response: outcomeOfEntry,
  summary: 'Announces a change of terms, or puts it before a second operator where the notice is too short',
})

export const withdrawTerms = defineDeskEndpoint({
  name: 'withdrawTerms',
  method: 'POST',
  path: '/desk/api/market/withdraw',
  permission: 'changeTerms',
  request: record({ changeId: id, reason }),
  response: outcomeOfEntry,
  summary:
    'Withdraws a change of terms that is announced and not in force yet, or puts it before a second operator where that changes a limit',
})

const termsChange = record({
  changeId: id,
  kind: enumeration(['instrument', 'calendar', 'settings', 'source']),
  /** An instrument's code, a schedule's name; empty for settings. */
  subject: text,
  status: enumeration(['announced', 'inForce', 'withdrawn']),
  decidedAt: time,
  effectiveAt: time,
  /** Who: an operator's name, or the deployment. */
  author: text,
  second: nullable(text),
  reason: text,
  changes: listOf(fieldChange),
})
export type TermsChangeRow = Infer<typeof termsChange>

export const listTermsHistory = defineDeskEndpoint({
  name: 'listTermsHistory',
  method: 'GET',
  path: '/desk/api/market/changes',
  permission: 'viewMarket',
  request: record({ page: deskPage, status: omittable(enumeration(['announced', 'inForce', 'withdrawn'])) }),
  response: record({ changes: listOf(termsChange), total: int() }),
  summary: 'Changes of terms, the newest first: announced, in force and withdrawn',
})

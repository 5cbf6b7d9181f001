import type { Inside } from '../codec.ts'
import { id, listOf, maybe, nothing, orNull, text, time, whole } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { outcomeOfAct } from './operators.ts'
import { deskPage, reason, record, word, yesNo } from './record.ts'
import { formKey, instrumentTerms, livingCounts, sessionTerms, tradingTerms } from './terms-forms.ts'

const draft = {
  /** Which of the three below is meant. */
  kind: word(['instrument', 'calendar', 'settings']),
  /** Null: an instrument that is to be made. */
  instrumentId: maybe(id),
  instrument: maybe(instrumentTerms),
  session: maybe(sessionTerms),
  settings: maybe(tradingTerms),
  /** `earliest`: as soon as traders have been given their notice. */
  effect: word(['now', 'earliest', 'at']),
  /** For `at`. */
  effectiveAt: maybe(time),
  formKey,
} as const
const termsDraft = record(draft)
export type TermsDraft = Inside<typeof termsDraft>

/** A field of terms as it was and as it will be; null where there was none. */
const fieldChange = record({ field: text, before: orNull(text), after: orNull(text) })
export type FieldChange = Inside<typeof fieldChange>

const preview = record({
  changes: listOf(fieldChange),
  /** To the traders' disadvantage: shown beforehand, or confirmed by a second person. */
  isWorse: yesNo,
  needsSecond: yesNo,
  /** When it would hold, and the earliest moment for which nobody else is needed. */
  effectiveAt: time,
  earliestAt: time,
  ...livingCounts,
})
export type TermsPreview = Inside<typeof preview>

export const previewTerms = defineDeskEndpoint({
  name: 'previewTerms',
  method: 'POST',
  path: '/desk/api/market/preview',
  act: 'changeTerms',
  request: termsDraft,
  response: preview,
  summary:
    'What a change of terms would change, from when, and whether it needs a second person; changes nothing',
})

export const changeTerms = defineDeskEndpoint({
  name: 'changeTerms',
  method: 'POST',
  path: '/desk/api/market/change',
  act: 'changeTerms',
  changes: true,
  request: record({ ...draft, reason }),
  response: outcomeOfAct,
  summary: 'Announces a change of terms, or puts it before a second person where the notice is too short',
})

export const withdrawTerms = defineDeskEndpoint({
  name: 'withdrawTerms',
  method: 'POST',
  path: '/desk/api/market/withdraw',
  act: 'changeTerms',
  request: record({ changeId: id, reason }),
  response: nothing,
  summary: 'Takes back a change of terms that is announced and not in force yet',
})

const termsChange = record({
  changeId: id,
  kind: word(['instrument', 'calendar', 'settings', 'source']),
  /** An instrument's code, a schedule's name; empty for settings. */
  subject: text,
  status: word(['announced', 'inForce', 'withdrawn']),
  decidedAt: time,
  effectiveAt: time,
  /** Who: an operator's name, or the deployment. */
  author: text,
  second: orNull(text),
  reason: text,
  changes: listOf(fieldChange),
})
export type TermsChangeRow = Inside<typeof termsChange>

export const listTermsHistory = defineDeskEndpoint({
  name: 'listTermsHistory',
  method: 'GET',
  path: '/desk/api/market/changes',
  act: 'viewMarket',
  request: record({ page: deskPage, status: maybe(word(['announced', 'inForce', 'withdrawn'])) }),
  response: record({ changes: listOf(termsChange), total: whole() }),
  summary: 'Changes of terms, the newest first: announced, in force and withdrawn',
})

import type { Inside } from '../codec.ts'
import { id, listOf, maybe, nothing, orNull, text, whole, withDefault } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, word, yesNo } from './record.ts'
import { formKey, instrumentTerms, livingCounts, sessionTerms, tradingTerms } from './terms-forms.ts'

const instrumentRow = record({
  id,
  terms: instrumentTerms,
  formKey,
  isOpen: yesNo,
  haltReason: orNull(text),
  /** Where its prices come from; null for nowhere. */
  source: orNull(word(['simulated', 'recorded', 'live'])),
  /** How many changes have been announced for it. */
  announced: whole(),
  ...livingCounts,
})
export type InstrumentRow = Inside<typeof instrumentRow>

const tradingMode = word(['normal', 'cancelOnly'])

export const listDeskInstruments = defineDeskEndpoint({
  name: 'listDeskInstruments',
  method: 'GET',
  path: '/desk/api/market/instruments',
  act: 'viewMarket',
  request: record({ search: withDefault(text, '') }),
  response: record({ mode: tradingMode, instruments: listOf(instrumentRow) }),
  summary:
    'Instruments by a part of their code, name or category, with their terms in force, those switched off too; and whether trading is paused',
})

const sessionRow = record({ terms: sessionTerms, formKey, instruments: listOf(text) })
export type SessionRow = Inside<typeof sessionRow>

export const listDeskSessions = defineDeskEndpoint({
  name: 'listDeskSessions',
  method: 'GET',
  path: '/desk/api/market/sessions',
  act: 'viewMarket',
  request: nothing,
  response: record({ sessions: listOf(sessionRow) }),
  summary: 'Weekly schedules with their holidays, and the instruments that keep them',
})

export const getTradingTerms = defineDeskEndpoint({
  name: 'getTradingTerms',
  method: 'GET',
  path: '/desk/api/market/settings',
  act: 'viewMarket',
  request: nothing,
  response: record({ terms: tradingTerms, formKey }),
  summary: 'The settings of trading in force',
})

const scope = {
  scope: word(['instrument', 'category', 'all']),
  instrumentId: maybe(id),
  category: maybe(text),
} as const
const halted = record({ codes: listOf(text) })

export const haltTrading = defineDeskEndpoint({
  name: 'haltTrading',
  method: 'POST',
  path: '/desk/api/market/halt',
  act: 'halt',
  request: record({ ...scope, reason }),
  response: halted,
  summary: 'Halts an instrument, a category or everything at once; traders read the reason',
})

export const resumeTrading = defineDeskEndpoint({
  name: 'resumeTrading',
  method: 'POST',
  path: '/desk/api/market/resume',
  act: 'halt',
  request: record({ ...scope, reason }),
  response: halted,
  summary: 'Ends halts; the answer names what trades again',
})

export const setTradingMode = defineDeskEndpoint({
  name: 'setTradingMode',
  method: 'POST',
  path: '/desk/api/market/mode',
  act: 'halt',
  request: record({ mode: tradingMode, reason }),
  response: nothing,
  summary: 'Pauses trading, so that orders can only be cancelled and stops moved, or opens it again',
})

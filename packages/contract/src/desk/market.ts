import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, nothing, nullable, text, time, int, withDefault } from '../protocol/field.ts'
import { searchText } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, enumeration, yesNo } from './record.ts'
import { formKey, instrumentTerms, activeCounts, sessionTerms, tradingTerms } from './terms-forms.ts'
import { ONE_OPERATOR } from './two-operators.ts'

const instrumentRow = record({
  id,
  terms: instrumentTerms,
  formKey,
  isOpen: yesNo,
  haltReason: nullable(text),
  /** When the halt ends by itself; null without a halt or for one that lasts until it is lifted. */
  haltEndsAt: nullable(time),
  /** The source of its prices; null for none. */
  source: nullable(enumeration(['simulated', 'recorded', 'live'])),
  /** The number of announced changes. */
  announced: int(),
  ...activeCounts,
})
export type InstrumentRow = Infer<typeof instrumentRow>

const tradingMode = enumeration(['normal', 'reduceOnly', 'halted', 'cancelOnly'])

export const listDeskInstruments = defineDeskEndpoint({
  name: 'listDeskInstruments',
  method: 'GET',
  path: '/desk/api/market/instruments',
  permission: 'viewMarket',
  request: record({ search: withDefault(searchText, '') }),
  response: record({
    mode: tradingMode,
    /** Why trading is not open, as shown to traders. */
    modeReason: text,
    /** When a halt of the whole market ends by itself. */
    modeEndsAt: nullable(time),
    instruments: listOf(instrumentRow),
  }),
  summary:
    'Instruments by a part of their code, name or category, with their terms in force, those switched off too; and whether trading is open',
})

const sessionRow = record({ terms: sessionTerms, formKey, instruments: listOf(text) })
export type SessionRow = Infer<typeof sessionRow>

export const listDeskSessions = defineDeskEndpoint({
  name: 'listDeskSessions',
  method: 'GET',
  path: '/desk/api/market/sessions',
  permission: 'viewMarket',
  request: nothing,
  response: record({ sessions: listOf(sessionRow) }),
  summary: 'Weekly schedules with their holidays, and the instruments that keep them',
})

export const getTradingTerms = defineDeskEndpoint({
  name: 'getTradingTerms',
  method: 'GET',
  path: '/desk/api/market/settings',
  permission: 'viewMarket',
  request: nothing,
  response: record({ terms: tradingTerms, formKey }),
  summary: 'The settings of trading in force',
})

const scope = {
  scope: enumeration(['instrument', 'category', 'all']),
  instrumentId: omittable(id),
  category: omittable(text),
} as const
const halted = record({ codes: listOf(text) })

export const haltTrading = defineDeskEndpoint({
  name: 'haltTrading',
  method: 'POST',
  path: '/desk/api/market/halt',
  permission: 'halt',
  request: record({ ...scope, reason }),
  response: halted,
  summary: `Halts an instrument, a category or everything at once, for ${ONE_OPERATOR.haltMinutes} minutes; traders read the reason. Longer, or again within ${ONE_OPERATOR.nextHaltHours} hours, needs askHalt`,
})

export const resumeTrading = defineDeskEndpoint({
  name: 'resumeTrading',
  method: 'POST',
  path: '/desk/api/market/resume',
  permission: 'halt',
  request: record({ ...scope, reason }),
  response: halted,
  summary: 'Ends halts; the answer names what trades again',
})

export const setTradingMode = defineDeskEndpoint({
  name: 'setTradingMode',
  method: 'POST',
  path: '/desk/api/market/mode',
  permission: 'halt',
  request: record({ mode: tradingMode, reason }),
  response: nothing,
  summary: `Opens trading, lets everybody only reduce risk (cancelOnly is the old name of that), or halts the whole market for ${ONE_OPERATOR.haltMinutes} minutes; longer needs askHalt`,
})

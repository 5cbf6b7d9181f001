import { object } from '../protocol/codec.ts'
import {
  choice,
  flag,
  id,
  listOf,
  nullable,
  text,
  time,
  withDefault,
  omittable,
  int,
} from '../protocol/field.ts'

const KINDS = {
  instrument: 'instrument',
  calendar: 'hours',
  settings: 'settings',
  payments: 'payments',
  ranking: 'ranking',
} as const

/** A field before and after, as plain text and numbers; null where there is none. */
const fieldChange = object({
  field: ['field', text],
  before: ['before', nullable(text)],
  after: ['after', nullable(text)],
})

/** A change of terms, of payment methods or of the ranking's method that is announced or has just taken effect. */
export const termsChange = object({
  id: ['Id', id],
  kind: ['kind', choice(KINDS)],
  /** The instruments concerned; empty for a setting, which concerns all, for payments and for the ranking. */
  instrumentIds: ['ForexIds', listOf(id)],
  /** The payment method concerned; empty for all, or for other changes. */
  about: ['About', withDefault(text, '')],
  fields: ['fields', listOf(fieldChange)],
  announcedAt: ['AnnouncedTime', time],
  effectiveAt: ['EffectiveTime', time],
  /** The operator's reason. */
  reason: ['reason', text],
  /** Has less than the usual notice: confirmed by a second operator. */
  isUrgent: ['urgent', flag(1, 0)],
  /** Took effect within the last day without notice; announced afterwards. */
  isInForce: ['InForce', flag(1, 0)],
  /** Withdrawn within the last day, and so never takes effect; left out otherwise. */
  withdrawnAt: ['WithdrawnTime', omittable(time)],
})

const VERSION_KINDS = {
  instrument: 'instrument',
  calendar: 'hours',
  settings: 'settings',
  source: 'source',
} as const
const STATUSES = { inForce: 'in_force', announced: 'announced', withdrawn: 'withdrawn' } as const
const AUTHORS = { deployment: 'deployment', operator: 'operator' } as const

export const termsVersionsQuery = object({
  /** Left out: only the trading settings. With it also its hours, its source and the settings. */
  instrumentId: ['forex_id', omittable(id)],
  /** The terms used by a receipt of this version; left out: all, newest first. */
  version: ['version', omittable(int(1))],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
})

/** One change of terms with all its values, as plain text and numbers. */
const termsVersion = object({
  id: ['Id', id],
  /**
   * The version that receipts refer to: the number of changes in effect including it; null before it takes effect.
   */
  version: ['Version', nullable(int(1))],
  kind: ['kind', choice(VERSION_KINDS)],
  status: ['status', choice(STATUSES)],
  decidedAt: ['AnnouncedTime', time],
  effectiveAt: ['EffectiveTime', time],
  inForceAt: ['InForceTime', nullable(time)],
  withdrawnAt: ['WithdrawnTime', nullable(time)],
  /** Its author: an operator of the venue, or the server's settings. */
  author: ['author', choice(AUTHORS)],
  /** Confirmed by a second operator, so that the notice may be short. */
  isUrgent: ['urgent', flag(1, 0)],
  reason: ['reason', text],
  /** The changed fields; all fields in the first version. */
  changed: ['changed', listOf(text)],
  values: ['values', listOf(object({ field: ['field', text], value: ['value', nullable(text)] }))],
})

export const termsVersionPage = object({ versions: ['list', listOf(termsVersion)], total: ['count', int()] })

import { noun } from '../codec.ts'
import { choice, flag, id, listOf, orNull, text, time } from '../field.ts'

const KINDS = { instrument: 'instrument', calendar: 'hours', settings: 'settings' } as const

/** A field as it is and as it will be, in plain words and numbers; null where there is none. */
const fieldChange = noun({
  field: ['field', text],
  before: ['before', orNull(text)],
  after: ['after', orNull(text)],
})

/** A change of terms that is announced and not in force yet. */
export const termsChange = noun({
  id: ['Id', id],
  kind: ['kind', choice(KINDS)],
  /** Those it concerns; empty for a setting, which concerns all. */
  instrumentIds: ['ForexIds', listOf(id)],
  fields: ['fields', listOf(fieldChange)],
  announcedAt: ['AnnouncedTime', time],
  effectiveAt: ['EffectiveTime', time],
  /** Why, in the words of the operator. */
  reason: ['reason', text],
  /** Shown for less than the usual notice: a second operator has confirmed it. */
  isUrgent: ['urgent', flag(1, 0)],
})

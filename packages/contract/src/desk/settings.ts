import type { Infer } from '../protocol/codec.ts'
import { id, listOf, nullable, text, time, int, withDefault } from '../protocol/field.ts'
import { searchText, userLine } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, enumeration } from './record.ts'

/**
 * Settings about payouts, payment targets, or the receivers of the journal's hashes: each change needs two operators.
 */
export const SETTINGS_OF_TWO: readonly string[] = [
  'card_payment_link',
  'closing_left_max',
  'journal_hash_recipients',
  'payout_wait_hours',
  'unverified_may_withdraw',
]

const settingFields = {
  name: text,
  value: text,
  defaultValue: text,
  /** `fixed`: set by SETTING_<NAME> at the start, which overrides the stored value. */
  source: enumeration(['fixed', 'stored', 'default']),
  form: enumeration(['number', 'choice', 'list', 'text']),
  choices: listOf(text),
  /** The announced value and its time; null without one. */
  comingValue: nullable(text),
  comingAt: nullable(time),
}
/** Maximum length of a value, such as a list of addresses, in characters. */
const VALUE_LENGTH = 4_000

const setting = record(settingFields)
/** A setting other than a term of trading. */
export type Setting = Infer<typeof setting>

export const listSettings = defineDeskEndpoint({
  name: 'listSettings',
  method: 'GET',
  path: '/desk/api/settings',
  permission: 'viewSettings',
  request: record({ search: withDefault(searchText, '') }),
  response: record({ settings: listOf(setting) }),
  summary:
    'The settings that are no terms of trading, by a part of their name or title: value, default, and where it comes from',
})

export const changeSetting = defineDeskEndpoint({
  name: 'changeSetting',
  method: 'POST',
  path: '/desk/api/settings/change',
  permission: 'changeSettings',
  needsFreshFactor: true,
  changes: true,
  request: record({
    name: text,
    /** Null deletes the stored value, so that the default applies. */
    value: nullable(userLine(VALUE_LENGTH)),
    /** The value that the form was opened with. */
    was: text,
    reason,
  }),
  /** The current setting. With an `approvalId` it is unchanged until a second operator decides. */
  response: record({ ...settingFields, approvalId: nullable(id) }),
  summary:
    'Changes a setting: at once, or after a second operator agreed where it decides about money, and then after the notice where it is worse for traders; one that is fixed at the start is refused',
})

const settingChange = record({ at: time, by: text, before: text, after: text, reason: text })
export type SettingChange = Infer<typeof settingChange>

export const listSettingChanges = defineDeskEndpoint({
  name: 'listSettingChanges',
  method: 'GET',
  path: '/desk/api/settings/changes',
  permission: 'viewSettings',
  request: record({ name: text, page: deskPage }),
  response: record({ changes: listOf(settingChange), total: int() }),
  summary: 'What a setting has been, who changed it and why, the latest first',
})

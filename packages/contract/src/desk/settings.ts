import type { Inside } from '../codec.ts'
import { listOf, orNull, text, time, whole, withDefault } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, word } from './record.ts'

const setting = record({
  name: text,
  value: text,
  defaultValue: text,
  /** `fixed`: given by SETTING_<NAME> at the start, which wins over what is stored here. */
  source: word(['fixed', 'stored', 'default']),
  form: word(['number', 'choice', 'list', 'text']),
  choices: listOf(text),
})
/** A setting that is no term of trading. */
export type Setting = Inside<typeof setting>

export const listSettings = defineDeskEndpoint({
  name: 'listSettings',
  method: 'GET',
  path: '/desk/api/settings',
  act: 'viewSettings',
  request: record({ search: withDefault(text, '') }),
  response: record({ settings: listOf(setting) }),
  summary:
    'The settings that are no terms of trading, by a part of their name or title: value, default, and where it comes from',
})

export const changeSetting = defineDeskEndpoint({
  name: 'changeSetting',
  method: 'POST',
  path: '/desk/api/settings/change',
  act: 'changeSettings',
  request: record({
    name: text,
    /** Null takes the stored value back: the default holds again. */
    value: orNull(text),
    /** The value that the form was opened with. */
    was: text,
    reason,
  }),
  response: setting,
  summary: 'Changes a setting, at once; one that is fixed at the start is refused',
})

const settingChange = record({ at: time, by: text, before: text, after: text, reason: text })
export type SettingChange = Inside<typeof settingChange>

export const listSettingChanges = defineDeskEndpoint({
  name: 'listSettingChanges',
  method: 'GET',
  path: '/desk/api/settings/changes',
  act: 'viewSettings',
  request: record({ name: text, page: deskPage }),
  response: record({ changes: listOf(settingChange), total: whole() }),
  summary: 'What a setting has been, who changed it and why, the latest first',
})

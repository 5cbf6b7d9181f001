import {
  changeSetting,
  listSettingChanges,
  listSettings,
  SETTING_TITLES,
  settingChangesFile,
  settingsFile,
  type Setting,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import { unknownCountryOf } from '../../auth/countries.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import {
  choicesOf,
  defaultOf,
  isAppSetting,
  SETTING_NAMES,
  type LiveSettings,
  type SettingName,
} from '../../settings/app-settings.ts'
import type { DeskServices } from '../desk-services.ts'
import { pastOfSetting } from './setting-history.ts'

/** The settings that are no terms of trading. Every part of the server reads them when it needs them: a change holds at once. */
export function registerSettingChanges({ api, acts, hub, queries, deployment }: DeskServices): void {
  const { liveSettings } = deployment

  const settings = async ({ input: { search } }: { input: { search: string } }) => {
    const stored = new Set(
      (await queries.selectFrom('setting').select('name').execute()).map(({ name }) => name),
    )
    const wanted = search.trim().toLowerCase()
    const fits = (name: SettingName) => `${SETTING_TITLES[name] ?? ''} ${name}`.toLowerCase().includes(wanted)
    return { settings: SETTING_NAMES.filter(fits).map((name) => shown(liveSettings, name, stored.has(name))) }
  }
  api.list(listSettings, settings, { file: settingsFile, rowsOf: (answer) => answer.settings })

  api.operator(changeSetting, async ({ operator, input: { name, value, was, reason } }) => {
    if (!isAppSetting(name)) return refuse('unknownSetting', { field: 'name' })
    const text = value === null ? null : value.trim()
    const subject = `setting:${name}`
    const done = await acts.perform(
      {
        ...{ operator, act: 'changeSettings', subject, reason },
        ...{ before: { value: was }, after: { value: text ?? defaultOf(name) } },
      },
      async (within) => {
        const refusal = refusalOf(liveSettings, name, text ?? defaultOf(name))
        if (refusal) return refusal
        if ((await storedText(within, name)) !== was) return refuse('formOutdated')
        return store(within, name, text)
      },
    )
    if (isRefusal(done)) return done
    liveSettings.change(name, text)
    hub.changed('settings')
    return shown(liveSettings, name, text !== null)
  })

  api.list(listSettingChanges, ({ input }, limit) => pastOfSetting(queries, input, limit), {
    ...{ file: settingChangesFile, rowsOf: ({ changes }) => changes },
  })
}

function shown(settings: LiveSettings, name: SettingName, isStored: boolean): Setting {
  const choices = choicesOf(name)
  const value = settings.values[name]
  return {
    ...{ name, choices, value: settings.textOf(name), defaultValue: defaultOf(name) },
    source: Object.hasOwn(settings.fixed, name) ? 'fixed' : isStored ? 'stored' : 'default',
    form: choices.length > 0 ? 'choice' : Array.isArray(value) ? 'list' : formOf(value),
  }
}

const formOf = (value: unknown): Setting['form'] => (typeof value === 'number' ? 'number' : 'text')

function refusalOf(settings: LiveSettings, name: SettingName, text: string): Refusal | null {
  if (Object.hasOwn(settings.fixed, name)) return refuse('settingFixed')
  const problem = settings.problemOf(name, text) ?? problemOfCountries(name, text)
  return problem === null ? null : refuse('settingInvalid', { field: 'value', problem })
}

/** Countries are told by letters that look right and name none. */
function problemOfCountries(name: SettingName, text: string): string | null {
  if (name !== 'main_area' && name !== 'blocked_areas') return null
  const [mainArea = '', ...blockedAreas] = text.split(',').flatMap((code) => code.trim() || [])
  const unknown = mainArea === '' ? null : unknownCountryOf({ mainArea, blockedAreas })
  return unknown === null ? null : `there is no country ${unknown}`
}

/** As the table has it, not as it runs: of two changes at once the second sees the first. */
async function storedText(within: Transaction<Tables>, name: SettingName): Promise<string> {
  const row = await within.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? defaultOf(name)
}

async function store(within: Transaction<Tables>, name: string, value: string | null): Promise<null> {
  await within.deleteFrom('setting').where('name', '=', name).execute()
  if (value !== null) await within.insertInto('setting').values({ name, value }).execute()
  return null
}

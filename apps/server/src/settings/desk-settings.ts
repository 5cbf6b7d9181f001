import {
  changeSetting,
  DESK_PAGE_ROWS,
  listSettingChanges,
  listSettings,
  type Setting,
  SETTING_TITLES,
  type SettingChange,
  settingChangesFile,
  SETTINGS_OF_TWO,
  settingsFile,
} from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { unknownCountryOf } from '../accounts/countries.ts'
import type { MadeBy, RequestedApproval } from '../desk/approvals/approvals.ts'
import { paymentChangeTexts } from '../desk/approvals/user-texts.ts'
import type { DeskServices } from '../desk/desk-services.ts'
import type { DeskOperator } from '../desk/operators/operators.ts'
import { announcePayments, changedValues, noticeOf } from '../funds/payment-changes.ts'
import {
  choicesOf,
  defaultOf,
  isAppSetting,
  type LiveSettings,
  SETTING_NAMES,
  type SettingName,
  valueAt,
} from '../platform/config/app-settings.ts'
import { nextId } from '../platform/database/next-id.ts'
import type { Queries } from '../platform/database/open.ts'
import type { SettingTable, Tables } from '../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'

type Change = {
  readonly name: SettingName
  readonly value: string | null
  readonly was: string
  /** The announced value when the change was requested, which the change replaces. */
  readonly coming?: string | null
}

const ACT = 'changeSettings'

/**
 * Settings that are not trading terms. They are read when needed, so a change takes effect at once; those in
 * `SETTINGS_OF_TWO` need a second operator.
 */
export function registerSettingChanges(services: DeskServices): void {
  const { api, auditLog, approvals, hub, queries, deployment, now } = services
  const { liveSettings } = deployment

  const settings = async ({ input: { search } }: { input: { search: string } }) => {
    const stored = await storedNames(queries)
    const wanted = search.trim().toLowerCase()
    const fits = (name: SettingName) => `${SETTING_TITLES[name] ?? ''} ${name}`.toLowerCase().includes(wanted)
    return { settings: SETTING_NAMES.filter(fits).map((name) => shown(liveSettings, name, stored.has(name))) }
  }
  api.list(listSettings, settings, { file: settingsFile, rowsOf: (answer) => answer.settings })

  /** When a change takes effect, epoch ms: after the notice period if it is to users' disadvantage, else null for at once. */
  const holdsFrom = ({ name, value, was }: Change): number | null =>
    noticeOf(name, was, value ?? defaultOf(name)) === 'announced'
      ? Math.floor(now()) + deployment.engine.state().settings.noticeMs
      : null

  const announce = async (
    within: Transaction<Tables>,
    { name, value, was }: Change,
    { reason, from }: { readonly reason: string; readonly from: number | null },
  ): Promise<void> => {
    const after = value ?? defaultOf(name)
    if (noticeOf(name, was, after) === 'none') return
    const at = Math.floor(now())
    await announcePayments(within, {
      id: await nextId(within, 'payment_change'),
      subject: subjectOf(name),
      about: '',
      fields: changedValues([name], { [name]: was }, { [name]: after }),
      reason: reason.trim(),
      at,
      effectiveAt: from ?? at,
    })
  }

  const perform = async (change: Change, by: MadeBy): Promise<Refusal | null> => {
    const { name, value, was } = change
    const from = holdsFrom(change)
    const done = await auditLog.perform(
      {
        ...by,
        act: ACT,
        subject: subjectOf(name),
        before: { value: was },
        after: {
          value: value ?? defaultOf(name),
          ...(from !== null && { holdsFrom: new Date(from).toISOString() }),
        },
      },
      async (within) => {
        const refusal = await refusalOfChange(liveSettings, within, change, now())
        if (refusal) return refusal
        await announce(within, change, { reason: by.reason, from })
        return store(within, change, from)
      },
    )
    if (isRefusal(done)) return done
    liveSettings.change(name, value, from)
    deployment.payments.announced()
    hub.changed('settings')
    return null
  }

  approvals.register('setting', {
    name: 'Settings',
    signsOf: () => [
      { weight: 3, why: 'it affects payments, or who receives the hashes that prove the records' },
    ],
    textsOf: (body, reason) => {
      const change = body as Change
      const { name, value, was } = change
      const fields = changedValues([name], { [name]: was }, { [name]: value ?? defaultOf(name) })
      return noticeOf(name, was, value ?? defaultOf(name)) === 'none'
        ? 'Users are not notified: it takes effect when it is approved.'
        : paymentChangeTexts({ fields, reason, about: '', at: now(), from: holdsFrom(change) })
    },
    execute: (body, approved) => perform(body as Change, approved),
  })

  const requestChange = async (
    operator: DeskOperator,
    change: Change & { readonly reason: string },
    request: Request | undefined,
  ): Promise<RequestedApproval | Refusal> => {
    const { name, value, was, coming = null, reason } = change
    const known = await approvals.repeated(request)
    if (known) return known
    const refusal = await refusalOfChange(liveSettings, queries, change, now())
    if (refusal) {
      await auditLog.recordRefusal({ operator, act: ACT, subject: subjectOf(name), reason }, refusal)
      return refusal
    }
    return approvals.request(operator, {
      kind: 'setting',
      subject: subjectOf(name),
      body: { name, value, was, coming } satisfies Change,
      before: { value: was },
      after: { value: value ?? defaultOf(name) },
      reason,
      request,
    })
  }

  api.operator(changeSetting, async ({ operator, request, input: { name, value, was, reason } }) => {
    if (!isAppSetting(name)) return refuse('unknownSetting', { field: 'name' })
    const coming = liveSettings.comingOf(name)?.text ?? null
    const change = { name, value: value === null ? null : value.trim(), was, coming }
    if (SETTINGS_OF_TWO.includes(name)) {
      const opened = await requestChange(operator, { ...change, reason }, request)
      if (isRefusal(opened)) return opened
      const stored = await storedNames(queries)
      return { ...shown(liveSettings, name, stored.has(name)), ...opened }
    }
    const refusal = await perform(change, { operator, reason })
    return refusal ?? { ...shown(liveSettings, name, change.value !== null), approvalId: null }
  })

  api.list(listSettingChanges, ({ input }, limit) => settingHistory(queries, input, limit), {
    file: settingChangesFile,
    rowsOf: ({ changes }) => changes,
  })
}

const subjectOf = (name: SettingName): string => `setting:${name}`

async function storedNames(queries: Queries): Promise<ReadonlySet<string>> {
  const rows = await queries.selectFrom('setting').select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

/** Why this change cannot be made now; null when it can. */
async function refusalOfChange(
  settings: LiveSettings,
  queries: Queries,
  { name, value, was, coming = null }: Change,
  at: number,
): Promise<Refusal | null> {
  const refusal = refusalOf(settings, name, value ?? defaultOf(name))
  if (refusal) return refusal
  const row = await queries.selectFrom('setting').selectAll().where('name', '=', name).executeTakeFirst()
  const isAsItWas = (row ? valueAt(row, at) : defaultOf(name)) === was && comingIn(row, at) === coming
  return isAsItWas ? null : refuse('formOutdated')
}

function shown(settings: LiveSettings, name: SettingName, isStored: boolean): Setting {
  const choices = choicesOf(name)
  const value = settings.values[name]
  const coming = settings.comingOf(name)
  // Settings of two operators always have a row.
  const isChanged = isStored && !(SETTINGS_OF_TWO.includes(name) && settings.textOf(name) === defaultOf(name))
  return {
    name,
    choices,
    value: settings.textOf(name),
    defaultValue: defaultOf(name),
    source: Object.hasOwn(settings.fixed, name) ? 'fixed' : isChanged ? 'stored' : 'default',
    form: choices.length > 0 ? 'choice' : Array.isArray(value) ? 'list' : formOf(value),
    comingValue: coming?.text ?? null,
    comingAt: coming?.at ?? null,
  }
}

const formOf = (value: unknown): Setting['form'] => (typeof value === 'number' ? 'number' : 'text')

function refusalOf(settings: LiveSettings, name: SettingName, text: string): Refusal | null {
  if (Object.hasOwn(settings.fixed, name)) return refuse('settingFixed')
  const problem = settings.problemOf(name, text) ?? problemOfCountries(name, text)
  return problem === null ? null : refuse('settingInvalid', { field: 'value', problem })
}

/** A well-formed code may not be one of a country. */
function problemOfCountries(name: SettingName, text: string): string | null {
  if (name !== 'main_area' && name !== 'blocked_areas') return null
  const [mainArea = '', ...blockedAreas] = text.split(',').flatMap((code) => code.trim() || [])
  const unknown = mainArea === '' ? null : unknownCountryOf({ mainArea, blockedAreas })
  return unknown === null ? null : `there is no country ${unknown}`
}

/** The announced value in the table: of two changes at the same time the second sees the first. */
const comingIn = (row: SettingTable | undefined, at: number): string | null =>
  row && row.holds_from !== null && row.holds_from > BigInt(Math.floor(at)) ? row.value : null

/** A setting of two operators keeps its row: a start sets only those without one. */
async function store(
  within: Transaction<Tables>,
  { name, value, was }: Change,
  from: number | null,
): Promise<null> {
  await within.deleteFrom('setting').where('name', '=', name).execute()
  if (value === null && !SETTINGS_OF_TWO.includes(name)) return null
  await within
    .insertInto('setting')
    .values({
      name,
      value: value ?? defaultOf(name),
      value_before: from === null ? null : was,
      holds_from: from === null ? null : BigInt(from),
    })
    .execute()
  return null
}

/** The audit entries of the values of a setting. */
const recordedValues = (queries: Queries, name: string) =>
  queries
    .selectFrom('desk_act')
    .where('subject', '=', `setting:${name}`)
    .where('outcome', '=', 'done')
    // Requests and approvals are entries of their own, without a value.
    .where('after', 'like', '{"value":%')

/** Whether the audit log names a value of a setting. */
export const hasRecordedValue = async (queries: Queries, name: string): Promise<boolean> =>
  (await recordedValues(queries, name).select('id').limit(1).executeTakeFirst()) !== undefined

/** The history of a setting from the audit log, the latest first. */
async function settingHistory(
  queries: Queries,
  { name, page }: { readonly name: string; readonly page: number },
  limit = DESK_PAGE_ROWS,
): Promise<{ changes: SettingChange[]; total: number }> {
  const done = recordedValues(queries, name)
  const { total } = await done.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await done
    .select(['at', 'operator_name', 'second_name', 'before', 'after', 'reason'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const changes = rows.map(({ at, operator_name: by, second_name: second, before, after, reason }) => ({
    at: Number(at),
    by: second === null ? by : `${by}, ${second}`,
    reason,
    before: valueIn(before),
    after: valueIn(after),
  }))
  return { changes, total: Number(total) }
}

const valueIn = (json: string | null): string =>
  json === null ? '' : String((JSON.parse(json) as { value?: unknown }).value ?? '')

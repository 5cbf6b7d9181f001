import { SETTINGS_OF_TWO } from '@fairlot/contract/desk'
import { money, type Money, MONEY_DECIMALS } from '@fairlot/core'
import * as z from 'zod'
import type { Queries } from '../database/open.ts'
import type { SettingTable } from '../database/schema.ts'
import { isTradingSetting, readTradingSettings, wrongSetting } from './trading-settings.ts'

const ADDRESS = /^[^\s@,<>"]{1,64}@[^\s@,<>"]{1,255}$/

/** E-mail addresses separated by commas; null when one of them is invalid. */
export function readAddresses(text: string): readonly string[] | null {
  const addresses = text.split(',').flatMap((each) => each.trim() || [])
  return addresses.every((each) => ADDRESS.test(each)) ? addresses : null
}

const AREA_CODE = /^[A-Z]{2}$/
const areaCodes = z
  .string()
  .transform((text) => text.split(',').flatMap((code) => code.trim() || []))
  .refine(
    (codes) => codes.every((code) => AREA_CODE.test(code)),
    'must be country codes of two letters, separated by commas, such as CU,KP',
  )
const outsideRange = (least: number, most: number): string =>
  `must be a whole number from ${least} to ${most}`

/** A whole number in a range, beyond which a limit would lock everybody out or protect nobody. */
const count = (least: number, most: number) => {
  const error = outsideRange(least, most)
  return z.coerce.number({ error }).int(error).min(least, error).max(most, error)
}
/** The host becomes part of the content security policy, so it may contain no separator. */
const PLAIN_HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/
const webAddress = z.string().refine((text) => {
  const url = URL.parse(text)
  return text === '' || (/^https?:$/.test(url?.protocol ?? '') && PLAIN_HOST.test(url?.hostname ?? ''))
}, 'must be an http(s) address')
const isHttps = (text: string): boolean => URL.parse(text)?.protocol === 'https:'
const httpsAddress = z.string().refine((text) => text === '' || isHttps(text), 'must be an https address')
const HOST = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
const hosts = z
  .string()
  .transform((text) => text.split(',').flatMap((host) => host.trim().toLowerCase() || []))
  .refine((names) => names.every((name) => HOST.test(name)), 'must be host names, separated by commas')

/** Whole units; far from the largest amount that can be booked. */
const DEMO_BALANCE_MAX = 1_000_000_000

/** The settings of a deployment that are not trading terms, with their defaults (trading-rules §9). */
const schema = z.object({
  company_name: z.string().trim().min(1, 'must not be empty').max(120).default('Fairlot'),
  credit_score: count(0, 1_000).default(100),
  registration_mode: z.enum(['email', 'emailOrMobile', 'mobile']).default('emailOrMobile'),
  registration_check: z.enum(['code', 'captcha']).default('code'),
  main_area: z.string().regex(AREA_CODE).default('HK'),
  blocked_areas: areaCodes.prefault('KP,IL,CN,VU,CU'),
  session_idle_hours: count(1, 8_760).default(168),
  session_hours: count(1, 8_760).default(720),
  journal_hash_recipients: z
    .string()
    .refine((text) => readAddresses(text) !== null, 'must be e-mail addresses, separated by commas')
    .default(''),
  service_link: webAddress.default(''),
  support_email: z
    .string()
    .trim()
    .refine(
      (text) => text === '' || readAddresses(text)?.[0] === text || isHttps(text),
      'must be one e-mail address, or the https address of a page',
    )
    .default(''),
  chat_messages_per_minute: count(1, 600).default(10),
  chat_messages_per_day: count(1, 100_000).default(200),
  desktop_host: z.enum(['same', 'pc']).default('same'),
  service_opens_in: z.enum(['chat', 'dialog']).default('chat'),
  demo_balance_min: count(1, DEMO_BALANCE_MAX).default(100),
  demo_balance_max: count(1, DEMO_BALANCE_MAX).default(1_000_000),
  demo_accounts_per_hour: count(1, 1_000_000).default(60),
  calls_per_second: count(1, 1_000_000).default(20),
  calls_burst: count(5, 1_000_000).default(100),
  address_calls_per_second: count(1, 1_000_000).default(200),
  address_calls_burst: count(5, 1_000_000).default(1_000),
  failed_logins_per_address: count(3, 100_000).default(100),
  failed_logins_per_account: count(2, 1_000).default(5),
  codes_per_target: count(3, 1_000).default(20),
  codes_per_address: count(3, 10_000).default(60),
  captchas_per_address: count(3, 10_000).default(120),
  uploads_per_hour: count(2, 10_000).default(60),
  socket_handshakes_per_second: count(5, 1_000_000).default(200),
  sockets_per_address: count(1, 1_000_000).default(200),
  loss_hosts: hosts.prefault(''),
  main_loss_url: httpsAddress.default(''),
  data_downloads_per_day: count(1, 1_000).default(5),
  closing_left_max: count(0, 1_000).default(1),
  payout_wait_hours: count(0, 720).default(24),
  identity_checks_per_day: count(1, 1_000).default(5),
  ranked_after_days: count(0, 365).default(21),
  ranked_after_orders: count(0, 10_000).default(20),
  unverified_may_withdraw: count(0, 1).default(0),
  card_payment_link: httpsAddress.default(''),
})

export type AppSettings = z.output<typeof schema>

/** The settings fixed at the start, by name. */
type Given = Readonly<Record<string, string>>

/**
 * The settings in force that are not trading terms: those given at the start override the stored ones, which override the
 * defaults. Settings of two operators are only initialized at a start. Throws an Error that names an invalid setting,
 * trading terms included. `now`: real time, epoch ms.
 */
export async function loadAppSettings(
  queries: Queries,
  given: Given,
  now: () => number,
): Promise<LiveSettings> {
  const unknown = Object.keys(given).find((name) => !isAppSetting(name) && !isTradingSetting(name))
  if (unknown !== undefined) throw new Error(`There is no setting SETTING_${unknown.toUpperCase()}.`)
  readTradingSettings(given)
  parsed(given)
  await beginSettingsOfTwo(queries, given)
  const fixed = Object.fromEntries(Object.entries(given).filter(([name]) => !SETTINGS_OF_TWO.includes(name)))
  return createLiveSettings(await queries.selectFrom('setting').selectAll().execute(), fixed, now)
}

/**
 * The first start stores the settings of two operators, as given or by default. Later only two operators can change them,
 * so a start with another value throws an Error.
 */
async function beginSettingsOfTwo(queries: Queries, given: Given): Promise<void> {
  const stored = await storedSettings(queries)
  for (const name of SETTING_NAMES.filter((each) => SETTINGS_OF_TWO.includes(each))) {
    const value = stored[name]
    const requested = given[name] === undefined ? null : textOf(parsed({ [name]: given[name] }, name)[name])
    if (value !== undefined && requested !== null && requested !== value)
      throw new Error(
        `SETTING_${name.toUpperCase()} is not the value in force, which two operators change at the desk: start without it.`,
      )
    if (value === undefined)
      await queries
        .insertInto('setting')
        .values({ name, value: requested ?? defaultOf(name), value_before: null, holds_from: null })
        .execute()
  }
}

/** The stored values by name, announced ones included. */
export async function storedSettings(queries: Queries): Promise<Record<string, string>> {
  const rows = await queries.selectFrom('setting').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export type SettingName = keyof AppSettings
export const SETTING_NAMES = Object.keys(schema.shape) as readonly SettingName[]
export const isAppSetting = (name: string): name is SettingName => Object.hasOwn(schema.shape, name)

/** The values that a setting can have, if it is an enum; else none. */
export function choicesOf(name: SettingName): readonly string[] {
  const inner = schema.shape[name].def.innerType
  return inner instanceof z.ZodEnum ? Object.values(inner.def.entries) : []
}

/** The range of a setting that is a number; null for any other. */
export function rangeOf(name: SettingName): readonly [least: number, most: number] | null {
  const inner = schema.shape[name].def.innerType
  return inner instanceof z.ZodNumber ? [inner.minValue ?? -Infinity, inner.maxValue ?? Infinity] : null
}

/** A number stored by an earlier release beyond its present range counts as the nearest end: no start fails by it. */
function storedWithinRange(name: string, text: string): string {
  const range = isAppSetting(name) ? rangeOf(name) : null
  const value = Number(text)
  if (range === null || !Number.isFinite(value)) return text
  const [least, most] = range
  return value < least ? String(least) : value > most ? String(most) : text
}

/** The value of a setting as text. */
const textOf = (value: AppSettings[SettingName]): string =>
  Array.isArray(value) ? value.join(',') : String(value)

const DEFAULTS = schema.parse({})
export const defaultOf = (name: SettingName): string => textOf(DEFAULTS[name])

/** Settings that change while the server runs. `values` always has those in force, so read them when they are needed. */
export type LiveSettings = {
  readonly values: AppSettings
  readonly fixed: Given
  /** The value in force as text. */
  textOf(name: SettingName): string
  /** Why a text is not a valid value; null for a valid one. */
  problemOf(name: SettingName, text: string): string | null
  /** The value announced for a later moment (epoch ms); null for none. */
  comingOf(name: SettingName): Coming | null
  /** Sets the stored value, null for the default, at once or from a moment on (epoch ms). */
  change(name: SettingName, text: string | null, holdsFrom?: number | null): void
}

type Coming = { readonly text: string; readonly at: number }

/** The value of a row at a moment: the one before it until an announced value takes effect. */
export const valueAt = (
  { value, value_before: before, holds_from: from }: Omit<SettingTable, 'name'>,
  at: number,
): string => (from !== null && before !== null && from > BigInt(Math.floor(at)) ? before : value)

function createLiveSettings(rows: readonly SettingTable[], fixed: Given, now: () => number): LiveSettings {
  const startedAt = now()
  const stored = Object.fromEntries(
    rows.map((row) => [row.name, storedWithinRange(row.name, valueAt(row, startedAt))]),
  )
  let current = parsed({ ...stored, ...fixed })
  const coming = new Map<SettingName, Coming>()
  for (const { name, value, holds_from: from } of rows)
    if (isAppSetting(name) && from !== null && from > BigInt(Math.floor(startedAt)))
      coming.set(name, { text: storedWithinRange(name, value), at: Number(from) })
  const set = (name: SettingName, text: string) => {
    current = { ...current, ...parsed({ [name]: fixed[name] ?? text }, name) }
  }
  const inForce = <N extends SettingName>(name: N): AppSettings[N] => {
    const next = coming.get(name)
    if (next && next.at <= now()) {
      coming.delete(name)
      set(name, next.text)
    }
    return current[name]
  }
  const values = {} as AppSettings
  for (const name of SETTING_NAMES)
    Object.defineProperty(values, name, { enumerable: true, get: () => inForce(name) })
  return {
    values,
    fixed,
    textOf: (name) => textOf(inForce(name)),
    comingOf: (name) => {
      inForce(name)
      return coming.get(name) ?? null
    },
    problemOf: (name, text) => {
      // An empty field would count as zero.
      const range = rangeOf(name)
      if (range && !/^\d+$/.test(text)) return outsideRange(...range)
      const result = schema.shape[name].safeParse(text)
      return result.success ? null : (result.error.issues[0]?.message ?? '')
    },
    change: (name, text, holdsFrom = null) => {
      coming.delete(name)
      if (holdsFrom === null) set(name, text ?? defaultOf(name))
      else coming.set(name, { text: text ?? defaultOf(name), at: holdsFrom })
    },
  }
}

/** Parses settings, or one of them. Throws an Error that names an invalid one. */
function parsed(given: Given, name?: SettingName): AppSettings {
  const result = schema.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new Error(wrongSetting(String(issue?.path[0]), issue?.message))
  }
  return name === undefined ? result.data : ({ [name]: result.data[name] } as AppSettings)
}

/** Some settings under other names; reading them returns the values in force. */
export function settingsNamed<const N extends Readonly<Record<string, SettingName>>>(
  settings: AppSettings,
  names: N,
): { readonly [Name in keyof N]: AppSettings[N[Name]] } {
  const named = {}
  for (const [name, setting] of Object.entries(names))
    Object.defineProperty(named, name, { enumerable: true, get: () => settings[setting] })
  return named as { readonly [Name in keyof N]: AppSettings[N[Name]] }
}

/** A setting in whole units of the account currency as money. */
export const wholeUnits = (units: number): Money => money(BigInt(units) * 10n ** BigInt(MONEY_DECIMALS))

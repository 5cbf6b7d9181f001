import * as z from 'zod'
import type { Queries } from '../database/open.ts'
import { readAddresses } from './addresses.ts'
import { isTradingSetting, readTradingSettings, wrongSetting } from './trading-settings.ts'

const AREA_CODE = /^[A-Z]{2}$/
const areaCodes = z
  .string()
  .transform((text) => text.split(',').flatMap((code) => code.trim() || []))
  .refine(
    (codes) => codes.every((code) => AREA_CODE.test(code)),
    'must be country codes of two letters, separated by commas, such as CU,KP',
  )
const count = (least: number) => z.coerce.number().int().min(least)
/** Its host stands in the security policy of our pages: no sign in it may end a part of that. */
const PLAIN_HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/
const webAddress = z.string().refine((text) => {
  const url = URL.parse(text)
  return text === '' || (/^https?:$/.test(url?.protocol ?? '') && PLAIN_HOST.test(url?.hostname ?? ''))
}, 'must be an http(s) address')
const HOST = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
const hosts = z
  .string()
  .transform((text) => text.split(',').flatMap((host) => host.trim().toLowerCase() || []))
  .refine((names) => names.every((name) => HOST.test(name)), 'must be host names, separated by commas')

/** What is decided about this deployment beside its terms, with the defaults of a fresh one (trading-rules §9). */
const schema = z.object({
  company_name: z.string().trim().min(1, 'must not be empty').max(120).default('Fairlot'),
  credit_score: count(0).default(100),
  registration_mode: z.enum(['email', 'emailOrMobile', 'mobile']).default('emailOrMobile'),
  registration_check: z.enum(['code', 'captcha']).default('code'),
  main_area: z.string().regex(AREA_CODE).default('HK'),
  blocked_areas: areaCodes.prefault('KP,IL,CN,VU,CU'),
  session_idle_hours: count(1).default(168),
  session_hours: count(1).default(720),
  journal_hash_recipients: z
    .string()
    .refine((text) => readAddresses(text) !== null, 'must be e-mail addresses, separated by commas')
    .default(''),
  service_link: webAddress.default(''),
  support_email: z
    .string()
    .trim()
    .refine((text) => text === '' || readAddresses(text)?.[0] === text, 'must be one e-mail address')
    .default(''),
  chat_messages_per_minute: count(1).default(10),
  chat_messages_per_day: count(1).default(200),
  service_opens_in: z.enum(['chat', 'dialog']).default('chat'),
  demo_accounts_per_hour: count(1).default(60),
  calls_per_second: count(1).default(20),
  calls_burst: count(1).default(100),
  address_calls_per_second: count(1).default(200),
  address_calls_burst: count(1).default(1_000),
  failed_logins_per_address: count(1).default(100),
  failed_logins_per_account: count(1).default(5),
  codes_per_target: count(1).default(20),
  codes_per_address: count(1).default(60),
  captchas_per_address: count(1).default(120),
  uploads_per_hour: count(1).default(60),
  socket_handshakes_per_second: count(1).default(200),
  sockets_per_address: count(1).default(200),
  loss_hosts: hosts.prefault(''),
  data_downloads_per_day: count(1).default(5),
  closing_left_max: count(0).default(1),
  payout_wait_hours: count(0).default(24),
  identity_checks_per_day: count(1).default(5),
  unverified_may_withdraw: count(0).max(1).default(0),
  card_payment_link: z
    .string()
    .refine((text) => text === '' || URL.parse(text)?.protocol === 'https:', 'must be an https address')
    .default(''),
})

export type AppSettings = z.output<typeof schema>

/** Those that are fixed at the start, by name. */
type Given = Readonly<Record<string, string>>

/**
 * The settings in force that are no terms: those fixed at start win over the stored, those over the defaults. Throws an Error
 * whose message names the wrong one of all that are fixed, terms too.
 */
export async function loadAppSettings(queries: Queries, fixed: Given): Promise<LiveSettings> {
  const unknown = Object.keys(fixed).find((name) => !isAppSetting(name) && !isTradingSetting(name))
  if (unknown !== undefined) throw new Error(`There is no setting SETTING_${unknown.toUpperCase()}.`)
  readTradingSettings(fixed)
  return createLiveSettings(await storedSettings(queries), fixed)
}

/** The rows of the table by name. */
export async function storedSettings(queries: Queries): Promise<Record<string, string>> {
  const rows = await queries.selectFrom('setting').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export type SettingName = keyof AppSettings
export const SETTING_NAMES = Object.keys(schema.shape) as readonly SettingName[]
export const isAppSetting = (name: string): name is SettingName => Object.hasOwn(schema.shape, name)

/** The words that a setting may have, where it is a choice. */
export function choicesOf(name: SettingName): readonly string[] {
  const inner = schema.shape[name].def.innerType
  return inner instanceof z.ZodEnum ? Object.values(inner.def.entries) : []
}

/** A setting as text, whatever holds it. */
const textOf = (value: AppSettings[SettingName]): string =>
  Array.isArray(value) ? value.join(',') : String(value)

const DEFAULTS = schema.parse({})
export const defaultOf = (name: SettingName): string => textOf(DEFAULTS[name])

/** Settings that may change while the server runs: `values` always says what is in force, so it is read when it is needed. */
export type LiveSettings = {
  readonly values: AppSettings
  readonly fixed: Given
  /** What is in force, as text. */
  textOf(name: SettingName): string
  /** Why a text cannot be the value of a setting; null when it can. */
  problemOf(name: SettingName, text: string): string | null
  /** From now on this is the stored value; null: the default. */
  change(name: SettingName, text: string | null): void
}

function createLiveSettings(stored: Given, fixed: Given): LiveSettings {
  let current = parsed({ ...stored, ...fixed })
  const values = {} as AppSettings
  for (const name of SETTING_NAMES)
    Object.defineProperty(values, name, { enumerable: true, get: () => current[name] })
  return {
    ...{ values, fixed },
    textOf: (name) => textOf(current[name]),
    problemOf: (name, text) => {
      const result = schema.shape[name].safeParse(text)
      return result.success ? null : (result.error.issues[0]?.message ?? '')
    },
    change: (name, text) => {
      current = { ...current, ...parsed({ [name]: fixed[name] ?? text ?? defaultOf(name) }, name) }
    },
  }
}

/** Throws an Error that names the wrong one. With a name it is that setting alone. */
function parsed(given: Given, name?: SettingName): AppSettings {
  const result = schema.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new Error(wrongSetting(String(issue?.path[0]), issue?.message))
  }
  return name === undefined ? result.data : ({ [name]: result.data[name] } as AppSettings)
}

/** Some settings under other names, which go on telling what is in force. */
export function settingsNamed<const N extends Readonly<Record<string, SettingName>>>(
  settings: AppSettings,
  names: N,
): { readonly [Name in keyof N]: AppSettings[N[Name]] } {
  const named = {}
  for (const [name, setting] of Object.entries(names))
    Object.defineProperty(named, name, { enumerable: true, get: () => settings[setting] })
  return named as { readonly [Name in keyof N]: AppSettings[N[Name]] }
}

import * as z from 'zod'
import type { Queries } from '../database/open.ts'
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

/** What is decided about this deployment beside its terms, with the defaults of a fresh one (trading-rules §9). */
const schema = z.object({
  credit_score: count(0).default(100),
  registration_mode: z.enum(['email', 'emailOrMobile', 'mobile']).default('emailOrMobile'),
  registration_check: z.enum(['code', 'captcha']).default('code'),
  main_area: z.string().regex(AREA_CODE).default('HK'),
  blocked_areas: areaCodes.prefault('KP,IL,CN,VU,CU'),
  session_idle_hours: count(1).default(168),
  session_hours: count(1).default(720),
  service_link: z.string().default(''),
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
  socket_handshakes_per_second: count(1).default(200),
  sockets_per_address: count(1).default(200),
})

export type AppSettings = z.output<typeof schema>

/**
 * The settings in force that are no terms: those fixed at start win over the stored, those over the defaults. Throws an Error
 * whose message names the wrong one of all that are fixed, terms too.
 */
export async function loadAppSettings(
  queries: Queries,
  fixed: Readonly<Record<string, string>>,
): Promise<AppSettings> {
  const unknown = Object.keys(fixed).find(
    (name) => !Object.hasOwn(schema.shape, name) && !isTradingSetting(name),
  )
  if (unknown !== undefined) throw new Error(`There is no setting SETTING_${unknown.toUpperCase()}.`)
  readTradingSettings(fixed)
  const parsed = schema.safeParse({ ...(await storedSettings(queries)), ...fixed })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(wrongSetting(String(issue?.path[0]), issue?.message))
}

/** The rows of the table by name. */
export async function storedSettings(queries: Queries): Promise<Record<string, string>> {
  const rows = await queries.selectFrom('setting').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

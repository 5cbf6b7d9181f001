import { money, MONEY_DECIMALS, parseDecimal, type Money } from '@fairlot/core'
import * as z from 'zod'
import type { Queries } from '../database/open.ts'

const amount = z.string().transform((text, context): Money => {
  const units = parseDecimal(text, MONEY_DECIMALS)
  if (units !== null && units >= 0n) return money(units)
  context.addIssue('must be an amount such as 100000 or 0.5')
  return z.NEVER
})
const AREA_CODE = /^[A-Z]{2}$/
const areaCodes = z
  .string()
  .transform((text) => text.split(',').flatMap((code) => code.trim() || []))
  .refine(
    (codes) => codes.every((code) => AREA_CODE.test(code)),
    'must be country codes of two letters, separated by commas, such as CU,KP',
  )
const count = (least: number) => z.coerce.number().int().min(least)

/** What an operator decides about this deployment, with the defaults of a fresh one (trading-rules §3, §4, §9). */
const schema = z.object({
  account_currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD'),
  fee_type: z.enum(['fixed', 'rate']).default('rate'),
  demo_balance: amount.prefault('100000'),
  credit_score: count(0).default(100),
  freshness_ms: count(100).default(5_000),
  warning_level: count(1).default(100),
  stop_out_level: count(1).default(50),
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
 * The settings in force: those fixed at start win over the stored, those over the defaults. Throws an Error whose message
 * names the wrong one.
 */
export async function loadAppSettings(
  queries: Queries,
  fixed: Readonly<Record<string, string>>,
): Promise<AppSettings> {
  const unknown = Object.keys(fixed).find((name) => !Object.hasOwn(schema.shape, name))
  if (unknown !== undefined) throw new Error(`There is no setting SETTING_${unknown.toUpperCase()}.`)
  const stored = await queries.selectFrom('setting').selectAll().execute()
  const given = { ...Object.fromEntries(stored.map(({ name, value }) => [name, value])), ...fixed }
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`The setting SETTING_${String(issue?.path[0]).toUpperCase()} is wrong: ${issue?.message}.`)
}

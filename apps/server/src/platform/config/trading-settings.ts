import {
  DEFAULT_OPERATOR_LIMIT,
  money,
  MONEY_DECIMALS,
  parseDecimal,
  type Money,
  type TradingSettings,
} from '@fairlot/core'
import * as z from 'zod'

/** Trading settings of a fresh deployment (trading-rules §3, §4, §9 and §10). */
export const DEFAULT_TRADING_SETTINGS: TradingSettings = {
  accountCurrency: 'USD',
  feeType: 'rate',
  demoBalance: money(100_000_000_000n),
  freshnessMs: 5_000,
  warningLevel: 100,
  stopOutLevel: 50,
  maxLivingOrders: 500,
  noticeMs: 86_400_000,
  fourEyesLimit: money(10_000_000_000n),
  fourEyesOperatorLimit: DEFAULT_OPERATOR_LIMIT,
}

const HOUR_MS = 3_600_000

const amount = z.string().transform((text, context): Money => {
  const units = parseDecimal(text, MONEY_DECIMALS)
  if (units !== null && units >= 0n) return money(units)
  context.addIssue('must be an amount such as 100000 or 0.5')
  return z.NEVER
})
const count = (least: number) => z.coerce.number().int().min(least)

/** Parsers of the settings that are trading terms, by name. */
const READERS = {
  account_currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .transform((accountCurrency) => ({ accountCurrency })),
  fee_type: z.enum(['fixed', 'rate']).transform((feeType) => ({ feeType })),
  demo_balance: amount.transform((demoBalance) => ({ demoBalance })),
  freshness_ms: count(1).transform((freshnessMs) => ({ freshnessMs })),
  warning_level: count(1).transform((warningLevel) => ({ warningLevel })),
  stop_out_level: count(1).transform((stopOutLevel) => ({ stopOutLevel })),
  max_living_orders: count(1).transform((maxLivingOrders) => ({ maxLivingOrders })),
  terms_notice_hours: z.coerce
    .number()
    .min(0)
    .max(8_760)
    .transform((hours) => ({ noticeMs: Math.round(hours * HOUR_MS) })),
  four_eyes_limit: amount.transform((fourEyesLimit) => ({ fourEyesLimit })),
  four_eyes_operator_limit: amount.transform((fourEyesOperatorLimit) => ({ fourEyesOperatorLimit })),
}

type Name = keyof typeof READERS

/** True for a setting that is a trading term, which is kept in the journal. */
export const isTradingSetting = (name: string): name is Name => Object.hasOwn(READERS, name)

/** The given trading settings; other names are ignored. Throws an Error that names an invalid one. */
export function readTradingSettings(given: Readonly<Record<string, string>>): Partial<TradingSettings> {
  const parts = Object.entries(given).map(([name, value]) => {
    if (!isTradingSetting(name)) return {}
    const parsed = READERS[name].safeParse(value)
    if (parsed.success) return parsed.data
    throw new Error(wrongSetting(name, parsed.error.issues[0]?.message))
  })
  return Object.assign({}, ...parts) as Partial<TradingSettings>
}

export const wrongSetting = (name: string, problem: string | undefined): string =>
  `The setting SETTING_${name.toUpperCase()} is wrong: ${problem}.`

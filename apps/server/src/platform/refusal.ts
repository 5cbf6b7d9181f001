import { messageKeyOf, type RefusalDetails, type RefusalReason } from '@fairlot/contract'
import {
  decimalText,
  formatDecimal,
  fromUnits,
  LOTS_DECIMALS,
  money,
  MONEY_DECIMALS,
  rescaleDown,
  rescaleUp,
  type RejectionDetails,
} from '@fairlot/core'
import { grouped, type Translate } from './i18n/translate.ts'

/** Why a call is refused: the core's rejection, or one of the server's own. */
export type Refusal = { readonly rejected: RefusalReason; readonly details: RejectionDetails }

export const refuse = (rejected: RefusalReason, details: RejectionDetails = {}): Refusal => ({
  rejected,
  details,
})

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'rejected' in value

/** The same refusal, of a field of the form. */
export const atField = ({ rejected, details }: Refusal, field: string): Refusal =>
  refuse(rejected, { ...details, field })

const LOTS = new Set(['lots', 'minimum', 'maximum', 'step'])
const PRICES = new Set(['price', 'reference', 'above', 'below'])
/** Costs are rounded up and available amounts down, so that a shortfall is always visible. */
const COSTS = new Set(['margin', 'fee', 'amount', 'least'])
const AVAILABLE = new Set(['free', 'limit'])
/** Shown in hours. */
const DURATIONS = new Set(['noticeMs'])
const HOUR_MS = 3_600_000

/** Decimals of money in messages. */
const SHOWN_DECIMALS = 2
const cents = (units: bigint, round: typeof rescaleDown): string =>
  grouped(formatDecimal(round(units, MONEY_DECIMALS, SHOWN_DECIMALS), SHOWN_DECIMALS))

function textOf(name: string, value: bigint | number | string, priceDecimals: number): string | number {
  if (typeof value === 'string') return value
  if (LOTS.has(name)) return decimalText(fromUnits(value, LOTS_DECIMALS))
  if (PRICES.has(name)) return formatDecimal(value, priceDecimals)
  if (COSTS.has(name)) return cents(BigInt(value), rescaleUp)
  if (DURATIONS.has(name)) return Math.round((Number(value) / HOUR_MS) * 100) / 100
  // `most` may be money or a number of orders.
  const isAvailable = AVAILABLE.has(name) || (name === 'most' && typeof value === 'bigint')
  return isAvailable ? cents(BigInt(value), rescaleDown) : String(value)
}

/** Values that sentences choose by and that not every refusal gives: then nothing special was expected. */
const UNSAID = { expected: 'other' }

/** The message of a refusal, with its values. */
export function sentenceOf(translate: Translate, { rejected, details }: Refusal): string {
  const priceDecimals = Number(details['priceDecimals'] ?? 0)
  const values = Object.entries(details).map(([name, value]) => [name, textOf(name, value, priceDecimals)])
  return translate(messageKeyOf(rejected), { ...UNSAID, ...Object.fromEntries(values) })
}

/** The details of a refusal that are sent beside its message. */
export function detailsOf({ details }: Refusal): RefusalDetails {
  const { margin, fee, free, field } = details
  return {
    ...(typeof field === 'string' && { field }),
    ...(typeof margin === 'bigint' &&
      typeof fee === 'bigint' && { needed: money(margin + fee), fee: money(fee) }),
    ...(typeof free === 'bigint' && { free: money(free) }),
  }
}

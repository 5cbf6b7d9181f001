import { messageKeyOf, type RefusalDetails, type RefusalReason } from '@fairlot/contract'
import { formatDecimal, LOTS_DECIMALS, money, type RejectionDetails } from '@fairlot/core'
import type { Say } from './words.ts'

/** Why a call is refused: the core's rejection, or one of the server's own. */
export type Refusal = { readonly rejected: RefusalReason; readonly details: RejectionDetails }

export const refuse = (rejected: RefusalReason, details: RejectionDetails = {}): Refusal => ({
  rejected,
  details,
})

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'rejected' in value

const LOTS = new Set(['lots', 'minimum', 'maximum', 'step'])
const PRICES = new Set(['price', 'reference', 'above', 'below'])
/** Rounded up, while what there is is rounded down: a shortfall never looks like none. */
const COSTS = new Set(['margin', 'fee', 'amount'])
const MEANS = new Set(['free', 'limit'])
/** Told in hours. */
const NOTICES = new Set(['noticeMs'])
const HOUR_MS = 3_600_000

const shortened = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Money in sentences: two decimals are enough to act on. */
const UNITS_PER_CENT = 10_000n
const cents = (units: bigint): string => {
  const whole = units / UNITS_PER_CENT
  return formatDecimal(units % UNITS_PER_CENT < 0n ? whole - 1n : whole, 2)
}

function inWords(name: string, value: bigint | number | string, priceDecimals: number): string {
  if (typeof value === 'string') return value
  if (LOTS.has(name)) return shortened(formatDecimal(value, LOTS_DECIMALS))
  if (PRICES.has(name)) return formatDecimal(value, priceDecimals)
  if (COSTS.has(name)) return cents(BigInt(value) + UNITS_PER_CENT - 1n)
  if (NOTICES.has(name)) return String(Math.round((Number(value) / HOUR_MS) * 100) / 100)
  // The most there is may be money, or a number of orders.
  const isMeans = MEANS.has(name) || (name === 'most' && typeof value === 'bigint')
  return isMeans ? cents(BigInt(value)) : String(value)
}

/** The sentence of a refusal, with its figures. */
export function sentenceOf(say: Say, { rejected, details }: Refusal): string {
  const priceDecimals = Number(details['priceDecimals'] ?? 0)
  const words = Object.entries(details).map(([name, value]) => [name, inWords(name, value, priceDecimals)])
  return say(messageKeyOf(rejected), Object.fromEntries(words))
}

/** The figures of a refusal that travel beside the sentence. */
export function detailsOf({ details }: Refusal): RefusalDetails {
  const { margin, fee, free, field } = details
  return {
    ...(typeof field === 'string' && { field }),
    ...(typeof margin === 'bigint' &&
      typeof fee === 'bigint' && { needed: money(margin + fee), fee: money(fee) }),
    ...(typeof free === 'bigint' && { free: money(free) }),
  }
}

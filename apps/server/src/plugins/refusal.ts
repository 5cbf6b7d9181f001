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
const MONEY = new Set(['margin', 'fee', 'free', 'needed'])

const shortened = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Money in sentences: two decimals are enough to act on. Rounded up, so that a shortfall never looks like none. */
const cents = (units: bigint): string => formatDecimal((units + (units > 0n ? 9_999n : 0n)) / 10_000n, 2)

function inWords(name: string, value: bigint | number | string, priceDecimals: number): string {
  if (LOTS.has(name) && typeof value !== 'string') return shortened(formatDecimal(value, LOTS_DECIMALS))
  if (PRICES.has(name) && typeof value !== 'string') return formatDecimal(value, priceDecimals)
  if (MONEY.has(name) && typeof value !== 'string') return cents(BigInt(value))
  return String(value)
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

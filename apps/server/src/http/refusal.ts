import { messageKeyOf, type RefusalDetails, type RefusalReason } from '@fairlot/contract'
import {
  decimalText,
  formatDecimal,
  fromUnits,
  isRejection,
  LOTS_DECIMALS,
  money,
  MONEY_DECIMALS,
  rescaleDown,
  rescaleUp,
  type Entry,
  type RejectionDetails,
  type State,
} from '@fairlot/core'
import type { Translate } from '../i18n/translate.ts'
import { type Engine, type EngineCommand, isNotDone, isUnavailable } from '../engine/engine.ts'

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
const COSTS = new Set(['margin', 'fee', 'amount', 'least'])
const MEANS = new Set(['free', 'limit'])
/** Told in hours. */
const NOTICES = new Set(['noticeMs'])
const HOUR_MS = 3_600_000

/** Money in sentences: two decimals are enough to act on. */
const SAID_DECIMALS = 2
const cents = (units: bigint, round: typeof rescaleDown): string =>
  formatDecimal(round(units, MONEY_DECIMALS, SAID_DECIMALS), SAID_DECIMALS)

function inWords(name: string, value: bigint | number | string, priceDecimals: number): string {
  if (typeof value === 'string') return value
  if (LOTS.has(name)) return decimalText(fromUnits(value, LOTS_DECIMALS))
  if (PRICES.has(name)) return formatDecimal(value, priceDecimals)
  if (COSTS.has(name)) return cents(BigInt(value), rescaleUp)
  if (NOTICES.has(name)) return String(Math.round((Number(value) / HOUR_MS) * 100) / 100)
  // The most there is may be money, or a number of orders.
  const isMeans = MEANS.has(name) || (name === 'most' && typeof value === 'bigint')
  return isMeans ? cents(BigInt(value), rescaleDown) : String(value)
}

/** The sentence of a refusal, with its figures. */
export function sentenceOf(translate: Translate, { rejected, details }: Refusal): string {
  const priceDecimals = Number(details['priceDecimals'] ?? 0)
  const words = Object.entries(details).map(([name, value]) => [name, inWords(name, value, priceDecimals)])
  return translate(messageKeyOf(rejected), Object.fromEntries(words))
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

/** What a view makes of the engine's memory, once it is sure to last; refused while nothing is. */
export async function readEngine<View>(
  { read }: Pick<Engine, 'read'>,
  view: (state: State) => View,
): Promise<View | Refusal> {
  const seen = await read(view)
  return isUnavailable(seen) ? refuse('engineUnavailable') : seen
}

/** What a command has led to, or why it was refused. */
export async function resultOf(
  { execute }: Pick<Engine, 'execute'>,
  command: EngineCommand,
): Promise<Entry | Refusal> {
  const answer = await execute(command)
  if (isUnavailable(answer)) return refuse('engineUnavailable')
  if (isNotDone(answer)) return refuse('notDone')
  return isRejection(answer) ? answer : answer.entry
}

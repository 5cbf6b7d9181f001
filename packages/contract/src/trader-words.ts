/** How traders are told of terms and of ways to pay in: the app draws by it, and the desk shows it to whoever decides beforehand. */
import { decimalText, fromUnits, parseDecimal } from '@fairlot/core/decimal'
import type { ChargeAccount, ChargeChannel } from './deposits.ts'
import type { TermsChange } from './terms-changes.ts'

/** Says a text of the catalogue by its whole key. */
export type Say = (key: string, values?: Record<string, string | number>) => string

/** A term and what is said of it. */
type Line = { readonly label: string; readonly value: string }

const HOUR_MS = 3_600_000
const SECOND_MS = 1_000
/** Of more instruments it is said how many. */
const MOST_NAMED = 5

/** Fields that have a name of their own in the catalogue; the others are told as they are called on the wire. */
const NAMED: ReadonlySet<string> = new Set([
  ...['isEnabled', 'leverages', 'lotMin', 'lotStep', 'lotMax', 'feeRate', 'swapBuy', 'swapSell', 'markUp'],
  ...['sourceOrder', 'tripleSwapDay', 'minStopDistance', 'session', 'windows', 'holidays', 'zone'],
  ...['contractSize', 'marginMode', 'feeType', 'stopOutLevel', 'warningLevel', 'maxLivingOrders'],
  ...['noticeMs', 'freshnessMs'],
])

/** "0.001" as "0.1". */
const hundredfold = (text: string): string => decimalText(fromUnits(parseDecimal(text, 6) ?? 0n, 4))

/** What the reader's language and the house make of a field. */
type TermsReader = {
  readonly say: Say
  /** A plain number as the reader's language writes it. */
  readonly decimal: (text: string) => string
  /** Whether fees are a part of the margin, and not money a lot. */
  readonly isFeeOfMargin: boolean
}

/** What a field of terms is called, and its values, as traders read them. With a fixed margin the contract size is money. */
function termWords({ say, decimal, isFeeOfMargin }: TermsReader, isMarginFixed: boolean) {
  const value = (field: string, text: string | null): string => {
    if (text === null || text === '') return '–'
    const number = Number(text)
    switch (field) {
      case 'isEnabled':
        return say(text === 'yes' ? 'terms.yes' : 'terms.no')
      case 'swapBuy':
      case 'swapSell':
        return say('terms.yearly', { percent: decimal(text) })
      case 'markUp':
        return say('terms.eachSide', { percent: hundredfold(text) })
      case 'stopOutLevel':
      case 'warningLevel':
        return say('terms.percent', { percent: decimal(text) })
      case 'feeRate':
        return isFeeOfMargin ? say('terms.percent', { percent: hundredfold(text) }) : text
      case 'noticeMs':
        return say('terms.hours', { hours: number / HOUR_MS })
      case 'freshnessMs':
        return say('terms.seconds', { seconds: number / SECOND_MS })
      case 'marginMode':
        return say(text === 'fixed' ? 'terms.marginFixed' : 'terms.marginLeveraged')
      case 'feeType':
        return say(text === 'fixed' ? 'terms.feeFixed' : 'terms.feeRateOf')
      default:
        return text
    }
  }
  const name = (field: string): string => {
    if (field === 'contractSize' && isMarginFixed) return say('terms.marginOfLot')
    return NAMED.has(field) ? say(`terms.field.${field}`) : field
  }
  return { name, value }
}

/** What a card of an announced change is drawn from. */
export type TermsCardReader = TermsReader & {
  /** The code that an instrument is shown by; null for one that is not shown. */
  readonly codeOf: (instrumentId: number) => string | null
  /** Whether the margin of an instrument is fixed by the terms of now. */
  readonly isMarginFixed: (instrumentId: number) => boolean
  /** A moment (epoch ms) as the reader's language writes it, with its date. */
  readonly dateTime: (at: number) => string
}

/** How traders read a change of terms that is announced: whom it concerns, from when, what will be otherwise, and why. */
export function termsCard(reader: TermsCardReader, change: Omit<TermsChange, 'id' | 'announcedAt'>) {
  const { say, dateTime } = reader
  const { name, value } = termWords(reader, isMarginFixed(reader, change))
  return {
    subject: subjectOf(reader, change),
    urgent: change.isUrgent ? say('terms.urgent') : null,
    from: say('terms.from', { time: dateTime(change.effectiveAt) }),
    rows: change.fields.map(({ field, before, after }) => ({
      ...{ field, term: name(field), before: value(field, before), after: value(field, after) },
    })),
    reason: change.reason === '' ? null : say('terms.reason', { reason: change.reason }),
  }
}

/** Whether the margin of the instrument is fixed once the change holds. */
function isMarginFixed(
  reader: Pick<TermsCardReader, 'isMarginFixed'>,
  { fields, instrumentIds: [id] }: Pick<TermsChange, 'fields' | 'instrumentIds'>,
): boolean {
  const changed = fields.find(({ field }) => field === 'marginMode')?.after
  return changed ? changed === 'fixed' : id !== undefined && reader.isMarginFixed(id)
}

/** Instruments by their codes, or all. */
function subjectOf(
  { say, codeOf }: Pick<TermsCardReader, 'say' | 'codeOf'>,
  { kind, instrumentIds }: Pick<TermsChange, 'kind' | 'instrumentIds'>,
): string {
  if (kind === 'settings') return say('terms.everything')
  const names = instrumentIds.flatMap((id) => codeOf(id) ?? [])
  const named = names.slice(0, MOST_NAMED).join(', ')
  const more = instrumentIds.length - Math.min(names.length, MOST_NAMED)
  return more > 0 ? say('terms.andMore', { named, count: more }) : named
}

/** What whoever pays in by coin reads of an address. */
export const coinWords = (
  say: Say,
  { currency, network }: Pick<ChargeChannel, 'currency' | 'network'>,
): string => say('payIn.sendOnly', { currency, network })

/** What whoever pays in by wire reads of the account, line by line. */
export const wireWords = (say: Say, account: Omit<ChargeAccount, 'id' | 'leftToday'>): readonly Line[] =>
  [
    { label: say('payIn.bankName'), value: account.bankName },
    { label: say('payIn.bankAddress'), value: account.bankAddress },
    { label: say('payIn.bic'), value: account.bic },
    { label: say('payIn.payeeName'), value: account.payeeName },
    { label: say('payIn.payeeAccount'), value: account.payeeAccount },
    { label: say('payIn.bankRemark'), value: account.remark },
  ].filter(({ value }) => value !== '')

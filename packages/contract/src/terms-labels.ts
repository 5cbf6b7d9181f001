/**
 * Labels of terms and deposit methods for traders: used by the app, and shown at the desk to operators before they
 * decide.
 */
import { decimalText, fromUnits, parseDecimal } from '@fairlot/core/decimal'
import type { DepositAccount, DepositAddress } from './funds/deposits.ts'
import type { TermsChange } from './market/terms-changes.ts'

/** Translates a full key of the catalogue. */
export type Translator = (key: string, values?: Record<string, string | number>) => string

/** A label and its value. */
type Line = { readonly label: string; readonly value: string }

const HOUR_MS = 3_600_000
const SECOND_MS = 1_000
/** With more instruments only their number is shown. */
const MOST_NAMED = 5

/** Fields with a label of their own in the catalogue; the others are shown by their wire names. */
const NAMED: ReadonlySet<string> = new Set([
  'isEnabled',
  'leverages',
  'lotMin',
  'lotStep',
  'lotMax',
  'feeRate',
  'swapBuy',
  'swapSell',
  'markUp',
  'sourceOrder',
  'tripleSwapDay',
  'minStopDistance',
  'session',
  'windows',
  'holidays',
  'zone',
  'contractSize',
  'marginMode',
  'feeType',
  'stopOutLevel',
  'warningLevel',
  'maxLivingOrders',
  'noticeMs',
  'freshnessMs',
  'suspectBand',
  'maxSpread',
  'allowsNegativePrice',
  'demoBalance',
  'fourEyesLimit',
  'isDemoCopyOn',
  'isRealCopyOn',
  'copyLegalBasis',
  'rankingMethod',
  'copyMinAmount',
  'providerMinEquity',
  'maxCopiesPerUser',
  'maxCopiesPerProvider',
  'payout_wait_hours',
  'unverified_may_withdraw',
  'closing_left_max',
  'card_payment_link',
  'dayLimit',
  'personDayLimit',
  'minimum',
  'maximum',
  'fee',
  'usdPrice',
  'fixedRate',
])

/** "0.001" as "0.1". */
const hundredfold = (text: string): string => decimalText(fromUnits(parseDecimal(text, 6) ?? 0n, 4))

/** Formatting by the reader's language and the broker's settings. */
type TermsReader = {
  readonly translate: Translator
  /** Formats a plain number in the reader's language. */
  readonly decimal: (text: string) => string
  /** Whether fees are a share of the margin instead of an amount per lot. */
  readonly isFeeOfMargin: boolean
}

/** Label and values of a field of terms for traders. With a fixed margin the contract size is an amount of money. */
export function termLabels({ translate, decimal, isFeeOfMargin }: TermsReader, isMarginFixed: boolean) {
  const value = (field: string, text: string | null): string => {
    if (text === null || text === '') return '–'
    const number = Number(text)
    switch (field) {
      case 'isEnabled':
      case 'allowsNegativePrice':
      case 'isDemoCopyOn':
      case 'isRealCopyOn':
        return translate(text === 'yes' ? 'terms.yes' : 'terms.no')
      case 'unverified_may_withdraw':
        return translate(text === '1' ? 'terms.yes' : 'terms.no')
      case 'payout_wait_hours':
        return translate('terms.hours', { hours: number })
      case 'dayLimit':
      case 'personDayLimit':
      case 'minimum':
      case 'maximum':
      case 'copyMinAmount':
      case 'providerMinEquity':
        return decimal(text)
      case 'swapBuy':
      case 'swapSell':
        return translate('terms.yearly', { percent: decimal(text) })
      case 'markUp':
        return translate('terms.eachSide', { percent: hundredfold(text) })
      case 'suspectBand':
      case 'maxSpread':
        return translate('terms.percent', { percent: hundredfold(text) })
      case 'stopOutLevel':
      case 'warningLevel':
        return translate('terms.percent', { percent: decimal(text) })
      case 'feeRate':
        return isFeeOfMargin ? translate('terms.percent', { percent: hundredfold(text) }) : text
      case 'noticeMs':
        return translate('terms.hours', { hours: number / HOUR_MS })
      case 'freshnessMs':
        return translate('terms.seconds', { seconds: number / SECOND_MS })
      case 'marginMode':
        return translate(text === 'fixed' ? 'terms.marginFixed' : 'terms.marginLeveraged')
      case 'feeType':
        return translate(text === 'fixed' ? 'terms.feeFixed' : 'terms.feeRateOf')
      default:
        return text
    }
  }
  const name = (field: string): string => {
    if (field === 'contractSize' && isMarginFixed) return translate('terms.marginOfLot')
    return NAMED.has(field) ? translate(`terms.field.${field}`) : field
  }
  return { name, value }
}

/** Data for the card of an announced change. */
export type TermsCardReader = TermsReader & {
  /** The displayed code of an instrument; null for one that is not shown. */
  readonly codeOf: (instrumentId: number) => string | null
  /** Whether the current terms of an instrument have a fixed margin. */
  readonly isMarginFixed: (instrumentId: number) => boolean
  /** Formats a time (epoch ms) with its date in the reader's language. */
  readonly dateTime: (at: number) => string
}

/** The texts of an announced change of terms: instruments, time, changes and reason. */
export function termsCard(
  reader: TermsCardReader,
  change: Omit<TermsChange, 'id' | 'announcedAt' | 'withdrawnAt'> & Partial<Pick<TermsChange, 'withdrawnAt'>>,
) {
  const { translate, dateTime } = reader
  const { withdrawnAt = null } = change
  const { name, value } = termLabels(reader, isMarginFixed(reader, change))
  return {
    subject: subjectOf(reader, change),
    urgent: change.isUrgent ? translate('terms.urgent') : null,
    from:
      withdrawnAt === null
        ? translate(change.isInForce ? 'terms.since' : 'terms.from', { time: dateTime(change.effectiveAt) })
        : translate('terms.withdrawn', { time: dateTime(withdrawnAt) }),
    rows: change.fields.map(({ field, before, after }) => ({
      field,
      term: name(field),
      before: value(field, before),
      after: value(field, after),
    })),
    reason:
      change.reason === ''
        ? translate('terms.byServer')
        : translate('terms.reason', { reason: change.reason }),
  }
}

/** Whether the instrument has a fixed margin once the change is in effect. */
function isMarginFixed(
  reader: Pick<TermsCardReader, 'isMarginFixed'>,
  { fields, instrumentIds: [id] }: Pick<TermsChange, 'fields' | 'instrumentIds'>,
): boolean {
  const changed = fields.find(({ field }) => field === 'marginMode')?.after
  return changed ? changed === 'fixed' : id !== undefined && reader.isMarginFixed(id)
}

/** Codes of instruments, or all. */
function subjectOf(
  { translate, codeOf }: Pick<TermsCardReader, 'translate' | 'codeOf'>,
  { kind, instrumentIds, about }: Pick<TermsChange, 'kind' | 'instrumentIds' | 'about'>,
): string {
  if (kind === 'payments')
    return about === '' ? translate('terms.payments') : `${translate('terms.payments')} · ${about}`
  if (kind === 'ranking') return translate('terms.ranking')
  if (kind === 'settings') return translate('terms.everything')
  const names = instrumentIds.flatMap((id) => codeOf(id) ?? [])
  const named = names.slice(0, MOST_NAMED).join(', ')
  const more = instrumentIds.length - Math.min(names.length, MOST_NAMED)
  return more > 0 ? translate('terms.andMore', { named, count: more }) : named
}

/** The texts shown for a deposit of coins to an address: what to send, and what is lost without the tag. */
export const coinLabel = (
  translate: Translator,
  { currency, network, tag }: Pick<DepositAddress, 'currency' | 'network' | 'tag'>,
): string =>
  [
    translate('payIn.sendOnly', { currency, network }),
    ...(tag === '' ? [] : [translate('payIn.tagNeeded')]),
  ].join(' ')

/** The tag of a deposit address; empty without one. */
export const coinTagLabels = (translate: Translator, { tag }: Pick<DepositAddress, 'tag'>): readonly Line[] =>
  tag === '' ? [] : [{ label: translate('payIn.tag'), value: tag }]

/**
 * A label with its value on one line; languages differ in their colon. Without the marks that isolate arguments in languages from
 * right to left: they would be copied with an address or a tag.
 */
export const lineOf = (translate: Translator, { label, value }: Line): string =>
  translate('payIn.line', { label, value }).replaceAll(/[\u2068\u2069]/gu, '')

type WiredTo = Omit<DepositAccount, 'id' | 'leftToday' | 'rate' | 'isRateFixed' | 'accountCurrency'>

/** The texts shown for a deposit by wire to an account, line by line. */
export const wireAccountLabels = (translate: Translator, account: WiredTo): readonly Line[] =>
  [
    { label: translate('payIn.bankName'), value: account.bankName },
    { label: translate('payIn.bankAddress'), value: account.bankAddress },
    { label: translate('payIn.bic'), value: account.bic },
    { label: translate('payIn.payeeName'), value: account.payeeName },
    { label: translate('payIn.payeeAccount'), value: account.payeeAccount },
    { label: translate('payIn.bankRemark'), value: account.remark },
  ].filter(({ value }) => value !== '')

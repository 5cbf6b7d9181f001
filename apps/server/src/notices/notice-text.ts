import { deviceName, type OrderView } from '@fairlot/contract'
import { type Decimal, decimalText, fromUnits, LOTS_DECIMALS } from '@fairlot/core'
import { grouped, type Translate } from '../platform/i18n/translate.ts'
import { faultLines } from '../platform/i18n/identity-faults.ts'
import type { CopyDigest, NoticeFact } from '../engine/projection/notice-facts.ts'

/** What notices are about: orders by their id, and the codes of instruments by theirs, as users know them. */
export type NoticeSubjects = {
  readonly orders: ReadonlyMap<number, OrderView>
  readonly codeOf: (instrumentId: number) => string
}

/** Title and text of a notice in a language. Throws when `subjects` lacks the order that it is about. */
export function noticeIn(
  translate: Translate,
  fact: NoticeFact,
  subjects: NoticeSubjects,
): { readonly title: string; readonly text: string } {
  const { kind } = fact
  const values = valuesOf(translate, fact, subjects)
  return {
    title: translate(`notice.${kind}.title`, values),
    text: translate(`notice.${kind}.text`, values),
  }
}

/** Alerts of a digest that are named; of the others only the number is said. */
const NAMED = 10

/** Title and text of a digest of fired alerts: the titles of their notices. */
export function digestIn(
  translate: Translate,
  facts: readonly NoticeFact[],
  subjects: NoticeSubjects,
): { readonly title: string; readonly text: string } {
  const titles = facts.slice(0, NAMED).map((fact) => noticeIn(translate, fact, subjects).title)
  const more = facts.length > NAMED ? [`… +${facts.length - NAMED}`] : []
  return {
    title: translate('notice.alertDigest.title', { count: facts.length }),
    text: translate('notice.alertDigest.text', { list: [...titles, ...more].join('\n') }),
  }
}

function valuesOf(
  translate: Translate,
  fact: NoticeFact,
  { orders, codeOf }: NoticeSubjects,
): Record<string, string | number> {
  if (fact.kind === 'identityRejected') return { faults: faultLines(translate, fact.faults) }
  if (fact.kind === 'newLogin') return { origin: originText(fact) }
  // The text is the start of the answer; an answer with only a picture has none.
  if (fact.kind === 'supportAnswered')
    return { text: fact.text === '' ? translate('notice.supportAnswered.picture') : fact.text }
  if (fact.kind === 'copiesChanged') return { news: copyNews(translate, fact) }
  const values = { ...fact, ...textsOf(translate, fact) }
  if ('caseId' in fact) return { ...values, number: String(fact.caseId) }
  if ('instrumentId' in fact) return { ...values, code: codeOf(fact.instrumentId) }
  if (!('orderId' in fact)) return values
  const order = orders.get(fact.orderId)
  if (!order) throw new Error(`a notice is about order ${fact.orderId}, which does not exist`)
  return {
    ...values,
    side: order.side,
    lots: decimalText(fromUnits(order.lots, LOTS_DECIMALS)),
    code: order.instrument.showCode,
    price: decimalText(priceOf(fact, order), order.instrument.priceDecimals),
  }
}

/** One sentence for each kind of news. */
function copyNews(translate: Translate, { kind: _, ...news }: CopyDigest): string {
  const told = Object.entries(news).filter(([, names]) => names !== '')
  return told.map(([name, names]) => translate(`notice.copiesChanged.${name}`, { names })).join(' ')
}

/** Values that have to be translated or formatted. */
function textsOf(translate: Translate, fact: NoticeFact): { readonly [name: string]: string } {
  const shared = {
    ...('role' in fact && { role: translate(`role.${fact.role}`) }),
    ...('amount' in fact && { amount: grouped(fact.amount) }),
    ...(fact.kind === 'depositReported' && { currency: fact.currency ?? '' }),
    ...(fact.kind === 'depositEnded' && creditTexts(fact)),
  }
  if (fact.kind === 'accountStatus') return { ...shared, alone: fact.alone ?? 'no' }
  if (fact.kind !== 'orderClosedByOperator') return shared
  return { ...shared, ground: fact.ground ? translate(`closeGround.${fact.ground}`) : '' }
}

/** The amount that arrived, with its currency and rate; without a rate for a deposit in the account currency. */
export const creditTexts = ({
  arrived,
  currency = '',
  rate,
}: CreditFact): { readonly [name: string]: string } => ({
  hasRate: rate === undefined ? 'no' : 'yes',
  arrived: arrived === undefined ? '' : grouped(arrived),
  sentCurrency: currency,
  rate: rate ?? '',
})

type CreditFact = Pick<Extract<NoticeFact, { kind: 'depositEnded' }>, 'arrived' | 'currency' | 'rate'>

/** The price to show: the closing price of an order that an operator closed, else the accepted price. */
const priceOf = ({ kind }: NoticeFact, { acceptedPrice, currentPrice }: OrderView): Decimal =>
  kind === 'orderClosedByOperator' ? (currentPrice ?? acceptedPrice) : acceptedPrice

/** Device and address as text: "Chrome · Android, 203.0.113.7". Empty parts are left out. */
export const originText = ({ device, address }: { device: string; address: string }): string =>
  [deviceName(device), address].filter((part) => part !== null && part !== '').join(', ')

import type { OrderView } from '@fairlot/contract'
import { decimalText, fromUnits, LOTS_DECIMALS, type Decimal } from '@fairlot/core'
import { faultLines } from '../i18n/identity-faults.ts'
import type { Translate } from '../i18n/translate.ts'
import type { NoticeFact } from './notice-fact.ts'
import { originText } from './origin-text.ts'

/** A notice in the words of a language: what happened, and why. Throws when it is about an order that is not given. */
export function noticeIn(
  translate: Translate,
  fact: NoticeFact,
  orders: ReadonlyMap<number, OrderView>,
): { readonly title: string; readonly text: string } {
  const { kind } = fact
  const values = valuesOf(translate, fact, orders)
  return {
    title: translate(`notice.${kind}.title`, values),
    text: translate(`notice.${kind}.text`, values),
  }
}

function valuesOf(
  translate: Translate,
  fact: NoticeFact,
  orders: ReadonlyMap<number, OrderView>,
): Record<string, string | number> {
  if (fact.kind === 'identityRejected') return { faults: faultLines(translate, fact.faults) }
  if (fact.kind === 'newLogin') return { origin: originText(fact) }
  // The beginning of an answer; one that is a picture alone has none.
  if (fact.kind === 'supportAnswered')
    return { text: fact.text === '' ? translate('notice.supportAnswered.picture') : fact.text }
  // Of all others the role is the only fact with words of its own.
  const said = { ...fact, ...('role' in fact && { role: translate(`role.${fact.role}`) }) }
  if ('caseId' in fact) return { ...said, number: String(fact.caseId) }
  if (!('orderId' in fact)) return said
  const order = orders.get(fact.orderId)
  if (!order) throw new Error(`a notice is about order ${fact.orderId}, which nobody knows`)
  return {
    ...said,
    side: order.side,
    lots: decimalText(fromUnits(order.lots, LOTS_DECIMALS)),
    code: order.instrument.showCode,
    price: decimalText(priceOf(fact, order), order.instrument.priceDecimals),
  }
}

/** What is told of an order that was closed is what it closed at. */
const priceOf = ({ kind }: NoticeFact, { acceptedPrice, currentPrice }: OrderView): Decimal =>
  kind === 'orderClosedByOperator' ? (currentPrice ?? acceptedPrice) : acceptedPrice

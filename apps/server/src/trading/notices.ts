import { fromUnits, type OrderView } from '@fairlot/contract'
import { LOTS_DECIMALS } from '@fairlot/core'
import type { Say } from '../plugins/words.ts'
import type { NoticeFact } from './private-changes.ts'

/** A notice in the words of a language: what happened, and why. */
export function noticeIn(
  say: Say,
  fact: NoticeFact,
  orders: ReadonlyMap<number, OrderView>,
): { readonly title: string; readonly text: string } {
  const { kind } = fact
  return { title: say(`notice.${kind}.title`), text: say(`notice.${kind}.text`, valuesOf(fact, orders)) }
}

function valuesOf(fact: NoticeFact, orders: ReadonlyMap<number, OrderView>): Record<string, string | number> {
  if (fact.kind === 'stopOut') return { closed: fact.closed, cancelled: fact.cancelled }
  const order = orders.get(fact.orderId)
  if (!order) throw new Error(`a notice is about order ${fact.orderId}, which nobody knows`)
  return {
    side: order.side,
    lots: fromUnits(order.lots, LOTS_DECIMALS),
    code: order.instrument.showCode,
    price: order.acceptedPrice,
  }
}

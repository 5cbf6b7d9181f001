import { PAGE_ROWS } from '@fairlot/contract'
import type { OrderList, OrderPage, OrderView } from '@fairlot/contract'
import { money } from '@fairlot/core'
import type { InfiniteData } from '@tanstack/react-query'

/** One of the user's lists as far as it was loaded: the newest first, what is over by its end. */
export type OrderPages = InfiniteData<OrderPage, number>

/** The list after a push. `isSure` is false where rows that were not loaded decide: the list is to be fetched again. */
export type MergedPages = { readonly pages: OrderPages; readonly isSure: boolean }

type Loaded = { readonly orders: readonly OrderView[]; readonly total: number; readonly profit: bigint }

const isOver = ({ status }: OrderView): boolean => status === 'closed' || status === 'cancelled'

/** The list that an order stands in. */
const listOf = (order: OrderView): OrderList =>
  isOver(order) ? 'history' : order.status === 'pending' ? 'pending' : 'holding'

/** The order of a list, as the server has it: a number below zero where the first comes first. */
const compareIn = (list: OrderList) => (a: OrderView, b: OrderView) =>
  (list === 'history' ? (b.endedAt ?? 0) - (a.endedAt ?? 0) : 0) || b.id - a.id

/** Whether an order may have stood in a list before it came to where it is. */
function mayHaveBeenIn(list: OrderList, order: OrderView): boolean {
  if (list === 'history' || order.parentId !== null) return false
  return list === 'holding' ? order.openPrice !== null : order.kind !== 'market'
}

/** Puts orders as they have become into a list, or takes them off it. */
export function mergeOrders(list: OrderList, before: OrderPages, changed: readonly OrderView[]): MergedPages {
  const [first] = before.pages
  if (!first) return { pages: before, isSure: false }
  const loaded: Loaded = {
    orders: before.pages.flatMap(({ orders }) => orders),
    total: first.total,
    profit: first.profit,
  }
  let isSure = true
  const merged = changed.reduce((so, order) => {
    const next = mergeOne(list, so, order)
    isSure &&= next !== null
    return next ?? so
  }, loaded)
  const room = before.pages.length * PAGE_ROWS
  // Of a list that is not loaded to its end a row that has gone leaves a hole at the end of the last page.
  return {
    pages: paged(before, merged),
    isSure: isSure && merged.orders.length >= Math.min(merged.total, room),
  }
}

/** Null where it cannot be told. */
function mergeOne(list: OrderList, { orders, total, profit }: Loaded, order: OrderView): Loaded | null {
  const known = orders.find(({ id }) => id === order.id)
  const isAllLoaded = orders.length >= total
  if (listOf(order) === list) {
    if (known)
      return {
        orders: orders.map((one) => (one === known ? order : one)),
        total,
        profit: profit - known.profit + order.profit,
      }
    const last = orders.at(-1)
    // Below what is loaded it may be there already, and be counted.
    if (!isAllLoaded && last && compareIn(list)(last, order) < 0) return null
    const added = [...orders, order].toSorted(compareIn(list))
    return { orders: added, total: total + 1, profit: profit + order.profit }
  }
  if (known) {
    return { orders: orders.filter((one) => one !== known), total: total - 1, profit: profit - known.profit }
  }
  return isAllLoaded || !mayHaveBeenIn(list, order) ? { orders, total, profit } : null
}

/** As many pages as before; what no longer fits comes with the next one. */
const paged = (before: OrderPages, { orders, total, profit }: Loaded): OrderPages => ({
  ...before,
  pages: before.pages.map((page, index) => ({
    ...page,
    orders: orders.slice(index * PAGE_ROWS, (index + 1) * PAGE_ROWS),
    total,
    profit: money(profit),
  })),
})

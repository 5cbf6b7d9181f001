import { CallError, submitOrder, type Failure, type OrderTicket, type TakenOrder } from '@fairlot/contract'
import { refreshAccount } from '../../../live/account.ts'
import { newRequestId, request } from '../../../live/request.ts'

/** What became of an order that was sent. */
export type Placed =
  { readonly ok: true; readonly order: TakenOrder } | { readonly ok: false; readonly failure: Failure }

/** Sends an order under a name, which makes sending it twice take effect once. */
export type Send = (ticket: OrderTicket, requestId: string) => Promise<Placed>

export const sendOrder: Send = async (ticket, requestId) => {
  try {
    const order = await request(submitOrder, ticket, { requestId, isSilent: true })
    void refreshAccount()
    return { ok: true, order }
  } catch (error) {
    if (error instanceof CallError) return { ok: false, failure: error.failure }
    throw error
  }
}

/** Failures after which nobody knows whether the order was taken. */
const isUnanswered = ({ reason }: Failure): boolean =>
  reason === 'network' || reason === 'unreadable' || reason === 'cancelled'

/**
 * Places orders one at a time. A second tap while one is on its way is ignored (null). The same order tried again
 * after a lost answer keeps its name, so that it cannot be placed twice; an answer of any kind ends the name.
 */
export function createPlacer(send: Send, newName: () => string = newRequestId) {
  let isUnderWay = false
  let unanswered: { readonly order: string; readonly name: string } | null = null
  return async (ticket: OrderTicket): Promise<Placed | null> => {
    if (isUnderWay) return null
    isUnderWay = true
    const order = JSON.stringify(ticket)
    const name = unanswered?.order === order ? unanswered.name : newName()
    try {
      const placed = await send(ticket, name)
      unanswered = !placed.ok && isUnanswered(placed.failure) ? { order, name } : null
      return placed
    } finally {
      isUnderWay = false
    }
  }
}

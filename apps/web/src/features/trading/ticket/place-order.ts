import { CallError, submitOrder, type Failure, type OrderTicket, type TakenOrder } from '@fairlot/contract'
import { refreshAccount } from '../../../live/account/account.ts'
import { change } from '../../../live/requests/change.ts'

/** What became of an order that was sent. */
export type Placed =
  { readonly ok: true; readonly order: TakenOrder } | { readonly ok: false; readonly failure: Failure }

export type Send = (ticket: OrderTicket) => Promise<Placed>

/** Sends an order. The same one tried again after no answer is placed once. */
export const sendOrder: Send = async (ticket) => {
  try {
    const order = await change(submitOrder, ticket, { isSilent: true })
    void refreshAccount()
    return { ok: true, order }
  } catch (error) {
    if (error instanceof CallError) return { ok: false, failure: error.failure }
    throw error
  }
}

/** Places orders one at a time. A second tap while one is on its way is ignored (null). */
export function createPlacer(send: Send) {
  let isUnderWay = false
  return async (ticket: OrderTicket): Promise<Placed | null> => {
    if (isUnderWay) return null
    isUnderWay = true
    try {
      return await send(ticket)
    } finally {
      isUnderWay = false
    }
  }
}

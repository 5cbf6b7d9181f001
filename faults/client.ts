import {
  closeAllOrders,
  closeOrder,
  cancelOrder,
  createDemoAccount,
  getFigures,
  listOrders,
  logIn,
  reverseOrder,
  setStops,
  setTrailing,
  resetDemo,
  submitOrder,
  valueOf,
  type Decimal,
  type Endpoint,
  type OrderList,
  type OrderPage,
  type OrderTicket,
  type AccountFigures,
} from '@fairlot/contract'
import { fromUnits, type Lots } from '@fairlot/core'
import { clientOf } from '../testing/client.ts'
import type { Note, Notebook } from './answer-log.ts'
import { PRICE_DECIMALS } from './moving-prices.ts'

/** Longer than the server's own time-out. */
const CALL_OPTIONS = { withinMs: 8_000 }
/** 0.01 lot. */
export const SMALLEST_LOTS = 100

/** A ticket in ticks. */
export type Ticket = {
  readonly instrumentId: number
  readonly side: OrderTicket['side']
  /** In units of 1e-4 lot; 0.01 lot when left out. */
  readonly lots?: number
  readonly target?: number | null
  readonly takeProfit?: number | null
  readonly stopLoss?: number | null
}

/** A demo account, used through the API. Every change is recorded. */
export type Trader = {
  readonly accountId: number
  submit(ticket: Ticket, requestId?: string): Promise<Note>
  close(orderId: number, requestId?: string): Promise<Note>
  /** Closes the smallest part that may be closed. */
  closePart(orderId: number): Promise<Note>
  closeAll(): Promise<Note>
  reverse(orderId: number): Promise<Note>
  /** The distance in ticks. */
  trail(orderId: number, distance: number): Promise<Note>
  cancel(orderId: number): Promise<Note>
  setStops(orderId: number, stops: Pick<Ticket, 'takeProfit' | 'stopLoss'>): Promise<Note>
  /** Restores the starting balance; every order is closed. */
  reset(): Promise<Note>
  /** Throws a rejection. */
  orders(list: OrderList, page?: number): Promise<OrderPage>
  figures(): Promise<AccountFigures>
}

/** Opens a demo account and logs in to it. */
export async function openAccount(baseUrl: string, notebook: Notebook): Promise<Trader> {
  const visitor = clientOf(baseUrl, null, CALL_OPTIONS)
  const key = valueOf(await visitor.call(createDemoAccount, null))
  const { token, user } = valueOf(await visitor.call(logIn, key))
  const client = clientOf(baseUrl, token, CALL_OPTIONS)
  let count = 0

  const change = <Input, Output>(endpoint: Endpoint<Input, Output>, input: Input, name?: string) => {
    count += 1
    const requestId = name ?? `${user.id}-${count}`
    const repeat = () => client.call(endpoint, input, { requestId })
    return notebook.make({ accountId: user.id, call: endpoint.name, requestId, repeat })
  }

  return {
    accountId: user.id,
    submit: (ticket, requestId) => change(submitOrder, ticketOf(ticket), requestId),
    close: (orderId, requestId) => change(closeOrder, { orderId, lots: null }, requestId),
    closePart: (orderId) => change(closeOrder, { orderId, lots: SMALLEST_LOTS as Lots }),
    closeAll: () => change(closeAllOrders, null),
    reverse: (orderId) => change(reverseOrder, { orderId }),
    trail: (orderId, distance) => change(setTrailing, { orderId, distance: shown(distance) }),
    cancel: (orderId) => change(cancelOrder, { orderId }),
    setStops: (orderId, { takeProfit, stopLoss }) =>
      change(setStops, { orderId, takeProfit: shown(takeProfit), stopLoss: shown(stopLoss) }),
    reset: () => change(resetDemo, { start: null }),
    orders: async (list, page = 1) =>
      valueOf(await client.call(listOrders, { list, page, before: null, copyId: null })),
    figures: async () => valueOf(await client.call(getFigures, null)),
  }
}

const ticketOf = ({ target, takeProfit, stopLoss, lots = SMALLEST_LOTS, ...rest }: Ticket): OrderTicket => ({
  leverage: 30,
  expiresAt: null,
  kind: null,
  ...rest,
  lots: lots as Lots,
  orderType: target === undefined || target === null ? 'market' : 'pending',
  targetPrice: shown(target),
  takeProfit: shown(takeProfit),
  stopLoss: shown(stopLoss),
})

const shown = (ticks: number | null | undefined): Decimal | null =>
  ticks === null || ticks === undefined ? null : fromUnits(ticks, PRICE_DECIMALS)

import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { listOf, nothing } from '../protocol/field.ts'
import { accountFigures, demoStart, walletBalance } from '../funds/funds.wire.ts'
import {
  closedOrders,
  closing,
  order,
  orderId,
  orderPage,
  orderQuery,
  takenOrder,
  trailingChange,
} from './orders.wire.ts'
import { sealedReceipt, type receipt } from './receipt.wire.ts'
import { orderTicket, setStopsRequest, setStopsResponse, type warning } from './ticket.wire.ts'

/** An order with its instrument, for lists and sheets. */
export type OrderView = Readonly<Infer<typeof order>>
/** An accepted order. */
export type TakenOrder = Readonly<Infer<typeof takenOrder>>
/** The warning of a change that was made: a code, and a text in the caller's language. */
export type Warning = Readonly<Infer<typeof warning>>
export type OrderPage = Infer<typeof orderPage>
export type OrderList = Infer<typeof orderQuery>['list']
export type OrderTicket = Infer<typeof orderTicket>
/** What is undefined stays as it is; null clears. */
export type SetStopsRequest = Infer<typeof setStopsRequest>
export type SetStopsResponse = Infer<typeof setStopsResponse>
/** The proof of one decision about an order. Slippage above zero is better for the user than the requested price. */
export type Receipt = Infer<typeof receipt>
/** A receipt as hashed, with its number in the account's chain. */
export type SealedReceipt = Infer<typeof sealedReceipt>
export type AccountFigures = Readonly<Infer<typeof accountFigures>>

/** Rows per page of every list. */
export const PAGE_ROWS = 10

export const submitOrder = defineEndpoint({
  name: 'submitOrder',
  method: 'POST',
  path: '/v1/api/forex/submit',
  alsoGet: true,
  access: ACCESS.trading,
  changes: true,
  request: orderTicket,
  response: takenOrder,
  summary: 'Opens a position at the market, or places a pending order',
})

export const listOrders = defineEndpoint({
  name: 'listOrders',
  method: 'GET',
  path: '/v1/api/forex/my_deal',
  access: ACCESS.trading,
  request: orderQuery,
  response: orderPage,
  summary: 'Pending orders, positions or history, the newest first, ten a page',
})

export const getOrder = defineEndpoint({
  name: 'getOrder',
  method: 'GET',
  path: '/v1/api/forex/deal',
  access: ACCESS.trading,
  request: orderId,
  response: order,
  summary: 'One order of the caller, active or closed',
})

export const listReceipts = defineEndpoint({
  name: 'listReceipts',
  method: 'GET',
  path: '/v1/api/forex/receipts',
  access: ACCESS.trading,
  request: orderId,
  response: listOf(sealedReceipt),
  summary: 'The receipts of an order as they were hashed, the oldest first, for anybody who checks them',
})

export const closeOrder = defineEndpoint({
  name: 'closeOrder',
  method: 'POST',
  path: '/v1/api/forex/close',
  alsoGet: true,
  access: ACCESS.trading,
  changes: true,
  request: closing,
  response: order,
  summary: 'Closes a position at the market, or a part of it; a part is answered as the order it becomes',
})

export const cancelOrder = defineEndpoint({
  name: 'cancelOrder',
  method: 'POST',
  path: '/v1/api/forex/cancel_trade',
  alsoGet: true,
  access: ACCESS.trading,
  changes: true,
  request: orderId,
  response: order,
  summary: 'Cancels a pending order',
})

export const setStops = defineEndpoint({
  name: 'setStops',
  method: 'POST',
  path: '/v1/api/forex/set_stop_price',
  alsoGet: true,
  access: ACCESS.trading,
  changes: true,
  request: setStopsRequest,
  response: setStopsResponse,
  summary: 'Sets or clears take profit and stop loss of an active order; what is left out stays as it is',
})

export const closeAllOrders = defineEndpoint({
  name: 'closeAllOrders',
  method: 'POST',
  path: '/v1/api/forex/close_all',
  access: ACCESS.trading,
  changes: true,
  request: nothing,
  response: closedOrders,
  summary: 'Closes every position that can be closed now',
})

export const reverseOrder = defineEndpoint({
  name: 'reverseOrder',
  method: 'POST',
  path: '/v1/api/forex/reverse',
  access: ACCESS.trading,
  changes: true,
  request: orderId,
  response: order,
  summary: 'Closes a position and opens its opposite at once, or does neither; answers the new position',
})

export const setTrailing = defineEndpoint({
  name: 'setTrailing',
  method: 'POST',
  path: '/v1/api/forex/set_trailing',
  access: ACCESS.trading,
  changes: true,
  request: trailingChange,
  response: order,
  summary: 'Lets the stop loss of a position follow the price at a distance, kept on the server',
})

export const getFigures = defineEndpoint({
  name: 'getFigures',
  method: 'GET',
  path: '/v1/api/main/account/figures',
  access: ACCESS.trading,
  request: nothing,
  response: accountFigures,
  summary: 'Balance, equity, margin and what is free, at the prices of now',
})

export const resetDemo = defineEndpoint({
  name: 'resetDemo',
  method: 'POST',
  path: '/v1/api/main/user/resetForexDemoAccount',
  alsoGet: true,
  access: ACCESS.trading,
  changes: true,
  request: demoStart,
  response: walletBalance,
  summary:
    'Ends every order of a demo account without a fill and restores its starting balance, or sets the one that is given',
})

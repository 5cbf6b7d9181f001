import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf, nothing } from './field.ts'
import { accountFigures, walletBalance } from './wire/account.ts'
import {
  closedOrders,
  closing,
  order,
  orderId,
  orderPage,
  orderQuery,
  takenOrder,
  trailingChange,
} from './wire/order.ts'
import { sealedReceipt, type receipt } from './wire/receipt.ts'
import { orderTicket, stopsChange, stopsSet, type warning } from './wire/ticket.ts'

/** An order as lists and sheets show it, with its instrument. */
export type OrderView = Readonly<Inside<typeof order>>
/** An order that was just taken. */
export type TakenOrder = Readonly<Inside<typeof takenOrder>>
/** A change was taken, and there is something to know about it: a code, and a sentence in the caller's language. */
export type Warning = Readonly<Inside<typeof warning>>
export type OrderPage = Inside<typeof orderPage>
export type OrderList = Inside<typeof orderQuery>['list']
export type OrderTicket = Inside<typeof orderTicket>
export type StopsSet = Inside<typeof stopsSet>
/** The proof of one decision about an order. Slippage above zero is better for the user than asked. */
export type Receipt = Inside<typeof receipt>
/** A receipt as it was hashed, with its place in the account's chain. */
export type SealedReceipt = Inside<typeof sealedReceipt>
export type AccountFigures = Readonly<Inside<typeof accountFigures>>

/** Rows of a page, in every paged answer. */
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
  summary: 'One order of the caller, living or ended',
})

export const listReceipts = defineEndpoint({
  name: 'listReceipts',
  method: 'GET',
  path: '/v1/api/forex/receipts',
  access: ACCESS.trading,
  request: orderId,
  response: listOf(sealedReceipt),
  summary: 'The receipts of an order as they were hashed, the oldest first, for whoever checks them',
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
  request: stopsChange,
  response: stopsSet,
  summary: 'Sets or clears take profit and stop loss of a living order',
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
  request: nothing,
  response: walletBalance,
  summary: 'Ends every order of a demo account without a fill and restores its starting balance',
})

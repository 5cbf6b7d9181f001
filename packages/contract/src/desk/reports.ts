import type { Inside } from '../codec.ts'
import {
  decimal,
  id,
  listOf,
  money,
  nothing,
  orNull,
  percent,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { ledgerChoice, record, word } from './record.ts'

/** Days back from today, today with them; days are those of UTC. */
export const REPORT_DAYS_MOST = 366
const days = withDefault(whole(1, 'periodInvalid', REPORT_DAYS_MOST), 30)
const period = record({ ledger: ledgerChoice, days })
/** What reports have counted so far: bookings before this moment are in them. */
const upTo = time

const houseDay = record({
  day: time,
  fees: money,
  swaps: money,
  /** What the clients lost (above zero) or won. */
  clientResults: money,
  /** Balances below zero that were lifted. */
  protection: money,
  withdrawalFees: money,
  adjustments: money,
  total: money,
})
/** The result of the house on a day: above zero it earned. */
export type HouseDay = Inside<typeof houseDay>

export const getHouseResult = defineDeskEndpoint({
  name: 'getHouseResult',
  method: 'GET',
  path: '/desk/api/reports/house',
  act: 'viewReports',
  request: period,
  response: record({ upTo, days: listOf(houseDay), sum: houseDay }),
  summary: 'The result of the house by UTC day, from the ledger, the oldest day first',
})

const moneyDay = record({
  day: time,
  deposits: whole(),
  deposited: money,
  withdrawals: whole(),
  withdrawn: money,
  net: money,
})
/** Money that came in and went out on a day. */
export type MoneyDay = Inside<typeof moneyDay>

export const getMoneyFlow = defineDeskEndpoint({
  name: 'getMoneyFlow',
  method: 'GET',
  path: '/desk/api/reports/money',
  act: 'viewReports',
  request: record({ days }),
  response: record({ upTo, days: listOf(moneyDay), sum: moneyDay }),
  summary: 'Deposits credited and withdrawals paid by UTC day, real money',
})

const activeDay = record({ day: time, traders: whole(), orders: whole() })
/** Who placed orders on a day. */
export type ActiveDay = Inside<typeof activeDay>

export const getActiveTraders = defineDeskEndpoint({
  name: 'getActiveTraders',
  method: 'GET',
  path: '/desk/api/reports/active',
  act: 'viewReports',
  request: period,
  response: record({
    upTo,
    days: listOf(activeDay),
    /** From Monday on; a week at an edge is counted as far as the period reaches. */
    weeks: listOf(record({ week: time, traders: whole() })),
  }),
  summary: 'Accounts that placed an order, by UTC day and by week',
})

const fills = record({
  fills: whole(),
  better: whole(),
  worse: whole(),
  /** From the arrival of the tick to the fill, ms. */
  delayMs: decimal,
  delayMostMs: whole(),
})

const instrumentFills = record({
  instrumentId: id,
  code: text,
  fills: whole(),
  /** The quote's spread at the fill, on average, as a price. */
  spread: decimal,
  /** The filled price against the one asked for, on average, as a price: above zero is better for the trader. */
  slippage: decimal,
  better: whole(),
  worse: whole(),
  delayMs: decimal,
  delayMostMs: whole(),
})
/** How fills of an instrument were. */
export type InstrumentFills = Inside<typeof instrumentFills>

const triggerFills = record({
  trigger: word(['user', 'target', 'takeProfit', 'stopLoss', 'stopOut', 'operator']),
  ...{ fills: whole(), better: whole(), worse: whole(), delayMs: decimal, delayMostMs: whole() },
})
/** How fills were that one thing caused. */
export type TriggerFills = Inside<typeof triggerFills>

export const getFills = defineDeskEndpoint({
  name: 'getFills',
  method: 'GET',
  path: '/desk/api/reports/fills',
  act: 'viewReports',
  request: period,
  response: record({
    upTo,
    sum: fills,
    instruments: listOf(instrumentFills),
    triggers: listOf(triggerFills),
  }),
  summary: 'Spread, slippage and delay as traders got them, from the receipts',
})

const losingShare = record({
  at: time,
  from: time,
  /** Real accounts with at least one position that was closed since. */
  accounts: whole(),
  /** Of them those whose closed results, fees and financing are below zero. */
  losing: whole(),
  /** Losing in percent of accounts; null without any. */
  share: orNull(percent),
  /** Accounts from which on traders are told the figure, and the sentence they read. */
  shownFrom: whole(),
  told: text,
})
/** Accounts that lost money in twelve months. */
export type LosingShare = Inside<typeof losingShare>

export const getLosingShare = defineDeskEndpoint({
  name: 'getLosingShare',
  method: 'GET',
  path: '/desk/api/reports/losing',
  act: 'viewReports',
  request: nothing,
  response: losingShare,
  summary: "The share of accounts that lost money in twelve months: what the traders' risk warning says",
})

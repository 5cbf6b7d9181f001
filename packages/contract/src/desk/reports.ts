import type { Infer } from '../protocol/codec.ts'
import {
  decimal,
  id,
  listOf,
  money,
  nothing,
  nullable,
  percent,
  text,
  time,
  int,
  withDefault,
} from '../protocol/field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { ledgerChoice, record, enumeration } from './record.ts'

/** Days back from today, inclusive, in UTC. */
export const REPORT_DAYS_MAX = 366
const days = withDefault(int(1, 'periodInvalid', REPORT_DAYS_MAX), 30)
const period = record({ ledger: ledgerChoice, days })
/** How far reports are up to date: bookings before this time are included. */
const upTo = time

const brokerDay = record({
  day: time,
  fees: money,
  swaps: money,
  /** Client P&L from the broker's side: above zero the users lost. */
  clientResults: money,
  /** Negative balances that were reset to zero. */
  protection: money,
  withdrawalFees: money,
  adjustments: money,
  total: money,
})
/** The result of the broker on a day: above zero it earned. */
export type BrokerDay = Infer<typeof brokerDay>

export const getBrokerResult = defineDeskEndpoint({
  name: 'getHouseResult',
  method: 'GET',
  path: '/desk/api/reports/house',
  permission: 'viewReports',
  request: period,
  response: record({ upTo, days: listOf(brokerDay), sum: brokerDay }),
  summary: 'The result of the broker by UTC day, from the ledger, the oldest day first',
})

const moneyDay = record({
  day: time,
  deposits: int(),
  deposited: money,
  withdrawals: int(),
  withdrawn: money,
  net: money,
})
/** Deposits and withdrawals of a day. */
export type MoneyDay = Infer<typeof moneyDay>

export const getMoneyFlow = defineDeskEndpoint({
  name: 'getMoneyFlow',
  method: 'GET',
  path: '/desk/api/reports/money',
  permission: 'viewReports',
  request: record({ days }),
  response: record({ upTo, days: listOf(moneyDay), sum: moneyDay }),
  summary: 'Deposits credited and withdrawals paid by UTC day, real money',
})

const activeDay = record({ day: time, traders: int(), orders: int() })
/** Users who placed orders on a day. */
export type ActiveDay = Infer<typeof activeDay>

export const getActiveTraders = defineDeskEndpoint({
  name: 'getActiveTraders',
  method: 'GET',
  path: '/desk/api/reports/active',
  permission: 'viewReports',
  request: period,
  response: record({
    upTo,
    days: listOf(activeDay),
    /** Weeks start on Monday; one at an edge covers only the days within the period. */
    weeks: listOf(record({ week: time, traders: int() })),
  }),
  summary: 'Accounts that placed an order, by UTC day and by week',
})

const fills = record({
  fills: int(),
  better: int(),
  worse: int(),
  /** From the arrival of the tick to the fill, ms. */
  delayMs: decimal,
  delayMostMs: int(),
})

const instrumentFills = record({
  instrumentId: id,
  code: text,
  fills: int(),
  /** The average spread of the quote at the fill, as a price. */
  spread: decimal,
  /** The average difference of filled and requested price, as a price: above zero is better for the trader. */
  slippage: decimal,
  better: int(),
  worse: int(),
  delayMs: decimal,
  delayMostMs: int(),
})
/** Statistics of the fills of an instrument. */
export type InstrumentFills = Infer<typeof instrumentFills>

const triggerFills = record({
  trigger: enumeration(['user', 'target', 'takeProfit', 'stopLoss', 'stopOut', 'operator']),
  fills: int(),
  better: int(),
  worse: int(),
  delayMs: decimal,
  delayMostMs: int(),
})
/** Statistics of the fills with one cause. */
export type TriggerFills = Infer<typeof triggerFills>

export const getFills = defineDeskEndpoint({
  name: 'getFills',
  method: 'GET',
  path: '/desk/api/reports/fills',
  permission: 'viewReports',
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
  accounts: int(),
  /** Those of them whose closed results, fees and swap are below zero in total. */
  losing: int(),
  /** Losing in percent of accounts; null without any. */
  share: nullable(percent),
  /** The minimum of accounts for publishing the figure, and the published sentence. */
  shownFrom: int(),
  told: text,
})
/** Accounts that lost money in twelve months. */
export type LosingShare = Infer<typeof losingShare>

export const getLosingShare = defineDeskEndpoint({
  name: 'getLosingShare',
  method: 'GET',
  path: '/desk/api/reports/losing',
  permission: 'viewReports',
  request: nothing,
  response: losingShare,
  summary: "The share of accounts that lost money in twelve months: what the traders' risk warning says",
})

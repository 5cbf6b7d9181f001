import { toUnits, type Decimal } from '@fairlot/core/decimal'
import type { Codec, Inside } from '../codec.ts'
import { narrow } from '../codec.ts'
import { decimal, id, listOf, maybe, money, nothing, orNull, percent, text, time, whole } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { ledgerChoice, record, word, yesNo } from './record.ts'

const book = record({
  instrumentId: id,
  code: text,
  category: text,
  positions: whole(),
  accounts: whole(),
  longLots: decimal,
  shortLots: decimal,
  netLots: decimal,
  /** Lots x contract size x mid, in the account currency; null while a price is missing. Below zero the clients are short. */
  longValue: orNull(money),
  shortValue: orNull(money),
  netValue: orNull(money),
  /** Open profit of the clients: minus that of the house. */
  clientsProfit: money,
  /** Age of the price it is worked out from, ms; null while there is none. */
  priceAgeMs: orNull(whole()),
})
/** What the clients hold on one instrument. */
export type BookLine = Inside<typeof book>

const totals = record({
  accounts: whole(),
  /** Of them with positions. */
  trading: whole(),
  positions: whole(),
  balance: money,
  equity: money,
  margin: money,
  clientsProfit: money,
  netValue: money,
  /** The sum of the net values, each taken as above zero. */
  grossValue: money,
  /** Accounts at or below the margin call's level, and at or below the stop-out's. */
  warned: whole(),
  stoppedOut: whole(),
})
export type BookTotals = Inside<typeof totals>

export const getExposure = defineDeskEndpoint({
  name: 'getExposure',
  method: 'GET',
  path: '/desk/api/risk/exposure',
  act: 'viewRisk',
  request: record({ ledger: ledgerChoice }),
  response: record({ at: time, currency: text, totals, instruments: listOf(book) }),
  summary:
    'What the clients of one ledger hold, by instrument and in total; worked out anew at most once a second',
})

const nearAccount = record({
  accountId: id,
  /** Equity / margin in percent. */
  level: percent,
  equity: money,
  margin: money,
  clientsProfit: money,
  /** Equity that may still go before the stop-out; below zero where it waits for a price or an open market. */
  distance: money,
  positions: whole(),
  /** The position with the most margin, and the closing price at which it takes the account to its stop-out. */
  largest: orNull(
    record({
      orderId: id,
      code: text,
      side: word(['buy', 'sell']),
      lots: decimal,
      profit: money,
      stopOutPrice: orNull(decimal),
    }),
  ),
})
/** An account that is near its stop-out. */
export type NearAccount = Inside<typeof nearAccount>

export const listNearAccounts = defineDeskEndpoint({
  name: 'listNearAccounts',
  method: 'GET',
  path: '/desk/api/risk/accounts',
  act: 'viewRisk',
  request: record({ ledger: ledgerChoice }),
  response: record({ at: time, stopOutLevel: decimal, warningLevel: decimal, accounts: listOf(nearAccount) }),
  summary: 'The fifty accounts with the lowest margin level, the lowest first',
})

const MOVE_DECIMALS = 2
/** Of prices, in percent. */
export const MOVE_LEAST = -90
export const MOVE_MOST = 300

const move: Codec<Decimal> = narrow(decimal, {
  decode: (value) => {
    const units = toUnits(value, MOVE_DECIMALS)
    return units !== null && units >= BigInt(MOVE_LEAST * 100) && units <= BigInt(MOVE_MOST * 100)
      ? value
      : null
  },
  encode: (value) => value,
  reason: 'moveInvalid',
})

const hit = record({
  accountId: id,
  /** What its equity changes by. */
  change: money,
  levelBefore: orNull(percent),
  levelAfter: orNull(percent),
  isStoppedOut: yesNo,
  covered: money,
})
/** One of the accounts that a move would change most. */
export type HitAccount = Inside<typeof hit>

const effect = record({
  at: time,
  /** Prices that were moved. */
  instruments: whole(),
  /** Accounts with positions or waiting orders, and of them those looked at in the time that there is. */
  accounts: whole(),
  lookedAt: whole(),
  /** What the equity of all clients changes by: minus what the house's result does. */
  clientsChange: money,
  stoppedOut: whole(),
  /** Accounts that come to the level of the margin call and are not stopped out. */
  marginCalls: whole(),
  /** Balances below zero that the house would lift, and by how much. */
  coveredAccounts: whole(),
  covered: money,
  closedByStopOut: whole(),
  closedByStopLoss: whole(),
  closedByTakeProfit: whole(),
  opened: whole(),
  hits: listOf(hit),
})
/** What a move of prices would do. */
export type MoveEffect = Inside<typeof effect>

export const foretellMove = defineDeskEndpoint({
  name: 'foretellMove',
  method: 'GET',
  path: '/desk/api/risk/move',
  act: 'viewRisk',
  request: record({
    ledger: ledgerChoice,
    percent: move,
    /** One instrument, one category, or all where both are left out. */
    instrumentId: maybe(id),
    category: maybe(text),
  }),
  response: effect,
  summary:
    'What one tick of each instrument at moved prices would do: the core itself on copies of the accounts. Changes nothing',
})

const summary = record({
  at: time,
  /** Real money, or demo where nobody has a real account yet. */
  ledger: word(['real', 'demo']),
  currency: text,
  netValue: money,
  largest: orNull(record({ code: text, netValue: money })),
  /** Accounts under 100 %, and the nearest of all. */
  underHundred: whole(),
  nearest: orNull(record({ accountId: id, level: percent })),
  /** Today by UTC, and the days before it, the oldest first. */
  houseToday: money,
  houseDays: listOf(record({ day: time, total: money })),
})
/** The house at a glance. */
export type HouseSummary = Inside<typeof summary>

export const getHouseSummary = defineDeskEndpoint({
  name: 'getHouseSummary',
  method: 'GET',
  path: '/desk/api/risk/summary',
  act: 'viewRisk',
  request: nothing,
  response: summary,
  summary: 'Net exposure, accounts under 100 %, and the result of the house by day',
})

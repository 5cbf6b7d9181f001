import { toUnits, type Decimal } from '@fairlot/core/decimal'
import { type Codec, type Infer, refine } from '../protocol/codec.ts'
import {
  decimal,
  id,
  listOf,
  omittable,
  money,
  nothing,
  nullable,
  percent,
  text,
  time,
  int,
} from '../protocol/field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { ledgerChoice, record, enumeration, yesNo } from './record.ts'

const book = record({
  instrumentId: id,
  code: text,
  category: text,
  positions: int(),
  accounts: int(),
  longLots: decimal,
  shortLots: decimal,
  netLots: decimal,
  /** Lots x contract size x mid, in the account currency; null while a price is missing. Below zero the users are short. */
  longValue: nullable(money),
  shortValue: nullable(money),
  netValue: nullable(money),
  /** Open profit of the users, the broker's with the opposite sign. */
  usersProfit: ['clientsProfit', money],
  /** Age of the price used, ms; null without one. */
  priceAgeMs: nullable(int()),
})
/** The users' positions in one instrument. */
export type BookLine = Infer<typeof book>

const totals = record({
  accounts: int(),
  accountsWithPositions: ['trading', int()],
  positions: int(),
  balance: money,
  equity: money,
  margin: money,
  usersProfit: ['clientsProfit', money],
  netValue: money,
  /** The sum of the absolute net values. */
  grossValue: money,
  /** Accounts at or below the level of the margin call, and of the stop-out. */
  accountsInMarginCall: ['warned', int()],
  accountsAtStopOut: ['stoppedOut', int()],
})
export type BookTotals = Infer<typeof totals>

export const getExposure = defineDeskEndpoint({
  name: 'getExposure',
  method: 'GET',
  path: '/desk/api/risk/exposure',
  permission: 'viewRisk',
  request: record({ ledger: ledgerChoice }),
  response: record({ at: time, currency: text, totals, instruments: listOf(book) }),
  summary:
    'What the users of one ledger hold, by instrument and in total; worked out again at most once a second',
})

const nearAccount = record({
  accountId: id,
  /** Equity / margin in percent. */
  level: percent,
  equity: money,
  margin: money,
  usersProfit: ['clientsProfit', money],
  /** Equity above the stop-out; below zero where the stop-out waits for a price or an open market. */
  distance: money,
  positions: int(),
  /** The position with the most margin, and the closing price at which the account reaches its stop-out. */
  largest: nullable(
    record({
      orderId: id,
      code: text,
      side: enumeration(['buy', 'sell']),
      lots: decimal,
      profit: money,
      stopOutPrice: nullable(decimal),
    }),
  ),
})
/** An account near its stop-out. */
export type NearAccount = Infer<typeof nearAccount>

export const listNearAccounts = defineDeskEndpoint({
  name: 'listNearAccounts',
  method: 'GET',
  path: '/desk/api/risk/accounts',
  permission: 'viewRisk',
  request: record({ ledger: ledgerChoice }),
  response: record({ at: time, stopOutLevel: decimal, warningLevel: decimal, accounts: listOf(nearAccount) }),
  summary: 'The fifty accounts with the lowest margin level, the lowest first',
})

/** Common properties of two accounts: browser on one network, network address, or payout target. */
export const LINKS = ['device', 'network', 'payout'] as const

const linkedSide = record({
  accountId: id,
  side: enumeration(['buy', 'sell']),
  lots: decimal,
  /** Of its orders that have been closed. */
  result: money,
  /** Negative balance protection paid into the account. */
  protection: money,
})
const linkedPair = record({
  instrumentId: id,
  code: text,
  links: listOf(enumeration(LINKS)),
  /** Both positions are open now. */
  isOpen: yesNo,
  /** When both were open for the first time. */
  since: time,
  first: linkedSide,
  second: linkedSide,
})
/** Two accounts that share something and held opposite positions at the same time. */
export type LinkedPair = Infer<typeof linkedPair>

export const listLinkedAccounts = defineDeskEndpoint({
  name: 'listLinkedAccounts',
  method: 'GET',
  path: '/desk/api/risk/linked',
  permission: 'viewRisk',
  request: record({ ledger: ledgerChoice }),
  response: record({
    at: time,
    currency: text,
    days: int(),
    /** False if there were too many accounts to check all. */
    isWhole: yesNo,
    pairs: listOf(linkedPair),
  }),
  summary:
    'Accounts that share a browser, a network address or a payout account and held opposite positions within 30 days, those with protection first. Nothing is withheld by it',
})

/** The limits of a simulated move of prices, in percent. */
export const PRICE_MOVE = { min: -90, max: 300, decimals: 2 } as const

/** Whether a percentage is within the limits of a price move. */
export const isPriceMove = (percent: Decimal): boolean =>
  toUnits(percent, PRICE_MOVE.decimals) !== null &&
  Number(percent) >= PRICE_MOVE.min &&
  Number(percent) <= PRICE_MOVE.max

const move: Codec<Decimal> = refine(decimal, {
  decode: (value) => (isPriceMove(value) ? value : null),
  encode: (value) => value,
  reason: 'moveInvalid',
})

const hit = record({
  accountId: id,
  /** The change of its equity. */
  change: money,
  levelBefore: nullable(percent),
  levelAfter: nullable(percent),
  isStoppedOut: yesNo,
  covered: money,
})
/** One of the accounts with the largest change. */
export type HitAccount = Infer<typeof hit>

const effect = record({
  at: time,
  /** Prices that were moved. */
  instruments: int(),
  /** Accounts with positions or pending orders, and the number of them computed within the time limit. */
  accounts: int(),
  lookedAt: int(),
  /** The change of all users' equity, the broker's with the opposite sign. */
  usersChange: ['clientsChange', money],
  stoppedOut: int(),
  /** Accounts that reach the margin call but not the stop-out. */
  marginCalls: int(),
  /** Negative balances that the broker would reset, and their sum. */
  coveredAccounts: int(),
  covered: money,
  closedByStopOut: int(),
  closedByStopLoss: int(),
  closedByTakeProfit: int(),
  opened: int(),
  hits: listOf(hit),
})
/** The result of a simulated move of prices. */
export type MoveEffect = Infer<typeof effect>

export const getMoveScenario = defineDeskEndpoint({
  name: 'foretellMove',
  method: 'GET',
  path: '/desk/api/risk/move',
  permission: 'viewRisk',
  request: record({
    ledger: ledgerChoice,
    percent: move,
    /** One instrument, one category, or all where both are left out. */
    instrumentId: omittable(id),
    category: omittable(text),
  }),
  response: effect,
  summary:
    'What one tick of each instrument at moved prices would do: the core itself on copies of the accounts. Changes nothing',
})

const summary = record({
  at: time,
  /** Real money, or demo while there is no real account. */
  ledger: enumeration(['real', 'demo']),
  currency: text,
  netValue: money,
  largest: nullable(record({ code: text, netValue: money })),
  /** Accounts below 100 %, and the lowest level. */
  underHundred: int(),
  nearest: nullable(record({ accountId: id, level: percent })),
  /** Today by UTC, and the days before it, the oldest first. */
  houseToday: money,
  houseDays: listOf(record({ day: time, total: money })),
  /** Open positions of this ledger, and those of demo accounts. */
  positions: int(),
  demoPositions: int(),
})
/** The overview of the broker. */
export type BrokerSummary = Infer<typeof summary>

export const getBrokerSummary = defineDeskEndpoint({
  name: 'getHouseSummary',
  method: 'GET',
  path: '/desk/api/risk/summary',
  permission: 'viewRisk',
  request: nothing,
  response: summary,
  summary: 'Net exposure, accounts under 100 %, and the result of the broker by day',
})

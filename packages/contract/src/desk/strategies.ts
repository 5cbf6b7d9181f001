import type { Infer } from '../protocol/codec.ts'
import {
  id,
  int,
  listOf,
  money,
  nullable,
  omittable,
  percentage,
  text,
  time,
  withDefault,
} from '../protocol/field.ts'
import { searchText } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, enumeration, reason, record, yesNo } from './record.ts'

const strategy = record({
  id,
  userId: id,
  ledger: enumeration(['real', 'demo']),
  name: text,
  description: text,
  feeShare: percentage,
  publishedAt: time,
  endedAt: nullable(time),
  endedAs: nullable(text),
  copiers: int(),
  copiedMoney: money,
  /** Reports of users that no operator has answered yet. */
  openReports: int(),
  isHidden: yesNo,
  /** The reason that its owner reads; null while it is shown. */
  hiddenFor: nullable(text),
})
/** A strategy as operators see it: its owner is named, its copiers are not. */
export type DeskStrategy = Infer<typeof strategy>

export const listDeskStrategies = defineDeskEndpoint({
  name: 'listDeskStrategies',
  method: 'GET',
  path: '/desk/api/copying/strategies',
  permission: 'viewStrategies',
  request: record({
    search: withDefault(searchText, ''),
    show: withDefault(enumeration(['all', 'reported', 'hidden', 'running', 'ended']), 'all'),
    page: deskPage,
  }),
  response: record({ strategies: listOf(strategy), total: int() }),
  summary: 'Published strategies, with the reports of users that wait for an answer',
})

const report = record({ id, at: time, userId: id, reason: text, answeredAt: nullable(time) })
export type StrategyReportRow = Infer<typeof report>

export const listStrategyReports = defineDeskEndpoint({
  name: 'listStrategyReports',
  method: 'GET',
  path: '/desk/api/copying/reports',
  permission: 'viewStrategies',
  request: record({ id }),
  response: record({ reports: listOf(report) }),
  summary: 'The reports of users about one strategy, the newest first',
})

export const hideStrategy = defineDeskEndpoint({
  name: 'hideStrategy',
  method: 'POST',
  path: '/desk/api/copying/hide',
  permission: 'hideStrategy',
  request: record({ id, reason }),
  response: record({ id }),
  summary:
    'Takes a strategy out of the lists, so that nobody starts a copy of it; running copies go on. Its owner reads the reason',
})

export const showStrategy = defineDeskEndpoint({
  name: 'showStrategy',
  method: 'POST',
  path: '/desk/api/copying/show',
  permission: 'hideStrategy',
  request: record({ id, reason }),
  response: record({ id }),
  summary: 'Lists a hidden strategy again',
})

export const answerStrategyReports = defineDeskEndpoint({
  name: 'answerStrategyReports',
  method: 'POST',
  path: '/desk/api/copying/answer',
  permission: 'hideStrategy',
  request: record({ id, reason }),
  response: record({ id }),
  summary: 'Closes the open reports of a strategy without hiding it',
})

const userCopy = record({
  id,
  strategyId: id,
  name: text,
  providerId: id,
  state: enumeration(['running', 'paused', 'ending', 'ended']),
  endReason: nullable(text),
  putIn: money,
  takenOut: money,
  /** At the prices of now; null while one is missing. */
  equity: nullable(money),
  feePaid: money,
  positions: int(),
  startedAt: time,
  endedAt: nullable(time),
})
export type UserCopy = Infer<typeof userCopy>

export const listUserCopies = defineDeskEndpoint({
  name: 'listUserCopies',
  method: 'GET',
  path: '/desk/api/people/copies',
  permission: 'viewPeople',
  request: record({ id, page: deskPage }),
  response: record({
    copies: listOf(userCopy),
    strategy: omittable(strategy),
    /** Whether the person works for the broker, and so may not publish; and the person's other accounts. */
    isStaff: yesNo,
    otherAccounts: listOf(id),
    total: int(),
  }),
  summary: "A user's copies, running ones first, the strategy that the user publishes, and whether they may",
})

export const setStaff = defineDeskEndpoint({
  name: 'setStaff',
  method: 'POST',
  path: '/desk/api/people/staff',
  permission: 'recordStaff',
  request: record({ id, isStaff: yesNo, reason }),
  response: record({ isStaff: yesNo }),
  summary:
    'Records that a user works for the broker, or no longer does. Such a person may not publish: a running strategy is hidden',
})

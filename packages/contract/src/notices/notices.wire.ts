import { object } from '../protocol/codec.ts'
import {
  choice,
  flag,
  id,
  int,
  listOf,
  omittable,
  omittableOrBlank,
  text,
  time,
  withDefault,
} from '../protocol/field.ts'

/** The kinds of notices, each with its own text. The names on the wire are also those in the database. */
export const NOTICE_KINDS = {
  orderExpired: 'orderExpired',
  orderNotFilled: 'orderNotFilled',
  orderStopPassed: 'orderStopPassed',
  orderCancelledByOperator: 'orderWithdrawn',
  marginWarning: 'marginWarning',
  stopOut: 'stopOut',
  orderClosedByOperator: 'orderClosedByOperator',
  accountStatus: 'accountStatus',
  freezeExpired: 'freezeLapsed',
  depositReported: 'depositTold',
  depositEnded: 'depositEnded',
  withdrawalRequested: 'withdrawalAsked',
  withdrawalApproved: 'withdrawalApproved',
  withdrawalEnded: 'withdrawalEnded',
  withdrawalCancelled: 'withdrawalCancelled',
  identityVerified: 'identityVerified',
  identityRejected: 'identityRejected',
  identityUnverified: 'identityUnverified',
  newLogin: 'newLogin',
  passwordChanged: 'passwordChanged',
  secondFactorOn: 'secondFactorOn',
  secondFactorOff: 'secondFactorOff',
  secondFactorReset: 'secondFactorReset',
  passkeyAdded: 'passkeyAdded',
  passkeyRemoved: 'passkeyRemoved',
  recoveryCodesRenewed: 'recoveryCodesRenewed',
  payoutMethodAdded: 'methodBound',
  supportAnswered: 'supportAnswered',
  alertFired: 'alertFired',
  alertEnded: 'alertEnded',
  strategyHidden: 'strategyHidden',
  copiesChanged: 'copiesChanged',
} as const

/** Groups of kinds that users can switch on or off. */
const group = choice({
  margin: 'margin',
  stopOut: 'stop_out',
  alerts: 'alerts',
  orders: 'orders',
  account: 'account',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  identity: 'identity',
  support: 'support',
  news: 'news',
  security: 'security',
})

const noticeRow = object({
  kind: ['kind', choice({ ...NOTICE_KINDS, news: 'news' })],
  group: ['group', group],
  title: ['title', text],
  text: ['text', text],
  time: ['time', time],
  isRead: ['is_read', flag(1, 0)],
  /** The number of its subject, if it has one. */
  orderId: ['order_id', omittable(id)],
  newsId: ['news_id', omittable(id)],
})

export const noticeQuery = object({
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
  /** In place of a page: the notices after this place, the `next` of an earlier answer. */
  before: ['before', omittableOrBlank(text)],
})

export const noticePage = object({
  notices: ['data', listOf(noticeRow)],
  total: ['total', int()],
  /** Where the older notices begin, also once newer ones have come; none at the end. */
  next: ['next', omittable(text)],
})

export const unreadNotices = object({ count: ['count', int()] })

/** All notices up to this time, epoch ms: the time of the latest one shown. */
export const markNoticesReadRequest = object({ upTo: ['time', time] })

/** How a user is notified of a group; null where there is no choice. */
const noticeChoice = object({
  group: ['group', group],
  app: ['app', omittable(flag(1, 0))],
  mail: ['mail', omittable(flag(1, 0))],
  push: ['push', omittable(flag(1, 0))],
})

export const noticeChoices = object({ choices: ['data', listOf(noticeChoice)] })

export const noticeSwitch = object({
  group: ['group', group],
  way: ['way', choice({ app: 'app', mail: 'mail', push: 'push' })],
  isOn: ['on', flag(1, 0)],
})

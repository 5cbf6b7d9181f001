import { noun } from '../codec.ts'
import { choice, flag, id, listOf, maybe, text, time, whole } from '../field.ts'

/** What users are told of, each kind a sentence of its own. */
export const NOTICE_KINDS = {
  orderExpired: 'orderExpired',
  orderNotFilled: 'orderNotFilled',
  orderWithdrawn: 'orderWithdrawn',
  marginWarning: 'marginWarning',
  stopOut: 'stopOut',
  orderClosedByOperator: 'orderClosedByOperator',
  accountStatus: 'accountStatus',
  depositTold: 'depositTold',
  depositEnded: 'depositEnded',
  withdrawalAsked: 'withdrawalAsked',
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
  methodBound: 'methodBound',
  supportAnswered: 'supportAnswered',
} as const

/** What users switch: several kinds together. */
const group = choice({
  ...{ margin: 'margin', stopOut: 'stop_out', orders: 'orders', account: 'account' },
  ...{ deposit: 'deposit', withdrawal: 'withdrawal', identity: 'identity' },
  ...{ support: 'support', news: 'news', security: 'security' },
})

const noticeRow = noun({
  kind: ['kind', choice({ ...NOTICE_KINDS, news: 'news' })],
  group: ['group', group],
  title: ['title', text],
  text: ['text', text],
  time: ['time', time],
  isRead: ['is_read', flag(1, 0)],
  /** What it is about, where that has a number. */
  orderId: ['order_id', maybe(id)],
  newsId: ['news_id', maybe(id)],
})

export const noticePage = noun({
  notices: ['data', listOf(noticeRow)],
  total: ['total', whole()],
})

export const unreadNotices = noun({ count: ['count', whole()] })

/** Everything up to this moment, epoch ms: the time of the latest notice that was shown. */
export const noticesRead = noun({ upTo: ['time', time] })

/** How a user hears of a group; null where there is nothing to choose. */
const noticeChoice = noun({
  group: ['group', group],
  app: ['app', maybe(flag(1, 0))],
  mail: ['mail', maybe(flag(1, 0))],
})

export const noticeChoices = noun({ choices: ['data', listOf(noticeChoice)] })

export const noticeSwitch = noun({
  group: ['group', group],
  way: ['way', choice({ app: 'app', mail: 'mail' })],
  isOn: ['on', flag(1, 0)],
})

import type { NoticeRow } from '@fairlot/contract'

/** Where one can see more of what a notice is about. */
export function noticePath({ kind, group, orderId, newsId }: NoticeRow): string {
  if (newsId !== null) return `/news/detail?id=${newsId}`
  if (orderId !== null) return `/order?list=history&order=${orderId}`
  switch (kind) {
    case 'stopOut':
      return '/order?list=history'
    case 'withdrawalAsked':
      return '/mine/withdraw'
    case 'methodBound':
      return '/mine/wallet'
    case 'passwordChanged':
      return '/mine/activity'
    default:
      return GROUP_PATHS[group]
  }
}

const GROUP_PATHS: Readonly<Record<NoticeRow['group'], string>> = {
  ...{ margin: '/order', stopOut: '/order', orders: '/order', account: '/mine/activity' },
  ...{
    deposit: '/mine/charge',
    withdrawal: '/mine/withdraw',
    identity: '/mine/auth',
    news: '/news',
    support: '/mine/chat',
    security: '/mine/system',
  },
}

import type { NoticeRow } from '@fairlot/contract'

/** The path of the screen that shows the details of a notice. */
export function noticePath({
  kind,
  group,
  orderId,
  newsId,
}: Pick<NoticeRow, 'kind' | 'group' | 'orderId' | 'newsId'>): string {
  if (newsId !== null) return `/news/detail?id=${newsId}`
  if (orderId !== null) return `/order?list=history&order=${orderId}`
  switch (kind) {
    case 'stopOut':
      return '/order?list=history'
    case 'withdrawalRequested':
      return '/mine/withdraw'
    case 'payoutMethodAdded':
      return '/mine/wallet'
    case 'passwordChanged':
      return '/mine/activity'
    default:
      return GROUP_PATHS[group]
  }
}

const GROUP_PATHS: Readonly<Record<NoticeRow['group'], string>> = {
  margin: '/order',
  stopOut: '/order',
  alerts: '/mine/notices?tab=alerts',
  orders: '/order',
  account: '/mine/activity',
  deposit: '/mine/charge',
  withdrawal: '/mine/withdraw',
  identity: '/mine/auth',
  news: '/news',
  support: '/mine/chat',
  security: '/mine/system',
}

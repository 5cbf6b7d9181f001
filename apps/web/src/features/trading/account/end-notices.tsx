import type { OrderView } from '@fairlot/contract'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { onServerMessage } from '../../../live/connection/server-connection.ts'
import { onOrdersClosed } from '../../../live/account/closed-orders.ts'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { asName, asNames } from '@fairlot/ui/figures/names.tsx'
import { orderPath } from '../../../live/account/orders.ts'
import { lotText } from '../lots-and-prices.ts'

/** Reasons why a position closes without a request of the user. */
const NOTIFIED = ['stopOut', 'stopLoss', 'takeProfit', 'operator'] as const
type ShownReason = (typeof NOTIFIED)[number]

/** Kinds of notices that stay on the screen until they are dismissed. */
const IMPORTANT: readonly string[] = [
  'accountStatus',
  'marginWarning',
  'identityRejected',
  'identityUnverified',
]

/** Positions named one by one; the others are counted. */
const NAMED_MAX = 3

/** Shows a toast for each position that closed by itself, with price and reason, and for each notice. Mounted once. */
export function EndNotices() {
  const text = useEndText()
  useEffect(
    () =>
      onOrdersClosed((orders) => {
        for (const reason of NOTIFIED) {
          const ended = orders.filter(({ status, endReason }) => status === 'closed' && endReason === reason)
          if (ended.length === 0) continue
          const isImportant = reason === 'stopOut' || reason === 'operator'
          const [first] = ended
          const to = first && ended.length === 1 ? orderPath(first) : '/order?list=history'
          showToast({
            text: text(reason, ended),
            tone: isImportant ? 'problem' : 'plain',
            isPersistent: isImportant,
            to,
          })
        }
      }),
    [text],
  )
  useEffect(
    () =>
      onServerMessage('notice', ({ notice: { kind, title, text } }) => {
        // A stop-out and a close by an operator are shown above, with their result.
        if (kind === 'stopOut' || kind === 'orderClosedByOperator') return
        // An open chat shows the answer itself.
        if (kind === 'supportAnswered' && window.location.hash.startsWith('#/mine/chat')) return
        const isImportant = IMPORTANT.includes(kind)
        const to = '/mine/notices'
        showToast({
          text: asNames(`${title}\n${text}`),
          tone: isImportant ? 'problem' : 'plain',
          isPersistent: isImportant,
          to,
        })
      }),
    [],
  )
  return null
}

function useEndText(): (reason: ShownReason, ended: readonly OrderView[]) => string {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const stopOutLevel = useBasicInfo()?.stopOutLevel
  const line = (reason: ShownReason, order: OrderView): string =>
    t(`ended.${reason}`, {
      side: order.side,
      code: asName(order.instrument.showCode),
      lots: asName(figures.decimal(lotText(order.lots, order.instrument.lotStep))),
      price: asName(figures.decimal(order.currentPrice ?? '0', { shown: order.instrument.priceDecimals })),
      profit: asName(figures.money(order.profit, { sign: 'always' })),
    })
  return (reason, ended) => {
    const named = ended.slice(0, NAMED_MAX).map((order) => line(reason, order))
    const others = ended.length - named.length
    const why =
      reason === 'stopOut' && stopOutLevel !== undefined
        ? [t('stopOutWhy', { level: asName(figures.percent(stopOutLevel, { shown: 0 })) })]
        : []
    const by = new Set(
      ended.flatMap(({ endedBy }) =>
        endedBy ? t('closedBy', { role: t(`role.${endedBy.role}`), reason: endedBy.reason }) : [],
      ),
    )
    return [...named, ...(others > 0 ? [t('endedMore', { count: others })] : []), ...why, ...by].join('\n')
  }
}

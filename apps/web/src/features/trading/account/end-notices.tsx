import type { OrderView } from '@fairlot/contract'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useBasicInfo } from '../../../live/account.ts'
import { onNotice } from '../../../live/notices.ts'
import { onEnded } from '../../../live/orders.ts'
import { showToast } from '../../../ui/toast.ts'
import { lotText } from '../ticket/lot-text.ts'

/** Ends that nobody on this screen asked for. */
const TOLD = ['stopOut', 'stopLoss', 'takeProfit', 'operator'] as const
type Told = (typeof TOLD)[number]

/** Positions named one by one; the others are counted. */
const NAMED_MAX = 3

/** Tells of orders that ended by themselves: which, at what price, why. Mounted once. */
export function EndNotices() {
  const text = useEndText()
  useEffect(
    () =>
      onEnded((orders) => {
        for (const reason of TOLD) {
          const ended = orders.filter(({ status, endReason }) => status === 'closed' && endReason === reason)
          if (ended.length === 0) continue
          const isGrave = reason === 'stopOut' || reason === 'operator'
          showToast({ text: text(reason, ended), tone: isGrave ? 'problem' : 'plain', stays: isGrave })
        }
      }),
    [text],
  )
  useEffect(
    () =>
      onNotice(({ kind, title, text }) => {
        // A stop-out is told above, with what it booked.
        if (kind !== 'stopOut') showToast({ text: `${title}\n${text}` })
      }),
    [],
  )
  return null
}

function useEndText(): (reason: Told, ended: readonly OrderView[]) => string {
  const t = useTranslations('account')
  const { figures } = useSpeech()
  const stopOutLevel = useBasicInfo()?.stopOutLevel
  const line = (reason: Told, order: OrderView): string =>
    t(`ended.${reason}`, {
      side: order.side,
      code: order.instrument.showCode,
      lots: figures.decimal(lotText(order.lots, order.instrument.lotStep)),
      price: figures.decimal(order.currentPrice ?? '0', { shown: order.instrument.priceDecimals }),
      profit: figures.money(order.profit, { sign: 'always' }),
    })
  return (reason, ended) => {
    const named = ended.slice(0, NAMED_MAX).map((order) => line(reason, order))
    const others = ended.length - named.length
    const why =
      reason === 'stopOut' && stopOutLevel !== undefined
        ? [t('stopOutWhy', { level: figures.percent(stopOutLevel, { shown: 0 }) })]
        : []
    return [...named, ...(others > 0 ? [t('endedMore', { count: others })] : []), ...why].join('\n')
  }
}

import type { OrderView } from '@fairlot/contract'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { onServerMessage } from '../../../live/connection/server-connection.ts'
import { onEnded } from '../../../live/account/ends.ts'
import { showToast } from '@fairlot/ui/toast.ts'
import { lotText } from '../ticket/lot-text.ts'

/** Reasons for an end that the user did not ask for on this screen. */
const TOLD = ['stopOut', 'stopLoss', 'takeProfit', 'operator'] as const
type ShownReason = (typeof TOLD)[number]

/** Words that stay until they are read. */
const GRAVE: readonly string[] = ['accountStatus', 'marginWarning', 'identityRejected', 'identityUnverified']

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
      onServerMessage('notice', ({ notice: { kind, title, text } }) => {
        // A stop-out and a close by an operator are told above, with what they booked.
        if (kind === 'stopOut' || kind === 'orderClosedByOperator') return
        // Who reads the chat sees the answer there.
        if (kind === 'supportAnswered' && window.location.hash.startsWith('#/mine/chat')) return
        const isGrave = GRAVE.includes(kind)
        showToast({ text: `${title}\n${text}`, tone: isGrave ? 'problem' : 'plain', stays: isGrave })
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
      code: order.instrument.showCode,
      lots: figures.decimal(lotText(order.lots, order.instrument.lotStep)),
      price: figures.decimal(order.currentPrice ?? '0', { shown: order.instrument.priceDecimals }),
      profit: figures.fineText(order.profit, { sign: 'always' }),
    })
  return (reason, ended) => {
    const named = ended.slice(0, NAMED_MAX).map((order) => line(reason, order))
    const others = ended.length - named.length
    const why =
      reason === 'stopOut' && stopOutLevel !== undefined
        ? [t('stopOutWhy', { level: figures.percent(stopOutLevel, { shown: 0 }) })]
        : []
    const by = new Set(
      ended.flatMap(({ endedBy }) =>
        endedBy ? t('closedBy', { role: t(`role.${endedBy.role}`), reason: endedBy.reason }) : [],
      ),
    )
    return [...named, ...(others > 0 ? [t('endedMore', { count: others })] : []), ...why, ...by].join('\n')
  }
}

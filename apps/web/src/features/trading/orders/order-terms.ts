import type { Decimal, OrderView } from '@fairlot/contract'
import { fixedMargin } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import type { Definition } from '@fairlot/ui/definition-list.tsx'
import { useStopOuts } from '../use-account-snapshot.ts'
import { priceText } from './order-labels.tsx'

/** What was taken is what a lot holds back: an instrument may have had another margin then. */
const isMarginFixed = ({
  instrument: { marginMode, contractSize },
  lots,
  originalMargin,
}: OrderView): boolean => marginMode === 'fixed' && originalMargin === fixedMargin(contractSize, lots)

type Row = [term: string, value: string | null]

/** What an order is and where it stands, as rows of text; rows that do not apply are left out. */
export function useOrderTerms(order: OrderView): readonly Definition[] {
  const t = useTranslations('order')
  const tAccount = useTranslations('account')
  const { figures, moments } = useLocale()
  const nowPrice = useMarkToMarket(order).currentPrice
  const price = (value: Decimal | null) => (value === null ? null : priceText(figures, value, order))
  const moment = (at: number | null) => (at === null ? null : moments.dateTime(at))
  const stop = (value: Decimal | null) => price(value) ?? t('notSet')
  const hasEnded = order.endedAt !== null
  const stopOut = useStopOuts().get(order.id) ?? null
  const rows: Row[] = [
    [t('endReason'), hasEnded ? t(`reason.${order.endReason}`) : null],
    [t('closedBy'), order.endedBy && tAccount(`role.${order.endedBy.role}`)],
    [t('closedWhy'), order.endedBy?.reason ?? null],
    [t('ended'), moment(order.endedAt)],
    [t('opened'), moment(order.openedAt)],
    [t('placed'), order.kind === 'market' ? null : moment(order.createdAt)],
    [t(order.kind === 'market' ? 'priceAtAcceptance' : 'targetPrice'), price(order.acceptedPrice)],
    [t('filledAt'), price(order.openPrice)],
    [t(hasEnded ? 'closedAt' : 'nowAt'), order.openPrice === null ? null : price(nowPrice)],
    [t('stopLoss'), stop(order.stopLoss)],
    [t('followsAt'), price(order.trailingDistance)],
    [t('takeProfit'), stop(order.takeProfit)],
    [t('stopOutAt'), price(stopOut)],
    [t('leverage'), t('times', { leverage: figures.count(order.leverage) })],
    [t('margin'), figures.fineText(order.originalMargin)],
    [
      t('marginFixed'),
      isMarginFixed(order) ? figures.fineText(fixedMargin(order.instrument.contractSize)) : null,
    ],
    // The opening fee stays with the position that a part was cut from.
    [t('fee'), order.parentId === null ? figures.fineText(order.fee) : null],
    [t('swap'), order.swap === 0n ? null : figures.fineText(order.swap, { sign: 'always' })],
    [t('expires'), moment(order.expiresAt)],
  ]
  return rows.flatMap(([term, value]) => (value === null ? [] : [{ term, value }]))
}

import type { OrderView } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { useIsCancelOnly } from '../../../live/basic-info.ts'
import { refreshInstruments } from '../../../live/market/instruments.ts'
import { closeEverything } from '../../../live/account/orders.ts'
import { Confirm } from '@fairlot/ui/sheet.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { PillButton } from '@fairlot/ui/pill-button.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { useCloseBlock } from './close-blocked.ts'
import { remainingPositions, stillRemaining, type RemainingPositions } from './remaining-positions.ts'
import { refreshAfterFailure } from './use-closing.ts'

type CloseAllProps = {
  /** The positions loaded so far. */
  orders: readonly OrderView[]
  /** All positions there are. */
  total: number
}

/** Closes every position at once, and tells which stay open and why. */
export function CloseAll({ orders, total }: CloseAllProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const profit = useAccountFigures()?.profit
  const isCancelOnly = useIsCancelOnly()
  const [isAsking, setIsAsking] = useState(false)
  const { closing, left, forget } = useClosingAll(orders, () => setIsAsking(false))
  return (
    <>
      {left && total > 0 && <StaysOpen {...stillRemaining(left, orders)} onForget={forget} />}
      {total > 0 && (
        <div className="-my-1 flex justify-end">
          <PillButton disabled={isCancelOnly} onClick={() => setIsAsking(true)}>
            {t('closeAll')}
          </PillButton>
        </div>
      )}
      <Confirm
        isOpen={isAsking}
        title={t('closeAllTitle', { count: total })}
        text={t('closeAllText', {
          count: total,
          profit: profit === undefined ? '–' : figures.fineText(profit, { sign: 'always' }),
        })}
        confirmLabel={t('closeAll')}
        cancelLabel={t('keepAllOpen')}
        isBusy={closing.isPending}
        onConfirm={() => closing.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

function useClosingAll(orders: readonly OrderView[], onSettled: () => void) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const [left, setLeft] = useState<RemainingPositions | null>(null)
  const closing = useMutation({
    mutationFn: closeEverything,
    onSuccess: (ended) => {
      const booked = money(ended.orders.reduce((sum, { profit }) => sum + profit, 0n))
      const count = ended.orders.length
      showToast({ text: t('closedAll', { count, profit: figures.fineText(booked, { sign: 'always' }) }) })
      setLeft(remainingPositions(orders, ended.orders, ended.remainingCount))
      if (ended.remainingCount > 0) refreshInstruments()
    },
    onError: refreshAfterFailure,
    onSettled,
  })
  return { closing, left, forget: () => setLeft(null) }
}

type StaysOpenProps = { count: number; orders: readonly OrderView[]; onForget: () => void }

/** Says what has not happened. Stays until it is put away, the last of it has closed or the list is left. */
function StaysOpen({ count, orders, onForget }: StaysOpenProps) {
  const t = useTranslations()
  if (count <= 0) return null
  const named = [...new Map(orders.map((order) => [order.instrument.id, order])).values()]
  return (
    <section role="status" className="flex gap-2 rounded-card bg-brass-tint py-1 ps-3.5 text-note">
      <div className="min-w-0 flex-1 py-2">
        <p className="font-bold">{t('order.leftOpen', { count })}</p>
        <ul>
          {named.map((order) => (
            <Reason key={order.instrument.id} order={order} />
          ))}
        </ul>
      </div>
      <IconButton icon={X} label={t('app.close')} onClick={onForget} />
    </section>
  )
}

function Reason({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  return (
    <li>
      <bdi className="font-medium">{order.instrument.showCode}</bdi>:{' '}
      {useCloseBlock(order) ?? t('canCloseAgain')}
    </li>
  )
}

import type { OrderView } from '@fairlot/contract'
import { money, type Lots, type Money } from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount } from '../../../live/account/account.ts'
import { refreshInstruments } from '../../../live/market/instruments.ts'
import { closePosition } from '../../../live/account/orders.ts'
import { showToast } from '@fairlot/ui/toast.ts'
import { lotsText, priceText } from './order-labels.tsx'

/** What a part of a position would book, in proportion to its lots. */
export const shareOf = (profit: Money, part: Lots, held: Lots): Money =>
  money((profit * BigInt(part)) / BigInt(held))

/** Without an answer a change may have happened all the same; a refusal may come from a market that has closed. */
export function refreshAfterFailure(): void {
  void refreshAccount()
  refreshInstruments()
}

/** What is to be closed, null for all, and what is held at the tap. */
type Closing = { readonly lots: Lots | null; readonly held: Lots }

/**
 * Closes a position or a part of it, and says at which price and what that booked. Null lots close all. Is closing until
 * the lists are new: a second half of the old lots would be all that is left.
 */
export function useClosing(order: OrderView, onEnded?: () => void) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ lots }: Closing) => closePosition({ orderId: order.id, lots }),
    // By now a push may have shown the lots that are left: they are reckoned from those of the tap.
    onSuccess: (ended, { held }) => {
      const booked = {
        price: priceText(figures, ended.currentPrice, ended),
        profit: figures.fineText(ended.profit, { sign: 'always' }),
      }
      const isPart = ended.id !== order.id
      const left = held - ended.lots
      showToast({
        text: isPart
          ? t('closedPart', { ...booked, lots: lotsText(figures, ended.lots), left: lotsText(figures, left) })
          : t('closed', booked),
      })
      onEnded?.()
      return refreshAccount()
    },
    onError: refreshAfterFailure,
  })
  const close = (lots: Lots | null, options: { readonly onError?: () => void } = {}) =>
    mutate({ lots, held: order.lots }, options)
  return { close, isClosing: isPending }
}

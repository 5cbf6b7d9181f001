import type { OrderView } from '@fairlot/contract'
import { money, type Lots, type Money } from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { refreshAccount } from '../../../live/account.ts'
import { refreshInstruments } from '../../../live/instruments.ts'
import { closePosition } from '../../../live/orders.ts'
import { showToast } from '../../../ui/toast.ts'
import { lotsText, priceText } from './order-words.ts'

/** What a part of a position would book, in proportion to its lots. */
export const shareOf = (profit: Money, part: Lots, held: Lots): Money =>
  money((profit * BigInt(part)) / BigInt(held))

/** Without an answer a change may have happened all the same; a refusal may come from a market that has closed. */
export function lookAgain(): void {
  void refreshAccount()
  refreshInstruments()
}

/**
 * Closes a position or a part of it, and says at which price and what that booked. Null lots close all. Is closing until
 * the lists are new: a second half of the old lots would be all that is left.
 */
export function useClosing(order: OrderView, onEnded?: () => void) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
  const { mutate, isPending } = useMutation({
    mutationFn: (lots: Lots | null) => closePosition({ orderId: order.id, lots }),
    onSuccess: (ended) => {
      const booked = {
        price: priceText(figures, ended.currentPrice, ended),
        profit: figures.money(ended.profit, { sign: 'always' }),
      }
      const isPart = ended.id !== order.id
      const left = order.lots - ended.lots
      showToast({
        text: isPart
          ? t('closedPart', { ...booked, lots: lotsText(figures, ended.lots), left: lotsText(figures, left) })
          : t('closed', booked),
      })
      onEnded?.()
      return refreshAccount()
    },
    onError: lookAgain,
  })
  return { close: mutate, isClosing: isPending }
}

import { withdrawable } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'

/** How much can leave at most, in words: what open positions do not need. */
export function useMostOut(): string {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const account = useAccountFigures()
  return account ? t('most', { amount: figures.money(withdrawable(account)) }) : t('mostUnknown')
}

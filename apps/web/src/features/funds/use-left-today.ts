import type { Money } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'

/** What a limit leaves of this day, in words; undefined where there is no limit. */
export function useLeftToday(left: Money | null): string | undefined {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  return left === null ? undefined : t('leftToday', { amount: figures.publicMoney(left) })
}

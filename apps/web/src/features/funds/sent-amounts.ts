import { useTranslations } from 'use-intl'
import { decimalText, fromUnits, SENT_DECIMALS, type Money } from '@fairlot/core'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { readUnits } from '../../ui/amount-field.tsx'

/** Parses an amount in the currency of a transfer, in units of 1e-8; null unless it is above zero. */
export const readSent = (text: string): bigint | null => readUnits(text, SENT_DECIMALS)

/** "0.5", and "500.00" with two digits at least. */
export const sentText = (amount: bigint): string => decimalText(fromUnits(amount, SENT_DECIMALS), 2)

/** What is left of today's limit, as text; undefined without a limit. */
export function useLeftToday(left: Money | null, currency = ''): string | undefined {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  return left === null
    ? undefined
    : t('leftToday', { amount: `${figures.publicMoney(left)} ${currency}`.trim() })
}

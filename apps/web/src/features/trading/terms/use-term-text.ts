import { useTranslations } from 'use-intl'
import { decimalText, fromUnits, parseDecimal } from '@fairlot/core/decimal'
import { useBasicInfo } from '../../../live/account/account.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'

const HOUR_MS = 3_600_000
const SECOND_MS = 1_000

/** Fields that have a name of their own here; the others are told as they are called on the wire. */
const NAMED = [
  ...['isEnabled', 'leverages', 'lotMin', 'lotStep', 'lotMax', 'feeRate', 'swapBuy', 'swapSell'],
  ...[
    'markUp',
    'sourceOrder',
    'tripleSwapDay',
    'minStopDistance',
    'session',
    'windows',
    'holidays',
    'zone',
    'contractSize',
    'marginMode',
  ],
  ...['feeType', 'stopOutLevel', 'warningLevel', 'maxLivingOrders', 'noticeMs', 'freshnessMs'],
] as const
type Named = (typeof NAMED)[number]

const isNamed = (field: string): field is Named => (NAMED as readonly string[]).includes(field)

/** "0.001" as "0.1". */
const hundredfold = (text: string): string => decimalText(fromUnits(parseDecimal(text, 6) ?? 0n, 4))

/** What a field of terms is called, and its values, in the reader's language. With a fixed margin the contract size is money. */
export function useTermText({ isMarginFixed }: { isMarginFixed: boolean }) {
  const t = useTranslations('terms')
  const { figures } = useLocale()
  const isFeeOfMargin = useBasicInfo()?.feeType !== 'fixed'
  const value = (field: string, text: string | null): string => {
    if (text === null || text === '') return '–'
    const number = Number(text)
    switch (field) {
      case 'isEnabled':
        return t(text === 'yes' ? 'yes' : 'no')
      case 'swapBuy':
      case 'swapSell':
        return t('yearly', { percent: figures.decimal(text) })
      case 'markUp':
        return t('eachSide', { percent: hundredfold(text) })
      case 'stopOutLevel':
      case 'warningLevel':
        return t('percent', { percent: figures.decimal(text) })
      case 'feeRate':
        return isFeeOfMargin ? t('percent', { percent: hundredfold(text) }) : text
      case 'noticeMs':
        return t('hours', { hours: number / HOUR_MS })
      case 'freshnessMs':
        return t('seconds', { seconds: number / SECOND_MS })
      case 'marginMode':
        return t(text === 'fixed' ? 'marginFixed' : 'marginLeveraged')
      case 'feeType':
        return t(text === 'fixed' ? 'feeFixed' : 'feeRateOf')
      default:
        return text
    }
  }
  const name = (field: string): string => {
    if (field === 'contractSize' && isMarginFixed) return t('marginOfLot')
    return isNamed(field) ? t(`field.${field}`) : field
  }
  return { name, value }
}

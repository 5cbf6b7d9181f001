import type { Decimal } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { MeterBar } from '../../../ui/meter-bar.tsx'

const WARNING_LEVEL = 100

/** How much of the equity is not bound as margin, 0 to 1: full without margin, empty at 100 %. */
export const freePart = (level: Decimal | null): number =>
  level === null ? 1 : Math.max(0, 1 - WARNING_LEVEL / Math.max(Number(level), 1))

/** One thin bar: brass while equity covers the margin, the warning colour under 100 %. */
export function MarginBar({ level }: { level: Decimal | null }) {
  const t = useTranslations('account')
  const { figures } = useSpeech()
  const isLow = level !== null && Number(level) < WARNING_LEVEL
  return (
    <MeterBar
      label={t('marginLevel')}
      valueText={level === null ? t('noMargin') : figures.percent(level)}
      part={isLow ? Number(level) / WARNING_LEVEL : freePart(level)}
      tone={isLow ? 'danger' : 'brass'}
    />
  )
}

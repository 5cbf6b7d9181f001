import type { Decimal } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'

/** Equity in percent of the margin, or a dash while no margin is used. */
export function MarginLevel({ level }: { level: Decimal | null }) {
  const t = useTranslations('account')
  const { figures } = useSpeech()
  if (level === null) return <span title={t('noMargin')}>–</span>
  // Above a thousand percent nobody needs the decimals, and they would crowd the card.
  const shown = Number(level) >= 1000 ? 0 : 2
  return (
    <bdi dir="ltr" className={Number(level) < 100 ? 'text-danger' : ''}>
      {figures.percent(level, { shown })}
    </bdi>
  )
}

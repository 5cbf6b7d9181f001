import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useAccountFigures } from '../../../live/account.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MarginLevel } from './margin-level.tsx'
import { ProfitFigure } from './profit-figure.tsx'

/** The account's figures in one line. */
export function AccountStrip() {
  const t = useTranslations('account')
  const speech = useSpeech()
  const figures = useAccountFigures()
  if (!figures) return <Skeleton shape="h-9 w-96" />
  return (
    <dl className="flex gap-5 whitespace-nowrap">
      <Figure name={t('netValue')}>{speech.figures.money(figures.equity)}</Figure>
      <Figure name={t('openProfit')}>
        <ProfitFigure units={figures.profit} hasArrow />
      </Figure>
      <Figure name={t('availablePrepayment')}>{speech.figures.money(figures.free)}</Figure>
      <Figure name={t('marginLevel')}>
        <MarginLevel level={figures.level} />
      </Figure>
    </dl>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">
      <bdi dir="ltr">{children}</bdi>
    </dd>
  </div>
)

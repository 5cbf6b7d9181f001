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
      <Figure name={t('balance')} isSpare>
        {speech.figures.money(figures.balance)}
      </Figure>
      <Figure name={t('netValue')}>{speech.figures.money(figures.equity)}</Figure>
      <Figure name={t('totalProfit')}>
        <ProfitFigure units={figures.profit} hasArrow />
      </Figure>
      <Figure name={t('availablePrepayment')}>{speech.figures.money(figures.free)}</Figure>
      <Figure name={t('currentMargin')} isSpare>
        {speech.figures.money(figures.margin)}
      </Figure>
      <Figure name={t('marginLevel')}>
        <MarginLevel level={figures.level} />
      </Figure>
    </dl>
  )
}

type FigureProps = {
  name: string
  /** Left out where the window is too narrow for all. */
  isSpare?: boolean
  children: ReactNode
}

const Figure = ({ name, isSpare = false, children }: FigureProps) => (
  <div className={isSpare ? 'max-[88rem]:hidden' : ''}>
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">
      <bdi dir="ltr">{children}</bdi>
    </dd>
  </div>
)

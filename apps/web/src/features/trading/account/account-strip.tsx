import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { MarginLevel } from './margin.tsx'
import { useStopOutText } from './nearest-stop-out.ts'
import { ProfitFigure } from './profit-figure.tsx'

/** The account's figures in one line. */
export function AccountStrip() {
  const t = useTranslations('account')
  const locale = useLocale()
  const figures = useAccountFigures()
  if (!figures) return <Skeleton shape="h-9 w-96" />
  return (
    <dl className="flex gap-5 whitespace-nowrap max-[88rem]:justify-between">
      <Figure name={t('balance')} isSpare>
        {locale.figures.money(figures.balance)}
      </Figure>
      <Figure name={t('netValue')}>{locale.figures.money(figures.equity)}</Figure>
      <Figure name={t('totalProfit')}>
        <ProfitFigure units={figures.profit} hasArrow />
      </Figure>
      <Figure name={t('availablePrepayment')}>{locale.figures.money(figures.free)}</Figure>
      <Figure name={t('currentMargin')} isSpare>
        <FineFigure parts={locale.figures.fine(figures.margin)} />
      </Figure>
      <Figure name={t('marginLevel')}>
        <MarginLevel level={figures.level} />
      </Figure>
      <StopOutFigure />
    </dl>
  )
}

function StopOutFigure() {
  const stopOut = useStopOutText()
  return (
    stopOut && (
      <Figure name={stopOut.name}>
        {stopOut.code} {stopOut.price}
      </Figure>
    )
  )
}

type FigureProps = {
  name: string
  /** Left out where the figures share a line with the head and have no room for all. */
  isSpare?: boolean
  children: ReactNode
}

const Figure = ({ name, isSpare = false, children }: FigureProps) => (
  <div className={isSpare ? 'min-[88rem]:max-[104rem]:hidden' : ''}>
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">
      <bdi dir="ltr">{children}</bdi>
    </dd>
  </div>
)

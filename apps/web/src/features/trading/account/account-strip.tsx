import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { ExactFigure } from '@fairlot/ui/figures/exact-figure.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { withNames } from '@fairlot/ui/figures/names.tsx'
import { FirstStepLine, useNewUser } from './first-steps.tsx'
import { MarginLevel, ProfitFigure, useStopOutText } from './account-figures.tsx'

/** The account's figures in one line; for a new user the first step instead. */
export function AccountStrip() {
  const t = useTranslations('account')
  const locale = useLocale()
  const figures = useAccountFigures()
  const newUser = useNewUser()
  if (!figures) return <Skeleton shape="h-9 w-96" />
  if (newUser) return <FirstStepLine />
  return (
    <dl className="flex gap-5 whitespace-nowrap max-[88rem]:justify-between">
      <Figure name={t('balance')} isSpare>
        {locale.figures.money(figures.balance)}
      </Figure>
      <Figure name={t('equity')}>{locale.figures.money(figures.equity)}</Figure>
      <Figure name={t('openProfit')}>
        <ProfitFigure units={figures.profit} hasArrow />
      </Figure>
      <Figure name={t('freeMargin')}>{locale.figures.money(figures.free)}</Figure>
      <Figure name={t('usedMargin')} isSpare>
        <ExactFigure parts={locale.figures.exact(figures.margin)} />
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
  /** Left out on widths where the header has no space for all figures. */
  isSpare?: boolean
  children: ReactNode
}

const Figure = ({ name, isSpare = false, children }: FigureProps) => (
  <div className={isSpare ? 'min-[88rem]:max-[104rem]:hidden' : ''}>
    <dt className="text-tiny text-second">{withNames(name)}</dt>
    <dd className="font-bold">
      <bdi dir="ltr" translate="no">
        {children}
      </bdi>
    </dd>
  </div>
)

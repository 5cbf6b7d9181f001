import type { AccountFigures } from '@fairlot/contract'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { FirstSteps, useNewUser } from './first-steps.tsx'
import { useHasTraded } from './has-traded.ts'
import { TourOffer } from './tour-offer.tsx'
import { AccountCardSkeleton } from './account-card-skeleton.tsx'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { ExactFigure } from '@fairlot/ui/figures/exact-figure.tsx'
import { withNames } from '@fairlot/ui/figures/names.tsx'
import {
  MarginBar,
  MarginLevel,
  MarginNotice,
  ProfitFigure,
  StopOutList,
  useMarginState,
  useStopOutText,
} from './account-figures.tsx'

/** The account at a glance; for a new real account the steps to its first order, in place of zeros. */
export function AccountCard() {
  const figures = useAccountFigures()
  const newUser = useNewUser()
  // Shown at once with what is offered below it, so that the list does not move again.
  const isComplete = useHasTraded() !== undefined
  if (!figures || !isComplete) return <AccountCardSkeleton />
  if (newUser) return <FirstSteps />
  return (
    <Card>
      <AccountOverview figures={figures} />
      <TourOffer />
    </Card>
  )
}

/** Equity, profit and margin level over one thin bar, the rest below; a margin call where there is one. */
export function AccountOverview({ figures }: { figures: AccountFigures }) {
  const t = useTranslations('account')
  const locale = useLocale()
  const state = useMarginState()
  return (
    <>
      <dl className="mb-3.5 flex flex-wrap items-baseline-last justify-between gap-x-5 gap-y-2">
        <Figure name={t('equity')}>
          <bdi dir="ltr" translate="no" className="text-figure font-bold">
            {locale.figures.money(figures.equity)}
          </bdi>
        </Figure>
        <Figure name={t('openProfit')}>
          <ProfitFigure units={figures.profit} hasArrow />
        </Figure>
        <Figure name={t('marginLevel')}>
          <MarginLevel level={figures.level} />
        </Figure>
      </dl>
      <MarginBar level={figures.level} />
      <dl className="mt-3 flex flex-wrap justify-between gap-x-5 gap-y-1 text-note">
        <Detail name={t('balance')}>{locale.figures.money(figures.balance)}</Detail>
        <Detail name={t('usedMargin')}>
          <ExactFigure parts={locale.figures.exact(figures.margin)} />
        </Detail>
        <Detail name={t('freeMargin')}>{locale.figures.money(figures.free)}</Detail>
        <StopOutDetail />
      </dl>
      {state !== 'calm' && (
        <div className="mt-3">
          <MarginNotice />
          <StopOutList />
        </div>
      )}
    </>
  )
}

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-tiny text-second">{withNames(name)}</dt>
    <dd>
      <bdi dir="ltr" translate="no" className="font-medium">
        {children}
      </bdi>
    </dd>
  </div>
)

function StopOutDetail() {
  const stopOut = useStopOutText()
  return (
    stopOut && (
      <Detail name={stopOut.name}>
        {stopOut.code} {stopOut.price}
      </Detail>
    )
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-h-12">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

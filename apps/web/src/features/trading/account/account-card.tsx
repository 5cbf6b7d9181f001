import type { AccountFigures } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useAccountFigures } from '../../../live/account.ts'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MarginBar } from './margin-bar.tsx'
import { MarginLevel } from './margin-level.tsx'
import { MarginNotice, useMarginState } from './margin-notice.tsx'
import { ProfitFigure } from './profit-figure.tsx'
import { StopOutList } from './stop-out-list.tsx'

/** The account at a glance: net value, profit and margin level over one thin bar, the rest below; the margin call when it comes. */
export function AccountCard() {
  const figures = useAccountFigures()
  return <Card>{figures ? <Figures figures={figures} /> : <Loading />}</Card>
}

function Figures({ figures }: { figures: AccountFigures }) {
  const t = useTranslations('account')
  const speech = useSpeech()
  const state = useMarginState()
  return (
    <>
      <dl className="mb-3.5 flex flex-wrap items-baseline-last justify-between gap-x-5 gap-y-2">
        <Figure name={t('netValue')}>
          <bdi dir="ltr" className="text-figure font-bold">
            {speech.figures.money(figures.equity)}
          </bdi>
        </Figure>
        <Figure name={t('totalProfit')}>
          <ProfitFigure units={figures.profit} hasArrow />
        </Figure>
        <Figure name={t('marginLevel')}>
          <MarginLevel level={figures.level} />
        </Figure>
      </dl>
      <MarginBar level={figures.level} />
      <dl className="mt-3 flex flex-wrap justify-between gap-x-5 gap-y-1 text-note">
        <Detail name={t('balance')} units={figures.balance} />
        <Detail name={t('currentMargin')} units={figures.margin} />
        <Detail name={t('availablePrepayment')} units={figures.free} />
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

function Detail({ name, units }: { name: string; units: bigint }) {
  const { figures } = useSpeech()
  return (
    <div>
      <dt className="text-tiny text-second">{name}</dt>
      <dd>
        <bdi dir="ltr" className="font-medium">
          {figures.money(units)}
        </bdi>
      </dd>
    </div>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-h-12">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

const Loading = () => (
  <div className="flex flex-col gap-3.5">
    <div className="flex h-12 items-end justify-between">
      <Skeleton shape="h-7 w-36" />
      <Skeleton shape="h-5 w-20" />
      <Skeleton shape="h-5 w-14" />
    </div>
    <Skeleton shape="h-1 w-full" />
    <Skeleton shape="h-9 w-full" />
  </div>
)

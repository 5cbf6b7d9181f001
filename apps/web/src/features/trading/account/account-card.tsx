import type { AccountFigures } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useAccountFigures } from '../../../live/account.ts'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MarginBar } from './margin-bar.tsx'
import { MarginLevel } from './margin-level.tsx'
import { ProfitFigure } from './profit-figure.tsx'

/** Net value, open profit and margin level over one thin bar. */
export function AccountCard() {
  const figures = useAccountFigures()
  return <Card>{figures ? <Figures figures={figures} /> : <Loading />}</Card>
}

function Figures({ figures }: { figures: AccountFigures }) {
  const t = useTranslations('account')
  const speech = useSpeech()
  return (
    <>
      <dl className="mb-3.5 flex flex-wrap items-baseline-last justify-between gap-x-5 gap-y-2">
        <Figure name={t('netValue')}>
          <bdi dir="ltr" className="text-figure font-bold">
            {speech.figures.money(figures.equity)}
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
    </>
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
  </div>
)

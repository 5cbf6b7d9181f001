import type { AccountFigures } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import { MarginBar, MarginLevel, MarginNotice, useMarginState } from './margin.tsx'
import { useStopOutText } from './nearest-stop-out.ts'
import { ProfitFigure } from './profit-figure.tsx'
import { StopOutList } from './stop-out-list.tsx'

/** Net value, profit and margin level over one thin bar, the rest below; the margin call when it comes. */
export function AccountOverview({ figures }: { figures: AccountFigures }) {
  const t = useTranslations('account')
  const locale = useLocale()
  const state = useMarginState()
  return (
    <>
      <dl className="mb-3.5 flex flex-wrap items-baseline-last justify-between gap-x-5 gap-y-2">
        <Figure name={t('netValue')}>
          <bdi dir="ltr" className="text-figure font-bold">
            {locale.figures.money(figures.equity)}
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
        <Detail name={t('balance')}>{locale.figures.money(figures.balance)}</Detail>
        <Detail name={t('currentMargin')}>
          <FineFigure parts={locale.figures.fine(figures.margin)} />
        </Detail>
        <Detail name={t('availablePrepayment')}>{locale.figures.money(figures.free)}</Detail>
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
    <dt className="text-tiny text-second">{name}</dt>
    <dd>
      <bdi dir="ltr" className="font-medium">
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

import type { AccountFigures } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { Card } from '@fairlot/ui/card.tsx'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { MarginLevel } from '../account/margin.tsx'
import { ProfitFigure } from '../account/profit-figure.tsx'

type OrderSummaryProps = {
  /** Profit booked over all of the history, instead of the open profit; units of 1e-6. */
  bookedProfit: bigint | undefined
}

/** Profit, what is free, what is bound, and how safe it is. */
export function OrderSummary({ bookedProfit }: OrderSummaryProps) {
  const figures = useAccountFigures()
  return (
    <Card>
      <dl className="grid min-h-24 grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-x-6 gap-y-3">
        {figures ? <Summary figures={figures} bookedProfit={bookedProfit} /> : <Loading />}
      </dl>
    </Card>
  )
}

function Summary({ figures, bookedProfit }: OrderSummaryProps & { figures: AccountFigures }) {
  const t = useTranslations()
  const locale = useLocale()
  return (
    <>
      <Figure name={t(bookedProfit === undefined ? 'account.totalProfit' : 'order.historyProfit')}>
        <ProfitFigure units={bookedProfit ?? figures.profit} hasArrow />
      </Figure>
      <Figure name={t('account.availablePrepayment')}>
        <bdi dir="ltr">{locale.figures.money(figures.free)}</bdi>
      </Figure>
      <Figure name={t('account.currentMargin')}>
        <FineFigure parts={locale.figures.fine(figures.margin)} />
      </Figure>
      <Figure name={t('account.marginLevel')}>
        <MarginLevel level={figures.level} />
      </Figure>
    </>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="text-title font-bold">{children}</dd>
  </div>
)

const Loading = () =>
  [0, 1, 2, 3].map((cell) => (
    <div key={cell} className="flex flex-col gap-2">
      <Skeleton shape="h-2.5 w-24" />
      <Skeleton shape="h-5 w-32" />
    </div>
  ))

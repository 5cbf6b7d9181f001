import type { AccountFigures } from '@fairlot/contract'
import { Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { setPreferences, usePreferences } from '../../../live/device/preferences.ts'
import { Card } from '@fairlot/ui/card.tsx'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { MarginBar, MarginLevel, MarginNotice } from './margin.tsx'
import { ProfitFigure } from './profit-figure.tsx'
import { StopOutList } from './stop-out-list.tsx'

/** The account in full, with amounts that can be hidden from those who look on. */
export function AccountSummary() {
  const t = useTranslations()
  const figures = useAccountFigures()
  const { isBalanceHidden } = usePreferences()
  return (
    <Card>
      <div className="-mt-2 -me-2 flex items-center justify-between">
        <h2 className="text-tiny text-second">{t('account.netValue')}</h2>
        <IconButton
          icon={isBalanceHidden ? EyeOff : Eye}
          label={t(isBalanceHidden ? 'user.show' : 'user.hide')}
          onClick={() => setPreferences({ isBalanceHidden: !isBalanceHidden })}
        />
      </div>
      {figures ? <Amounts figures={figures} /> : <Skeleton shape="h-44 w-full" />}
    </Card>
  )
}

function Amounts({ figures }: { figures: AccountFigures }) {
  const t = useTranslations('account')
  const locale = useLocale()
  return (
    <>
      <p className="text-price font-bold">
        <Money units={figures.equity} />
      </p>
      <dl className="mt-3 mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-x-6 gap-y-3">
        <Figure name={t('balance')}>
          <Money units={figures.balance} />
        </Figure>
        <Figure name={t('totalProfit')}>
          <ProfitFigure units={figures.profit} hasArrow />
        </Figure>
        <Figure name={t('availablePrepayment')}>
          <Money units={figures.free} />
        </Figure>
        <Figure name={t('currentMargin')}>
          <FineFigure parts={locale.figures.fine(figures.margin)} />
        </Figure>
        <Figure name={t('marginLevel')}>
          <MarginLevel level={figures.level} />
        </Figure>
      </dl>
      <MarginBar level={figures.level} />
      <div className="mt-3 empty:hidden">
        <MarginNotice />
      </div>
      <StopOutList />
    </>
  )
}

function Money({ units }: { units: bigint }) {
  const { figures } = useLocale()
  return <bdi dir="ltr">{figures.money(units)}</bdi>
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

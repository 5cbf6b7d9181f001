import type { AccountFigures } from '@fairlot/contract'
import { Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { setPreferences, usePreferences } from '../../../live/device/preferences.ts'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ExactFigure } from '@fairlot/ui/figures/exact-figure.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { MarginAlerts } from '../alerts/margin-alerts.tsx'
import { AccountBasicsButton } from '../basics/basics-button.tsx'
import { FirstSteps, useNewUser } from './first-steps.tsx'
import { useHasTraded } from './has-traded.ts'
import { TourOffer } from './tour-offer.tsx'
import { MarginBar, MarginLevel, MarginNotice, ProfitFigure, StopOutList } from './account-figures.tsx'

/** All figures of the account, whose amounts can be hidden from bystanders; for a new user the first steps instead. */
export function AccountSummary() {
  const t = useTranslations()
  const figures = useAccountFigures()
  const { isBalanceHidden } = usePreferences()
  const newUser = useNewUser()
  const isComplete = useHasTraded() !== undefined
  if (newUser) return <FirstSteps />
  return (
    <>
      <Card>
        <div className="-mt-2 -me-2 flex items-center">
          <h2 className="grow text-tiny text-second">{t('account.equity')}</h2>
          <AccountBasicsButton />
          <IconButton
            icon={isBalanceHidden ? EyeOff : Eye}
            label={t(isBalanceHidden ? 'user.show' : 'user.hide')}
            onClick={() => setPreferences({ isBalanceHidden: !isBalanceHidden })}
          />
        </div>
        {figures && isComplete ? <Amounts figures={figures} /> : <Skeleton shape="h-44 w-full" />}
        <TourOffer />
      </Card>
      <FirstSteps />
    </>
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
        <Figure name={t('openProfit')}>
          <ProfitFigure units={figures.profit} hasArrow />
        </Figure>
        <Figure name={t('freeMargin')}>
          <Money units={figures.free} />
        </Figure>
        <Figure name={t('usedMargin')}>
          <ExactFigure parts={locale.figures.exact(figures.margin)} />
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
      <MarginAlerts />
    </>
  )
}

function Money({ units }: { units: bigint }) {
  const { figures } = useLocale()
  return (
    <bdi dir="ltr" translate="no">
      {figures.money(units)}
    </bdi>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

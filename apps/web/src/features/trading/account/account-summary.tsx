import type { AccountFigures } from '@fairlot/contract'
import { Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useAccountFigures } from '../../../live/account.ts'
import { setPreferences, usePreferences } from '../../../live/preferences.ts'
import { Card } from '../../../ui/card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MarginBar } from './margin-bar.tsx'
import { MarginLevel } from './margin-level.tsx'
import { MarginNotice } from './margin-notice.tsx'
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
      {figures ? <Amounts figures={figures} isHidden={isBalanceHidden} /> : <Skeleton shape="h-44 w-full" />}
    </Card>
  )
}

function Amounts({ figures, isHidden }: { figures: AccountFigures; isHidden: boolean }) {
  const t = useTranslations('account')
  const speech = useSpeech()
  const amount = (shown: ReactNode) =>
    isHidden ? t('hidden') : typeof shown === 'string' ? <bdi dir="ltr">{shown}</bdi> : shown
  return (
    <>
      <p className="text-price font-bold">{amount(speech.figures.money(figures.equity))}</p>
      <dl className="mt-3 mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-x-6 gap-y-3">
        <Figure name={t('balance')}>{amount(speech.figures.money(figures.balance))}</Figure>
        <Figure name={t('totalProfit')}>{amount(<ProfitFigure units={figures.profit} hasArrow />)}</Figure>
        <Figure name={t('availablePrepayment')}>{amount(speech.figures.money(figures.free))}</Figure>
        <Figure name={t('currentMargin')}>{amount(speech.figures.money(figures.margin))}</Figure>
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

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

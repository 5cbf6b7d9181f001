import { useTranslations } from 'use-intl'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { useCopyingTerms } from './queries.ts'

const FIGURES = [
  'rate',
  'drawdown',
  'profit',
  'winRate',
  'profitFactor',
  'leverage',
  'exposed',
  'openLoss',
] as const
const COPIERS = ['result', 'inProfit', 'median'] as const
const FLAGS = ['raisesAfterLosses', 'holdsLosses', 'oneOrder', 'highLeverage'] as const

/** How strategies are ranked: every figure, the order, the flags, and the version of the method. */
export function MethodScreen() {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  const { data: terms, error, refetch } = useCopyingTerms()
  if (!terms) {
    if (!error) return <MethodLoading />
    return <FailedState title={t('methodFailed')} text={t('failedText')} error={error} onRetry={refetch} />
  }
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-8">
      <p className="text-note text-second">
        {withNames(t('methodVersion', { version: asName(figures.count(terms.methodVersion)) }))}
        {terms.methodFrom !== null &&
          withNames(
            ` ${t('methodComing', {
              time: asName(moments.dateTime(terms.methodFrom)),
              version: asName(figures.count(terms.methodVersion - 1)),
            })}`,
          )}
      </p>
      <Part title={t('methodRecord')}>
        <p>{t('methodRecordText')}</p>
        <p>{t('methodEndedText')}</p>
      </Part>
      <Part title={t('methodOrder')}>
        <p>{t('methodOrderText')}</p>
        <p>{t('tooShortRule', { days: terms.rankedAfterDays, orders: terms.rankedAfterOrders })}</p>
        <p>{t('methodKindsText')}</p>
      </Part>
      <Part title={t('methodFigures')}>
        <p>{t('methodWindows')}</p>
        <Rules rules={FIGURES.map((name) => [t(`figure.${name}`), t(`figureRule.${name}`)])} />
      </Part>
      <Part title={t('whatCopiersGot')}>
        <p>{t('methodCopiersText')}</p>
        <Rules rules={COPIERS.map((name) => [t(`copierFigure.${name}`), t(`copierRule.${name}`)])} />
      </Part>
      <Part title={t('methodFlags')}>
        <p>{t('methodFlagsText')}</p>
        <Rules rules={FLAGS.map((flag) => [t(`flag.${flag}`), t(`flagRule.${flag}`)])} />
      </Part>
      <Part title={t('methodCopying')}>
        <p>{t('methodCopyingText')}</p>
        <p>
          {withNames(
            t('methodLimits', {
              min: asName(figures.publicMoney(terms.minAmount)),
              copies: terms.maxCopies,
              equity: asName(figures.publicMoney(terms.providerMinEquity)),
            }),
          )}
        </p>
        {terms.legalBasis !== '' && <p>{t('legalBasis', { text: terms.legalBasis })}</p>}
      </Part>
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Card>
    <h2 className="mb-2 font-bold">{title}</h2>
    <div className="flex flex-col gap-2 text-note">{children}</div>
  </Card>
)

const Rules = ({ rules }: { rules: readonly (readonly [name: string, rule: string])[] }) => (
  <dl className="divide-y divide-dashed divide-line">
    {rules.map(([name, rule]) => (
      <div key={name} className="py-2">
        <dt className="font-bold">{name}</dt>
        <dd className="text-second">{rule}</dd>
      </div>
    ))}
  </dl>
)

const MethodLoading = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4">
    <Skeleton shape="h-36 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

import type { StrategyQuery, StrategyRow as Row } from '@fairlot/contract'
import { ChartNoAxesColumn } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Chip, ChipRow } from '@fairlot/ui/controls/chip.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Sparkline } from '@fairlot/ui/figures/sparkline.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { PullToRefresh } from '@fairlot/ui/layout/pull-to-refresh.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { useScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { useCaller } from '../../live/session/user.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import {
  Factor,
  Flags,
  Initial,
  PublicAmount,
  PublicResult,
  Rate,
  Share,
  strategyPath,
  StrategyBadges,
  Times,
  useAge,
  WINDOWS,
} from './figures.tsx'
import { useCopyingTerms, useStrategies } from './queries.ts'

type Choice = Omit<StrategyQuery, 'page' | 'kind'> & {
  /** Null until chosen: a demo user first sees the demo ranking. */
  readonly kind: StrategyQuery['kind'] | null
}

const KINDS = ['real', 'demo'] as const
const SORTS: readonly StrategyQuery['sort'][] = [
  ...(['score', 'rate', 'drawdown', 'profit', 'winRate', 'orders'] as const),
  ...(['profitFactor', 'averageLeverage', 'highestLeverage', 'exposedShare', 'openLoss', 'days'] as const),
  ...(['copiers', 'copiedMoney', 'copiersResult', 'copiersInProfit', 'copiersMedian'] as const),
]

/** The published strategies by their figures of a window, those that ended and those that lost among them. */
export function RankingScreen() {
  const t = useTranslations('copying')
  const caller = useCaller()
  const [choice, setChoice] = useState<Choice>({ window: 'threeWeeks', sort: 'score', kind: null })
  const kind = choice.kind ?? (caller === 'demo' ? 'demo' : 'real')
  const query = useStrategies({ ...choice, kind }, caller !== undefined)
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('refreshing')} onRefresh={() => void query.refetch()} />
      <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pb-6 desktop:max-w-6xl">
        <ChipRow label={t('window')}>
          {WINDOWS.map((window) => (
            <Chip
              key={window}
              isSelected={window === choice.window}
              onSelect={() => setChoice({ ...choice, window })}
            >
              {t(`windows.${window}`)}
            </Chip>
          ))}
        </ChipRow>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-end gap-x-3 gap-y-2 desktop:grid-cols-[16rem_16rem_1fr]">
          <Segmented
            label={t('moneyKind')}
            track="surface"
            options={KINDS.map((value) => ({ value, label: t(`kindLong.${value}`) }))}
            value={kind}
            onChange={(value) => setChoice({ ...choice, kind: value })}
          />
          <SortField value={choice.sort} onChange={(sort) => setChoice({ ...choice, sort })} />
          <Link
            to="/rank/method"
            className={`${textButtonClass} -mt-1 justify-self-end max-desktop:col-span-full`}
          >
            {t('howWeRank')}
          </Link>
        </div>
        <Strategies query={query} choice={{ ...choice, kind }} />
      </div>
    </>
  )
}

type SortFieldProps = { value: StrategyQuery['sort']; onChange: (sort: StrategyQuery['sort']) => void }

function SortField({ value, onChange }: SortFieldProps) {
  const t = useTranslations('copying')
  return (
    <div className="[&_select]:bg-surface">
      <SelectField
        label={t('sortBy')}
        value={value}
        options={SORTS.map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
        onChange={onChange}
      />
    </div>
  )
}

type StrategiesProps = { query: ReturnType<typeof useStrategies>; choice: Omit<StrategyQuery, 'page'> }

function Strategies({ query, choice }: StrategiesProps) {
  const t = useTranslations('copying')
  const { strategies, error, refetch, isPlaceholderData } = query
  if (!strategies) {
    if (!error) return <RankingLoading />
    return <FailedState title={t('rankingFailed')} text={t('failedText')} error={error} onRetry={refetch} />
  }
  if (strategies.length === 0) return <NoStrategies kind={choice.kind} />
  // By its score the server lists those that cannot be judged last; in any other order they are mixed in.
  const isSplit = choice.sort === 'score'
  const ranked = strategies.filter(({ isShort }) => !(isSplit && isShort))
  const short = isSplit ? strategies.filter(({ isShort }) => isShort) : []
  return (
    <div className={`flex flex-col gap-2 transition-opacity ${isPlaceholderData ? 'opacity-50' : ''}`}>
      <p role="status" className="sr-only">
        {isPlaceholderData ? t('refreshing') : ''}
      </p>
      <Rows label={t('rankedList')} rows={ranked} choice={choice} />
      {short.length > 0 && (
        <section className="flex flex-col gap-1 pt-3">
          <h2 className="font-bold">{t('tooShort')}</h2>
          <TooShortRule />
          <Rows label={t('tooShort')} rows={short} choice={choice} />
        </section>
      )}
      <MoreButton pages={query} />
    </div>
  )
}

function TooShortRule() {
  const t = useTranslations('copying')
  const { data } = useCopyingTerms()
  if (!data) return null
  const { rankedAfterDays: days, rankedAfterOrders: orders } = data
  return <p className="text-note text-second">{t('tooShortRule', { days, orders })}</p>
}

function NoStrategies({ kind }: { kind: StrategyQuery['kind'] }) {
  const t = useTranslations('copying')
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={t(`noStrategies.${kind}`)}
      text={t('noStrategiesText')}
      action={
        <Link to="/mine/strategy" className={buttonClass('outline')}>
          {t('publishOwn')}
        </Link>
      }
    />
  )
}

const RankingLoading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="flex flex-col gap-3 py-4">
        <div className="flex items-center gap-3">
          <Skeleton shape="size-10" />
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton shape="h-4 w-32" />
            <Skeleton shape="h-2.5 w-24" />
          </span>
          <Skeleton shape="h-6 w-16" />
        </div>
        <Skeleton shape="h-8 w-full" />
      </div>
    ))}
  </div>
)

type RowsProps = { label: string; rows: readonly Row[]; choice: Pick<StrategyQuery, 'window' | 'sort'> }

const Rows = ({ label, rows, choice: { window, sort } }: RowsProps) => (
  <ul aria-label={label} className="divide-y divide-line">
    {rows.map((row) => (
      <StrategyRow key={row.id} row={row} window={window} sort={sort} />
    ))}
  </ul>
)

type StrategyRowProps = {
  row: Row
  window: StrategyQuery['window']
  /** In any order but the default, those that cannot be judged are listed among the others. */
  sort: StrategyQuery['sort']
}

/** The figure by which the list is sorted, where a row does not show it anyway. */
const SORTED_FIGURES: Partial<Record<StrategyQuery['sort'], (row: Row) => ReactNode>> = {
  profitFactor: (row) => <Factor ratio={row.profitFactor} />,
  averageLeverage: (row) => <Times ratio={row.averageLeverage} />,
  highestLeverage: (row) => <Times ratio={row.highestLeverage} />,
  exposedShare: (row) => <Share share={row.exposedShare} />,
  openLoss: (row) => <PublicResult units={row.openLoss} />,
  days: (row) => <Count count={row.days} />,
  copiedMoney: (row) => <PublicAmount units={row.copiedMoney} />,
  copiersInProfit: (row) => <Share share={row.copiersInProfit} />,
}

function Count({ count }: { count: number }) {
  const { figures } = useLocale()
  return figures.count(count)
}

/** One strategy: return and curve beside drawdown, and what copiers got. */
const StrategyRow = memo(function StrategyRow({ row, window, sort }: StrategyRowProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const sortedFigure = SORTED_FIGURES[sort]?.(row)
  return (
    <li className="py-2">
      <Link
        to={strategyPath(row.id)}
        className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-field py-1 active:bg-raised desktop:flex-nowrap desktop:gap-x-5"
      >
        <span className="flex min-w-36 flex-1 items-center gap-3 desktop:w-64 desktop:flex-none">
          <Initial name={row.name} />
          <StrategyName row={row} isMixed={sort !== 'score'} />
        </span>
        <span className="h-8 w-14 shrink-0 desktop:w-28">
          <Curve row={row} />
        </span>
        <span className="ms-auto flex min-w-16 shrink-0 flex-col items-end desktop:order-last desktop:w-28">
          <span className="text-title">
            <Rate rate={row.rate} hasArrow />
          </span>
          <span className="text-tiny text-second">{t(`windows.${window}`)}</span>
        </span>
        <dl
          className={classNames(
            'grid basis-full grid-cols-[repeat(auto-fit,minmax(min(100%,5.75rem),1fr))] gap-x-3 gap-y-1 text-note desktop:flex-1 desktop:basis-0',
            sortedFigure ? 'desktop:grid-cols-7' : 'desktop:grid-cols-6',
          )}
        >
          <Figure name={t('drawdown')}>
            <Share share={row.drawdown} />
          </Figure>
          <Figure name={t('winRate')}>
            <Share share={row.winRate} />
          </Figure>
          <Figure name={t('profit')}>
            <PublicResult units={row.profit} />
          </Figure>
          <Figure name={t('copiers')}>
            <Name>{figures.count(row.copiers)}</Name>
          </Figure>
          <Figure name={t('copiersMedianShort')}>
            <Rate rate={row.copiersMedian} />
          </Figure>
          <Figure name={t('copiersResultShort')}>
            <PublicResult units={row.copiersResult} />
          </Figure>
          {sortedFigure && <Figure name={t(`sort.${sort}`)}>{sortedFigure}</Figure>}
        </dl>
      </Link>
      <Flags flags={row.flags} />
    </li>
  )
})

function StrategyName({ row, isMixed }: { row: Row; isMixed: boolean }) {
  const t = useTranslations('copying')
  const age = useAge()
  return (
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-center gap-x-2">
        <bdi translate="no" className="min-w-0 font-bold wrap-anywhere">
          {row.name}
        </bdi>
        <StrategyBadges strategy={row} />
      </span>
      <span className="block text-tiny text-second">
        {t('ageAndOrders', { age: age((row.endedAt ?? marketNow()) - row.publishedAt), orders: row.orders })}
        {isMixed && row.isShort && ` · ${t('tooShortMark')}`}
        {row.copyId !== null && ` · ${t('copiedByYou')}`}
      </span>
    </span>
  )
}

function Curve({ row: { curve } }: { row: Row }) {
  const t = useTranslations('copying')
  const first = curve[0] ?? 0
  const last = curve.at(-1) ?? 0
  if (curve.length < 2) return null
  return <Sparkline values={curve} tone={last < first ? 'down' : 'up'} label={t('smallCurve')} />
}

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="font-bold whitespace-nowrap">{children}</dd>
  </div>
)

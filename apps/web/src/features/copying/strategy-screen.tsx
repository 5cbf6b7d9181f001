import type { StrategyDetails, StrategyOrder } from '@fairlot/contract'
import { Copy, Flag, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link, navigate, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { useKeptForm } from '../../live/session/kept-input.ts'
import { useCaller } from '../../live/session/user.ts'
import { FailedLine } from '../../ui/failed-line.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import {
  ActBar,
  Cell,
  Cells,
  copyPath,
  Factor,
  Flags,
  parseId,
  PublicAmount,
  PublicResult,
  Rate,
  Share,
  startPath,
  strategyPath,
  StrategyBadges,
  Times,
  useSpan,
  type Window,
  WINDOWS,
} from './figures.tsx'
import { GrowthChart } from './growth-chart.tsx'
import { report, useStrategy, useStrategyOrders } from './queries.ts'

type StrategyScreenProps = {
  /** A closed order of somebody else, with its public receipts. */
  renderOrder: (order: StrategyOrder) => ReactNode
}

/** Everything that is public about one strategy; the levels of its open positions are not. */
export function StrategyScreen({ renderOrder }: StrategyScreenProps) {
  const t = useTranslations('copying')
  const [search] = useSearchParams()
  const id = parseId(search.get('id'))
  const { data: strategy, error, refetch } = useStrategy(id)
  if (id === null)
    return <EmptyState icon={SearchX} title={t('strategyNotFound')} text={t('strategyNotFoundText')} />
  if (strategy) return <Strategy key={id} strategy={strategy} renderOrder={renderOrder} />
  if (!error) return <StrategyLoading />
  return <FailedState title={t('strategyFailed')} text={t('failedText')} error={error} onRetry={refetch} />
}

type StrategyProps = { strategy: StrategyDetails }

function Strategy({ strategy, renderOrder }: StrategyProps & StrategyScreenProps) {
  const [window, setWindow] = useState<Window>('threeWeeks')
  const figures = strategy.windows.find((each) => each.window === window)
  return (
    <div className="mx-auto max-w-2xl px-4 desktop:max-w-6xl">
      <div className="flex flex-col gap-3 pb-4 desktop:grid desktop:grid-cols-[3fr_2fr] desktop:items-start">
        <div className="flex min-w-0 flex-col gap-3">
          <Overview strategy={strategy} figures={figures} window={window} onWindow={setWindow} />
          {figures && <CopiersCard strategy={strategy} figures={figures} />}
          <Months months={strategy.months} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {figures && <TradingFacts strategy={strategy} figures={figures} />}
          <Instruments instruments={strategy.instruments} />
          <Before strategy={strategy} />
          <Others others={strategy.others} />
        </div>
      </div>
      <Orders id={strategy.id} renderOrder={renderOrder} />
      {!strategy.isOwn && <Report id={strategy.id} name={strategy.name} />}
      <Act strategy={strategy} />
    </div>
  )
}

type Figures = StrategyDetails['windows'][number]
type OverviewProps = StrategyProps & {
  figures: Figures | undefined
  window: Window
  onWindow: (window: Window) => void
}

function Overview({ strategy, figures, window, onWindow }: OverviewProps) {
  const t = useTranslations('copying')
  const { moments } = useLocale()
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <StrategyBadges strategy={strategy} />
          <span className="text-note text-second">
            {strategy.endedAt === null
              ? withNames(
                  t('publishedSince', { time: asName(moments.soon(strategy.publishedAt, marketNow())) }),
                )
              : withNames(
                  t('publishedUntil', {
                    from: asName(moments.soon(strategy.publishedAt, marketNow())),
                    to: asName(moments.soon(strategy.endedAt, marketNow())),
                  }),
                )}
          </span>
        </div>
        {strategy.description !== '' && (
          <p className="break-words whitespace-pre-wrap">
            <bdi>{strategy.description}</bdi>
          </p>
        )}
        <Segmented
          label={t('window')}
          options={WINDOWS.map((value) => ({ value, label: t(`windows.${value}`) }))}
          value={window}
          onChange={onWindow}
        />
        {figures && (
          <Cells isFour>
            <Cell name={t('return')}>
              <Rate rate={figures.rate} hasArrow />
            </Cell>
            <Cell name={t('drawdown')}>
              <Share share={figures.drawdown} />
            </Cell>
            <Cell name={t('profit')}>
              <PublicResult units={figures.profit} />
            </Cell>
            <Cell name={t('openLoss')}>
              <PublicResult units={strategy.openLoss} />
            </Cell>
          </Cells>
        )}
        {figures && <Flags flags={figures.flags} />}
        <GrowthChart points={strategy.curve} />
        {strategy.isShort && <p className="text-note text-second">{t('tooShortText')}</p>}
      </div>
    </Card>
  )
}

type FiguresProps = StrategyProps & { figures: Figures }

/** What all copies of the strategy got: the figure that the provider cannot choose. */
function CopiersCard({ strategy, figures }: FiguresProps) {
  const t = useTranslations('copying')
  const locale = useLocale()
  return (
    <section className="rounded-card border-s-4 border-brass bg-surface p-4">
      <h2 className="mb-3 font-bold">{t('whatCopiersGot')}</h2>
      <Cells>
        <Cell name={t('copierFigure.result')}>
          <PublicResult units={figures.copiersResult} />
        </Cell>
        <Cell name={t('copierFigure.inProfit')}>
          <Share share={figures.copiersInProfit} />
        </Cell>
        <Cell name={t('copierFigure.median')}>
          <Rate rate={figures.copiersMedian} />
        </Cell>
        <Cell name={t('copiers')}>
          <Name>{locale.figures.count(strategy.copiers)}</Name>
        </Cell>
        <Cell name={t('copiedMoney')}>
          <PublicAmount units={strategy.copiedMoney} />
        </Cell>
      </Cells>
    </section>
  )
}

function TradingFacts({ strategy, figures }: FiguresProps) {
  const t = useTranslations('copying')
  const locale = useLocale()
  const span = useSpan()
  return (
    <Card>
      <FactList
        facts={[
          { label: t('winRate'), value: <Share share={figures.winRate} /> },
          { label: t('profitFactor'), value: <Factor ratio={figures.profitFactor} /> },
          { label: t('averageLeverage'), value: <Times ratio={figures.averageLeverage} /> },
          { label: t('highestLeverage'), value: <Times ratio={figures.highestLeverage} /> },
          { label: t('exposedShare'), value: <Share share={figures.exposedShare} /> },
          {
            label: t('holdingTime'),
            value: strategy.holdingTime === null ? '–' : span(strategy.holdingTime),
          },
          { label: t('closedOrders'), value: locale.figures.count(figures.orders) },
          { label: t('daysOfRecord'), value: locale.figures.count(figures.days) },
          { label: t('feeOnProfit'), value: <Share share={strategy.feeShare} /> },
        ]}
      />
    </Card>
  )
}

function Months({ months }: { months: StrategyDetails['months'] }) {
  const t = useTranslations('copying')
  const { moments } = useLocale()
  if (months.length === 0) return null
  return (
    <Card>
      <h2 className="mb-3 font-bold">{t('months')}</h2>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,7.5rem),1fr))] gap-2">
        {months.map(({ start, rate }) => (
          <div
            key={start}
            className={`rounded-field px-2.5 py-1.5 ${rate === null || rate === 0 ? 'bg-page' : rate > 0 ? 'bg-up-tint' : 'bg-down-tint'}`}
          >
            <dt className="text-tiny text-second">
              <Name>{moments.month(start)}</Name>
            </dt>
            <dd className="text-note">
              <Rate rate={rate} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Instruments({ instruments }: { instruments: StrategyDetails['instruments'] }) {
  const t = useTranslations('copying')
  if (instruments.length === 0) return null
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('instruments')}</h2>
      <ul className="divide-y divide-dashed divide-line text-note">
        {instruments.map(({ instrumentId, code, orders, profit }) => (
          <li key={instrumentId} className="flex flex-wrap items-baseline gap-x-3 py-2">
            <bdi translate="no" className="font-bold">
              {code}
            </bdi>
            <span className="text-second">{t('orderCount', { count: orders })}</span>
            <span className="ms-auto">
              <PublicResult units={profit} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Orders from before the publication, which are never ranked. */
function Before({ strategy: { ordersBefore, profitBefore } }: StrategyProps) {
  const t = useTranslations('copying')
  if (ordersBefore === 0) return null
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('beforePublication')}</h2>
      <p className="mb-2 text-note text-second">{t('beforePublicationText')}</p>
      <p className="flex flex-wrap justify-between gap-x-3 text-note">
        <span>{t('orderCount', { count: ordersBefore })}</span>
        <PublicResult units={profitBefore} />
      </p>
    </Card>
  )
}

function Others({ others }: { others: StrategyDetails['others'] }) {
  const t = useTranslations('copying')
  if (others.length === 0) return null
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('others')}</h2>
      <ul className="divide-y divide-line">
        {others.map((other) => (
          <li key={other.id}>
            <Link to={strategyPath(other.id)} className="flex min-h-12 flex-wrap items-center gap-x-2 py-1.5">
              <bdi translate="no" className="min-w-0 font-bold wrap-anywhere">
                {other.name}
              </bdi>
              <StrategyBadges strategy={other} />
              <span className="ms-auto">
                <Rate rate={other.rate} hasArrow />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type OrdersProps = StrategyScreenProps & { id: number }

function Orders({ id, renderOrder }: OrdersProps) {
  const t = useTranslations('copying')
  const query = useStrategyOrders(id)
  const { orders, error, refetch } = query
  return (
    <section className="flex flex-col gap-1">
      <h2 className="pt-2 font-bold">{t('closedOrders')}</h2>
      <p className="text-note text-second">{t('closedOrdersText')}</p>
      {!orders && (error ? <FailedLine text={t('ordersFailed')} onRetry={refetch} /> : <OrdersLoading />)}
      {orders?.length === 0 && (
        <p className="py-4 text-center text-note text-second">{t('noClosedOrders')}</p>
      )}
      <ul className="divide-y divide-line">
        {orders?.map((order) => (
          <li key={order.id}>{renderOrder(order)}</li>
        ))}
      </ul>
      <MoreButton pages={query} />
    </section>
  )
}

const OrdersLoading = () => (
  <div className="flex flex-col gap-3 py-3">
    <Skeleton shape="h-12 w-full" />
    <Skeleton shape="h-12 w-full" />
  </div>
)

/** Leads to copying, to the running copy, or to the own strategy. */
function Act({ strategy: { id, kind, isOwn, copyId, endedAt } }: StrategyProps) {
  const t = useTranslations('copying')
  const caller = useCaller()
  if (endedAt !== null && copyId === null) return null
  const isDemoForReal = kind === 'demo' && caller === 'real'
  return (
    <ActBar>
      {isOwn ? (
        <Link to="/mine/strategy" className={buttonClass('outline', 'medium', true)}>
          {t('editOwn')}
        </Link>
      ) : copyId !== null ? (
        <Link to={copyPath(copyId)} className={buttonClass('outline', 'medium', true)}>
          {t('toCopy')}
        </Link>
      ) : isDemoForReal ? (
        <p className="text-center text-note text-second">{t('demoForRealText')}</p>
      ) : (
        <Link to={startPath(id)} className={buttonClass('ink', 'medium', true)}>
          <Icon of={Copy} size={18} />
          {t('copy')}
        </Link>
      )}
    </ActBar>
  )
}

/** Reports the name or the description to the operators. */
function Report({ id, name }: { id: number; name: string }) {
  const t = useTranslations()
  const caller = useCaller()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <p className="flex justify-center">
      <TextButton onClick={() => (caller === 'visitor' ? navigate(loginPath(id)) : setIsOpen(true))}>
        <span className="me-1.5 text-second">
          <Icon of={Flag} size={16} />
        </span>
        {t('copying.report')}
      </TextButton>
      <Sheet
        isOpen={isOpen}
        title={t('copying.reportTitle', { name: asName(name) })}
        closeLabel={t('app.close')}
        onClose={() => setIsOpen(false)}
      >
        <ReportForm id={id} onSent={() => setIsOpen(false)} />
      </Sheet>
    </p>
  )
}

const loginPath = (id: number): string => `/login?from=${encodeURIComponent(strategyPath(id))}`

function ReportForm({ id, onSent }: { id: number; onSent: () => void }) {
  const t = useTranslations('copying')
  const form = useKeptForm(`report of ${id}`, () => ({ reason: '' }))
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ reason }) => (reason.trim() === '' ? { reason: t('reportMissing') } : {}),
    send: ({ reason }) => report(id, reason.trim()),
    fields: { reasonMissing: 'reason', textTooLong: 'reason' },
    onDone: () => {
      showToast({ text: t('reported') })
      onSent()
    },
  })
  return (
    <div className="pt-2 pb-4">
      <FormFrame form={form} onSubmit={onSubmit}>
        <TextAreaField
          label={t('reportReason')}
          hint={t('reportHint')}
          value={form.values.reason}
          maxLength={REASON_MAX}
          problem={form.problems.reason}
          onChange={(reason) => form.set({ reason })}
        />
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t('sendReport')}
        </Button>
      </FormFrame>
    </div>
  )
}

const REASON_MAX = 500

const StrategyLoading = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 desktop:max-w-6xl">
    <Skeleton shape="h-96 w-full" />
    <Skeleton shape="h-32 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

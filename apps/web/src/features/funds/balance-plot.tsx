import { type PointerEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { BalanceHistory } from '@fairlot/contract'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { FailedLine } from '../../ui/failed-line.tsx'
import { useBalanceHistory } from './queries.ts'

const PERIODS = ['7', '30', '90', '365'] as const
type Days = (typeof PERIODS)[number]

/** The balance over a chosen period. */
export function BalancePlot() {
  const t = useTranslations()
  const [days, setDays] = useState<Days>('30')
  const { points, isError, refetch } = useBalanceHistory(Number(days))
  return (
    <Card>
      <div className="flex flex-col gap-3">
        {points ? (
          <BalanceLine key={days} points={points} />
        ) : isError ? (
          <div className="flex min-h-36">
            <FailedLine text={t('funds.plotFailed')} onRetry={refetch} />
          </div>
        ) : (
          <Skeleton shape="h-36 w-full" />
        )}
        <Segmented
          label={t('funds.plotPeriod')}
          options={PERIODS.map((value) => ({ value, label: t(`funds.days.${value}`) }))}
          value={days}
          onChange={setDays}
        />
      </div>
    </Card>
  )
}

type Points = BalanceHistory['points']

/** The balance as a step line, constant between bookings. A pointer on it shows the balance at that time. */
function BalanceLine({ points }: { points: Points }) {
  const t = useTranslations('funds')
  const { figures, moments } = useLocale()
  const [selected, setSelected] = useState<number | null>(null)
  const line = useMemo(() => stepLine(points), [points])
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const shown = (selected === null ? undefined : points[selected]) ?? last
  const follow = (event: PointerEvent<SVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.round(((event.clientX - left) / width) * (points.length - 1))
    setSelected(Math.min(Math.max(index, 0), points.length - 1))
  }
  const x = selected === null ? null : (selected / Math.max(points.length - 1, 1)) * WIDTH
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-tiny text-second">
          {selected === null ? t('plot') : <Name>{moments.dateTime(shown.at)}</Name>}
        </span>
        <bdi dir="ltr" translate="no" className="text-note font-bold">
          {figures.money(shown.balance)}
        </bdi>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('plotLabel', {
          from: moments.dateTime(first.at),
          before: figures.money(first.balance),
          now: figures.money(last.balance),
        })}
        className="h-28 w-full touch-pan-y overflow-visible"
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => setSelected(null)}
      >
        <path d={line} fill="none" stroke="currentColor" className="text-brass" {...STROKE} />
        {x !== null && (
          <path
            d={`M${x} 0V${HEIGHT}`}
            stroke="currentColor"
            className="text-third"
            {...STROKE}
            strokeWidth="1"
          />
        )}
      </svg>
      <div dir="ltr" className="flex justify-between text-tiny text-second">
        <Name>{moments.soon(first.at, last.at)}</Name>
        <Name>{moments.soon(last.at, last.at)}</Name>
      </div>
    </figure>
  )
}

const STROKE = { strokeWidth: '2', strokeLinejoin: 'round', vectorEffect: 'non-scaling-stroke' } as const

/** The viewBox of the line, stretched to the available space. */
const WIDTH = 400
const HEIGHT = 100

/** The SVG path of a balance over equal time steps: level, then vertical where it changes. A constant balance is in the middle. */
export function stepLine(points: readonly { readonly balance: bigint }[]): string {
  const balances = points.map(({ balance }) => balance)
  const [first = 0n] = balances
  const low = balances.reduce((min, each) => (each < min ? each : min), first)
  const span = balances.reduce((max, each) => (each > max ? each : max), first) - low
  const y = (balance: bigint) =>
    (span === 0n ? HEIGHT / 2 : HEIGHT - (Number(balance - low) / Number(span)) * HEIGHT).toFixed(1)
  const stepWidth = WIDTH / Math.max(points.length - 1, 1)
  const steps = balances
    .slice(1)
    .map((balance, index) => `H${((index + 1) * stepWidth).toFixed(1)}V${y(balance)}`)
  return `M0 ${y(first)}${steps.join('')}`
}

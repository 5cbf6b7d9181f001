import { getUserEquity, userEquityFile, type UserEquityPoint } from '@fairlot/contract/desk'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { ChartLine } from 'lucide-react'
import { useMemo, useState } from 'react'
import { money } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { CsvButton } from '../../ui/file-button.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import { curvesOf, rangeOf } from './equity-curves.ts'
import type { TabProps } from './user-props.ts'

const DAY_MS = 86_400_000
const PERIODS = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const
type Days = (typeof PERIODS)[number]['value']

/** Equity and balance at each full hour of a period. */
export function EquityTab({ profile, page }: TabProps) {
  const [days, setDays] = useState<Days>('7')
  const [openedAt] = useState(() => Date.now())
  const criteria = { id: profile.user.id, from: openedAt - Number(days) * DAY_MS, to: null }
  const { data, problem, retry } = useDeskQuery(getUserEquity, criteria)
  return (
    <Page {...page} file={<CsvButton file={userEquityFile} input={criteria} of={profile.user.uid} />}>
      <div className="flex flex-col gap-4">
        <div className="max-w-md">
          <Segmented label="Period" track="surface" options={PERIODS} value={days} onChange={setDays} />
        </div>
        <Card>
          {data ? (
            <EquityCurve points={data.points} />
          ) : problem === null ? (
            <Skeleton shape="h-64 w-full" />
          ) : (
            <LoadFailed problem={problem} onRetry={retry} />
          )}
        </Card>
      </div>
    </Page>
  )
}

const BOX = { width: 800, height: 240 }
const DOT_PX = 7

type Known = UserEquityPoint & { readonly equity: NonNullable<UserEquityPoint['equity']> }

const isKnown = (point: UserEquityPoint): point is Known => point.equity !== null

/** The curves of equity and balance, with gaps where no price was known. */
function EquityCurve({ points }: { points: readonly UserEquityPoint[] }) {
  const now = useNow()
  const known = points.filter(isKnown)
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return <NoEquity hasPoints={points.length > 0} />
  const { low, high } = rangeOf(known.map(({ equity }) => equity))
  const textAt = ({ equity, moment: at }: Known) => `${money(equity)} on ${moment(at, now)}`
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-note text-second">
        <Name className="text-figure font-bold text-ink">{money(last.equity)}</Name>
        <SignedMoney units={last.equity - first.equity} />
        <span className="ms-auto">
          low <Name>{money(low)}</Name> · high <Name>{money(high)}</Name>
        </span>
      </figcaption>
      <Curves
        points={points}
        label={first === last ? `Equity ${textAt(last)}` : `Equity from ${textAt(first)} to ${textAt(last)}`}
      />
      <div className="flex justify-between text-tiny text-second">
        <Name>{moment(first.moment, now)}</Name>
        <span>solid: equity · dashed: balance</span>
        {first !== last && <Name>{moment(last.moment, now)}</Name>}
      </div>
    </figure>
  )
}

const NoEquity = ({ hasPoints }: { hasPoints: boolean }) => (
  <EmptyState
    icon={ChartLine}
    title={hasPoints ? 'No equity known' : 'No full hour yet'}
    text={
      hasPoints
        ? 'At each hour of this period, the price of an open position was missing.'
        : 'A point is recorded at each full hour and at 17:00 New York.'
    }
  />
)

function Curves({ points, label }: { points: readonly UserEquityPoint[]; label: string }) {
  const { equity, balance } = useMemo(() => curvesOf(points, BOX), [points])
  return (
    <svg
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="h-60 w-full overflow-visible"
    >
      <path d={balance.line} {...stroke} className="text-third" strokeWidth="1.25" strokeDasharray="4 4" />
      <path d={balance.dots} {...stroke} className="text-third" strokeWidth={DOT_PX} />
      <path d={equity.line} {...stroke} className="text-brass" strokeWidth="2" />
      <path d={equity.dots} {...stroke} className="text-brass" strokeWidth={DOT_PX} />
    </svg>
  )
}

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinejoin: 'round',
  strokeLinecap: 'round',
  vectorEffect: 'non-scaling-stroke',
} as const

import type { StrategyDetails } from '@fairlot/contract'
import { ratio, RATIO_DECIMALS } from '@fairlot/core'
import { Name, asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { type PointerEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { Rate, rateText } from './figures.tsx'

type Points = StrategyDetails['curve']

/** One unit of growth: where a strategy began. */
const ONE = 10 ** RATIO_DECIMALS
const WIDTH = 400
const LINE_HEIGHT = 100
const DRAWDOWN_HEIGHT = 32

const STROKE = { strokeWidth: '2', strokeLinejoin: 'round', vectorEffect: 'non-scaling-stroke' } as const

/** The growth of a strategy since its publication, and below it how far it was under its highest. Time runs left to right. */
export function GrowthChart({ points }: { points: Points }) {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  const [selected, setSelected] = useState<number | null>(null)
  const paths = useMemo(() => pathsOf(points), [points])
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2)
    return <p className="py-6 text-center text-note text-second">{t('noCurve')}</p>
  const shown = (selected === null ? undefined : points[selected]) ?? last
  const follow = (event: PointerEvent<SVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const at = first.at + ((event.clientX - left) / width) * (last.at - first.at)
    setSelected(nearest(points, at))
  }
  // The last point stands at the end of its day.
  const now = marketNow()
  const x = selected === null ? null : paths.xOf(shown.at)
  const deepest = ratio(Math.max(...points.map(({ drawdown }) => drawdown)))
  const isDown = last.growth < ONE
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-tiny text-second">
          {selected === null ? t('sincePublication') : <Name>{moments.dateTime(shown.at)}</Name>}
        </span>
        <span className="flex flex-wrap gap-x-3 text-note">
          <Rate rate={ratio(shown.growth - ONE)} />
          <span className="text-second">
            {withNames(t('belowHighest', { share: asName(rateText(figures, shown.drawdown)) }))}
          </span>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${LINE_HEIGHT + DRAWDOWN_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('curveLabel', {
          from: moments.dateTime(first.at),
          rate: rateText(figures, ratio(last.growth - ONE), { sign: 'always' }),
          drawdown: rateText(figures, deepest),
        })}
        className="h-40 w-full touch-pan-y overflow-visible desktop:h-56"
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => setSelected(null)}
      >
        <path
          d={`M0 ${paths.start}H${WIDTH}`}
          stroke="currentColor"
          className="text-line"
          {...STROKE}
          strokeWidth="1"
        />
        <path d={paths.drawdown} className="fill-down-tint" />
        <path
          d={paths.line}
          fill="none"
          stroke="currentColor"
          className={isDown ? 'text-down' : 'text-up'}
          {...STROKE}
        />
        {x !== null && (
          <path
            d={`M${x.toFixed(1)} 0V${LINE_HEIGHT + DRAWDOWN_HEIGHT}`}
            stroke="currentColor"
            className="text-third"
            {...STROKE}
            strokeWidth="1"
          />
        )}
      </svg>
      <div dir="ltr" className="flex justify-between text-tiny text-second">
        <bdi>{moments.soon(first.at, now)}</bdi>
        <bdi>{moments.soon(Math.min(last.at, now), now)}</bdi>
      </div>
    </figure>
  )
}

const nearest = (points: Points, at: number): number =>
  points.reduce(
    (best, point, index) =>
      Math.abs(point.at - at) < Math.abs((points[best]?.at ?? Infinity) - at) ? index : best,
    0,
  )

/** SVG paths of the growth in the upper part, of the drawdown hanging from the top of the lower one, and the height of growth 1. */
function pathsOf(points: Points) {
  const from = points[0]?.at ?? 0
  const span = Math.max(1, (points.at(-1)?.at ?? 0) - from)
  const growths = points.map(({ growth }) => growth)
  const low = Math.min(ONE, ...growths)
  const high = Math.max(ONE, ...growths)
  const deepest = Math.max(1, ...points.map(({ drawdown }) => drawdown))
  const xOf = (at: number) => ((at - from) / span) * WIDTH
  const yOf = (growth: number) =>
    high === low ? LINE_HEIGHT / 2 : 4 + (1 - (growth - low) / (high - low)) * (LINE_HEIGHT - 16)
  const line = points.map(({ at, growth }) => `${xOf(at).toFixed(1)} ${yOf(growth).toFixed(1)}`)
  const under = points.map(
    ({ at, drawdown }) =>
      `${xOf(at).toFixed(1)} ${(LINE_HEIGHT + (drawdown / deepest) * DRAWDOWN_HEIGHT).toFixed(1)}`,
  )
  return {
    xOf,
    start: yOf(ONE).toFixed(1),
    line: `M${line.join('L')}`,
    drawdown: `M0 ${LINE_HEIGHT}L${under.join('L')}V${LINE_HEIGHT}Z`,
  }
}

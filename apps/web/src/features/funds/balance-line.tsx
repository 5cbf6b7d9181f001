import type { BalanceHistory } from '@fairlot/contract'
import { useMemo, useState, type PointerEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { stepLine, WIDTH, HEIGHT } from './step-line.ts'

type Points = BalanceHistory['points']

/** The balance as a line of steps: it stands still between bookings. A finger or pointer on it reads what it was then. */
export function BalanceLine({ points }: { points: Points }) {
  const t = useTranslations('funds')
  const { figures, moments } = useLocale()
  const [read, setRead] = useState<number | null>(null)
  const line = useMemo(() => stepLine(points), [points])
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const shown = (read === null ? undefined : points[read]) ?? last
  const follow = (event: PointerEvent<SVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const place = Math.round(((event.clientX - left) / width) * (points.length - 1))
    setRead(Math.min(Math.max(place, 0), points.length - 1))
  }
  const x = read === null ? null : (read / Math.max(points.length - 1, 1)) * WIDTH
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-tiny text-second">
          {read === null ? t('plot') : <bdi>{moments.dateTime(shown.at)}</bdi>}
        </span>
        <bdi dir="ltr" className="text-note font-bold">
          {figures.money(shown.balance)}
        </bdi>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('plotLabel', {
          ...{ from: moments.dateTime(first.at), before: figures.money(first.balance) },
          now: figures.money(last.balance),
        })}
        className="h-28 w-full touch-pan-y overflow-visible"
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => setRead(null)}
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
        <bdi>{moments.soon(first.at, last.at)}</bdi>
        <bdi>{moments.soon(last.at, last.at)}</bdi>
      </div>
    </figure>
  )
}

const STROKE = { strokeWidth: '2', strokeLinejoin: 'round', vectorEffect: 'non-scaling-stroke' } as const

import type { PersonEquityPoint } from '@fairlot/contract/desk'
import { useMemo } from 'react'
import { money, signedMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../ui/use-now.ts'

const WIDTH = 800
const HEIGHT = 240

type Known = PersonEquityPoint & { readonly equity: NonNullable<PersonEquityPoint['equity']> }

const isKnown = (point: PersonEquityPoint): point is Known => point.equity !== null

/** Equity over balance, the gaps left open where a price was not known then. */
export function EquityCurve({ points }: { points: readonly PersonEquityPoint[] }) {
  const now = useNow()
  const lines = useMemo(() => linesOf(points), [points])
  const known = points.filter(isKnown)
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || !lines) return null
  const values = known.map(({ equity }) => equity)
  const [low, high] = [values.reduce(least), values.reduce(most)]
  const change = last.equity - first.equity
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-note text-second">
        <span className="text-figure font-bold text-ink">{money(last.equity)}</span>
        <span className={change < 0n ? 'text-down' : 'text-up'}>{signedMoney(change)}</span>
        <span className="ms-auto">
          low {money(low)} · high {money(high)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Equity from ${money(first.equity)} on ${moment(first.moment, now)} to ${money(last.equity)} on ${moment(last.moment, now)}`}
        className="h-60 w-full overflow-visible"
      >
        <path d={lines.balance} {...line} className="text-third" strokeWidth="1.25" strokeDasharray="4 4" />
        <path d={lines.equity} {...line} className="text-brass" strokeWidth="2" />
      </svg>
      <div className="flex justify-between text-tiny text-second">
        <span>{moment(first.moment, now)}</span>
        <span>line: equity · dashes: balance</span>
        <span>{moment(last.moment, now)}</span>
      </div>
    </figure>
  )
}

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinejoin: 'round',
  vectorEffect: 'non-scaling-stroke',
} as const

const least = <N extends bigint>(a: N, b: N): N => (b < a ? b : a)
const most = <N extends bigint>(a: N, b: N): N => (b > a ? b : a)

/** SVG paths in a box of WIDTH x HEIGHT; null where there are fewer than two points. */
function linesOf(points: readonly PersonEquityPoint[]): { equity: string; balance: string } | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first === last) return null
  const values = points.flatMap(({ equity, balance }) => [equity ?? balance, balance])
  const low = values.reduce(least)
  const span = values.reduce(most) - low
  const place = ({ moment: at }: PersonEquityPoint, value: bigint) => {
    const x = ((at - first.moment) / (last.moment - first.moment)) * WIDTH
    const share = span === 0n ? 0.5 : Number(value - low) / Number(span)
    return `${x.toFixed(1)} ${((1 - share) * HEIGHT).toFixed(1)}`
  }
  let isDown = false
  const equity = points.map((point) => {
    const pen = isDown ? 'L' : 'M'
    isDown = point.equity !== null
    return point.equity === null ? '' : `${pen}${place(point, point.equity)}`
  })
  const balance = points.map((point) => place(point, point.balance))
  return { equity: equity.join(''), balance: `M${balance.join('L')}` }
}

import { useMemo } from 'react'
import { classNames } from './class-names.ts'

type SparklineProps = { values: readonly number[]; tone: 'up' | 'down' | 'flat'; label?: string }

const lines = { up: 'text-up', down: 'text-down', flat: 'text-third' }
const areas = { up: 'fill-up-tint', down: 'fill-down-tint', flat: 'fill-line' }

/** A small area chart that fills the box it is given. Time runs left to right in every language. */
export function Sparkline({ values, tone, label }: SparklineProps) {
  const path = useMemo(() => areaPath(values), [values])
  return (
    <svg
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={classNames('size-full overflow-visible', lines[tone])}
    >
      <path d={path.area} className={areas[tone]} />
      <path
        d={path.line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

const WIDTH = 100
const TOP = 3
const BOTTOM = 24
const FLOOR = 32

/**
 * SVG paths of a line and the area under it in a box of 100 x 32. A flat series lies in the middle; fewer than two
 * values draw nothing.
 */
function areaPath(values: readonly number[]): { line: string; area: string } {
  if (values.length < 2) return { line: '', area: '' }
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH
    const y = span === 0 ? (TOP + BOTTOM) / 2 : BOTTOM - ((value - low) / span) * (BOTTOM - TOP)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}V${FLOOR}H0Z` }
}

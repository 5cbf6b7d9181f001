import { useMemo } from 'react'
import { areaPath } from './area-path.ts'
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

import { useMemo } from 'react'

type Tone = 'up' | 'down'
type SparklineProps = { values: readonly number[]; tone: Tone; label?: string }

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
      data-tone={tone}
      className="group/chart size-full overflow-visible text-up data-[tone=down]:text-down"
    >
      <path d={path.area} className="fill-up-tint group-data-[tone=down]/chart:fill-down-tint" />
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

/** Sets the colour of the Sparkline inside `box`, if there is one, without rendering. */
export function writeSparklineTone(box: HTMLElement | null, tone: Tone): void {
  const chart = box?.firstElementChild
  if (chart instanceof SVGElement && chart.dataset['tone'] !== tone) chart.dataset['tone'] = tone
}

const WIDTH = 100
const TOP = 3
const BOTTOM = 24
const FLOOR = 32

/**
 * SVG paths of a line and the area under it, in a box of 100 x 32. A flat series lies in the middle; fewer than two
 * values give empty paths.
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

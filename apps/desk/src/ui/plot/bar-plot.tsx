import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { BarPlotData, RenderedPlot } from './bar-chart.ts'
import { coloursOf, onThemeChange } from './plot-theme.ts'

type BarPlotProps = {
  title: string
  /** A summary of one sentence, also for screen readers. */
  summary: ReactNode
  /** Undefined while loading; without values only the summary is shown. */
  data: BarPlotData | undefined
  /** The number of horizontal bars, which sets the height; without it the default height. */
  rows?: number
}

const ROW_PX = 26
const DEFAULT_HEIGHT_PX = 210

/** A bar chart with its title and summary. */
export function BarPlot({ title, summary, data, rows }: BarPlotProps) {
  const heightPx = rows === undefined ? DEFAULT_HEIGHT_PX : rows * ROW_PX + 2 * ROW_PX
  return (
    <figure aria-label={title} className="flex min-w-0 flex-col gap-2 rounded-card bg-surface p-4">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-note">
        <span className="font-bold">{title}</span>
        <span className="text-second">{summary}</span>
      </figcaption>
      {!data && <Skeleton shape="h-[13rem] w-full" />}
      {data && data.labels.length > 0 && <Canvas data={data} heightPx={heightPx} />}
      {data && data.series.length > 1 && data.labels.length > 0 && <Legend data={data} />}
    </figure>
  )
}

function Canvas({ data, heightPx }: { data: BarPlotData; heightPx: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const plot = useRef<RenderedPlot | null>(null)
  const latest = useRef(data)
  const [isRendered, setIsRendered] = useState(false)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    let isUnmounted = false
    void import('./bar-chart.ts').then(({ renderBars }) => {
      if (isUnmounted) return
      plot.current = renderBars(element, latest.current, coloursOf(element))
      setIsRendered(true)
    })
    const stop = onThemeChange(() => plot.current?.update(latest.current, coloursOf(element)))
    return () => {
      isUnmounted = true
      stop()
      plot.current?.destroy()
      plot.current = null
    }
  }, [])
  useEffect(() => {
    latest.current = data
    if (canvas.current) plot.current?.update(data, coloursOf(canvas.current))
  }, [data])
  return (
    <div className="relative min-w-0" style={{ height: heightPx }}>
      <canvas ref={canvas} aria-hidden data-rendered={isRendered} />
    </div>
  )
}

const SWATCHES = {
  up: 'bg-up',
  down: 'bg-down',
  ink: 'bg-ink',
  brass: 'bg-brass',
  third: 'bg-third',
  bySign: 'bg-up',
} as const

const Legend = ({ data: { series } }: { data: BarPlotData }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-tiny text-second">
    {series.map(({ name, tone }) => (
      <li key={name} className="flex items-center gap-1.5">
        <span aria-hidden className={`size-2.5 rounded-full ${SWATCHES[tone]}`} />
        {name}
      </li>
    ))}
  </ul>
)

import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { BarPlotData, DrawnPlot } from './bar-chart.ts'
import { coloursOf, onThemeChange } from './plot-theme.ts'

type BarPlotProps = {
  title: string
  /** What the plot says, in a sentence: for whoever does not see it, and for whoever has no time. */
  summary: ReactNode
  /** Undefined until it is known; without a value there is no plot, and the summary says why. */
  data: BarPlotData | undefined
  /** Tall enough for so many lying bars; otherwise as tall as plots are. */
  rows?: number
}

const ROW_PX = 26
const TALL_PX = 210

/** Bars with what they say beside them in words. */
export function BarPlot({ title, summary, data, rows }: BarPlotProps) {
  const heightPx = rows === undefined ? TALL_PX : rows * ROW_PX + 2 * ROW_PX
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
  const plot = useRef<DrawnPlot | null>(null)
  const latest = useRef(data)
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    let isOver = false
    void import('./bar-chart.ts').then(({ drawBars }) => {
      if (isOver) return
      plot.current = drawBars(element, latest.current, coloursOf(element))
      setIsDrawn(true)
    })
    const stop = onThemeChange(() => plot.current?.update(latest.current, coloursOf(element)))
    return () => {
      isOver = true
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
      <canvas ref={canvas} aria-hidden data-drawn={isDrawn} />
    </div>
  )
}

const SWATCHES = {
  ...{ up: 'bg-up', down: 'bg-down', ink: 'bg-ink', brass: 'bg-brass', third: 'bg-third' },
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

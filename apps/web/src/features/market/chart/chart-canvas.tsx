import { ChevronsRight } from 'lucide-react'
import { lazy, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { directionOf } from '../../../i18n/language.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useLanguage } from '../../../live/device/language.ts'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import type { HandledLine, LineMove } from './chart-handles.tsx'
import type { ChartBar, ChartLine, ChartLook, ChartOptions, ChartPort, ChartSeries } from './chart-port.ts'
import { readChartTheme, watchTheme } from './chart-styles.ts'
import { createChartPort } from './chart-adapter.ts'

const ChartHandles = lazy(async () => ({ default: (await import('./chart-handles.tsx')).ChartHandles }))

type ChartCanvasProps = {
  /** Text for screen readers. */
  label: string
  series: ChartSeries
  /** The last bar as updated; null until it was updated. */
  latest: ChartBar | null
  lines: readonly ChartLine[]
  indicators: readonly string[]
  look: ChartLook
  isStale: boolean
  loadOlder: ChartOptions['loadOlder']
  onPriceTapped: ChartOptions['onPriceTapped']
  /** A move that was made and is not decided: the line stays there. */
  proposed: LineMove | null
  /** Called when a line was moved by hand. */
  onLineMoved: (move: LineMove) => void
}

/** The chart itself. Loaded lazily, together with the drawing library. */
export function ChartCanvas(props: ChartCanvasProps) {
  const { series, latest, indicators, look, isStale } = props
  const [moving, setMoving] = useState<LineMove | null>(null)
  const move = moving ?? props.proposed
  const lines = useMemo(() => movedLines(props.lines, move), [props.lines, move])
  const box = useRef<HTMLDivElement>(null)
  const [isNowInSight, setNowInSight] = useState(true)
  const port = usePort(box, {
    loadOlder: props.loadOlder,
    onNowInSight: setNowInSight,
    onPriceTapped: props.onPriceTapped,
  })
  useEffect(() => port?.setBars(series), [port, series])
  useEffect(() => {
    if (latest) port?.pushBar(latest)
  }, [port, series, latest])
  useEffect(() => port?.setLines(lines), [port, lines])
  useEffect(() => port?.setIndicators(indicators), [port, indicators])
  useEffect(() => port?.setLook(look), [port, look])
  useEffect(() => port?.setStale(isStale), [port, isStale])
  return (
    <div dir="ltr" className="relative size-full">
      {/* Isolated, so that the library's own layers stay below the handles. */}
      <div ref={box} role="img" aria-label={props.label} className="isolate size-full" />
      {port && props.lines.some(hasHandle) && (
        <SmallPart>
          <ChartHandles
            port={port}
            lines={lines.filter(hasHandle)}
            move={move}
            onMove={setMoving}
            onMoved={(moved) => {
              setMoving(null)
              props.onLineMoved(moved)
            }}
          />
        </SmallPart>
      )}
      {!isNowInSight && (
        <div className="absolute right-16 bottom-9">
          <ToNowButton onPress={() => port?.goToNow()} />
        </div>
      )}
    </div>
  )
}

const hasHandle = (line: ChartLine): line is HandledLine => line.handle !== undefined

/** The lines with one moved, or with the new one that is drawn from it. */
function movedLines(lines: readonly ChartLine[], move: LineMove | null): readonly ChartLine[] {
  const moved = lines.find(({ id }) => id === move?.id)
  if (!move || !moved?.handle) return lines
  const { label, tone } = moved.handle.at(move.price)
  const line: ChartLine = { ...moved, label, tone, stroke: 'dashed', price: move.price, anchor: moved.price }
  if (moved.handle.isLineMoved) return lines.map((each) => (each === moved ? line : each))
  const { handle: _, ...drawn } = line
  return [...lines, { ...drawn, id: `${moved.id}-new` }]
}

function ToNowButton({ onPress }: { onPress: () => void }) {
  const t = useTranslations('chart')
  return <IconButton icon={ChevronsRight} label={t('toNow')} tone="surface" onClick={onPress} />
}

type Callbacks = Pick<ChartOptions, 'loadOlder' | 'onNowInSight' | 'onPriceTapped'>

/** Creates a chart for the box, and another one when the language changes. */
function usePort(box: RefObject<HTMLDivElement | null>, callbacks: Callbacks): ChartPort | null {
  const { tag } = useLocale()
  const language = useLanguage()
  const t = useTranslations('chart')
  const labels = useMemo(() => ({ open: t('open'), high: t('high'), low: t('low'), close: t('close') }), [t])
  const [port, setPort] = useState<ChartPort | null>(null)
  const latest = useRef(callbacks)
  useEffect(() => {
    latest.current = callbacks
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const next = createChartPort(element, {
      theme: readChartTheme(element),
      labels,
      locale: tag,
      priceAxis: directionOf(language) === 'rtl' ? 'left' : 'right',
      loadOlder: (before) => latest.current.loadOlder(before),
      onNowInSight: (isInSight) => latest.current.onNowInSight(isInSight),
      onPriceTapped: (ticks) => latest.current.onPriceTapped(ticks),
    })
    const restyle = () => next.setTheme(readChartTheme(element))
    const stopWatching = watchTheme(restyle)
    // Figures drawn before the web font has loaded would keep the fallback's widths.
    void document.fonts.ready.then(restyle)
    setPort(next)
    return () => {
      stopWatching()
      setPort(null)
      next.destroy()
    }
  }, [box, tag, language, labels])
  return port
}

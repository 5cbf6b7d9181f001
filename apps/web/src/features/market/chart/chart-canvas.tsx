import { ChevronsRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import type { ChartBar, ChartLine, ChartOptions, ChartPort, ChartSeries } from './chart-port.ts'
import { readChartTheme, watchTheme } from './chart-theme.ts'
import { createChartPort } from './klinecharts-port.ts'

type ChartCanvasProps = {
  /** Said to those who cannot see the drawing. */
  label: string
  series: ChartSeries
  /** The bar that moves; null until it has moved. */
  latest: ChartBar | null
  lines: readonly ChartLine[]
  indicators: readonly string[]
  isStale: boolean
  loadOlder: ChartOptions['loadOlder']
}

/** The drawing. It lives in a chunk of its own, with the library behind the port. */
export function ChartCanvas(props: ChartCanvasProps) {
  const { series, latest, lines, indicators, isStale } = props
  const box = useRef<HTMLDivElement>(null)
  const [isNowInSight, setNowInSight] = useState(true)
  const port = usePort(box, { loadOlder: props.loadOlder, onNowInSight: setNowInSight })
  useEffect(() => port?.setBars(series), [port, series])
  useEffect(() => {
    if (latest) port?.pushBar(latest)
  }, [port, series, latest])
  useEffect(() => port?.setLines(lines), [port, lines])
  useEffect(() => port?.setIndicators(indicators), [port, indicators])
  useEffect(() => port?.setStale(isStale), [port, isStale])
  return (
    <div dir="ltr" className="relative size-full">
      <div ref={box} role="img" aria-label={props.label} className="size-full" />
      {!isNowInSight && (
        <div className="absolute right-16 bottom-9">
          <ToNowButton onPress={() => port?.goToNow()} />
        </div>
      )}
    </div>
  )
}

function ToNowButton({ onPress }: { onPress: () => void }) {
  const t = useTranslations('chart')
  return <IconButton icon={ChevronsRight} label={t('toNow')} tone="surface" onClick={onPress} />
}

type Callbacks = Pick<ChartOptions, 'loadOlder' | 'onNowInSight'>

/** Makes a chart for the box, and another one when the language changes its words. */
function usePort(box: RefObject<HTMLDivElement | null>, callbacks: Callbacks): ChartPort | null {
  const { tag } = useLocale()
  const t = useTranslations('chart')
  const words = useMemo(() => ({ open: t('open'), high: t('high'), low: t('low'), close: t('close') }), [t])
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
      words,
      locale: tag,
      loadOlder: (before) => latest.current.loadOlder(before),
      onNowInSight: (isInSight) => latest.current.onNowInSight(isInSight),
    })
    const restyle = () => next.setTheme(readChartTheme(element))
    const stopWatching = watchTheme(restyle)
    // Figures drawn before the web font is here would keep the fallback's widths.
    void document.fonts.ready.then(restyle)
    setPort(next)
    return () => {
      stopWatching()
      setPort(null)
      next.destroy()
    }
  }, [box, tag, words])
  return port
}

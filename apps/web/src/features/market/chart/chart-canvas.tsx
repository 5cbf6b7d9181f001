import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
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
  const port = usePort(box, props.loadOlder)
  useEffect(() => port?.setBars(series), [port, series])
  useEffect(() => {
    if (latest) port?.pushBar(latest)
  }, [port, series, latest])
  useEffect(() => port?.setLines(lines), [port, lines])
  useEffect(() => port?.setIndicators(indicators), [port, indicators])
  useEffect(() => port?.setStale(isStale), [port, isStale])
  return <div ref={box} role="img" aria-label={props.label} dir="ltr" className="size-full" />
}

/** Makes a chart for the box, and another one when the language changes its words. */
function usePort(
  box: React.RefObject<HTMLDivElement | null>,
  loadOlder: ChartOptions['loadOlder'],
): ChartPort | null {
  const { tag } = useSpeech()
  const t = useTranslations('chart')
  const words = useMemo(() => ({ open: t('open'), high: t('high'), low: t('low'), close: t('close') }), [t])
  const [port, setPort] = useState<ChartPort | null>(null)
  const older = useRef(loadOlder)
  useEffect(() => {
    older.current = loadOlder
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const next = createChartPort(element, {
      theme: readChartTheme(element),
      words,
      locale: tag,
      loadOlder: (before) => older.current(before),
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

import type { Chart, IndicatorCreate, IndicatorTooltipData } from 'klinecharts'
import { CANDLES } from './chart-axes.ts'
import { indicatorNamed, type ChartIndicator } from './chart-choice.tsx'

/** Shows exactly these indicators; those already shown are kept. */
export function showIndicators(chart: Chart, names: readonly string[], priceDecimals: number): void {
  const known = names.flatMap((name) => indicatorNamed(name) ?? [])
  for (const shown of chart.getIndicators()) {
    if (!known.some(({ name }) => name === shown.name)) chart.removeIndicator({ id: shown.id })
  }
  for (const indicator of known) {
    if (chart.getIndicators({ name: indicator.name }).length > 0) continue
    chart.createIndicator(creation(indicator, priceDecimals), indicator.place === 'candles')
  }
}

/** Gives each pane below the candles a fifth of the height, with a line for its figures. */
export function fitPanes(chart: Chart, chartHeight: number, position: 'left' | 'right'): void {
  const height = Math.min(Math.max(chartHeight * 0.2, MIN_PANE), MAX_PANE)
  for (const { paneId } of chart.getIndicators()) {
    if (paneId === CANDLES) continue
    chart.setPaneOptions({ id: paneId, height })
    chart.overrideYAxis({ paneId, position, gap: { top: 22, bottom: 4 } })
  }
}

const MIN_PANE = 48
const MAX_PANE = 120

const creation = (
  { name, place, decimals, params }: ChartIndicator,
  priceDecimals: number,
): IndicatorCreate => ({
  name,
  precision: decimals ?? priceDecimals,
  ...(params && { calcParams: [...params] }),
  ...(place === 'candles' && { paneId: CANDLES, createTooltipDataSource: figuresWithCrosshair }),
})

const NO_FIGURES: IndicatorTooltipData = { name: '', calcParamsText: '', features: [], legends: [] }

/** Indicators over the candles show figures only with the crosshair, so that these do not cover the labels of orders. */
const figuresWithCrosshair: NonNullable<IndicatorCreate['createTooltipDataSource']> = ({ crosshair }) =>
  // The library fills missing fields, although its type requires them.
  crosshair.paneId === undefined ? NO_FIGURES : ({} as IndicatorTooltipData)

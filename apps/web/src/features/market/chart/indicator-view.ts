import type { Chart, IndicatorCreate, IndicatorTooltipData } from 'klinecharts'
import { indicatorNamed, type ChartIndicator } from './chart-indicators.ts'

export const CANDLES = 'candle_pane'

/** Makes the chart show exactly these indicators; those already there stay as they are. */
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

/** Panes below the candles take a fifth of the height each, and leave a line for their figures. */
export function fitPanes(chart: Chart, chartHeight: number): void {
  const height = Math.min(Math.max(chartHeight * 0.2, LEAST_PANE), MOST_PANE)
  for (const { paneId } of chart.getIndicators()) {
    if (paneId === CANDLES) continue
    chart.setPaneOptions({ id: paneId, height })
    chart.overrideYAxis({ paneId, gap: { top: 22, bottom: 4 } })
  }
}

const LEAST_PANE = 48
const MOST_PANE = 120

const creation = (
  { name, place, decimals, params }: ChartIndicator,
  priceDecimals: number,
): IndicatorCreate => ({
  name,
  precision: decimals ?? priceDecimals,
  ...(params && { calcParams: [...params] }),
  ...(place === 'candles' && { paneId: CANDLES, createTooltipDataSource: figuresWithCrosshair }),
})

const NOTHING: IndicatorTooltipData = { name: '', calcParamsText: '', features: [], legends: [] }

/** Over the candles, figures at rest would lie on own orders; they come with the crosshair. */
const figuresWithCrosshair: NonNullable<IndicatorCreate['createTooltipDataSource']> = ({ crosshair }) =>
  // The library fills what the answer leaves out, though its types ask for everything.
  crosshair.paneId === undefined ? NOTHING : ({} as IndicatorTooltipData)

import { create } from 'zustand'
import { readStored, writeStored } from '../../../live/device/storage.ts'
import { indicatorNamed } from './chart-indicators.ts'
import type { ChartPeriod } from './chart-port.ts'
import { PERIOD_MINUTES } from './chart-time.ts'

/** How the reader likes the chart: the length of a candle and what is drawn besides. */
export type ChartChoice = { readonly period: ChartPeriod; readonly indicators: readonly string[] }

const isPeriod = (value: unknown): value is ChartPeriod =>
  typeof value === 'string' && value in PERIOD_MINUTES

/** The choice kept as text; what is missing, unknown or no JSON is the usual one. */
export function readChoice(text: string | null): ChartChoice {
  const kept = parsed(text)
  const period = 'period' in kept && isPeriod(kept.period) ? kept.period : '5min'
  const names: unknown[] = 'indicators' in kept && Array.isArray(kept.indicators) ? kept.indicators : []
  return {
    period,
    indicators: names.filter((name) => typeof name === 'string' && indicatorNamed(name)).map(String),
  }
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The choice on this device. */
export const useChartChoice = create<ChartChoice>(() => readChoice(readStored('chart')))

export function chooseChart(change: Partial<ChartChoice>): void {
  useChartChoice.setState(change)
  writeStored('chart', JSON.stringify(useChartChoice.getState()))
}

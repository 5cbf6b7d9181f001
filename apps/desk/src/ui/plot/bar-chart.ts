/** Bar charts by chart.js, which is loaded with the first plot. */
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js'
import type { ChartConfiguration } from 'chart.js'
import type { PlotColours, PlotTone } from './plot-theme.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

type BarSeries = {
  name: string
  /** One for each label. */
  values: readonly number[]
  /** One colour, or one above and one below zero. */
  tone: PlotTone | 'bySign'
}

export type BarPlotData = {
  labels: readonly string[]
  series: readonly BarSeries[]
  /** Horizontal bars, with their labels beside them. */
  isHorizontal?: boolean
  /** Formats a value for the scale and the tooltip. */
  format: (value: number) => string
}

export type RenderedPlot = { update(data: BarPlotData, colours: PlotColours): void; destroy(): void }

const FONT = { family: 'Plex, system-ui, sans-serif', size: 11 }

/** Renders bars on a canvas, with the series stacked. */
export function renderBars(canvas: HTMLCanvasElement, data: BarPlotData, colours: PlotColours): RenderedPlot {
  const chart = new Chart(canvas, configOf(data, colours))
  return {
    update: (next, nextColours) => {
      const { data: rows, options } = configOf(next, nextColours)
      chart.data = rows
      if (options) chart.options = options
      chart.update('none')
    },
    destroy: () => chart.destroy(),
  }
}

const toneOf = ({ tone }: BarSeries, value: number, colours: PlotColours): string =>
  tone === 'bySign' ? (value < 0 ? colours.down : colours.up) : colours[tone]

function configOf(
  { labels, series, isHorizontal = false, format }: BarPlotData,
  colours: PlotColours,
): ChartConfiguration<'bar', number[], string> {
  const figures = {
    stacked: true,
    border: { display: false },
    grid: { color: colours.line },
    ticks: {
      color: colours.second,
      font: FONT,
      maxTicksLimit: 6,
      callback: (value: number | string) => format(Number(value)),
    },
  }
  const names = {
    stacked: true,
    border: { color: colours.line },
    grid: { display: false },
    ticks: {
      color: colours.second,
      font: FONT,
      maxRotation: 0,
      autoSkip: !isHorizontal,
      autoSkipPadding: 12,
    },
  }
  return {
    type: 'bar',
    data: {
      labels: [...labels],
      datasets: series.map((one) => ({
        label: one.name,
        data: [...one.values],
        backgroundColor: one.values.map((value) => toneOf(one, value, colours)),
        borderRadius: 3,
        maxBarThickness: 28,
      })),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      indexAxis: isHorizontal ? 'y' : 'x',
      interaction: { mode: 'index', intersect: false, axis: isHorizontal ? 'y' : 'x' },
      scales: isHorizontal ? { x: figures, y: names } : { x: names, y: figures },
      plugins: {
        tooltip: {
          backgroundColor: colours.ink,
          titleColor: colours.onInk,
          bodyColor: colours.onInk,
          titleFont: FONT,
          bodyFont: FONT,
          displayColors: series.length > 1,
          callbacks: { label: ({ dataset, raw }) => `${dataset.label ?? ''}: ${format(Number(raw))}` },
        },
      },
    },
  }
}

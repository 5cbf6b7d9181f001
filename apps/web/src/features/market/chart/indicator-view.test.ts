import type { Chart, IndicatorCreate } from 'klinecharts'
import { describe, expect, test } from 'vitest'
import { CANDLES } from './chart-axes.ts'
import { fitPanes, showIndicators } from './indicator-view.ts'

type Shown = { id: string; name: string; paneId: string }

/** The part of a chart that indicators use. */
function chartWith(...names: readonly string[]) {
  let shown: Shown[] = names.map((name) => ({ id: name, name, paneId: `pane of ${name}` }))
  const created: (IndicatorCreate & { isOverCandles: boolean })[] = []
  const heights: Record<string, number> = {}
  const chart = {
    getIndicators: ({ name }: { name?: string } = {}) =>
      shown.filter((each) => name === undefined || each.name === name),
    removeIndicator: ({ id }: { id: string }) => (shown = shown.filter((each) => each.id !== id)),
    createIndicator: (indicator: IndicatorCreate, isOverCandles: boolean) => {
      created.push({ ...indicator, isOverCandles })
      const { name } = indicator
      shown.push({ id: name, name, paneId: isOverCandles ? CANDLES : `pane of ${name}` })
    },
    setPaneOptions: ({ id, height }: { id: string; height: number }) => (heights[id] = height),
    overrideYAxis: () => undefined,
  }
  return { chart: chart as unknown as Chart, created, heights, names: () => shown.map(({ name }) => name) }
}

describe('indicators', () => {
  test('are exactly the chosen ones; unknown names are left out', () => {
    const { chart, names } = chartWith('RSI', 'MACD')
    showIndicators(chart, ['MACD', 'MA', 'LUCK'], 5)
    expect(names()).toEqual(['MACD', 'MA'])
  })

  test('that are already shown are kept', () => {
    const { chart, created } = chartWith('MACD')
    showIndicators(chart, ['MACD'], 5)
    expect(created).toEqual([])
  })

  test('of the price have its decimals and are over the candles, others have their own decimals in a pane below', () => {
    const { chart, created } = chartWith()
    showIndicators(chart, ['MA', 'MACD', 'VOL'], 5)
    expect(created).toMatchObject([
      { name: 'MA', precision: 5, calcParams: [10, 30, 60], isOverCandles: true },
      { name: 'MACD', precision: 5, isOverCandles: false },
      { name: 'VOL', precision: 0, isOverCandles: false },
    ])
  })

  test.each([
    [100, 48],
    [400, 80],
    [2000, 120],
  ])('of a chart %i px high have panes of %i px, and the candles the rest', (chartHeight, height) => {
    const { chart, heights } = chartWith()
    showIndicators(chart, ['MA', 'RSI'], 5)
    fitPanes(chart, chartHeight, 'right')
    expect(heights).toEqual({ 'pane of RSI': height })
  })
})

/**
 * The indicators on offer, in the order of the sheet. Those of `candles` are drawn over the candles, those of
 * `below` in a pane of their own. `params` are the usual lengths in bars; without them the library's own stand.
 */
export type IndicatorPlace = 'candles' | 'below'
export type IndicatorName =
  'MA' | 'EMA' | 'BOLL' | 'SAR' | 'BBI' | 'VOL' | 'MACD' | 'RSI' | 'KDJ' | 'CCI' | 'WR' | 'DMI' | 'ROC'
export type ChartIndicator = {
  readonly name: IndicatorName
  readonly place: IndicatorPlace
  readonly decimals: number | null
  readonly params: readonly number[] | null
}

const over = (name: IndicatorName, params: readonly number[] | null = null): ChartIndicator => ({
  name,
  place: 'candles',
  decimals: null,
  params,
})
const below = (
  name: IndicatorName,
  decimals: number | null,
  params: readonly number[] | null = null,
): ChartIndicator => ({
  name,
  place: 'below',
  decimals,
  params,
})

export const CHART_INDICATORS: readonly ChartIndicator[] = [
  over('MA', [10, 30, 60]),
  over('EMA', [12, 26]),
  over('BOLL'),
  over('SAR'),
  over('BBI'),
  below('VOL', 0, []),
  below('MACD', null),
  below('RSI', 2, [14]),
  below('KDJ', 2),
  below('CCI', 2),
  below('WR', 2, [14]),
  below('DMI', 2),
  below('ROC', 2),
]

export const indicatorNamed = (name: string): ChartIndicator | undefined =>
  CHART_INDICATORS.find((indicator) => indicator.name === name)

/** A phone has no room for more panes than this; a further one replaces the oldest. */
const MOST_BELOW = 2

/** Adds or removes one indicator. */
export function toggled(chosen: readonly string[], name: string): readonly string[] {
  if (chosen.includes(name)) return chosen.filter((other) => other !== name)
  const next = [...chosen, name]
  const panes = next.filter((other) => indicatorNamed(other)?.place === 'below')
  return panes.length > MOST_BELOW ? next.filter((other) => other !== panes[0]) : next
}

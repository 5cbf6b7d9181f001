/** The indicators on offer, in the order of the sheet. `candles` are drawn over the candles, `below` in a pane of their own. */
export type IndicatorPlace = 'candles' | 'below'
export type ChartIndicator = { readonly name: string; readonly place: IndicatorPlace }

const over = (name: string): ChartIndicator => ({ name, place: 'candles' })
const below = (name: string): ChartIndicator => ({ name, place: 'below' })

export const CHART_INDICATORS: readonly ChartIndicator[] = [
  over('MA'),
  over('EMA'),
  over('SMA'),
  over('BOLL'),
  over('SAR'),
  over('BBI'),
  below('VOL'),
  below('MACD'),
  below('RSI'),
  below('KDJ'),
  below('CCI'),
  below('WR'),
  below('BIAS'),
  below('DMI'),
  below('ROC'),
  below('OBV'),
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

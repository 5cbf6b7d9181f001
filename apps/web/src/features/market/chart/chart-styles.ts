import type { DeepPartial, Styles } from 'klinecharts'
import type { ChartTheme, ChartWords } from './chart-port.ts'

const AXIS_FONT_SIZE = 11

/** The drawing library's styles in our colours; everything it would draw by itself and we do not want is off. */
export function chartStyles(theme: ChartTheme, words: ChartWords, isStale: boolean): DeepPartial<Styles> {
  const text = { family: theme.fontFamily, size: AXIS_FONT_SIZE, color: theme.second, weight: 450 }
  return {
    grid: {
      horizontal: { color: theme.line, style: 'solid', size: 1 },
      vertical: { show: false },
    },
    candle: candleStyles(theme, words, isStale),
    indicator: indicatorStyles(theme),
    xAxis: {
      axisLine: { show: false },
      tickLine: { show: false },
      tickText: { ...text, marginStart: 6, marginEnd: 6 },
    },
    yAxis: {
      axisLine: { show: false },
      tickLine: { show: false },
      tickText: { ...text, marginStart: 8, marginEnd: 8 },
    },
    separator: { size: 1, color: theme.line, activeBackgroundColor: theme.line },
    crosshair: crosshairStyles(theme),
  }
}

function candleStyles(theme: ChartTheme, words: ChartWords, isStale: boolean): DeepPartial<Styles['candle']> {
  const tag = isStale ? theme.third : theme.ink
  const { up, down, second } = theme
  return {
    bar: {
      upColor: up,
      downColor: down,
      noChangeColor: second,
      upBorderColor: up,
      downBorderColor: down,
      noChangeBorderColor: second,
      upWickColor: up,
      downWickColor: down,
      noChangeWickColor: second,
    },
    priceMark: {
      high: { show: false },
      low: { show: false },
      last: {
        upColor: tag,
        downColor: tag,
        noChangeColor: tag,
        line: { show: false },
        text: { ...tagText(theme), color: theme.onFill },
      },
    },
    tooltip: {
      showRule: 'follow_cross',
      offsetLeft: 2,
      offsetTop: 4,
      title: { show: false },
      legend: {
        ...legendText(theme),
        template: [
          { title: `${words.open} `, value: { text: '{open}', color: theme.ink } },
          { title: `${words.high} `, value: { text: '{high}', color: theme.ink } },
          { title: `${words.low} `, value: { text: '{low}', color: theme.ink } },
          { title: `${words.close} `, value: { text: '{close}', color: theme.ink } },
        ],
      },
    },
  }
}

function indicatorStyles(theme: ChartTheme): DeepPartial<Styles['indicator']> {
  // Lines of one indicator are told apart by weight of the same few inks; up and down stay with the candles.
  const lines = [theme.brass, theme.second, theme.ink, theme.third, theme.up].map((color) => ({
    color,
    size: 1.25,
    style: 'solid' as const,
  }))
  const bars = [{ upColor: faint(theme.up), downColor: faint(theme.down), noChangeColor: faint(theme.third) }]
  return {
    ohlc: { upColor: theme.up, downColor: theme.down, noChangeColor: theme.second },
    lines,
    bars,
    circles: bars,
    tooltip: {
      offsetLeft: 2,
      offsetTop: 4,
      title: { ...legendText(theme), weight: 600, color: theme.second, showParams: false },
      legend: { ...legendText(theme), defaultValue: '–' },
    },
  }
}

function crosshairStyles(theme: ChartTheme): DeepPartial<Styles['crosshair']> {
  const direction = {
    line: { color: theme.third, style: 'dashed' as const, dashedValue: [3, 3], size: 1 },
    text: { ...tagText(theme), color: theme.page, backgroundColor: theme.second, borderSize: 0 },
  }
  return { horizontal: direction, vertical: direction }
}

const faint = (colour: string): string =>
  colour.replace(/^rgb\((.*)\)$/, (_, channels: string) => `rgba(${channels}, 0.6)`)

const tagText = (theme: ChartTheme) => ({
  family: theme.fontFamily,
  size: AXIS_FONT_SIZE,
  weight: 620,
  borderRadius: 4,
  paddingLeft: 7,
  paddingRight: 7,
  paddingTop: 4,
  paddingBottom: 4,
})

const legendText = (theme: ChartTheme) => ({
  family: theme.fontFamily,
  size: AXIS_FONT_SIZE,
  weight: 500,
  color: theme.second,
  marginLeft: 4,
  marginRight: 4,
})

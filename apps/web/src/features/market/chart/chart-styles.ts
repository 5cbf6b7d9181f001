import type { DeepPartial, Styles } from 'klinecharts'
import type { ChartLabels, ChartLook, ChartTheme } from './chart-port.ts'

const AXIS_FONT_SIZE = 12

type Look = { readonly look: ChartLook; readonly isStale: boolean }

/** Styles of the drawing library in the theme's colours, with its unneeded default elements off. */
export function chartStyles(theme: ChartTheme, labels: ChartLabels, shown: Look): DeepPartial<Styles> {
  const text = { family: theme.fontFamily, size: AXIS_FONT_SIZE, color: theme.second, weight: 450 }
  return {
    grid: {
      horizontal: { color: theme.line, style: 'solid', size: 1 },
      vertical: { show: false },
    },
    candle: candleStyles(theme, labels, shown),
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

const CANDLE_TYPES = {
  candles: 'candle_solid',
  hollow: 'candle_up_stroke',
  line: 'area',
  area: 'area',
} as const satisfies Record<ChartLook, Styles['candle']['type']>

function candleStyles(
  theme: ChartTheme,
  labels: ChartLabels,
  { look, isStale }: Look,
): DeepPartial<Styles['candle']> {
  const tag = isStale ? theme.third : theme.ink
  const { up, down, second } = theme
  return {
    type: CANDLE_TYPES[look],
    area: {
      lineSize: 1.75,
      lineColor: theme.ink,
      backgroundColor: look === 'area' ? transparent(theme.ink, 0.1) : transparent(theme.ink, 0),
      point: { show: false },
    },
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
          { title: `${labels.open} `, value: { text: '{open}', color: theme.ink } },
          { title: `${labels.high} `, value: { text: '{high}', color: theme.ink } },
          { title: `${labels.low} `, value: { text: '{low}', color: theme.ink } },
          { title: `${labels.close} `, value: { text: '{close}', color: theme.ink } },
        ],
      },
    },
  }
}

function indicatorStyles(theme: ChartTheme): DeepPartial<Styles['indicator']> {
  // Lines of an indicator differ by shades; the colours for up and down stay with the candles.
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

const faint = (colour: string): string => transparent(colour, 0.6)

const transparent = (colour: string, opacity: number): string =>
  colour.replace(/^rgb\((.*)\)$/, (_, channels: string) => `rgba(${channels}, ${opacity})`)

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

const TOKENS = {
  page: '--page',
  ink: '--ink',
  second: '--second',
  third: '--third',
  line: '--line',
  brass: '--brass',
  up: '--up',
  down: '--down',
  onFill: '--on-signal',
} as const

/** The page's colours for a canvas. A token holds a light and a dark value, which a probe element resolves. */
export function readChartTheme(box: HTMLElement): ChartTheme {
  const probe = document.createElement('span')
  box.append(probe)
  const resolve = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const colours = Object.entries(TOKENS).map(([name, token]) => [name, resolve(token)])
  probe.remove()
  return { ...Object.fromEntries(colours), fontFamily: getComputedStyle(box).fontFamily }
}

/** Calls back when the page changes between light and dark or swaps the colours for up and down. Returns a function that stops it. */
export function watchTheme(onChange: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-rise'],
  })
  scheme.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    scheme.removeEventListener('change', onChange)
  }
}

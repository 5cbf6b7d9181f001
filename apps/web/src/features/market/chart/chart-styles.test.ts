import { describe, expect, test } from 'vitest'
import type { ChartLook, ChartTheme } from './chart-port.ts'
import { chartStyles } from './chart-styles.ts'

const theme: ChartTheme = {
  page: 'page',
  ink: 'ink',
  second: 'second',
  third: 'third',
  line: 'line',
  brass: 'brass',
  up: 'rgb(1, 2, 3)',
  down: 'down',
  onFill: 'onFill',
  fontFamily: 'font',
}
const labels = { open: 'Eröffnung', high: 'Hoch', low: 'Tief', close: 'Schluss' }
const styles = (isStale = false, look: ChartLook = 'candles') => chartStyles(theme, labels, { isStale, look })

describe('the styles of a chart', () => {
  test('draws the tag of the last price in ink, and grey once the price is too old', () => {
    const tag = (isStale: boolean) => styles(isStale).candle?.priceMark?.last
    expect(tag(false)).toMatchObject({ upColor: 'ink', downColor: 'ink', noChangeColor: 'ink' })
    expect(tag(true)).toMatchObject({ upColor: 'third', downColor: 'third', noChangeColor: 'third' })
  })

  test('uses the theme’s colours for rising and falling prices', () => {
    expect(styles().candle?.bar).toMatchObject({
      upColor: theme.up,
      upBorderColor: theme.up,
      upWickColor: theme.up,
      downColor: theme.down,
      downBorderColor: theme.down,
      downWickColor: theme.down,
    })
  })

  test('draws rising candles hollow, a line, or a line with a faint area below it', () => {
    expect(styles().candle?.type).toBe('candle_solid')
    expect(styles(false, 'hollow').candle?.type).toBe('candle_up_stroke')
    expect(styles(false, 'line').candle?.type).toBe('area')
    expect(styles(false, 'area').candle?.type).toBe('area')
  })

  test('draws bars below fainter than candles', () => {
    expect(styles().indicator?.bars?.[0]).toMatchObject({ upColor: 'rgba(1, 2, 3, 0.6)' })
  })

  test('names open, high, low and close in the language of the screen', () => {
    const legend = styles().candle?.tooltip?.legend as { template: readonly { title: string }[] } | undefined
    expect(legend?.template.map(({ title }) => title.trim())).toEqual(Object.values(labels))
  })
})

import { expect, it, vi } from 'vitest'
import { CHART_INDICATORS, readChoice, toggled } from './chart-choice.tsx'

const USUAL = { period: '5min', look: 'candles', indicators: [] }

it('is five minutes without indicators until something was chosen', () => {
  expect(readChoice(null)).toEqual(USUAL)
})

it('is restored as it was stored', () => {
  const kept = { period: '1day', look: 'area', indicators: ['MA', 'RSI'] }
  expect(readChoice(JSON.stringify(kept))).toEqual(kept)
})

it('ignores invalid stored values', () => {
  for (const text of [
    '{',
    'null',
    '[]',
    '"x"',
    '{"period":"7min","indicators":["HAT",3]}',
    '{"indicators":{},"look":"pie"}',
  ])
    expect(readChoice(text), text).toEqual(USUAL)
})

it('offers only indicators that the drawing library has', async () => {
  // The library reads the platform's name while it loads; the list itself needs no browser.
  vi.stubGlobal('window', { navigator: { platform: '' } })
  const { getSupportedIndicators } = await import('klinecharts')
  vi.unstubAllGlobals()
  const supported = getSupportedIndicators()
  expect(CHART_INDICATORS.filter(({ name }) => !supported.includes(name))).toEqual([])
})

it('adds an indicator, and removes it when it is chosen again', () => {
  expect(toggled(['MA'], 'RSI')).toEqual(['MA', 'RSI'])
  expect(toggled(['MA', 'RSI'], 'MA')).toEqual(['RSI'])
})

it('keeps at most two panes below the candles: a third replaces the oldest', () => {
  expect(toggled(['VOL', 'MA', 'MACD'], 'RSI')).toEqual(['MA', 'MACD', 'RSI'])
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')

function tokens(theme: 'light' | 'dark'): Record<string, string> {
  const pairs = [...css.matchAll(/--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\);/g)]
  return Object.fromEntries(pairs.map(([, name, light, dark]) => [name, theme === 'light' ? light : dark]))
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2 contrast ratio of two colours. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['page', 'surface', 'raised']
const pairs = [
  ...['ink', 'second', 'third', 'brass', 'green', 'red'].flatMap((text) => grounds.map((on) => [text, on])),
  ...['brass', 'green', 'red'].map((text) => [text, `${text}-tint`]),
  ...['ink', 'second'].flatMap((text) => ['brass-tint', 'green-tint', 'red-tint'].map((on) => [text, on])),
  ['on-ink', 'ink'],
  ['on-signal', 'green'],
  ['on-signal', 'red'],
] as [string, string][]

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  test.each(pairs)('%s on %s has a contrast of at least 4.5:1', (text, ground) => {
    const colours = tokens(theme)
    expect(contrast(colours[text] ?? '', colours[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
  })
})

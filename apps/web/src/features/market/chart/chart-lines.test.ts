import { describe, expect, it } from 'vitest'
import type { ChartLine } from './chart-port.ts'
import { placeLines } from './chart-lines.ts'

const line = (id: string, price: number, label: string | null): ChartLine => ({
  id,
  price,
  label,
  tone: 'ink',
  stroke: 'solid',
})
const place = (...lines: ChartLine[]) =>
  placeLines(
    lines,
    (price) => 200 - price,
    (text) => text.length * 10,
    { width: 100, height: 200 },
  )

describe('placing price lines', () => {
  it('draws a line at its price with its pill at the start', () => {
    expect(place(line('a', 40, 'Buy'))).toEqual([
      { line: line('a', 40, 'Buy'), y: 160, pill: { x: 6, y: 160, width: 30, text: 'Buy' } },
    ])
  })

  it('moves a pill beside one it would cover', () => {
    const [, second] = place(line('a', 40, 'Buy'), line('b', 45, 'Sell'))
    expect(second?.pill).toMatchObject({ x: 6 + 30 + 6, y: 155 })
  })

  it('moves a pill into the next row when there is no space beside', () => {
    const [, , third] = place(line('a', 40, 'Buy'), line('b', 40, 'Sell'), line('c', 40, 'Sell'))
    expect(third?.pill).toMatchObject({ x: 6, y: 160 - 22 })
  })

  it('does not move pills that are far enough apart', () => {
    const [, second] = place(line('a', 40, 'Buy'), line('b', 60, 'Sell'))
    expect(second?.pill?.x).toBe(6)
  })

  it('keeps the pill of a line above the range at the top with an arrow, below the crosshair figures', () => {
    const [placed] = place(line('a', 250, 'Buy'))
    expect(placed).toMatchObject({ y: null, pill: { y: 34, text: 'Buy ↑' } })
  })

  it('keeps the pill of a line below the range at the bottom edge', () => {
    const [placed] = place(line('a', -20, 'Stop'))
    expect(placed).toMatchObject({ y: null, pill: { y: 188, text: 'Stop ↓' } })
  })

  it('draws nothing of an unlabelled line outside the range', () => {
    expect(place(line('bid', 250, null))).toMatchObject([{ y: null, pill: null }])
  })
})

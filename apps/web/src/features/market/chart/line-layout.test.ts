import { describe, expect, it } from 'vitest'
import type { ChartLine } from './chart-port.ts'
import { placeLines } from './line-layout.ts'

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
    (price) => 100 - price,
    (text) => text.length * 10,
    { height: 100 },
  )

describe('placing price lines', () => {
  it('draws a line at its price with its pill at the start', () => {
    expect(place(line('a', 40, 'Buy'))).toEqual([
      { line: line('a', 40, 'Buy'), y: 60, pill: { x: 6, y: 60, width: 30, text: 'Buy' } },
    ])
  })

  it('moves a pill beside one it would cover', () => {
    const [, second] = place(line('a', 40, 'Buy'), line('b', 45, 'Sell'))
    expect(second?.pill).toMatchObject({ x: 6 + 30 + 6, y: 55 })
  })

  it('leaves pills alone that are far enough apart', () => {
    const [, second] = place(line('a', 40, 'Buy'), line('b', 60, 'Sell'))
    expect(second?.pill?.x).toBe(6)
  })

  it('keeps the pill of a line above the range at the top edge with an arrow, without the line', () => {
    const [placed] = place(line('a', 150, 'Buy'))
    expect(placed).toMatchObject({ y: null, pill: { y: 12, text: 'Buy ↑' } })
  })

  it('keeps the pill of a line below the range at the bottom edge', () => {
    const [placed] = place(line('a', -20, 'Stop'))
    expect(placed).toMatchObject({ y: null, pill: { y: 88, text: 'Stop ↓' } })
  })

  it('draws nothing of an unlabelled line outside the range', () => {
    expect(place(line('bid', 150, null))).toMatchObject([{ y: null, pill: null }])
  })
})

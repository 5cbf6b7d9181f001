const WIDTH = 100
const TOP = 3
const BOTTOM = 24
const FLOOR = 32

/**
 * SVG paths of a line and the area under it in a box of 100 x 32. A flat series lies in the middle; fewer than two
 * values draw nothing.
 */
export function areaPath(values: readonly number[]): { line: string; area: string } {
  if (values.length < 2) return { line: '', area: '' }
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH
    const y = span === 0 ? (TOP + BOTTOM) / 2 : BOTTOM - ((value - low) / span) * (BOTTOM - TOP)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}V${FLOOR}H0Z` }
}

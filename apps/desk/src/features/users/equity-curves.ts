import type { UserEquityPoint } from '@fairlot/contract/desk'

/** SVG paths of a figure over time. */
export type Curve = {
  readonly line: string
  /** Points whose neighbours are unknown: subpaths without length, which a round line cap shows as dots. */
  readonly dots: string
}

type Box = { readonly width: number; readonly height: number }

const lesser = <N extends bigint>(a: N, b: N): N => (b < a ? b : a)
const greater = <N extends bigint>(a: N, b: N): N => (b > a ? b : a)

/** The lowest and the highest of at least one value. */
export const rangeOf = <N extends bigint>(values: readonly N[]): { readonly low: N; readonly high: N } => ({
  low: values.reduce(lesser),
  high: values.reduce(greater),
})

/** The curves of equity and balance in a box; that of equity has gaps where it is unknown. At least one point. */
export function curvesOf(
  points: readonly UserEquityPoint[],
  { width, height }: Box,
): { readonly equity: Curve; readonly balance: Curve } {
  const { low, high } = rangeOf(points.flatMap(({ equity, balance }) => [equity ?? balance, balance]))
  const [firstAt, lastAt] = [points[0]?.moment ?? 0, points.at(-1)?.moment ?? 0]
  const place = (at: number, value: bigint): string => {
    const across = firstAt === lastAt ? 0.5 : (at - firstAt) / (lastAt - firstAt)
    const up = low === high ? 0.5 : Number(value - low) / Number(high - low)
    return `${(across * width).toFixed(1)} ${((1 - up) * height).toFixed(1)}`
  }
  return {
    equity: curveThrough(
      points.map(({ moment, equity }) => (equity === null ? null : place(moment, equity))),
    ),
    balance: curveThrough(points.map(({ moment, balance }) => place(moment, balance))),
  }
}

function curveThrough(places: readonly (string | null)[]): Curve {
  const runs: string[][] = [[]]
  for (const place of places) {
    if (place === null) runs.push([])
    else runs.at(-1)?.push(place)
  }
  const paths = (isWanted: (run: readonly string[]) => boolean, end: string) =>
    runs
      .filter(isWanted)
      .map((run) => `M${run.join('L')}${end}`)
      .join('')
  return { line: paths(({ length }) => length > 1, ''), dots: paths(({ length }) => length === 1, 'h0') }
}

/** The box that lines are drawn in; it is stretched to its place. */
export const WIDTH = 400
export const HEIGHT = 100

/** The path of a balance over equal steps of time: level until it changes, then straight up or down. Level all the time lies in the middle. */
export function stepLine(points: readonly { readonly balance: bigint }[]): string {
  const balances = points.map(({ balance }) => balance)
  const [first = 0n] = balances
  const low = balances.reduce((least, each) => (each < least ? each : least), first)
  const span = balances.reduce((most, each) => (each > most ? each : most), first) - low
  const y = (balance: bigint) =>
    (span === 0n ? HEIGHT / 2 : HEIGHT - (Number(balance - low) / Number(span)) * HEIGHT).toFixed(1)
  const stepWidth = WIDTH / Math.max(points.length - 1, 1)
  const steps = balances
    .slice(1)
    .map((balance, place) => `H${((place + 1) * stepWidth).toFixed(1)}V${y(balance)}`)
  return `M0 ${y(first)}${steps.join('')}`
}

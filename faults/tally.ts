import { availableParallelism, loadavg } from 'node:os'

/** Results of one kind of fault over all its rounds. */
export type Tally = {
  readonly fault: string
  readonly place: string
  rounds: number
  acknowledged: number
  refused: number
  /** Changes without a definite answer at first. */
  unknown: number
  /** How many of these had happened before they were repeated; the others left no trace. */
  unknownDone: number
  /** Acknowledged, but not in the journal. */
  lost: number
  /** More than once in the journal. */
  doubled: number
  /** Descriptions of all other problems. */
  readonly wrong: string[]
  /** From the removal of the cause, ms. */
  readonly readyMs: number[]
  readonly watchingMs: number[]
  /** Number of closed orders by reason. */
  readonly ends: Map<string, number>
  /** Time in which a killed database accepted connections again, ms; not part of the figures above. */
  readonly databaseMs: number[]
}

export const newTally = (fault: string, place: string): Tally => ({
  fault,
  place,
  rounds: 0,
  acknowledged: 0,
  refused: 0,
  unknown: 0,
  unknownDone: 0,
  lost: 0,
  doubled: 0,
  wrong: [],
  readyMs: [],
  watchingMs: [],
  databaseMs: [],
  ends: new Map(),
})

/** Limit until the server is back and watches orders. */
const RECOVERED_WITHIN_MS = 5_000

const slowOnes = ({ watchingMs, readyMs }: Tally): number[] =>
  [...watchingMs, ...readyMs].filter((ms) => ms > RECOVERED_WITHIN_MS)

/** Nothing was lost, duplicated or wrong, however long it took. */
export const isIntact = ({ lost, doubled, wrong }: Tally): boolean =>
  lost === 0 && doubled === 0 && wrong.length === 0

export const isGood = (tally: Tally): boolean => isIntact(tally) && slowOnes(tally).length === 0

const HEADINGS = [
  'fault',
  'database',
  'rounds',
  'acknowledged',
  'refused',
  'unknown',
  'of it done',
  'lost',
  'doubled',
  'wrong',
  'ready s',
  'watching s',
]

/** The table of a run, and below it the problems. */
export function report(tallies: readonly Tally[]): string {
  const rows = tallies.map(rowOf)
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  const wrong = tallies.flatMap(({ fault, wrong: sentences }) =>
    [...new Set(sentences)].map((each) => `${fault}: ${each}`),
  )
  const slow = tallies.flatMap((tally) =>
    slowOnes(tally).map((ms) => `${tally.fault}: slow, ${seconds(ms)} s until it was back`),
  )
  const databases = tallies.flatMap(({ fault, databaseMs }) =>
    databaseMs.length > 0 ? [`${fault}: the database itself was away ${spread(databaseMs)} s more`] : [],
  )
  return [
    lineOf(HEADINGS),
    ...rows.map(lineOf),
    endsOf(tallies),
    machine(),
    ...databases,
    ...wrong,
    ...slow,
  ].join('\n')
}

function endsOf(tallies: readonly Tally[]): string {
  const total = new Map<string, number>()
  for (const [reason, count] of tallies.flatMap(({ ends }) => [...ends]))
    total.set(reason, (total.get(reason) ?? 0) + count)
  if (total.size === 0) return 'orders ended: none'
  return `orders ended: ${[...total].map(([reason, count]) => `${reason} ${count}`).join(', ')}`
}

/** Times of a busy machine mean little. */
function machine(): string {
  const [, fiveMinutes = 0] = loadavg()
  return `machine: ${availableParallelism()} cores, ${fiveMinutes.toFixed(1)} processes at work on average over the last 5 minutes`
}

const rowOf = (tally: Tally): string[] => [
  tally.fault,
  tally.place,
  ...[tally.rounds, tally.acknowledged, tally.refused, tally.unknown, tally.unknownDone].map(String),
  ...[tally.lost, tally.doubled, new Set(tally.wrong).size].map(String),
  spread(tally.readyMs),
  spread(tally.watchingMs),
]

const seconds = (ms: number): string => (ms / 1000).toFixed(2)

/** Minimum, median and maximum. */
function spread(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b)
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  if (least === undefined || median === undefined || most === undefined) return '-'
  return `${seconds(least)} / ${seconds(median)} / ${seconds(most)}`
}

/** One line of the result: a figure, its yardstick and its target. */
export type Reading = {
  /** The goal's number, such as `P1`. */
  readonly goal: string
  readonly what: string
  readonly measured: string
  /** What it is compared with, measured in the same run. */
  readonly yardstick: string
  readonly ratio: number
  readonly target: Target
  readonly note?: string
}

export type Target = { readonly atLeast: number } | { readonly atMost: number }

/** A line that could not be measured here, and why. */
export type Skipped = { readonly goal: string; readonly what: string; readonly because: string }

export type Line = Reading | Skipped

/** How much of a benchmark is run. */
export type Extent = {
  /** The slow goals too. */
  readonly isLong: boolean
  /** Divides the sizes by this, to try the benchmark itself: the figures then say little. */
  readonly part: number
}

/** A benchmark cannot run here; the message says what is missing. */
export class Missing extends Error {}

export const isMet = ({ ratio, target }: Reading): boolean =>
  'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/** A measurement that may fail without affecting the others: it then gives NaN and is not tried again. */
export type Attempt = {
  readonly measure: () => Promise<number>
  /** Why it failed; null while it has not. */
  failure(): string | null
}

export function attempt(measure: () => Promise<number>): Attempt {
  let failure: string | null = null
  return {
    measure: async () => {
      if (failure !== null) return NaN
      try {
        return await measure()
      } catch (error) {
        failure = messageOf(error)
        return NaN
      }
    },
    failure: () => failure,
  }
}

/**
 * Measures some lines; if that fails, one line says why and the others are kept. Any error but `Missing` fails the
 * run in the end.
 */
export async function linesOrWhy(
  { goal, what }: Pick<Skipped, 'goal' | 'what'>,
  measure: () => Promise<readonly Line[]>,
): Promise<readonly Line[]> {
  try {
    return await measure()
  } catch (error) {
    if (!(error instanceof Missing)) {
      console.error(error)
      process.exitCode = 1
    }
    return [{ goal, what, because: messageOf(error) }]
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The figures of each measurement, by round. */
export type Rounds<Name extends string> = Readonly<Record<Name, readonly number[]>>

/** Measures in turns, so that a slow minute of the machine affects all of them. */
export async function inTurns<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Rounds<Name>> {
  const names = Object.keys(measures) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await measures[name]())
  }
  return results
}

/** The median over the rounds of one figure divided by another of the same round. */
export const ratioOf = (figures: readonly number[], yardsticks: readonly number[]): number =>
  median(figures.map((figure, round) => figure / (yardsticks[round] ?? NaN)))

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`

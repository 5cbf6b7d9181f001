import type { Failure, Report } from './report.ts'
import { addCounts, subtractCounts, type Unsteady, type Verdict } from './step.ts'

/** More failures than this at once are no chance, and would cost the time of a whole run. */
const MOST_REPEATED = 20

/**
 * Judges a run of tests after what failed in it has run once more, by itself. What fails again has failed; what passes is
 * unsteady: the run is good, and the verdict names it. An error that nothing names is forgiven with the rest, never alone.
 */
export async function repeatFailures(
  { counts, failures }: Report,
  repeat: (name: string) => Promise<Report>,
): Promise<Verdict> {
  const named = failures.flatMap(({ name, ...rest }) => (name === null ? [] : [{ ...rest, name }]))
  if (failures.length === 0) return { isGood: true, counts }
  if (named.length === 0 || named.length > MOST_REPEATED)
    return { isGood: false, counts: withFailure(counts) }
  const unsteady: Unsteady[] = []
  let total = counts
  for (const failure of named) {
    console.log(`\n-- again, by itself: ${failure.name} (${failure.error})`)
    const again = await repeat(failure.name)
    total = addCounts(subtractCounts(total, failure.counts), again.counts)
    if (again.failures.length === 0) unsteady.push(failure)
  }
  const isGood = unsteady.length === named.length
  return {
    isGood,
    counts: isGood ? total : withFailure(total),
    unsteady: [...unsteady, ...(isGood ? failures.filter(isNameless) : [])],
  }
}

const isNameless = ({ name }: Failure): boolean => name === null

/** A run that failed outside its tests counts as one failed test. */
const withFailure = (counts: Report['counts']): Report['counts'] =>
  counts.failed > 0 ? counts : { ...counts, failed: 1 }

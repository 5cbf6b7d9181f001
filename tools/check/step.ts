/** Tests that ran. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 }

/** Something that failed, then passed when it ran again by itself. */
export type Unsteady = {
  /** The file, journey or fault; null where nothing names it. */
  readonly name: string | null
  /** The first line of its first error. */
  readonly error: string
}

export type Verdict = {
  readonly isGood: boolean
  readonly counts?: Counts
  readonly unsteady?: readonly Unsteady[]
}

export type Step = {
  readonly name: string
  /** What it checks, in a few words. */
  readonly description: string
  /** Runs in `npm run check:all` only, or by its name. */
  readonly isForAll?: boolean
  readonly run: () => Promise<Verdict>
}

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

export const subtractCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed - b.passed,
  failed: a.failed - b.failed,
  skipped: a.skipped - b.skipped,
})

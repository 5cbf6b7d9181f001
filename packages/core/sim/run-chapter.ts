import { show } from './canonical.ts'
import { compareEverything, type Chapter } from './chapter.ts'
import { takeStep } from './step.ts'

const COMPARE_ALL_EVERY = 400

export type Trouble = {
  readonly step: number
  readonly command: string
  readonly problems: readonly string[]
}

/** Runs the chapter; the first step that goes wrong ends it. */
export function runChapter(chapter: Chapter, steps: number): Trouble | null {
  for (let step = 1; step <= steps; step++) {
    const { command, problems } = takeStep(chapter)
    if (step % COMPARE_ALL_EVERY === 0 || step === steps) problems.push(...compareEverything(chapter))
    if (problems.length > 0) return { step, command: show(command), problems }
  }
  return null
}

/** The whole simulation: chapters one after the other until all steps are done or one goes wrong. */
import { createChapter } from './chapter.ts'
import { createCounts, type Counts } from './counts.ts'
import { createRandom } from '../../../testing/random.ts'
import { runChapter, type Trouble } from './run-chapter.ts'

/** Short worlds test many settings, long ones long histories. */
const CHAPTER_LENGTHS = [1_000, 2_000, 4_000, 10_000]

export type Simulation = {
  readonly steps: number
  readonly seed: number
  readonly counts: Counts
  readonly trouble: (Trouble & { readonly chapter: number }) | null
}

/** The same seed and steps give the same simulation. A chapter can be run alone by its number. */
export function simulate(asked: { steps: number; seed: number; chapter?: number | undefined }): Simulation {
  const { steps, seed } = asked
  const counts = createCounts()
  const first = asked.chapter ?? 1
  let done = 0
  for (let chapter = first; done < steps && (asked.chapter ?? chapter) === chapter; chapter++) {
    const random = createRandom(seed, chapter)
    const length = Math.min(random.pick(CHAPTER_LENGTHS), steps - done)
    const trouble = runChapter(createChapter(random, chapter, counts), length)
    if (trouble) return { steps: done + trouble.step, seed, counts, trouble: { ...trouble, chapter } }
    done += length
  }
  return { steps: done, seed, counts, trouble: null }
}

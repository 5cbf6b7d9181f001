/** The whole simulation: one episode after the other until all steps are done or one fails. */
import { show } from './canonical.ts'
import { compareEverything, type Episode, createEpisode } from './episode.ts'
import { takeStep } from './step.ts'
import { createCounts, type Counts } from './counts.ts'
import { createRandom } from '../../../testing/random.ts'

const COMPARE_ALL_EVERY = 400

export type Trouble = {
  readonly step: number
  readonly command: string
  readonly problems: readonly string[]
}

/** Runs an episode up to its first failing step. */
export function runEpisode(episode: Episode, steps: number): Trouble | null {
  for (let step = 1; step <= steps; step++) {
    const { command, problems } = takeStep(episode)
    if (step % COMPARE_ALL_EVERY === 0 || step === steps) problems.push(...compareEverything(episode))
    if (problems.length > 0) return { step, command: show(command), problems }
  }
  return null
}

/** Short episodes test many settings, long ones long histories. */
const EPISODE_LENGTHS = [1_000, 2_000, 4_000, 10_000]

export type Simulation = {
  readonly steps: number
  readonly seed: number
  readonly counts: Counts
  readonly trouble: (Trouble & { readonly episode: number }) | null
}

/** The same seed and steps give the same simulation. An episode can be run alone by its number. */
export function simulate(requested: {
  steps: number
  seed: number
  episode?: number | undefined
}): Simulation {
  const { steps, seed } = requested
  const counts = createCounts()
  const first = requested.episode ?? 1
  let done = 0
  for (let episode = first; done < steps && (requested.episode ?? episode) === episode; episode++) {
    const random = createRandom(seed, episode)
    const length = Math.min(random.pick(EPISODE_LENGTHS), steps - done)
    const trouble = runEpisode(createEpisode(random, episode, counts), length)
    if (trouble) return { steps: done + trouble.step, seed, counts, trouble: { ...trouble, episode } }
    done += length
  }
  return { steps: done, seed, counts, trouble: null }
}

import type { Command } from '../src/index.ts'
import type { Counts } from './counts.ts'
import type { PlainQuote } from './plain-types.ts'
import type { ReferenceModel } from './reference/state.ts'

/** A command of the simulation and its circumstances. */
export type Observation = {
  readonly counts: Counts
  readonly model: ReferenceModel
  readonly command: Command
  /** The price of a tick's instrument before the tick. */
  readonly previous: PlainQuote | undefined
  /** When the engine was last restarted, epoch ms. */
  readonly restartedAt: number | null
  /** Free margin of the command's account before it. */
  readonly freeBefore: bigint
  /** In how many transactions the core carried it out, and whether it crashed in between. */
  readonly slices: number
  readonly isCrashed: boolean
}

import type { Command } from '../src/index.ts'
import type { Counts } from './counts.ts'
import type { PlainQuote } from './plain.ts'
import type { ReferenceModel } from './reference/state.ts'

/** A command of the simulation, and what is seen around it. */
export type Observation = {
  readonly counts: Counts
  readonly model: ReferenceModel
  readonly command: Command
  /** The price of a tick's instrument before the tick. */
  readonly previous: PlainQuote | undefined
  /** When the engine was last started again, epoch ms. */
  readonly restartedAt: number | null
  /** Money of the command's account that was free before it. */
  readonly freeBefore: bigint
  /** In how many transactions the core has done it, and whether it died in between. */
  readonly slices: number
  readonly isCrashed: boolean
}

import type { Random } from '../../../testing/random.ts'
import type { ReferenceModel } from './reference/state.ts'
import type { SimWorld } from './world.ts'

/** The context in which a user or operator chooses the next command. */
export type Scene = {
  readonly world: SimWorld
  readonly model: ReferenceModel
  readonly random: Random
  readonly at: number
}

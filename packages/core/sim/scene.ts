import type { Random } from '../../../testing/random.ts'
import type { ReferenceModel } from './reference/state.ts'
import type { SimWorld } from './world.ts'

/** Where a user is about to do something. */
export type Scene = {
  readonly world: SimWorld
  readonly model: ReferenceModel
  readonly random: Random
  readonly at: number
}

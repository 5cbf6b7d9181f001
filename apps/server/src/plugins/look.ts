import type { State } from '@fairlot/core'
import { isUnavailable, type Engine } from '../engine/engine.ts'
import { refuse, type Refusal } from './refusal.ts'

/** What a view makes of the engine's memory, once it is sure to last; refused while nothing is. */
export async function look<View>(
  { read }: Pick<Engine, 'read'>,
  view: (state: State) => View,
): Promise<View | Refusal> {
  const seen = await read(view)
  return isUnavailable(seen) ? refuse('engineUnavailable') : seen
}

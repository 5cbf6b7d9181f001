import { isRejection, type Entry, type State } from '@fairlot/core'
import { refuse, type Refusal } from '../platform/refusal.ts'
import { type Engine, type EngineCommand, isNotDone, isUnavailable } from './engine.ts'

/** A view of the engine's state, returned once everything it shows is durable. Refused while the engine is unavailable. */
export async function readEngine<View>(
  { read }: Pick<Engine, 'read'>,
  view: (state: State) => View,
): Promise<View | Refusal> {
  const result = await read(view)
  return isUnavailable(result) ? refuse('engineUnavailable') : result
}

/** The journal entry of a command, or why it was refused. */
export async function resultOf(
  { execute }: Pick<Engine, 'execute'>,
  command: EngineCommand,
): Promise<Entry | Refusal> {
  const answer = await execute(command)
  if (isUnavailable(answer)) return refuse('engineUnavailable')
  if (isNotDone(answer)) return refuse('notDone')
  return isRejection(answer) ? answer : answer.entry
}

import type { Operator, Outcome } from '@fairlot/core'
import { isRejection } from '@fairlot/core'
import { isNotDone, isUnavailable, type Engine, type EngineCommand } from '../../engine/engine.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import { refusalOfReason, type Act, type ActLog } from './act-log.ts'

/** An operator's command to the engine, without the name under it. */
type WithoutAuthor<C> = C extends { readonly by: unknown } ? Omit<C, 'by'> : never
export type ActCommand = WithoutAuthor<EngineCommand>

/** Acts that the engine decides: written down with what came of them. */
export type EngineActs = {
  /** What the engine has journaled, or its refusal. */
  execute(act: Act & { readonly reason: string }, command: ActCommand): Promise<Outcome | Refusal>
}

export function createEngineActs(engine: Engine, log: ActLog): EngineActs {
  return {
    execute: async (act, command) => {
      const blank = refusalOfReason(act.reason)
      if (blank) return blank
      const answer = await engine.execute({ ...command, by: authorOf(act) } as EngineCommand)
      if (isUnavailable(answer)) return refuse('engineUnavailable')
      if (isNotDone(answer)) return refuse('notDone')
      if (isRejection(answer)) {
        await log.tellRefused(act, answer)
        return answer
      }
      // What changed nothing stands in no journal.
      await log.tell(act, answer.entry.events.length > 0 ? answer.entry.at : null)
      return answer
    },
  }
}

const authorOf = ({ operator, reason, second }: Act & { readonly reason: string }): Operator => ({
  ...{ type: 'operator', id: operator.id, role: operator.role, reason: reason.trim() },
  second: second ? { id: second.id, role: second.role } : null,
})

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

/**
 * `tellUntold` writes down what the journal has and the acts have not. It is asked before the next act where the database went away
 * between the two, or nobody knew what had come of a command: a server that lives on leaves no gap in the acts.
 */
export function createEngineActs(
  engine: Pick<Engine, 'execute'>,
  log: Pick<ActLog, 'tell' | 'tellRefused'>,
  tellUntold: () => Promise<unknown>,
): EngineActs {
  const underWay = new Set<Promise<unknown>>()
  let mayBeUntold = false
  let repair: Promise<void> | null = null

  /** Once nothing is under way: what is about to be told is not told twice. */
  const repairNow = async () => {
    await Promise.allSettled(underWay)
    await tellUntold()
    mayBeUntold = false
  }
  const decide = async (act: Act & { readonly reason: string }, command: ActCommand) => {
    const answer = await engine.execute({ ...command, by: authorOf(act) } as EngineCommand)
    if (isUnavailable(answer)) {
      mayBeUntold = true
      return refuse('engineUnavailable')
    }
    if (isNotDone(answer)) return refuse('notDone')
    if (isRejection(answer)) {
      await log.tellRefused(act, answer)
      return answer
    }
    try {
      // What changed nothing stands in no journal.
      await log.tell(act, answer.entry.events.length > 0 ? answer.entry.at : null)
    } catch {
      mayBeUntold = true
    }
    return answer
  }
  return {
    execute: async (act, command) => {
      const blank = refusalOfReason(act.reason)
      if (blank) return blank
      while (mayBeUntold) {
        repair ??= repairNow().finally(() => (repair = null))
        try {
          await repair
        } catch {
          return refuse('engineUnavailable')
        }
      }
      const work = decide(act, command)
      underWay.add(work)
      return work.finally(() => underWay.delete(work))
    },
  }
}

const authorOf = ({ operator, reason, second }: Act & { readonly reason: string }): Operator => ({
  ...{ type: 'operator', id: operator.id, role: operator.role, reason: reason.trim() },
  second: second ? { id: second.id, role: second.role } : null,
})

import type { Entry, Operator, Outcome, Request } from '@fairlot/core'
import { isRejection, requestKey } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import { readRequestEntry } from '../../engine/journal/journal.ts'
import { isNotDone, isUnavailable, type Engine, type EngineCommand } from '../../engine/engine.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import { refusalOfReason, type Act, type ActLog } from './act-log.ts'

/** An operator's command to the engine, without the name under it. */
type WithoutAuthor<C> = C extends { readonly by: unknown } ? Omit<C, 'by'> : never
export type ActCommand = WithoutAuthor<EngineCommand>

/** Acts that the engine decides: written down with what came of them. */
export type EngineActs = {
  /** What the engine has journaled, or its refusal. `request` names it, so that it is done once however often it is asked for. */
  execute(
    act: Act & { readonly reason: string },
    command: ActCommand,
    request?: Request,
  ): Promise<Outcome | Refusal>
}

/**
 * `tellUntold` writes down what the journal has and the acts have not. It is asked before the next act where the database went away
 * between the two, or nobody knew what had come of a command: a server that lives on leaves no gap in the acts.
 */
export function createEngineActs(
  engine: Pick<Engine, 'execute'>,
  log: Pick<ActLog, 'tell' | 'tellAgain' | 'tellRefused'>,
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
  const decide = async (act: Act & { readonly reason: string }, command: ActCommand, request?: Request) => {
    const answer = await engine.execute({ ...command, request, by: authorOf(act) } as EngineCommand)
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
      const { at, events } = answer.entry
      if (answer.repeatOf !== null) await log.tellAgain(act, at)
      // What changed nothing stands in no journal.
      else await log.tell(act, events.length > 0 ? at : null)
    } catch (error) {
      mayBeUntold = true
      // Its case has not ended either: both are found in the journal by its request.
      if (act.approval) throw error
    }
    return answer
  }
  return {
    execute: async (act, command, request = act.approval?.request) => {
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
      const work = decide(act, command, request)
      underWay.add(work)
      return work.finally(() => underWay.delete(work))
    },
  }
}

const authorOf = ({ operator, reason, second }: Act & { readonly reason: string }): Operator => ({
  ...{ type: 'operator', id: operator.id, role: operator.role, reason: reason.trim() },
  second: second ? { id: second.id, role: second.role } : null,
})

/** What the journal has done for a request, as long as it is remembered. */
export const journaledBy =
  (engine: Engine, queries: Queries) =>
  async (request: Request): Promise<Entry | Refusal | null> => {
    const row = await readEngine(engine, ({ requests }) => requests.get(requestKey(request))?.row ?? null)
    return row === null || isRefusal(row) ? row : readRequestEntry(queries, row, request)
  }

/** Halts and pauses by operators: of one instrument, and of many by one key. */
import { isRejection, type Operator, type State, type TradingMode } from '@fairlot/core'
import { isUnavailable, type Answer } from '../../engine/engine.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import { refusalOfReason, type Act } from '../acts/act-log.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'

/** What is to be halted, or to trade again. */
export type HaltScope = {
  readonly scope: 'instrument' | 'category' | 'all'
  readonly instrumentId: number | null
  readonly category: string | null
}
type One = { readonly id: number; readonly code: string }

export function createHalts({ deployment, acts, engineActs, hub }: DeskServices) {
  const { engine } = deployment

  /** Each instrument is a command of its own, so that what can be halted is, whatever becomes of the others. */
  const setAll = async (act: Act & { readonly reason: string }, ones: readonly One[], isHalt: boolean) => {
    const blank = refusalOfReason(act.reason)
    if (blank) return blank
    const reason = isHalt ? act.reason.trim() : null
    const answers = await Promise.all(
      ones.map(async (one) => ({
        one,
        answer: await engine.execute({
          ...{ type: 'haltInstrument', instrumentId: one.id, reason, by: authorOf(act) },
        }),
      })),
    )
    const done = answers.flatMap(({ one, answer }) =>
      'entry' in answer ? { code: one.code, at: answer.entry.at } : [],
    )
    if (done.length === 0) return refusalAmong(answers.map(({ answer }) => answer))
    // An act for each moment of the journal: whoever compares the two finds every entry under a name.
    const moments = Map.groupBy(done, ({ at }) => at)
    for (const [at, ones] of moments)
      await acts.tell(
        { ...act, after: { [isHalt ? 'halted' : 'resumed']: ones.map(({ code }) => code) } },
        at,
      )
    const codes = done.map(({ code }) => code)
    hub.changed('market', 'waiting')
    return { codes }
  }

  const change = async (
    operator: DeskOperator,
    { reason, ...scope }: HaltScope & { readonly reason: string },
    isHalt: boolean,
  ) => {
    const ones = await readEngine(engine, (state) => inScope(state, scope, isHalt))
    if (isRefusal(ones)) return ones
    const subject =
      scope.scope === 'instrument'
        ? `instrument:${ones[0]?.code ?? scope.instrumentId ?? ''}`
        : scopeName(scope)
    const act = { operator, act: 'halt', subject, reason } as const
    const refusal =
      ones.length > 0 ? null : refuse(scope.scope === 'all' ? 'nothingChanged' : 'unknownInstrument')
    if (!refusal) return setAll(act, ones, isHalt)
    await acts.tellRefused(act, refusal)
    return refusal
  }

  return {
    halt: (operator: DeskOperator, asked: HaltScope & { readonly reason: string }) =>
      change(operator, asked, true),
    resume: (operator: DeskOperator, asked: HaltScope & { readonly reason: string }) =>
      change(operator, asked, false),

    setMode: async (operator: DeskOperator, mode: TradingMode, reason: string): Promise<null | Refusal> => {
      const before = { mode: engine.state().mode }
      const answer = await engineActs.execute(
        { operator, act: 'halt', subject: 'trading', reason, before, after: { mode } },
        { type: 'setTradingMode', mode },
      )
      hub.changed('market')
      return isRefusal(answer) ? answer : null
    },
  }
}

/** Why nothing of it was done. */
function refusalAmong([first]: readonly Answer[]): Refusal {
  if (!first || isUnavailable(first)) return refuse('engineUnavailable')
  return isRejection(first) ? first : refuse('notDone')
}

const scopeName = ({ scope, category }: HaltScope): string =>
  scope === 'all' ? 'instruments' : `category:${category ?? ''}`

/** To be halted: all of them, so that the reason is the new one; to trade again: those that are halted. */
function inScope(state: State, { scope, instrumentId, category }: HaltScope, isHalt: boolean): One[] {
  const isMeant = (id: number) => {
    if (scope === 'all') return true
    return scope === 'instrument' ? id === instrumentId : state.listings.get(id)?.category === category
  }
  return [...state.instruments.values()].flatMap(({ id, code }) =>
    isMeant(id) && (isHalt || state.halts.has(id)) ? { id, code } : [],
  )
}

const authorOf = ({ operator, reason = '', second }: Act): Operator => ({
  ...{ type: 'operator', id: operator.id, role: operator.role, reason: reason.trim() },
  second: second ? { id: second.id, role: second.role } : null,
})

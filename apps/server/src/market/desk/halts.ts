import type { CaseNotice } from '@fairlot/contract/desk'
import { WHOLE_MARKET, type Request, type State, type TradingMode } from '@fairlot/core'
import { textsForEveryone } from '../../desk/approvals/user-texts.ts'
import { refusalOfReason, type AuditEntry } from '../../desk/audit-log/audit-log.ts'
import type { OperatorCommand } from '../../desk/audit-log/engine-commands.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskHub } from '../../desk/desk-socket.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Engine } from '../../engine/engine.ts'
import { isRefusal, refuse, sentenceOf, type Refusal } from '../../platform/refusal.ts'

/** The instruments to halt or to resume. */
type HaltScope = {
  readonly scope: 'instrument' | 'category' | 'all'
  readonly instrumentId: number | null
  readonly category: string | null
}
type Target = { readonly id: number; readonly code: string }

/** Announces a change of a halt or of the trading mode to the pages of the desk. A refusal changes neither. */
const announceChange = (hub: DeskHub): void => hub.changed('market', 'waiting')

export function createHalts({ deployment, auditLog, engineCommands, hub }: DeskServices) {
  const { engine } = deployment

  /**
   * Each instrument is a command of its own, with its own audit entry: a rejection of one does not affect the others, and
   * a crash leaves none without its entry.
   */
  const setAll = async (
    audited: AuditEntry & { readonly reason: string },
    targets: readonly Target[],
    isHalt: boolean,
  ) => {
    const blank = refusalOfReason(audited.reason)
    if (blank) return blank
    const reason = isHalt ? audited.reason.trim() : null
    const outcomes = await Promise.all(
      targets.map(async ({ id, code }) => {
        const after = { [isHalt ? 'halted' : 'resumed']: [code] }
        const command = { type: 'haltInstrument', instrumentId: id, reason } as const
        const outcome = await engineCommands.execute({ ...audited, after }, command)
        return isRefusal(outcome) ? outcome : code
      }),
    )
    const codes = outcomes.filter((outcome) => typeof outcome === 'string')
    const [refusal] = outcomes.filter((outcome) => isRefusal(outcome))
    if (codes.length === 0) return refusal ?? refuse('notDone')
    announceChange(hub)
    return { codes }
  }

  const change = async (
    operator: DeskOperator,
    { reason, ...scope }: HaltScope & { readonly reason: string },
    isHalt: boolean,
  ) => {
    const targets = await readEngine(engine, (state) => inScope(state, scope, isHalt))
    if (isRefusal(targets)) return targets
    const subject =
      scope.scope === 'instrument'
        ? `instrument:${targets[0]?.code ?? scope.instrumentId ?? ''}`
        : scopeName(scope)
    const audited = { operator, act: 'halt', subject, reason } as const
    const refusal =
      targets.length > 0 ? null : refuse(scope.scope === 'all' ? 'nothingChanged' : 'unknownInstrument')
    if (!refusal) return setAll(audited, targets, isHalt)
    await auditLog.recordRefusal(audited, refusal)
    return refusal
  }

  return {
    halt: (operator: DeskOperator, requested: HaltScope & { readonly reason: string }) =>
      change(operator, requested, true),
    resume: (operator: DeskOperator, requested: HaltScope & { readonly reason: string }) =>
      change(operator, requested, false),

    setMode: async (
      operator: DeskOperator,
      requested: TradingMode,
      reason: string,
    ): Promise<null | Refusal> => {
      // `cancelOnly` is the old name; it is recorded under its present one, as in the journal.
      const mode = requested === 'cancelOnly' ? 'reduceOnly' : requested
      const before = { mode: engine.state().mode }
      const answer = await engineCommands.execute(
        { operator, act: 'halt', subject: 'trading', reason, before, after: { mode } },
        { type: 'setTradingMode', mode },
      )
      if (isRefusal(answer)) return answer
      announceChange(hub)
      return null
    },
  }
}

const scopeName = ({ scope, category }: HaltScope): string =>
  scope === 'all' ? 'instruments' : `category:${category ?? ''}`

/** For a halt: all instruments in scope, so that they get the new reason. To resume: only halted ones. */
function inScope(state: State, { scope, instrumentId, category }: HaltScope, isHalt: boolean): Target[] {
  const isInScope = (id: number) => {
    if (scope === 'all') return true
    return scope === 'instrument' ? id === instrumentId : state.listings.get(id)?.category === category
  }
  return [...state.instruments.values()].flatMap(({ id, code }) =>
    isInScope(id) && (isHalt || state.halts.has(id)) ? { id, code } : [],
  )
}

type HaltRequestServices = Pick<DeskServices, 'approvals' | 'engineCommands' | 'hub'> & {
  readonly deployment: { readonly engine: Pick<Engine, 'state'> }
}

/** `instrumentId`: null for the market as a whole. */
type Halt = { readonly instrumentId: number | null; readonly reason: string }

/**
 * Halts without an end need two operators. An operator who may not halt requests one; so does one who may, to halt for longer
 * than allowed alone or the same market again.
 */
export function createHaltRequests({ deployment, approvals, engineCommands, hub }: HaltRequestServices) {
  const { engine } = deployment
  approvals.register('halt', {
    name: 'Requested halts',
    signsOf: () => [{ weight: 3, why: 'a halt is requested: prices may be wrong' }],
    textsOf: (body) => haltTexts(engine.state(), body as Halt),
    execute: async (body, approved) => {
      const halt = body as Halt
      const subject = checkHalt(engine.state(), halt)
      if (typeof subject !== 'string') return subject
      const done = await engineCommands.execute(
        {
          ...approved,
          act: 'halt',
          subject,
          // Users see the command's reason for an instrument, but its author's reason for the whole market.
          reason: halt.instrumentId === null ? halt.reason : approved.reason,
          before: TRADING,
          after: afterHalt(halt),
        },
        commandOf(halt),
      )
      if (isRefusal(done)) return done
      announceChange(hub)
      return null
    },
  })
  return async (
    operator: DeskOperator,
    requested: Halt,
    request?: Request,
  ): Promise<{ approvalId: number } | Refusal> => {
    const halt = { instrumentId: requested.instrumentId, reason: requested.reason.trim() }
    const subject = checkHalt(engine.state(), halt)
    if (typeof subject !== 'string') return subject
    return approvals.request(operator, {
      kind: 'halt',
      subject,
      body: halt,
      before: TRADING,
      after: afterHalt(halt),
      reason: requested.reason,
      request,
    })
  }
}

/** The subject of the halt in audit entries. A halt with an end can be made permanent. */
function checkHalt(state: State, { instrumentId }: Halt): string | Refusal {
  const key = instrumentId ?? WHOLE_MARKET
  const isHalted = instrumentId === null ? state.mode === 'halted' : state.halts.has(instrumentId)
  const code = instrumentId === null ? null : state.instruments.get(instrumentId)?.code
  if (code === undefined) return refuse('unknownInstrument')
  if (isHalted && !state.haltEnds.has(key)) return refuse('formOutdated')
  return code === null ? 'trading' : `instrument:${code}`
}

const commandOf = ({ instrumentId, reason }: Halt): OperatorCommand =>
  instrumentId === null
    ? { type: 'setTradingMode', mode: 'halted' }
    : { type: 'haltInstrument', instrumentId, reason }

/** Texts shown above the order buttons and in lists during a halt, and the answer to refused orders. */
function haltTexts({ instruments }: State, { instrumentId, reason }: Halt): CaseNotice[] {
  const instrument = instruments.get(instrumentId ?? WHOLE_MARKET)?.code ?? ''
  return textsForEveryone((translate) =>
    [
      translate('halt.notice', { reason }),
      translate('halt.inLists', { reason }),
      sentenceOf(translate, refuse('marketHalted', { instrument, reason })),
    ].map((text) => ({ when: 'approved', text })),
  )
}

const TRADING = { trading: 'on' }

/** A halt of the whole market is a trading mode in the journal. */
const afterHalt = ({ instrumentId, reason }: Halt) => ({
  trading: `halted: ${reason}`,
  ...(instrumentId === null && { mode: 'halted' }),
})

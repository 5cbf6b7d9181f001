import type { Request } from '@fairlot/core'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'

type Halt = { readonly instrumentId: number; readonly reason: string }

/** Whoever may not halt an instrument asks those who may: they do, or say why not. */
export function createAskedHalts({ deployment, approvals, engineActs }: DeskServices) {
  const { engine } = deployment
  approvals.register('halt', {
    ...{ askAct: 'askHalt', decideAct: 'halt', name: 'Halts asked for' },
    signsOf: () => [{ weight: 3, why: 'a halt is asked for: prices may be wrong' }],
    execute: async (body, { asked, second, reason, caseKey, approval }) => {
      const { instrumentId, reason: shown } = body as Halt
      const state = engine.state()
      const code = state.instruments.get(instrumentId)?.code
      if (code === undefined) return refuse('unknownInstrument')
      if (state.halts.has(instrumentId)) return refuse('formOutdated')
      const done = await engineActs.execute(
        {
          ...{ operator: asked, second, act: 'halt', subject: `instrument:${code}`, reason, caseKey },
          ...{ approval, before: TRADING, after: { trading: `halted: ${shown}` } },
        },
        { type: 'haltInstrument', instrumentId, reason: shown },
      )
      return isRefusal(done) ? done : null
    },
  })
  return async (
    operator: DeskOperator,
    { instrumentId, reason }: Halt,
    request?: Request,
  ): Promise<{ approvalId: number } | Refusal> => {
    const state = engine.state()
    const code = state.instruments.get(instrumentId)?.code
    if (code === undefined) return refuse('unknownInstrument')
    if (state.halts.has(instrumentId)) return refuse('formOutdated')
    const approvalId = await approvals.ask(operator, {
      ...{ kind: 'halt', subject: `instrument:${code}`, body: { instrumentId, reason: reason.trim() } },
      ...{ before: TRADING, after: { trading: `halted: ${reason.trim()}` }, reason, request },
    })
    return isRefusal(approvalId) ? approvalId : { approvalId }
  }
}

const TRADING = { trading: 'on' }

import type { CaseWords } from '@fairlot/contract/desk'
import type { Request, State } from '@fairlot/core'
import { isRefusal, refuse, sentenceOf, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { everyonesWords } from './trader-words.ts'

type Halt = { readonly instrumentId: number; readonly reason: string }

/** Whoever may not halt an instrument asks those who may: they do, or say why not. */
export function createAskedHalts({ deployment, approvals, engineActs }: DeskServices) {
  const { engine } = deployment
  approvals.register('halt', {
    ...{ askAct: 'askHalt', decideAct: 'halt', name: 'Halts asked for' },
    signsOf: () => [{ weight: 3, why: 'a halt is asked for: prices may be wrong' }],
    wordsOf: (body) => haltWords(engine.state(), body as Halt),
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

/** What stands over the order buttons and in lists while it is halted, and what an order is refused with. */
function haltWords({ instruments }: State, { instrumentId, reason }: Halt): CaseWords[] {
  const instrument = instruments.get(instrumentId)?.code ?? ''
  return everyonesWords((translate) =>
    [
      translate('halt.notice', { reason }),
      translate('halt.inLists', { reason }),
      sentenceOf(translate, refuse('marketHalted', { instrument, reason })),
    ].map((text) => ({ when: 'approved', text })),
  )
}

const TRADING = { trading: 'on' }

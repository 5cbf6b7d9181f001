/** The method of the ranking, announced before it changes (trading-rules §13). */
import type { TermsChange } from '@fairlot/contract'
import type { Engine } from '../engine/engine.ts'
import { DAY_MS, METHOD_VERSION } from './strategy-figures.ts'

/** When the latest method takes effect, epoch ms; null once it has. `now` is epoch ms on the market clock. */
export function methodFrom(engine: Pick<Engine, 'state'>, now: number): number | null {
  const { equityRangesFrom } = engine.state()
  return now < equityRangesFrom ? equityRangesFrom : null
}

/** The change of the method as one of the announced changes, until a day after it took effect. */
export function announcedMethod(engine: Pick<Engine, 'state'>, now: number): TermsChange[] {
  const { equityRangesFrom: effectiveAt, settings } = engine.state()
  if (now >= effectiveAt + DAY_MS) return []
  return [
    {
      id: METHOD_VERSION,
      kind: 'ranking',
      instrumentIds: [],
      about: '',
      fields: [{ field: 'rankingMethod', before: String(METHOD_VERSION - 1), after: String(METHOD_VERSION) }],
      // A new notice period is announced itself, so that this one is still in force.
      announcedAt: effectiveAt - settings.noticeMs,
      effectiveAt,
      reason: '',
      isUrgent: false,
      isInForce: now >= effectiveAt,
      withdrawnAt: null,
    },
  ]
}

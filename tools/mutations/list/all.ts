import type { Mutation } from '../mutation.ts'
import { ACCESS_MUTATIONS } from './access.ts'
import { ALERT_MUTATIONS } from './alerts.ts'
import { CORE_MUTATIONS } from './core.ts'
import { CALL_MUTATIONS } from './calls.ts'
import { COPYING_MUTATIONS } from './copying.ts'
import { DETAIL_MUTATIONS } from './details.ts'
import { ENGINE_MUTATIONS } from './engine.ts'
import { FAIRNESS_MUTATIONS } from './fairness.ts'
import { PAYMENT_MUTATIONS } from './payments.ts'
import { PRICE_MUTATIONS } from './prices.ts'
import { PRIVACY_MUTATIONS } from './privacy.ts'
import { RANKING_MUTATIONS } from './ranking.ts'
import { SCREEN_MUTATIONS } from './screens.ts'
import { SESSION_MUTATIONS } from './sessions.ts'
import { STREAM_MUTATIONS } from './private-stream.ts'
import { TERMS_MUTATIONS } from './terms.ts'
import { FORMERLY_UNNOTICED_MUTATIONS } from './formerly-unnoticed.ts'
import { TWO_OPERATOR_MUTATIONS } from './two-operators.ts'
import { VERIFY_MUTATIONS } from './verify.ts'
import { WEB_MUTATIONS } from './web.ts'

/** The mutations by the name of their file. */
export const LISTS: Readonly<Record<string, readonly Mutation[]>> = {
  access: ACCESS_MUTATIONS,
  alerts: ALERT_MUTATIONS,
  core: CORE_MUTATIONS,
  calls: CALL_MUTATIONS,
  copying: COPYING_MUTATIONS,
  details: DETAIL_MUTATIONS,
  engine: ENGINE_MUTATIONS,
  fairness: FAIRNESS_MUTATIONS,
  payments: PAYMENT_MUTATIONS,
  prices: PRICE_MUTATIONS,
  privacy: PRIVACY_MUTATIONS,
  ranking: RANKING_MUTATIONS,
  screens: SCREEN_MUTATIONS,
  sessions: SESSION_MUTATIONS,
  'private-stream': STREAM_MUTATIONS,
  terms: TERMS_MUTATIONS,
  'formerly-unnoticed': FORMERLY_UNNOTICED_MUTATIONS,
  'two-operators': TWO_OPERATOR_MUTATIONS,
  verify: VERIFY_MUTATIONS,
  web: WEB_MUTATIONS,
}

export const MUTATIONS: readonly Mutation[] = Object.values(LISTS).flat()

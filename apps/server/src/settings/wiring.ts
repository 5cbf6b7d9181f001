import type { Services } from '../deployment/services.ts'
import { createShownShare } from '../risk/reports/losing-share.ts'
import { createBasicInfo, registerSettings, type BasicInfoOf } from './routes.ts'

/** The public settings; also returned for the first page. */
export function registerSettingsArea({ api, deployment }: Services): { readonly basicInfoOf: BasicInfoOf } {
  const { config, settings, engine, market, database, onError } = deployment
  const basicInfoOf = createBasicInfo(settings, {
    appMode: config.appMode,
    passkeyDomain: config.passkeys?.domain ?? null,
    now: market.now,
    tradingMode: () => engine.state().mode,
    tradingReason: () => engine.state().modeReason,
    isSingleOperator: () => engine.state().hasOperators && !engine.state().hasSecondOperator,
    recovery: () => engine.state().recovery,
    terms: () => market.registry.settings,
    losingShare: createShownShare(database.queries, market.now, onError),
  })
  registerSettings(api, settings, basicInfoOf)
  return { basicInfoOf }
}

import type { Deployment } from './deployment.ts'
import { createShownShare } from './desk/reports/losing-share.ts'
import { createBasicInfo, type BasicInfoOf } from './settings/routes.ts'

/** How this deployment is set up, for the call and for the first page. */
export const openBasicInfo = ({
  config,
  settings,
  engine,
  market,
  database,
  onError,
}: Deployment): BasicInfoOf =>
  createBasicInfo(settings, {
    ...{ appMode: config.appMode, now: market.now },
    tradingMode: () => engine.state().mode,
    terms: () => market.registry.settings,
    losingShare: createShownShare(database.queries, market.now, onError),
  })

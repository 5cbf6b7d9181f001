import { fromUnits, getBasicInfo, getSetting } from '@fairlot/contract'
import type { TradingMode } from '@fairlot/core'
import type { Api } from '../plugins/api.ts'
import type { AppSettings } from './app-settings.ts'

export function registerSettings(
  api: Api,
  settings: AppSettings,
  deployment: { appMode: 'broker' | 'main'; tradingMode: () => TradingMode; now: () => number },
): void {
  api.visitor(getSetting, () => ({ registrationMode: settings.registration_mode }))

  api.visitor(getBasicInfo, ({ say }) => ({
    serviceLink: settings.service_link,
    serviceOpensIn: settings.service_opens_in,
    registrationCheck: settings.registration_check,
    feeType: settings.fee_type,
    creditScore: settings.credit_score,
    appMode: deployment.appMode,
    currency: settings.account_currency,
    riskWarning: say('riskWarning'),
    freshnessMs: settings.freshness_ms,
    warningLevel: fromUnits(settings.warning_level, 0),
    stopOutLevel: fromUnits(settings.stop_out_level, 0),
    demoBalance: settings.demo_balance,
    tradingMode: deployment.tradingMode(),
    marketTime: deployment.now(),
  }))
}

import { fromUnits, getBasicInfo, getSetting } from '@fairlot/contract'
import type { TradingMode, TradingSettings } from '@fairlot/core'
import type { Api } from '../plugins/api.ts'
import type { AppSettings } from './app-settings.ts'

export function registerSettings(
  api: Api,
  settings: AppSettings,
  deployment: {
    appMode: 'broker' | 'main'
    tradingMode: () => TradingMode
    /** The trading settings in force. */
    terms: () => TradingSettings
    now: () => number
  },
): void {
  api.visitor(getSetting, () => ({ registrationMode: settings.registration_mode }))

  api.visitor(getBasicInfo, ({ say }) => {
    const terms = deployment.terms()
    return {
      serviceLink: settings.service_link,
      serviceOpensIn: settings.service_opens_in,
      registrationCheck: settings.registration_check,
      feeType: terms.feeType,
      creditScore: settings.credit_score,
      appMode: deployment.appMode,
      currency: terms.accountCurrency,
      riskWarning: say('riskWarning'),
      freshnessMs: terms.freshnessMs,
      warningLevel: fromUnits(terms.warningLevel, 0),
      stopOutLevel: fromUnits(terms.stopOutLevel, 0),
      demoBalance: terms.demoBalance,
      tradingMode: deployment.tradingMode(),
      marketTime: deployment.now(),
    }
  })
}

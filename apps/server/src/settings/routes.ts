import { type BasicInfo, getBasicInfo, getSetting } from '@fairlot/contract'
import { fromUnits, type TradingMode, type TradingSettings } from '@fairlot/core'
import type { Api } from '../http/api.ts'
import type { Translate } from '../i18n/translate.ts'
import type { AppSettings } from './app-settings.ts'
import { riskWarningOf } from './risk-warning.ts'

/** How a deployment is set up, in words of a language. */
export type BasicInfoOf = (translate: Translate) => Promise<BasicInfo>

export const createBasicInfo =
  (
    settings: AppSettings,
    deployment: {
      appMode: 'broker' | 'main'
      tradingMode: () => TradingMode
      /** The trading settings in force. */
      terms: () => TradingSettings
      now: () => number
      /** Of real accounts that lost money in twelve months, whole percent; null where traders are not told one. */
      losingShare: () => Promise<number | null>
    },
  ): BasicInfoOf =>
  async (translate) => {
    const terms = deployment.terms()
    return {
      serviceLink: settings.service_link,
      serviceOpensIn: settings.service_opens_in,
      registrationCheck: settings.registration_check,
      feeType: terms.feeType,
      creditScore: settings.credit_score,
      appMode: deployment.appMode,
      currency: terms.accountCurrency,
      riskWarning: riskWarningOf(translate, await deployment.losingShare()),
      freshnessMs: terms.freshnessMs,
      warningLevel: fromUnits(terms.warningLevel, 0),
      stopOutLevel: fromUnits(terms.stopOutLevel, 0),
      demoBalance: terms.demoBalance,
      tradingMode: deployment.tradingMode(),
      cardLink: settings.card_payment_link,
      marketTime: deployment.now(),
    }
  }

export function registerSettings(api: Api, settings: AppSettings, basicInfoOf: BasicInfoOf): void {
  api.visitor(getSetting, () => ({ registrationMode: settings.registration_mode }))
  api.visitor(getBasicInfo, ({ translate }) => basicInfoOf(translate))
}

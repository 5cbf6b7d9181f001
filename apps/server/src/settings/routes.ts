import type { Translate } from '../platform/i18n/translate.ts'
import { API_VERSION, type BasicInfo, getBasicInfo, getSetting } from '@fairlot/contract'
import {
  fromUnits,
  RECOVERY_NOTICE_MS,
  type RecoveryAnnounced,
  type TradingMode,
  type TradingSettings,
} from '@fairlot/core'
import { riskWarningOf } from '../risk/reports/losing-share.ts'
import type { Api } from '../platform/http/api.ts'
import { type AppSettings, wholeUnits } from '../platform/config/app-settings.ts'

/** The public settings of a deployment, in a language. */
export type BasicInfoOf = (translate: Translate) => Promise<BasicInfo>

export const createBasicInfo =
  (
    settings: AppSettings,
    deployment: {
      appMode: 'broker' | 'main'
      passkeyDomain: string | null
      tradingMode: () => TradingMode
      /** Why trading is not open; empty while it is open. */
      tradingReason: () => string
      isSingleOperator: () => boolean
      recovery: () => RecoveryAnnounced | null
      /** The trading settings in force. */
      terms: () => TradingSettings
      now: () => number
      /** The share of losing real accounts in twelve months, in whole percent; null when it is not shown. */
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
      demoBalanceMin: wholeUnits(settings.demo_balance_min),
      demoBalanceMax: wholeUnits(settings.demo_balance_max),
      tradingMode: deployment.tradingMode(),
      tradingReason: deployment.tradingReason(),
      cardLink: settings.card_payment_link,
      needsIdentityToWithdraw: settings.unverified_may_withdraw === 0,
      isSingleOperator: deployment.isSingleOperator(),
      ...recoveryFacts(deployment.recovery(), deployment.now()),
      passkeyDomain: deployment.passkeyDomain,
      apiVersion: API_VERSION,
      marketTime: deployment.now(),
    }
  }

/** Everybody may see that there is a recovery, operators alone for whom. One whose keys have expired is left out. */
const recoveryFacts = (recovery: RecoveryAnnounced | null, at: number) =>
  recovery !== null && at < recovery.effectiveAt + RECOVERY_NOTICE_MS
    ? { recoveryAt: recovery.effectiveAt, recoveryReason: recovery.reason }
    : { recoveryAt: null, recoveryReason: '' }

export function registerSettings(api: Api, settings: AppSettings, basicInfoOf: BasicInfoOf): void {
  api.visitor(getSetting, () => ({ registrationMode: settings.registration_mode }))
  api.visitor(getBasicInfo, ({ translate }) => basicInfoOf(translate))
}

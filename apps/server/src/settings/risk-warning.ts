import type { Translate } from '../i18n/translate.ts'

/** What traders read about the risk: the share of losing accounts in whole percent, where there is one. */
export const riskWarningOf = (translate: Translate, share: number | null): string =>
  share === null ? translate('riskWarning') : translate('riskWarningShare', { share })

import { conversionPath, type Instrument } from '@fairlot/core'

/**
 * Throws an Error for an account currency into which an instrument's own cannot be converted (trading-rules §3): every
 * order on it would wait for a price that no pair gives.
 */
export function checkAccountCurrency(currency: string, instruments: readonly Instrument[]): void {
  const lost = instruments.find(
    ({ isEnabled, quoteCurrency }) =>
      isEnabled && conversionPath(instruments, quoteCurrency, currency) === null,
  )
  if (!lost) return
  throw new Error(
    `The setting SETTING_ACCOUNT_CURRENCY is wrong: no pair leads from ${lost.quoteCurrency}, in which ${lost.code} is quoted, to ${currency}.`,
  )
}

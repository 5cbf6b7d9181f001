import { isPairCurrency, isPublicPicture, type PairCurrency } from '@fairlot/contract'

/** The symbols of currencies; those without one show a letter. */
const SYMBOLS: Readonly<Record<PairCurrency, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  CNH: '元',
  CHF: 'F',
  AUD: 'A',
  CAD: 'C',
  NZD: 'N',
  SGD: 'S',
  HKD: 'H',
  MXN: 'M',
}

/** The letters in the logo of instruments that are not currency pairs. */
const LETTERS: Record<string, string> = {
  XAU: 'Au',
  XAG: 'Ag',
  WTI: 'W',
  BRENT: 'B',
  NATGAS: 'Ng',
  BTC: '₿',
  ETH: 'Ξ',
  LTC: 'Ł',
}

type Named = { baseCurrency: string; quoteCurrency: string; code: string }

/** The logo of an instrument: its picture where it has one, and the symbols drawn otherwise. */
export const logoOf = (instrument: Named & { readonly logo: string }) => ({
  symbols: symbolsOf(instrument),
  picture: isPublicPicture(instrument.logo) ? instrument.logo : null,
})

/** The symbols of an instrument's drawn logo: two coins for a currency pair, otherwise one ring. */
export function symbolsOf(instrument: Named): readonly [string] | readonly [string, string] {
  const { baseCurrency, quoteCurrency, code } = instrument
  if (isPairCurrency(baseCurrency) && isPairCurrency(quoteCurrency))
    return [SYMBOLS[baseCurrency], SYMBOLS[quoteCurrency]]
  return [LETTERS[baseCurrency] ?? code.slice(0, 1)]
}

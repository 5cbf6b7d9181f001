import { isPublicPicture } from '@fairlot/contract'

/** The symbols of currencies; those without one show a letter. */
const SYMBOLS: Record<string, string> = {
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

/** CNH is the offshore yuan; browsers know names for CNY only. */
const namedAs: Record<string, string> = { CNH: 'CNY' }

const isCurrency = (code: string): boolean => code in SYMBOLS

type Named = { baseCurrency: string; quoteCurrency: string; code: string; name: string }

/** Whether both sides are currencies: such an instrument is named after them, in the user's language. */
const isPair = ({ baseCurrency, quoteCurrency }: Pick<Named, 'baseCurrency' | 'quoteCurrency'>): boolean =>
  isCurrency(baseCurrency) && isCurrency(quoteCurrency)

/** The logo of an instrument: its picture where it has one, and the symbols drawn otherwise. */
export const logoOf = (instrument: Named & { readonly logo: string }) => ({
  symbols: symbolsOf(instrument),
  picture: isPublicPicture(instrument.logo) ? instrument.logo : null,
})

/** The symbols of an instrument's drawn logo: two coins for a currency pair, otherwise one ring. */
export function symbolsOf(instrument: Named): readonly [string] | readonly [string, string] {
  const { baseCurrency, quoteCurrency, code } = instrument
  if (isPair(instrument))
    return [SYMBOLS[baseCurrency] ?? baseCurrency, SYMBOLS[quoteCurrency] ?? quoteCurrency]
  return [LETTERS[baseCurrency] ?? code.slice(0, 1)]
}

const displayNames = new Map<string, Intl.DisplayNames>()

function namesIn(tag: string): Intl.DisplayNames {
  const names = displayNames.get(tag) ?? new Intl.DisplayNames([tag], { type: 'currency' })
  displayNames.set(tag, names)
  return names
}

/** The name of an instrument: a pair's currencies in the user's language, otherwise the given name. */
export function instrumentName(instrument: Named, tag: string): string {
  if (!isPair(instrument)) return instrument.name
  const nameOf = (code: string) => namesIn(tag).of(namedAs[code] ?? code) ?? code
  return `${nameOf(instrument.baseCurrency)} · ${nameOf(instrument.quoteCurrency)}`
}

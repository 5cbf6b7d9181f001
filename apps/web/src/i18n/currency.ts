import { isPublicPicture } from '@fairlot/contract'

/** Signs of currencies that have one of their own; the rest show the first letter. */
const SIGNS: Record<string, string> = {
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

/** What is traded that is no pair: the letters in its ring. */
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

const isCurrency = (code: string): boolean => code in SIGNS

export type Named = { baseCurrency: string; quoteCurrency: string; code: string; name: string }

/** Whether both sides are currencies: such an instrument is named by them, in the reader's language. */
const isPair = ({ baseCurrency, quoteCurrency }: Pick<Named, 'baseCurrency' | 'quoteCurrency'>): boolean =>
  isCurrency(baseCurrency) && isCurrency(quoteCurrency)

/** The logo of an instrument: its picture where it has one, and what is drawn without. */
export const markOf = (instrument: Named & { readonly logo: string }) => ({
  signs: signsOf(instrument),
  picture: isPublicPicture(instrument.logo) ? instrument.logo : null,
})

/** The signs of an instrument's drawn logo: two coins for a pair of currencies, otherwise one ring. */
export function signsOf(instrument: Named): readonly [string] | readonly [string, string] {
  const { baseCurrency, quoteCurrency, code } = instrument
  if (isPair(instrument)) return [SIGNS[baseCurrency] ?? baseCurrency, SIGNS[quoteCurrency] ?? quoteCurrency]
  return [LETTERS[baseCurrency] ?? code.slice(0, 1)]
}

const displayNames = new Map<string, Intl.DisplayNames>()

function namesIn(tag: string): Intl.DisplayNames {
  const names = displayNames.get(tag) ?? new Intl.DisplayNames([tag], { type: 'currency' })
  displayNames.set(tag, names)
  return names
}

/** The name of an instrument: a pair's currencies in the reader's language, otherwise the given name. */
export function instrumentName(instrument: Named, tag: string): string {
  if (!isPair(instrument)) return instrument.name
  const nameOf = (code: string) => namesIn(tag).of(namedAs[code] ?? code) ?? code
  return `${nameOf(instrument.baseCurrency)} · ${nameOf(instrument.quoteCurrency)}`
}

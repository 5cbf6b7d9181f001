import { languageOfTag } from '../accounts/language.ts'
import { ALIASES, LOCAL_NAMES } from './local-names.ts'

/** The currencies that pairs are named after. A list, since tickers of shares look like codes too: ALL is the Albanian lek. */
const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'CNH',
  'CHF',
  'AUD',
  'CAD',
  'NZD',
  'SGD',
  'HKD',
  'MXN',
] as const

export type PairCurrency = (typeof CURRENCIES)[number]

export const isPairCurrency = (code: string): code is PairCurrency => CURRENCIES.some((one) => one === code)

/** CNH is the offshore yuan; not every browser has a name for it. */
const NAMED_AS: Readonly<Record<string, string>> = { CNH: 'CNY' }

const displayNames = new Map<string, Intl.DisplayNames>()

function namesIn(tag: string): Intl.DisplayNames {
  const names = displayNames.get(tag) ?? new Intl.DisplayNames([tag], { type: 'currency' })
  displayNames.set(tag, names)
  return names
}

export type NamedInstrument = {
  readonly baseCurrency: string
  readonly quoteCurrency: string
  readonly name: string | null
}

/**
 * The name of an instrument in the language of a BCP 47 tag: the currencies of a pair, by CLDR; the app's own name of gold, oil or
 * an index, unless an operator has given another one; otherwise the given name, empty without one.
 */
export function instrumentName({ baseCurrency, quoteCurrency, name }: NamedInstrument, tag: string): string {
  if (!isPairCurrency(baseCurrency) || !isPairCurrency(quoteCurrency)) {
    const isGiven = name !== null && name !== '' && name !== LOCAL_NAMES[baseCurrency]?.en
    return isGiven ? name : localName(baseCurrency, tag)
  }
  const nameOf = (code: string) => namesIn(tag).of(NAMED_AS[code] ?? code) ?? code
  return `${nameOf(baseCurrency)} · ${nameOf(quoteCurrency)}`
}

/** The app's own name of what is traded; empty for an unknown code. */
const localName = (code: string, tag: string): string => LOCAL_NAMES[code]?.[languageOfTag(tag) ?? 'en'] ?? ''

/** Metals by their ISO 4217 codes, whose names CLDR knows too. */
const METALS: ReadonlySet<string> = new Set(['XAU', 'XAG', 'XPT', 'XPD'])

/**
 * The names by which an instrument is found: those in the language of a BCP 47 tag and in English, and its aliases in any language:
 * gold as "Gold", "黃金", "ذهب". A name of an operator's own is one more.
 */
export function searchedNames(instrument: NamedInstrument, tag: string): readonly string[] {
  const { baseCurrency, quoteCurrency, name } = instrument
  const metalIn = (language: string) =>
    METALS.has(baseCurrency) ? (namesIn(language).of(baseCurrency) ?? '') : ''
  const isPair = isPairCurrency(baseCurrency) && isPairCurrency(quoteCurrency)
  const codes = isPair ? [baseCurrency, quoteCurrency] : [baseCurrency]
  return [
    name ?? '',
    ...[tag, 'en'].flatMap((each) => [
      instrumentName(instrument, each),
      localName(baseCurrency, each),
      metalIn(each),
    ]),
    ...codes.flatMap((code) => ALIASES[code] ?? []),
  ]
}

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
 * The name of an instrument: the currencies of a pair in the language of a BCP 47 tag, by CLDR, otherwise the given name;
 * empty without one.
 */
export function instrumentName({ baseCurrency, quoteCurrency, name }: NamedInstrument, tag: string): string {
  if (!isPairCurrency(baseCurrency) || !isPairCurrency(quoteCurrency)) return name ?? ''
  const nameOf = (code: string) => namesIn(tag).of(NAMED_AS[code] ?? code) ?? code
  return `${nameOf(baseCurrency)} · ${nameOf(quoteCurrency)}`
}

/** Metals by their ISO 4217 codes, whose names CLDR knows too. */
const METALS: ReadonlySet<string> = new Set(['XAU', 'XAG', 'XPT', 'XPD'])

/** The names by which an instrument is found, in the language of a BCP 47 tag and in English: gold as "Gold", "黃金", "ذهب". */
export function searchedNames(instrument: NamedInstrument, tag: string): readonly string[] {
  const { baseCurrency, name } = instrument
  const metalIn = (language: string) =>
    METALS.has(baseCurrency) ? (namesIn(language).of(baseCurrency) ?? '') : ''
  return [name ?? '', ...[tag, 'en'].flatMap((each) => [instrumentName(instrument, each), metalIn(each)])]
}

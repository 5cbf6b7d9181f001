import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  directionOf,
  formatTag,
  LANGUAGE_CODES,
  type LanguageCode,
  languageOfCode,
  tagOf,
} from '@fairlot/contract'
import type labels from '@fairlot/contract/labels/en.json'
import { createTranslator } from 'use-intl/core'
import type en from './en.json'

export { type LanguageCode, tagOf }

const folder = new URL('./', import.meta.url)
const FILE = /^([a-z]+)\.json$/

/** The languages with a catalogue in this folder, English first. Users of the others read English. */
export const LANGUAGES: readonly LanguageCode[] = readdirSync(folder)
  .flatMap((file) => FILE.exec(file)?.[1] ?? [])
  .toSorted((one, other) => Number(other === 'en') - Number(one === 'en') || (one < other ? -1 : 1))
  .map((code) => {
    if (!LANGUAGE_CODES.includes(code as LanguageCode)) throw new Error(`no language has the code ${code}`)
    return code as LanguageCode
  })

/** A language whose catalogue exists. */
export type Language = LanguageCode

type Texts = typeof en & typeof labels

const read = (file: URL): object => JSON.parse(readFileSync(file, 'utf8')) as object

/** The texts of a language, with the labels that the web app shows too; these are English where it has none. */
function textsOf(language: Language): Texts {
  const labelsOf = (code: Language) => new URL(import.meta.resolve(`@fairlot/contract/labels/${code}.json`))
  const own = labelsOf(language)
  const shared = existsSync(own) ? own : labelsOf('en')
  return { ...read(new URL(`${language}.json`, folder)), ...read(shared) } as Texts
}

/** The language of a `lang` header; without one, or with an unknown one, the default. */
export const languageCodeOf = (header: string | readonly string[] | undefined): LanguageCode =>
  languageOfCode(typeof header === 'object' ? header[0] : header)

/** Translates a message key into one language. */
export type Translate = (key: string, values?: Record<string, string | number>) => string

const createTranslate = (language: Language): Translate => {
  const locale = formatTag(tagOf(language))
  const translate = createTranslator<Texts>({ locale, messages: textsOf(language) })
  const isRightToLeft = directionOf(language) === 'rtl'
  const inLanguage = (value: string | number) => {
    if (typeof value !== 'string') return value
    const text = numberIn(locale, value)
    return isRightToLeft && SIGNED.test(text) ? `\u2066${text}\u2069` : text
  }
  return (key, values = {}) => {
    const shown = Object.entries(values).map(([name, value]) => [name, inLanguage(value)])
    return translate(key as never, Object.fromEntries(shown) as never)
  }
}

/** In Arabic the sign would stand behind such a number, were it not isolated. Codes are not: they are copied. */
const SIGNED = /^[+\u2212-]\d/

/** A number as the server writes it, with a point and maybe commas, alone or before a currency: "-1,234.50 USDT". */
const NUMBER = /^([+\u2212-]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)( [A-Z]+)?$/

/** The same number with the signs of a language, in Latin digits: "-1.234,50 USDT". Any other text stays as it is. */
function numberIn(locale: string, text: string): string {
  const [, sign = '', digits = '', currency = ''] = NUMBER.exec(text) ?? []
  if (digits === '') return text
  const decimals = digits.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: digits.includes(',') && 'auto',
  })
  return sign + format.format(digits.replaceAll(',', '') as Intl.StringNumericLiteral) + currency
}

const TRANSLATORS = new Map(LANGUAGES.map((language) => [language, createTranslate(language)]))

/** The language of the texts for a `lang` header. */
export function languageOf(header: string | readonly string[] | undefined): Language {
  const code = languageCodeOf(header)
  return TRANSLATORS.has(code) ? code : 'en'
}

/** The translator of a language; the English one where it has no catalogue. */
export function translatorFor(language: Language): Translate {
  const translate = TRANSLATORS.get(language) ?? TRANSLATORS.get('en')
  if (!translate) throw new Error('the English catalogue is missing')
  return translate
}

/** A plain amount with thousands separators: `12,000.00` for `12000.00`. */
export function grouped(plain: string): string {
  const [integer = '', fraction] = plain.split('.')
  return `${integer.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** The text to show in a language: in it, else in English, else in Traditional Chinese, else any; null for none. */
export function shownText<T extends { readonly language: string }>(
  texts: readonly T[],
  language: LanguageCode,
): T | null {
  const order = [language, 'en', 'hk', ...LANGUAGE_CODES]
  for (const code of order) {
    const found = texts.find((text) => text.language === code)
    if (found) return found
  }
  return null
}

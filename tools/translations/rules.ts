/** What a translated text must be. Each rule names what it looks for; an example that breaks it is in its test. */
import { type LanguageCode, tagOf } from '../../packages/contract/src/accounts/language.ts'
import type { Place, Texts } from './catalogues.ts'
import { type Glossary, type Term, termFinder } from './glossary.ts'
import type { Limit } from './narrow-texts.ts'
import { ARGUMENT, type Message, readMessage } from './message.ts'

/** A text that breaks a rule. */
export type Finding = { readonly key: string; readonly rule: string; readonly message: string }

type Text = {
  readonly key: string
  readonly text: string
  readonly english: string
  readonly message: Message
  readonly source: Message
}

type Rule = (text: Text, language: LanguageCode) => readonly string[]

/** Words of a name or an abbreviation, with signs and arguments only between them: nothing to translate. */
const SAME_EVERYWHERE = new Set(['Fairlot', 'IBAN', 'BIC', 'SWIFT', 'UTC', 'PDF', 'CSV', 'ID', 'SMS'])

const hasWords = (message: Message): boolean =>
  message.words.some((words) => (words.match(/\p{L}{2,}/gu) ?? []).some((word) => !SAME_EVERYWHERE.has(word)))

const missingArguments: Rule = ({ message, source }) => {
  const lost = source.arguments.filter((name) => !message.arguments.includes(name))
  const surplus = message.arguments.filter((name) => !source.arguments.includes(name))
  return [
    ...lost.map((name) => `has lost {${name}}`),
    ...surplus.map((name) => `has {${name}}, which the English text has not`),
  ]
}

const pluralForms: Rule = ({ message }, language) => {
  const needed = new Intl.PluralRules(tagOf(language)).resolvedOptions().pluralCategories
  return message.plurals.flatMap((forms) => [
    ...needed.filter((form) => !forms.includes(form)).map((form) => `has no plural form "${form}"`),
    ...forms
      .filter((form) => !needed.some((each) => each === form))
      .map((form) => `has a plural form "${form}" that the language does not know`),
  ])
}

/** Quotation marks: those a language uses. Apostrophes are the typographic one; straight marks are none. */
const QUOTES: Readonly<Record<LanguageCode, string>> = {
  hk: '「」『』',
  en: '“”‘’',
  jp: '「」『』',
  kr: '“”‘’',
  th: '“”‘’',
  vn: '“”‘’',
  fr: '«»“”’',
  de: '„“‚‘’',
  ru: '«»„“',
  spa: '«»“”‘’',
  pt: '“”‘’',
  ar: '«»“”',
  it: '«»“”’',
  tr: '“”‘’',
  id: '“”‘’',
}

const quotationMarks: Rule = ({ message }, language) => {
  const wrong = new Set(message.words.flatMap((words) => words.match(/["'“”‘’„‚«»‹›「」『』]/gu) ?? []))
  return [...wrong].filter((mark) => !QUOTES[language].includes(mark)).map((mark) => `quotes with ${mark}`)
}

const spaces: Rule = ({ message, text, english }, language) => {
  const isFrench = language === 'fr'
  const all = message.words.join(ARGUMENT)
  const found: string[] = []
  if (/ {2}/u.test(text)) found.push('has two spaces in a row')
  if (text !== text.trim() && english === english.trim()) found.push('begins or ends with a space')
  if (/\.\.\./u.test(all)) found.push('has three dots in place of …')
  if (/[ \u00a0]+[,.](?!\d)/u.test(all)) found.push('has a space before a comma or full stop')
  if (!isFrench && /[ \u00a0\u202f]+[;:!?»”](?!\p{L})/u.test(all))
    found.push('has a space before punctuation')
  // A colon before a digit is one of a time, directly before an argument of a command, and before a slash of an address.
  if (isFrench && /(?<!\u00a0):(?![\d/\ufffc])/u.test(all)) found.push('lacks a fixed space before :')
  if (isFrench && /(?<!\u202f)[;!?»]/u.test(all)) found.push('lacks a narrow fixed space before ; ! ? »')
  if (isFrench && /«(?!\u202f)/u.test(all)) found.push('lacks a narrow fixed space after «')
  return found
}

const HAN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'

const punctuation: Rule = ({ message }, language) => {
  const all = message.words.join(ARGUMENT)
  if (language === 'hk' || language === 'jp')
    return new RegExp(`${HAN}[,;:!?()]|[,;:!?()]${HAN}`, 'u').test(all)
      ? ['has half-width punctuation beside a Chinese character or kana']
      : []
  if (language === 'ar')
    return /\p{Script=Arabic}\s*[,;?]/u.test(all) ? ['has Latin punctuation: write ، ؛ ؟'] : []
  return []
}

/** Never urges; warnings and refusals need no louder voice either. */
const exclamation: Rule = ({ message }) =>
  message.words.some((words) => /[!！¡]/u.test(words)) ? ['has an exclamation mark'] : []

const normalForm: Rule = ({ text }) => (text === text.normalize('NFC') ? [] : ['is not in the form NFC'])

/** Figures are in Latin digits in every language, and marks of direction end up in what users copy. */
const digitsAndMarks: Rule = ({ text }) => [
  ...(/(?![0-9])\p{Nd}/u.test(text) ? ['has digits that are not Latin'] : []),
  ...(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u.test(text)
    ? ['has an invisible mark']
    : []),
]

const decoded = (bytes: readonly number[], encoding: string): string => {
  const text = new TextDecoder(encoding).decode(Uint8Array.from(bytes))
  return text.length === 1 && text !== '\ufffd' ? text : ''
}

/** The characters of two-byte codes whose first byte is in a range. */
function charactersOf(encoding: string, first: number, last: number, trails: readonly number[]): Set<string> {
  const found = new Set<string>()
  for (let lead = first; lead <= last; lead++)
    for (const trail of trails) found.add(decoded([lead, trail], encoding))
  return found
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** Trail bytes of the traditional set. */
const TRAILS = [...range(0x40, 0x7e), ...range(0xa1, 0xfe)]

/** The characters of Big5 without the additions of Hong Kong, which include simplified forms. */
const TRADITIONAL = new Set([
  ...charactersOf('big5', 0xa4, 0xc5, TRAILS),
  ...charactersOf('big5', 0xc6, 0xc6, range(0x40, 0x7e)),
  ...charactersOf('big5', 0xc9, 0xf8, TRAILS),
  ...charactersOf('big5', 0xf9, 0xf9, [...range(0x40, 0x7e), ...range(0xa1, 0xd5)]),
])

/** Frequent simplified forms that Big5 holds too, as rare characters of other meaning. */
const RARE_IN_TRADITIONAL = '触党淀构柜怀机极价洁惊据离岭苹气确扰胜圣适体万网优与种庄复'

/** The characters that only simplified Chinese writes: in the basic set of the mainland and not in Big5. */
const SIMPLIFIED = new Set([
  ...[...charactersOf('gbk', 0xb0, 0xf7, range(0xa1, 0xfe))].filter((letter) => !TRADITIONAL.has(letter)),
  ...RARE_IN_TRADITIONAL.split(''),
])

/** Words of spoken Cantonese, which written Chinese does not use. */
const CANTONESE = /[嘅咗唔喺冇佢哋嗰啲嚟咁]/u

const PERSIAN = /[\u067e\u0686\u0698\u06a9\u06af\u06be\u06c0\u06cc\u06d2]/u

const letters: Rule = ({ text }, language) => {
  if (language === 'hk') {
    const simplified = [...new Set(text)].filter((letter) => SIMPLIFIED.has(letter))
    return [
      ...(simplified.length > 0 ? [`has simplified characters: ${simplified.join(' ')}`] : []),
      ...(CANTONESE.test(text) ? ['has words of spoken Cantonese'] : []),
    ]
  }
  if (language === 'ar') return PERSIAN.test(text) ? ['has Persian letters'] : []
  return []
}

/** How wide a text is, in Latin letters: a character of Chinese, Japanese or Korean counts as two, a combining mark as none. */
export const widthOf = (text: string): number =>
  Array.from(text.normalize('NFC')).reduce((width, letter) => {
    if (/\p{M}/u.test(letter)) return width
    return (
      width +
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uff60]/u.test(letter)
        ? 2
        : 1)
    )
  }, 0)

/** A text that is wider than its place; the width is the widest branch's, an argument counting as one letter. */
function lengthFinding({ key, message }: Text, limits: ReadonlyMap<string, Limit>): string[] {
  const limit = limits.get(key)
  const width = Math.max(...message.words.map(widthOf))
  return limit !== undefined && width > limit.most
    ? [`is ${width} letters wide, but ${limit.place} holds ${limit.most}`]
    : []
}

/** The rules of every language that has a catalogue, English included. */
const RULES: Readonly<Record<string, Rule>> = {
  arguments: missingArguments,
  plurals: pluralForms,
  quotes: quotationMarks,
  spaces,
  punctuation,
  exclamation,
  nfc: normalForm,
  digits: digitsAndMarks,
  letters,
}

export type Checked = {
  readonly place: Place
  readonly language: LanguageCode
  readonly texts: Texts
  readonly english: Texts
  readonly glossary: Glossary | null
  /** The texts that have little room. */
  readonly limits: ReadonlyMap<string, Limit>
}

/** What is wrong with the texts of a language in one place, except for its trading terms. */
export function findingsOf({ language, texts, english, glossary, limits }: Checked): Finding[] {
  const keys = [...new Set([...english.keys(), ...texts.keys()])]
  return keys.flatMap((key) => {
    const [source, text] = [english.get(key), texts.get(key)]
    const finding = (rule: string, message: string): Finding => ({ key, rule, message })
    if (source === undefined) return [finding('keys', 'is no key of the English catalogue')]
    if (text === undefined || text.trim() === '') return [finding('keys', 'is missing')]
    const read = readOrNull(text)
    if (!read) return [finding('icu', 'is no valid message')]
    const known = { key, text, english: source, message: read, source: readMessage(source) }
    const broken = [
      ...Object.entries(RULES).flatMap(([rule, check]) =>
        check(known, language).map((message) => finding(rule, message)),
      ),
      ...lengthFinding(known, limits).map((message) => finding('length', message)),
    ]
    const isCopy =
      language !== 'en' && text === source && hasWords(known.source) && !glossary?.same.includes(text)
    return isCopy ? [...broken, finding('untranslated', 'is the English text')] : broken
  })
}

function readOrNull(text: string): Message | null {
  try {
    return readMessage(text)
  } catch {
    return null
  }
}

const has = (text: string, word: string): boolean => text.includes(word.toLowerCase())

/** Where the texts of a language differ from its glossary: a term without its word, or a word that it avoids. */
export function termFindings(
  { place, language, texts, english, glossary }: Checked,
  terms: readonly Term[],
): Finding[] {
  if (!glossary) return []
  const termsIn = termFinder(terms)
  return [...texts].flatMap(([key, text]) => {
    if (Object.hasOwn(glossary.exceptions, `${place}:${key}`)) return []
    const words = (readOrNull(text)?.words ?? []).join(ARGUMENT).toLowerCase()
    const source = (readOrNull(english.get(key) ?? '')?.words ?? []).join(ARGUMENT)
    const wordsOf = (term: Term | null): readonly string[] => {
      const entry = term && glossary.entries.get(term.key)
      return entry ? [entry.word, ...entry.also] : []
    }
    const lacking = termsIn(source, key).flatMap(({ term, broader }) => {
      const accepted = [...wordsOf(term), ...wordsOf(broader)]
      return language === 'en' || accepted.some((word) => has(words, word))
        ? []
        : [{ key, rule: 'term', message: `speaks of "${term.english[0]}": write "${wordsOf(term)[0]}"` }]
    })
    const avoided = Object.entries(glossary.avoid)
      .filter(([word]) => has(words, word))
      .map(([word, instead]) => ({ key, rule: 'term', message: `says "${word}": write "${instead}"` }))
    return [...lacking, ...avoided]
  })
}

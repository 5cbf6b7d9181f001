import { latinDigits } from '@fairlot/core/decimal'

/** Letters that are written for one another and that Unicode does not decompose: Turkish, Vietnamese, Arabic and Persian. */
const SAME_AS: Readonly<Record<string, string>> = {
  ı: 'i',
  đ: 'd',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
}
/** From a hiragana to its katakana. */
const TO_KATAKANA = 0x60

/**
 * Letters and digits alone, lower case by them and not by a device: on a Turkish one "WTI" would become "wtı". Kana become
 * katakana; Arabic letters lose hamza, vowels and tatweel.
 */
const plain = (text: string): string =>
  latinDigits(text)
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replace(
      /[ıđٱىیةک\u3041-\u3096]/gu,
      (letter) => SAME_AS[letter] ?? String.fromCharCode(letter.charCodeAt(0) + TO_KATAKANA),
    )

const SEPARATORS = /[^\p{L}\p{N}]+/u

/** The Arabic article before a word of two letters or more. */
const ARTICLE = /^ال(?=..)/u

type Words = readonly string[]

/** The words of a text: what lies between spaces, slashes, hyphens and other signs; Arabic ones also without their article. */
function formsOf(text: string): readonly Words[] {
  const words = plain(text)
    .split(SEPARATORS)
    .filter((word) => word !== '')
  const bare = words.map((word) => word.replace(ARTICLE, ''))
  return bare.some((word, at) => word !== words[at]) ? [words, bare] : [words]
}

/** The forms of texts that were searched before: each key typed searches the same names. */
const known = new Map<string, readonly Words[]>()
/** Far more than all names of all instruments. */
const KNOWN_MAX = 20_000

function knownFormsOf(text: string): readonly Words[] {
  const before = known.get(text)
  if (before) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const forms = formsOf(text)
  known.set(text, forms)
  return forms
}

/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Thai}]/u

/** A single word is a part of a text, several are a part of one or each begins a word of the texts. */
function isFound(words: Words, searched: readonly Words[]): boolean {
  const joined = words.join('')
  if (searched.some((text) => text.join('').includes(joined))) return true
  const isIn = (word: string, text: Words) =>
    text.length === 1 || UNSPACED.test(word)
      ? text.some((one) => one.includes(word))
      : text.some((one) => one.startsWith(word))
  return words.length > 1 && words.every((word) => searched.some((text) => isIn(word, text)))
}

/**
 * Whether an instrument with these texts (code, shown code, names) is searched for. Case, accents, forms of kana and of Arabic
 * letters and the signs between words are ignored: "eur usd", "EUR-USD" and "eurusd" are the same; words are found in any
 * order: "usd/eur", "dollar yen". Each of several words begins a word of the texts, or is a part of a text of one word, such as
 * a code, or of one in a script without spaces. An empty search finds everything, one of signs alone nothing.
 */
export function isSearchedFor(texts: readonly string[], search: string): boolean {
  const forms = formsOf(search)
  if (forms.every((words) => words.length === 0)) return search.trim() === ''
  const searched = texts.flatMap(knownFormsOf)
  return forms.some((words) => isFound(words, searched))
}

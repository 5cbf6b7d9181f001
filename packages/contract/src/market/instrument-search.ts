/** Letters and digits alone, lower case by them and not by a device: on a Turkish one "WTI" would become "wtı". */
const plain = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')

const SEPARATORS = /[^\p{L}\p{N}]+/u

/** The words of a text: what lies between spaces, slashes, hyphens and other signs. */
const wordsOf = (text: string): string[] =>
  plain(text)
    .split(SEPARATORS)
    .filter((word) => word !== '')

/**
 * Whether an instrument with these texts (code, shown code, names) is searched for. Case, accents and the signs between words
 * are ignored: "eur usd", "EUR-USD" and "eurusd" are the same; words are found in any order: "usd/eur", "dollar yen". Each of
 * several words begins a word of the texts, or is a part of a text of one word, such as a code. An empty search finds
 * everything, one of signs alone nothing.
 */
export function isSearchedFor(texts: readonly string[], search: string): boolean {
  const words = wordsOf(search)
  if (words.length === 0) return search.trim() === ''
  const searched = texts.map(wordsOf)
  if (searched.some((text) => text.join('').includes(words.join('')))) return true
  const isIn = (word: string, text: readonly string[]) =>
    text.length === 1 ? text[0]?.includes(word) : text.some((one) => one.startsWith(word))
  return words.length > 1 && words.every((word) => searched.some((text) => isIn(word, text)))
}

/**
 * English that shows what a translation may do to a screen, in development only (`?lang=en-XA`): `en-XA` has other letters
 * and is a third longer, `en-XB` runs from right to left.
 */

export type PseudoLanguage = 'en-XA' | 'en-XB'

/** The pseudo-language of a code; null for any other. */
export const pseudoLanguageOf = (code: string | null): PseudoLanguage | null =>
  code === 'en-XA' || code === 'en-XB' ? code : null

/** That of this page, fixed when it is opened; never one in what users get. */
export const PSEUDO_LANGUAGE: PseudoLanguage | null =
  import.meta.env.DEV && typeof location !== 'undefined'
    ? pseudoLanguageOf(new URLSearchParams(location.search).get('lang'))
    : null

const ACCENTED = new Map(
  Object.entries({
    a: 'á',
    c: 'ç',
    e: 'é',
    i: 'î',
    n: 'ñ',
    o: 'ö',
    s: 'š',
    u: 'ü',
    y: 'ý',
    A: 'Å',
    E: 'É',
    O: 'Ö',
    S: 'Š',
    U: 'Ü',
  }),
)

/** How much longer the languages are that need the most room. */
const GROWTH = 0.35

/** A text in the letters of en-XA, in brackets that show where it is cut, and padded to the length of a long language. */
export function longer(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return text
  const accented = Array.from(text, (letter) => ACCENTED.get(letter) ?? letter).join('')
  return `[${accented}${'~'.repeat(Math.ceil(letters * GROWTH))}]`
}

/** A compiled message with every literal text changed; its arguments, forms and styles stay. */
function changed(message: unknown): unknown {
  if (typeof message === 'string') return longer(message)
  return Array.isArray(message)
    ? message.map((part: unknown) => (Array.isArray(part) ? changedPart(part) : changed(part)))
    : message
}

function changedPart([name, kind, ...rest]: readonly unknown[]): unknown {
  if (kind === undefined) return [name]
  // Without a number in second place it is a tag with its content.
  if (typeof kind !== 'number') return [name, ...[kind, ...rest].map(changed)]
  const [options] = rest
  if (typeof options !== 'object' || options === null) return [name, kind, ...rest]
  return [
    name,
    kind,
    Object.fromEntries(Object.entries(options).map(([form, each]) => [form, changed(each)])),
  ]
}

/** Compiled texts as en-XA shows them. */
export function longerMessages<Texts extends object>(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]: [string, unknown]) => [
      key,
      typeof text === 'object' && text !== null && !Array.isArray(text)
        ? longerMessages(text)
        : changed(text),
    ]),
  ) as Texts
}

/** The glossary in docs/terms: which word a language uses for each of our trading terms. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageCode } from '../../packages/contract/src/accounts/language.ts'
import { ROOT } from '../check/run.ts'

const FOLDER = 'docs/terms'

/** A term with the English words by which a text shows that it speaks of it. */
export type Term = {
  readonly key: string
  /** The English word; further English forms follow. */
  readonly english: readonly string[]
  /** What it means here, for translators. */
  readonly meaning: string
  /** Phrases in which the English words mean something else: "payment provider". */
  readonly otherwise: readonly string[]
  /** Shorter English words that may mean this term in some texts, by the beginning of their keys. */
  readonly shortIn: Readonly<Record<string, readonly string[]>>
}

/** The word of a language for a term. */
export type Entry = {
  /** The word to use. */
  readonly word: string
  /** Further words or stems that a text may use instead, as inflection or the place requires. */
  readonly also: readonly string[]
  /** Pages where the word was seen in this sense, by their name in `sources`; fewer than two: not yet proven. */
  readonly sources: readonly string[]
}

export type Glossary = {
  readonly language: LanguageCode
  /** How users are addressed. */
  readonly register: string
  readonly traps: readonly string[]
  /** Addresses by a short name. */
  readonly sources: Readonly<Record<string, string>>
  readonly entries: ReadonlyMap<string, Entry>
  /** Wrong words, with what to write instead. */
  readonly avoid: Readonly<Record<string, string>>
  /** English texts that are the same in this language. */
  readonly same: readonly string[]
  /** Whether a difference from the glossary fails the tests; otherwise it is only listed. */
  readonly isEnforced: boolean
  /** Texts that rightly differ from the glossary: "web:order.reason.none", with the reason. */
  readonly exceptions: Readonly<Record<string, string>>
}

type TermsFile = Record<
  string,
  Pick<Term, 'english' | 'meaning'> & Partial<Pick<Term, 'otherwise' | 'shortIn'>>
>
type GlossaryFile = Omit<Glossary, 'language' | 'entries'> & {
  terms: Record<string, { word: string; also?: string[]; sources?: string[]; unsourced?: true }>
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, FOLDER, file), 'utf8'))

/** All terms, in the order of their file. */
export const readTerms = (): readonly Term[] =>
  Object.entries(read('terms.json') as TermsFile).map(([key, term]) => ({
    otherwise: [],
    shortIn: {},
    ...term,
    key,
  }))

export function readGlossary(language: LanguageCode): Glossary | null {
  const file = `${language}.json`
  if (!existsSync(join(ROOT, FOLDER, file))) return null
  const { terms, ...rest } = read(file) as GlossaryFile
  const entries = new Map(
    Object.entries(terms).map(([key, { word, also = [], sources = [] }]) => [key, { word, also, sources }]),
  )
  return { language, ...rest, entries }
}

const boundary = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}_-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}_-])`, 'giu')

/** A word to look for. `term`: null where it speaks of none; `within`: the beginning of the keys it is looked for in. */
type Search = { readonly word: string; readonly term: Term | null; readonly within: string }

/** The longest word first; of equal ones, the one for the fewest texts. */
const searchesOf = (terms: readonly Term[]): (Search & { readonly pattern: RegExp })[] =>
  terms
    .flatMap((term): Search[] => [
      ...term.english.map((word) => ({ word, term, within: '' })),
      ...term.otherwise.map((word) => ({ word, term: null, within: '' })),
      ...Object.entries(term.shortIn).flatMap(([within, words]) =>
        words.map((word) => ({ word, term, within })),
      ),
    ])
    .toSorted((one, other) => other.word.length - one.word.length || other.within.length - one.within.length)
    .map((search) => ({ ...search, pattern: boundary(search.word) }))

/** A term in a text. `broader`: the term whose word may stand for it, where English uses the short word; else null. */
type Found = { readonly term: Term; readonly broader: Term | null }

/** Finds the terms that an English text speaks of, by its key too; a word counts for the longest term only. */
export function termFinder(terms: readonly Term[]): (english: string, key: string) => readonly Found[] {
  const searches = searchesOf(terms)
  const broaderOf = (word: string, within: string): Term | null =>
    within === '' ? null : (terms.find(({ english }) => english.includes(word)) ?? null)
  return (english, key) => {
    let rest = english
    const found = new Map<Term, Found>()
    for (const { word, term, within, pattern } of searches.filter((each) => key.startsWith(each.within))) {
      const without = rest.replace(pattern, '\u{FFFC}')
      if (without === rest) continue
      if (term && !found.has(term)) found.set(term, { term, broader: broaderOf(word, within) })
      rest = without
    }
    return [...found.values()]
  }
}

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

type TermsFile = Record<string, { english: string[]; meaning: string }>
type GlossaryFile = Omit<Glossary, 'language' | 'entries'> & {
  terms: Record<string, { word: string; also?: string[]; sources?: string[]; unsourced?: true }>
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, FOLDER, file), 'utf8'))

/** All terms, in the order of their file. */
export const readTerms = (): readonly Term[] =>
  Object.entries(read('terms.json') as TermsFile).map(([key, term]) => ({ key, ...term }))

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
  new RegExp(`(?<![\\p{L}-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}-])`, 'giu')

type Search = { readonly term: Term; readonly pattern: RegExp }

const searchesOf = (terms: readonly Term[]): readonly Search[] =>
  terms
    .flatMap((term) => term.english.map((word) => ({ term, word })))
    .toSorted((one, other) => other.word.length - one.word.length)
    .map(({ term, word }) => ({ term, pattern: boundary(word) }))

/** Finds the terms that an English text speaks of; a word counts for the longest term only. */
export function termFinder(terms: readonly Term[]): (english: string) => readonly Term[] {
  const searches = searchesOf(terms)
  return (english) => {
    let rest = english
    const found = new Set<Term>()
    for (const { term, pattern } of searches) {
      const without = rest.replace(pattern, '\u{FFFC}')
      if (without === rest) continue
      found.add(term)
      rest = without
    }
    return [...found]
  }
}

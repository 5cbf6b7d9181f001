import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../packages/contract/src/accounts/language.ts'
import { type Glossary, readGlossary, readTerms, termFinder } from './glossary.ts'
import { findingsOf } from './rules.ts'

const terms = readTerms()

test('there are 80 terms, each with a meaning and English words of its own', () => {
  expect(terms).toHaveLength(80)
  expect(terms.filter(({ english, meaning }) => english.length === 0 || meaning === '')).toEqual([])
  const english = terms.flatMap((term) => term.english)
  expect(new Set(english).size).toBe(english.length)
})

test('the longest term is found, whatever its case', () => {
  const found = (text: string) => termFinder(terms)(text).map(({ key }) => key)
  expect(found('Free margin')).toEqual(['freeMargin'])
  expect(found('Margin and leverage')).toEqual(['leverage', 'margin'])
  expect(found('marginal, reorder, e-mail')).toEqual([])
})

test('the README says how many words have been seen, and each other is marked', () => {
  const folder = new URL('../../docs/terms/', import.meta.url)
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
  const counts = LANGUAGE_CODES.flatMap((code) => {
    const glossary = readGlossary(code)
    const marked = read(`${code}.json`).match(/"unsourced": true/g)?.length ?? 0
    const sources = [...(glossary?.entries.values() ?? [])].map((entry) => entry.sources.length)
    expect(sources.filter((count) => count === 0)).toHaveLength(marked)
    return sources
  })
  const [two, one, none] = [
    counts.filter((n) => n > 1),
    counts.filter((n) => n === 1),
    counts.filter((n) => n === 0),
  ]
  expect(read('README.md').replace(/\s+/g, ' ')).toContain(
    `${two.length} have two or more, ${one.length} have one, and ${none.length} have none yet`,
  )
})

describe.each(LANGUAGE_CODES)('the glossary of %s', (code) => {
  const glossary = readGlossary(code) as Glossary

  test('has a word for every term and no other', () => {
    expect([...glossary.entries.keys()]).toEqual(terms.map(({ key }) => key))
    expect([...glossary.entries.values()].filter(({ word }) => word.trim() === '')).toEqual([])
  })

  test('cites pages that it lists, and lists no page in vain', () => {
    const cited = [...glossary.entries.values()].flatMap(({ sources }) => sources)
    expect(new Set(cited)).toEqual(new Set(Object.keys(glossary.sources)))
    expect(Object.values(glossary.sources).filter((address) => !URL.canParse(address))).toEqual([])
  })

  test('says how users are addressed and what to beware of', () => {
    expect(glossary.register.length).toBeGreaterThan(20)
    expect(glossary.traps.length).toBeGreaterThan(2)
  })

  test('keeps its own rules of letters', () => {
    const texts = new Map(
      [...glossary.entries].map(([key, { word, also }]) => [key, [word, ...also].join(' · ')]),
    )
    const english = new Map([...texts].map(([key]) => [key, key]))
    const common = { place: 'web', language: code, glossary, limits: new Map() } as const
    expect(findingsOf({ ...common, texts, english }).filter(({ rule }) => rule !== 'untranslated')).toEqual(
      [],
    )
    const avoided = Object.keys(glossary.avoid).filter((word) =>
      [...glossary.entries.values()].some((entry) => entry.word === word),
    )
    expect(avoided).toEqual([])
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../packages/contract/src/accounts/language.ts'
import { type Glossary, readGlossary, readTerms, termFinder } from './glossary.ts'
import { checkedTexts } from './checked-texts.ts'
import { findingsOf, termFindings } from './rules.ts'

const terms = readTerms()

test('there are 80 terms, each with a meaning and English words of its own', () => {
  expect(terms).toHaveLength(80)
  expect(terms.filter(({ english, meaning }) => english.length === 0 || meaning === '')).toEqual([])
  const english = terms.flatMap((term) => term.english)
  expect(new Set(english).size).toBe(english.length)
})

test('the longest term is found, whatever its case', () => {
  const found = (text: string) => termFinder(terms)(text, 'key').map(({ term }) => term.key)
  expect(found('Free margin')).toEqual(['freeMargin'])
  expect(found('Margin and leverage')).toEqual(['leverage', 'margin'])
  expect(found('marginal, reorder, e-mail, loss_hosts')).toEqual([])
})

test('a phrase in which the word means something else speaks of no term', () => {
  const found = (text: string) => termFinder(terms)(text, 'key').map(({ term }) => term.key)
  expect(found('Please ask our payment provider, and fill in the form')).toEqual([])
  expect(found('The ask of this provider was filled')).toEqual(['strategyProvider', 'fill', 'ask'])
  expect(found('You cannot open positions')).toEqual(['position'])
  expect(found('You cannot close open positions')).toEqual(['openPosition'])
})

test('a short word means the longer term where the key says so, and the broader one may stand for it', () => {
  const found = (text: string, key: string) =>
    termFinder(terms)(text, key).map(({ term, broader }) => [term.key, broader?.key ?? null])
  expect(found('Fee so far', 'copying.feePaid')).toEqual([['performanceFee', 'fee']])
  expect(found('Performance fee', 'copying.feePaid')).toEqual([['performanceFee', null]])
  expect(found('Fee so far', 'payments.feePaid')).toEqual([['fee', null]])
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

  test('has no exception in vain', () => {
    const differing = checkedTexts(code).flatMap((checked) =>
      termFindings({ ...checked, glossary: { ...glossary, exceptions: {} } }, terms).map(
        ({ key }) => `${checked.place}:${key}`,
      ),
    )
    expect(Object.keys(glossary.exceptions).filter((text) => !differing.includes(text))).toEqual([])
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

import { ENDPOINTS, messageKeyOf, REFUSAL_REASONS } from '@fairlot/contract'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seedInstruments } from '../seed/seed.ts'
import { refuse, sentenceOf } from '../http/refusal.ts'
import { languageOf, translatorFor, type Language } from './translate.ts'

const LANGUAGES = ['en', 'hk'] as const satisfies readonly Language[]

const catalogue = (language: Language): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8')) as Record<string, unknown>

/** Every sentence by its key. */
const sentences = (branch: unknown, path = ''): [key: string, sentence: string][] =>
  typeof branch === 'object' && branch !== null
    ? Object.entries(branch).flatMap(([name, inner]) => sentences(inner, path ? `${path}.${name}` : name))
    : [[path, String(branch)]]

const argumentsOf = (sentence: string): string[] =>
  [...new Set([...sentence.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))].toSorted()

/** Every figure that a sentence may name. */
const FIGURES = {
  ...{ lots: 15, minimum: 100, maximum: 1_000_000, step: 100, price: 108_000, reference: 108_000 },
  ...{ above: 108_010, below: 107_990, priceDecimals: 5, side: 'buy', offered: '10, 30', leverage: 25 },
  ...{ margin: 36_159_333n, fee: 36_159n, free: 1n, field: 'cont', instrument: 'EURUSD', maximumLength: 64 },
  ...{ reason: 'the exchange is down', minimumLength: 8, area: 'Cuba', name: 'Ada', count: 2 },
  why: 'offStep',
  ...{
    problem: 'too short',
    amount: 10n,
    least: 10n,
    most: 500,
    limit: 10_000_000_000n,
    noticeMs: 86_400_000,
  },
}

test.each(LANGUAGES)(
  '%s has a sentence for every reason, and every figure of it is filled in',
  (language) => {
    const wrong = REFUSAL_REASONS.filter((reason) => {
      const sentence = sentenceOf(translatorFor(language), refuse(reason, FIGURES))
      return sentence.length < 5 || sentence.includes(messageKeyOf(reason)) || /[{}]/.test(sentence)
    })
    expect(wrong).toEqual([])
  },
)

test.each(LANGUAGES)('%s names every category of instruments', (language) => {
  const known = Object.keys(catalogue(language)['category'] as object)
  expect(known.toSorted()).toEqual([...new Set(seedInstruments().map(({ category }) => category))].toSorted())
})

test('both catalogues have the same sentences with the same figures', () => {
  const shape = (language: Language) =>
    sentences(catalogue(language)).map(([key, sentence]) => `${key} ${argumentsOf(sentence).join(' ')}`)
  expect(shape('hk')).toEqual(shape('en'))
  expect(shape('en').length).toBeGreaterThan(50)
})

test('a sentence about lots, prices and money shows them as a person writes them', () => {
  const translate = translatorFor('en')
  expect(sentenceOf(translate, refuse('lotsOffStep', FIGURES))).toBe(
    'Lots go in steps of 0.01; 0.0015 lies between two of them.',
  )
  expect(sentenceOf(translate, refuse('stopLossWrongSide', FIGURES))).toBe(
    'The stop loss of a buy must be 1.07990 or lower; 1.08000 is too near or on the wrong side.',
  )
})

test('a shortfall never looks like none: costs are rounded up, means down', () => {
  const sentence = (margin: bigint, free: bigint) =>
    sentenceOf(translatorFor('en'), refuse('notEnoughPrepayment', { margin, fee: 0n, free }))
  expect(sentence(100_000_001n, 100_000_000n)).toBe(
    'This order needs 100.01 of margin and a fee of 0.00; only 100.00 is available.',
  )
  expect(sentence(100_000_000n, 99_999_999n)).toContain('only 99.99 is available')
  expect(sentence(1n, -1n)).toContain('only -0.01 is available')
})

test('tw means hk, nothing means hk, and a language that is not written yet gets English', () => {
  expect([undefined, '', 'hk', 'tw', 'en', 'jp', 'constructor', 'HK'].map(languageOf)).toEqual([
    ...['hk', 'hk', 'hk', 'hk'],
    ...['en', 'en', 'en', 'en'],
  ])
})

test.each(LANGUAGES)(
  '%s has sentences of success for calls that there are, and for changes only',
  (language) => {
    const told = Object.keys(catalogue(language)['success'] as object)
    const calls = ENDPOINTS.filter(({ method }) => method === 'POST').map(({ name }) => name)
    expect(told.filter((name) => !calls.includes(name))).toEqual([])
    expect(told).toContain('cancelOrder')
  },
)

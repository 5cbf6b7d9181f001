import { ENDPOINTS, LANGUAGE_CODES, messageKeyOf, REFUSAL_REASONS } from '@fairlot/contract'
import type { RejectionDetails } from '@fairlot/core'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seedInstruments } from '../../seed/seed.ts'
import { refuse, sentenceOf } from '../refusal.ts'
import { LANGUAGES, languageOf, translatorFor, type Language } from './translate.ts'

const catalogue = (language: Language): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8')) as Record<string, unknown>

/** Every figure that a sentence may name. */
const FIGURES = {
  lots: 15,
  minimum: 100,
  maximum: 1_000_000,
  step: 100,
  price: 108_000,
  reference: 108_000,
  above: 108_010,
  below: 107_990,
  priceDecimals: 5,
  side: 'buy',
  about: 'level',
  level: '120.5',
  offered: '10, 30',
  leverage: 25,
  margin: 36_159_333n,
  fee: 36_159n,
  free: 1n,
  field: 'cont',
  instrument: 'EURUSD',
  maximumLength: 64,
  reason: 'the exchange is down',
  minimumLength: 8,
  area: 'Cuba',
  name: 'Ada',
  count: 2,
  why: 'offStep',
  rule: 'network',
  problem: 'too short',
  amount: 10n,
  least: 10n,
  most: 500,
  limit: 10_000_000_000n,
  quotedFee: '12',
  quotedPrice: '1.05',
  quotedReceived: '388',
  noticeMs: 86_400_000,
  number: '3',
  rate: '1.25',
  mid: '1.24',
  currency: 'GBP',
  network: 'TRC20',
  accountCurrency: 'USD',
}

test.each(LANGUAGES)('%s has a message for every reason, and every value in it is filled in', (language) => {
  const wrong = REFUSAL_REASONS.filter((reason) => {
    const sentence = sentenceOf(translatorFor(language), refuse(reason, FIGURES))
    return sentence.length < 5 || sentence.includes(messageKeyOf(reason)) || /[{}]/.test(sentence)
  })
  expect(wrong).toEqual([])
})

test.each(LANGUAGES)('%s says what is expected of a field that is not understood', (language) => {
  const sentenceFor = (given: RejectionDetails) =>
    sentenceOf(translatorFor(language), refuse('notUnderstood', { field: 'page', ...given }))
  const sentences = [
    sentenceFor({}),
    sentenceFor({ expected: 'text' }),
    sentenceFor({ expected: 'number' }),
    sentenceFor({ expected: 'list' }),
    sentenceFor({ expected: 'whole', least: '7' }),
    sentenceFor({ expected: 'range', least: '7', most: '9' }),
    sentenceFor({ expected: 'choice', choices: 'coin, bank' }),
  ]
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toContain('page')
  expect(sentences.slice(4)).toEqual([
    expect.stringContaining('7'),
    expect.stringMatching(/7.*9/u),
    expect.stringContaining('coin, bank'),
  ])
})

test.each(LANGUAGES)('%s says what a tag of a coin is', (language) => {
  const sentenceFor = (rule: string, most: string) =>
    sentenceOf(translatorFor(language), refuse('coinTagInvalid', { name: 'Stellar', rule, most }))
  const sentences = [sentenceFor('none', '0'), sentenceFor('number', '4294967295'), sentenceFor('text', '28')]
  expect(new Set(sentences).size).toBe(3)
  for (const sentence of sentences) expect(sentence).toContain('Stellar')
  expect(sentences[1]).toContain('4294967295')
  expect(sentences[2]).toContain('28')
})

test.each(LANGUAGES)('%s names every category of instruments', (language) => {
  const known = Object.keys(catalogue(language)['category'] as object)
  expect(known.toSorted()).toEqual([...new Set(seedInstruments().map(({ category }) => category))].toSorted())
})

test('a message formats lots, prices and money for readers', () => {
  const translate = translatorFor('en')
  expect(sentenceOf(translate, refuse('lotsOffStep', FIGURES))).toBe(
    'The lot size must be a multiple of 0.01; 0.0015 is not.',
  )
  expect(sentenceOf(translate, refuse('stopLossWrongSide', FIGURES))).toBe(
    'The stop loss of a buy must be 1.07990 or lower; 1.08000 is too close or on the wrong side.',
  )
})

test.each([
  ['en', '12,345.60 USDT', '0.01'],
  ['de', '12.345,60 USDT', '0,01'],
  ['ru', '12\u00a0345,60 USDT', '0,01'],
  ['ar', '12,345.60 USDT', '0.01'],
] as const)('%s writes numbers with its own signs, in Latin digits', (language, amount, lots) => {
  const translate = translatorFor(language)
  const told = translate('mail.depositRejected.text', {
    number: '10452',
    amount: '12,345.60 USDT',
    reason: '203.0.113.7',
  })
  expect(told).toContain(amount)
  expect(told).toContain('10452')
  expect(told).toContain('203.0.113.7')
  expect(sentenceOf(translate, refuse('lotsBelowMinimum', { minimum: 100 }))).toContain(lots)
})

test('in Arabic the sign of a number stays before its figure, and a code is left as it is', () => {
  const translate = translatorFor('ar')
  const amount = { number: '10452', reason: '203.0.113.7', amount: '-1,234.50 USD' }
  expect(translate('mail.depositRejected.text', amount)).toContain('\u2066-1,234.50 USD\u2069')
  const code = { code: '123456', minutes: 10 }
  expect(translate('mail.registerCode.text', code)).not.toMatch(/[\u2066-\u2069]/)
})

test('a number of lots or hours has the noun in its number', () => {
  const translate = translatorFor('en')
  const said = (reason: 'lotsBelowMinimum' | 'methodTooNew', details: RejectionDetails) =>
    sentenceOf(translate, refuse(reason, details))
  expect(said('lotsBelowMinimum', { minimum: 10_000 })).toBe('The smallest order is 1 lot.')
  expect(said('lotsBelowMinimum', { minimum: 15_000 })).toBe('The smallest order is 1.5 lots.')
  expect(said('methodTooNew', { noticeMs: 3_600_000 })).toContain('in 1 hour.')
  expect(said('methodTooNew', { noticeMs: 86_400_000 })).toContain('in 24 hours.')
})

test('costs are rounded up and available amounts down, so that a shortfall is always visible', () => {
  const sentence = (margin: bigint, free: bigint) =>
    sentenceOf(translatorFor('en'), refuse('notEnoughPrepayment', { margin, fee: 0n, free }))
  expect(sentence(100_000_001n, 100_000_000n)).toBe(
    'This order needs 100.01 of margin and a fee of 0.00; only 100.00 is available.',
  )
  expect(sentence(100_000_000n, 99_999_999n)).toContain('only 99.99 is available')
  expect(sentence(1n, -1n)).toContain('only -0.01 is available')
})

test('tw, none and an unknown language mean hk, and one without a catalogue means English', () => {
  expect([undefined, '', 'tw', 'constructor', 'HK'].map(languageOf)).toEqual(Array(5).fill('hk'))
  for (const code of LANGUAGE_CODES) expect(languageOf(code)).toBe(LANGUAGES.includes(code) ? code : 'en')
})

test.each(LANGUAGES)('%s names a code within the 70 letters of an SMS’s first part', (language) => {
  const values = { code: '123456', minutes: 10 }
  for (const purpose of ['registerCode', 'resetCode']) {
    const text = translatorFor(language)(`mail.${purpose}.text`, values)
    expect(text.slice(0, 70)).toContain(values.code)
  }
})

test.each(LANGUAGES)(
  '%s has success messages only for existing endpoints that change something',
  (language) => {
    const named = Object.keys(catalogue(language)['success'] as object)
    const calls = ENDPOINTS.filter(({ method }) => method === 'POST').map(({ name }) => name)
    expect(named.filter((name) => !calls.includes(name))).toEqual([])
    expect(named).toContain('cancelOrder')
  },
)

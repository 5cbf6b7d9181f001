import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../packages/contract/src/accounts/language.ts'
import { ROOT } from '../check/run.ts'
import { checkedTexts } from './checked-texts.ts'
import { PLACE_NAMES, PLACES, textsOf, translatedLanguages } from './catalogues.ts'
import { readTerms } from './glossary.ts'
import { findingsOf, termFindings } from './rules.ts'

const translated = translatedLanguages()

describe.each(translated)('the texts in %s', (language) => {
  test('exist in every place', () => {
    expect(checkedTexts(language).map(({ place }) => place)).toEqual(PLACE_NAMES)
  })

  test.each(PLACE_NAMES)('are whole and well written: %s', (place) => {
    const [checked] = checkedTexts(language).filter((each) => each.place === place)
    expect(checked?.texts.size).toBeGreaterThan(50)
    expect(checked && findingsOf(checked)).toEqual([])
  })

  test('have no key twice, for the later one would win unseen', () => {
    for (const place of PLACE_NAMES) {
      const text = readFileSync(join(ROOT, PLACES[place], `${language}.json`), 'utf8')
      expect(JSON.stringify(JSON.parse(text), null, 2)).toBe(text.trim())
    }
  })

  test('use the words of the glossary, once it is enforced', () => {
    const enforced = checkedTexts(language).filter(({ glossary }) => glossary?.isEnforced)
    expect(enforced.flatMap((checked) => termFindings(checked, readTerms()))).toEqual([])
  })
})

test.each(translated)('the first news name the button as the app does, in %s', (language) => {
  const button = textsOf('web', language)?.get('order.checkReceipt')
  expect(button).toBeTruthy()
  expect(textsOf('server', language)?.get('firstNews.receipts.summary')).toContain(button)
})

test('all 15 languages are there', () => {
  expect(translated.toSorted()).toEqual(LANGUAGE_CODES.toSorted())
})

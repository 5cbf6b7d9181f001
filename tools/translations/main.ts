// `npm run translations`: how far each language is.
//   -- terms <language>           where its texts differ from the glossary
//   -- export <language> <file>   all its texts as XLIFF
//   -- import <file>              takes them back
import { readFileSync, writeFileSync } from 'node:fs'
import {
  knownLanguage,
  LANGUAGE_CODES,
  type LanguageCode,
} from '../../packages/contract/src/accounts/language.ts'
import { englishOf, PLACE_NAMES, STATES, statesOf } from './catalogues.ts'
import { readTerms } from './glossary.ts'
import { findingsOf, termFindings } from './rules.ts'
import { checkedTexts } from './checked-texts.ts'
import { exportXliff, importXliff } from './xliff.ts'

function languageNamed(code: string | undefined): LanguageCode {
  const language = knownLanguage(code)
  if (!language) throw new Error(`name a language: ${LANGUAGE_CODES.join(', ')}`)
  return language
}

function showStates(): void {
  for (const language of LANGUAGE_CODES) {
    const parts = PLACE_NAMES.map((place) => {
      const total = englishOf(place).size
      const states = [...statesOf(place, language).values()]
      const counts = STATES.map((state) => `${states.filter((each) => each === state).length} ${state}`)
      return states.length === 0
        ? `${place}: not yet`
        : `${place}: ${states.length} of ${total} (${counts.join(', ')})`
    })
    console.log(`${language.padEnd(4)}${language === 'en' ? 'the source' : parts.join(' · ')}`)
  }
}

function showTerms(language: LanguageCode): void {
  const found = checkedTexts(language).flatMap((checked) => [
    ...findingsOf(checked).map((each) => ({ ...each, place: checked.place })),
    ...termFindings(checked, readTerms()).map((each) => ({ ...each, place: checked.place })),
  ])
  for (const { place, key, message } of found) console.log(`${place}:${key} ${message}`)
  console.log(`${found.length} differences in ${language}`)
}

const [command = 'states', first, second] = process.argv.slice(2)
if (command === 'states') showStates()
else if (command === 'terms') showTerms(languageNamed(first))
else if (command === 'export' && second !== undefined)
  writeFileSync(second, exportXliff(languageNamed(first)))
else if (command === 'import' && first !== undefined)
  for (const { place, taken, left } of importXliff(readFileSync(first, 'utf8'))) {
    console.log(`${place}: ${taken} taken, ${left.length} left alone`)
    for (const line of left) console.log(`  ${line}`)
  }
else throw new Error('say: states, terms <language>, export <language> <file>, or import <file>')

/** What is to be checked of a language: its texts in every place, with what they are compared with. */
import type { LanguageCode } from '../../packages/contract/src/accounts/language.ts'
import { readTree } from '../architecture/tree.ts'
import { ROOT } from '../check/run.ts'
import { englishOf, PLACE_NAMES, type Place, textsOf } from './catalogues.ts'
import { readGlossary } from './glossary.ts'
import { type Limit, limitsOf } from './narrow-texts.ts'
import type { Checked } from './rules.ts'

let webLimits: ReadonlyMap<string, Limit> | undefined

/** The limits of a place; read from the code once. */
export const limitsIn = (place: Place): ReadonlyMap<string, Limit> =>
  place === 'web' ? (webLimits ??= limitsOf(readTree(ROOT), englishOf('web').keys())) : new Map()

/** The texts of a language, place by place; none where it has no catalogue yet. */
export const checkedTexts = (language: LanguageCode): Checked[] =>
  PLACE_NAMES.flatMap((place) => {
    const texts = textsOf(place, language)
    const common = { place, language, english: englishOf(place), glossary: readGlossary(language) }
    return texts ? [{ ...common, texts, limits: limitsIn(place) }] : []
  })

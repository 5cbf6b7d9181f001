import type { CaseWords } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import { LANGUAGES, languageOf, translatorFor, type Language, type Translate } from '../../i18n/translate.ts'

type Said = Pick<CaseWords, 'when' | 'text'>

/** What everybody reads, in each language that there is a catalogue of. */
export const everyonesWords = (
  said: (translate: Translate, language: Language) => readonly Said[],
): CaseWords[] =>
  LANGUAGES.flatMap((language) =>
    said(translatorFor(language), language).map((each) => ({ ...each, language })),
  )

/** What a trader reads, from the catalogue that they read it from: in their language, and in English where that is another. */
export async function traderWords(
  queries: Queries,
  accountId: number,
  said: (translate: Translate) => readonly Said[],
): Promise<CaseWords[]> {
  const member = await queries
    .selectFrom('member')
    .select('language')
    .where('user_id', '=', BigInt(accountId))
    .executeTakeFirst()
  const languages = new Set([languageOf(member?.language ?? 'en'), 'en' as const])
  return [...languages].flatMap((language) =>
    said(translatorFor(language)).map((each) => ({ ...each, language })),
  )
}

import type { CaseWords } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import { languageOf, translatorFor, type Translate } from '../../i18n/translate.ts'

type Said = Pick<CaseWords, 'when' | 'text'>

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

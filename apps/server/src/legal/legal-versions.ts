import type { LanguageCode, LegalDocument } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { LegalVersionTable } from '../database/content-schema.ts'
import { shownText } from '../i18n/shown-text.ts'

/** All versions of some documents: the one that begins last comes first, and of several that begin together the one written last. */
export const versionsOf = (
  queries: Queries,
  documents: readonly LegalDocument[],
): Promise<LegalVersionTable[]> =>
  queries
    .selectFrom('legal_version')
    .selectAll()
    .where('document', 'in', documents)
    .orderBy('effective_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The version of a document at a moment, epoch ms, out of the list of its versions; null before the first one. */
export const inForce = (
  versions: readonly LegalVersionTable[],
  document: LegalDocument,
  at: number,
): LegalVersionTable | null =>
  versions.find((version) => version.document === document && Number(version.effective_at) <= at) ?? null

/** Its text for a reader of a language. */
export async function textFor(
  queries: Queries,
  version: LegalVersionTable,
  language: LanguageCode,
): Promise<string> {
  return shownText(await textsOf(queries, version), language)?.body ?? ''
}

export async function textsOf(
  queries: Queries,
  { id }: LegalVersionTable,
): Promise<{ language: LanguageCode; body: string }[]> {
  const rows = await queries
    .selectFrom('legal_text')
    .select(['language', 'body'])
    .where('version_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ language, body }) => ({ language: language as LanguageCode, body }))
}

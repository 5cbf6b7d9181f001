import { CONSENT_DOCUMENTS } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import { translatorFor } from '../i18n/translate.ts'

/** The wording of the catalogues: what everybody agreed to before texts were kept in the database. */
const FIRST_VERSION = '2026-11-21'
const LANGUAGES = ['en', 'hk'] as const

/** Writes the first version of the documents that whoever registers agrees to, where there is none yet. `at`: epoch ms. */
export async function writeFirstLegalTexts(queries: Queries, at: number): Promise<void> {
  await queries.transaction().execute(async (within) => {
    const some = await within.selectFrom('legal_version').select('id').limit(1).executeTakeFirst()
    if (some) return
    for (const [index, document] of CONSENT_DOCUMENTS.entries()) {
      const id = BigInt(index + 1)
      await within
        .insertInto('legal_version')
        .values({
          ...{ id, document, version: FIRST_VERSION, effective_at: 0n, written_at: BigInt(at) },
          ...{ written_by: '', reason: '' },
        })
        .execute()
      const texts = LANGUAGES.map((language, position) => ({
        ...{ id: BigInt(index * LANGUAGES.length + position + 1), version_id: id, language },
        body: translatorFor(language)(`consent.${document}`),
      }))
      await within.insertInto('legal_text').values(texts).execute()
    }
  })
}

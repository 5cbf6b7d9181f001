import { LEGAL_DOCUMENTS, type LanguageCode, type LegalDocument } from '@fairlot/contract'
import { addLegalVersion, getLegalVersion, legalFile, listLegalVersions } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import { refuse } from '../../http/refusal.ts'
import { inForce, textsOf, versionsOf } from '../../legal/legal-versions.ts'
import type { DeskServices } from '../desk-services.ts'
import { createLegalChanges } from './legal-changes.ts'

/** One language of the longest text; fifteen of usual length. */
const TEXTS_BYTES_MAX = 4 * 1024 * 1024

/** Legal documents and their versions. */
export function registerLegalTexts(services: DeskServices): void {
  const { api, queries, now } = services
  const add = createLegalChanges(services)

  const versions = async () => {
    const all = await versionsOf(queries, LEGAL_DOCUMENTS)
    const languages = await languagesOf(queries)
    const at = now()
    const current = new Set(LEGAL_DOCUMENTS.map((document) => inForce(all, document, at)?.id))
    return {
      versions: all.map(({ id, version, reason, ...row }) => ({
        ...{ version, reason, document: row.document as LegalDocument, isInForce: current.has(id) },
        ...{ effectiveAt: Number(row.effective_at), writtenAt: Number(row.written_at) },
        ...{ writtenBy: row.written_by, languages: languages.get(id) ?? [] },
      })),
    }
  }
  api.list(listLegalVersions, versions, { file: legalFile, rowsOf: ({ versions: rows }) => rows })
  api.operator(getLegalVersion, async ({ input: { document, version } }) => {
    const found = (await versionsOf(queries, [document])).find((each) => each.version === version)
    return found ? { texts: await textsOf(queries, found) } : refuse('legalVersionUnknown')
  })
  api.operator(addLegalVersion, ({ operator, input }) => add(operator, input), {
    bodyLimit: TEXTS_BYTES_MAX,
  })
}

async function languagesOf(queries: Queries): Promise<Map<bigint, LanguageCode[]>> {
  const rows = await queries
    .selectFrom('legal_text')
    .select(['version_id', 'language'])
    .orderBy('id')
    .execute()
  const byVersion = new Map<bigint, LanguageCode[]>()
  for (const { version_id: id, language } of rows)
    byVersion.set(id, [...(byVersion.get(id) ?? []), language as LanguageCode])
  return byVersion
}

import { type LanguageCode, LEGAL_DOCUMENTS, type LegalDocument } from '@fairlot/contract'
import {
  addLegalVersion,
  getLegalVersion,
  LEGAL_TEXT_LENGTH,
  legalFile,
  type LegalText,
  listLegalVersions,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { inForce, textsOf, versionsOf } from '../legal-texts.ts'

/** Enough for one language of the longest text, or for fifteen of usual length. */
const TEXTS_BYTES_MAX = 4 * 1024 * 1024

/** The calls that add versions of legal documents. */
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
        version,
        reason,
        document: row.document as LegalDocument,
        isInForce: current.has(id),
        effectiveAt: Number(row.effective_at),
        writtenAt: Number(row.written_at),
        writtenBy: row.written_by,
        languages: languages.get(id) ?? [],
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

/** A form that was to take effect "now" may be sent this much later, ms. */
const NOW_WITHIN_MS = 600_000

export type NewLegalVersion = {
  readonly document: LegalDocument
  /** The latest version that the operator saw; empty for none. */
  readonly follows: string
  readonly effectiveAt: number
  readonly texts: readonly LegalText[]
  readonly reason: string
}

/** Adds a version of a legal document. Versions are never changed. */
function createLegalChanges({ auditLog, hub, now }: DeskServices) {
  return async (
    operator: DeskOperator,
    { reason, ...form }: NewLegalVersion,
  ): Promise<{ version: string } | Refusal> => {
    const texts = checkedTexts(form.texts)
    if (isRefusal(texts)) return texts
    const at = now()
    if (form.effectiveAt < at - NOW_WITHIN_MS) return refuse('legalMomentInvalid', { field: 'effectiveAt' })
    const effectiveAt = Math.max(form.effectiveAt, at)
    const { document, follows } = form
    const done = await auditLog.perform(
      {
        operator,
        act: 'editLegalText',
        subject: `legal:${document}`,
        reason,
        before: { version: follows },
        after: { effectiveAt, languages: texts.map(({ language }) => language) },
      },
      (within) =>
        insert(within, { ...form, effectiveAt, texts }, { at, by: operator.name, reason: reason.trim() }),
    )
    if (!isRefusal(done)) hub.changed('content')
    return done
  }
}

function checkedTexts(given: readonly LegalText[]): LegalText[] | Refusal {
  const texts = new Map<string, LegalText>()
  for (const { language, body } of given) {
    if (body === '') return refuse('legalTextsMissing', { field: language })
    if (body.length > LEGAL_TEXT_LENGTH)
      return refuse('contentTooLong', { field: language, most: LEGAL_TEXT_LENGTH })
    texts.set(language, { language, body })
  }
  return texts.has('en') || texts.has('hk') ? [...texts.values()] : refuse('legalTextsMissing')
}

type Author = { readonly at: number; readonly by: string; readonly reason: string }

async function insert(
  within: Transaction<Tables>,
  { document, follows, effectiveAt, texts }: Omit<NewLegalVersion, 'reason'>,
  { at, by, reason }: Author,
): Promise<{ version: string } | Refusal> {
  const [latest] = await versionsOf(within, [document])
  if ((latest?.version ?? '') !== follows) return refuse('formOutdated')
  if (latest && effectiveAt < Number(latest.effective_at))
    return refuse('legalMomentInvalid', { field: 'effectiveAt' })
  const version = await newVersionName(within, effectiveAt)
  const id = await nextId(within, 'legal_version')
  await within
    .insertInto('legal_version')
    .values({
      id,
      document,
      version,
      effective_at: BigInt(effectiveAt),
      written_at: BigInt(at),
      written_by: by,
      reason,
    })
    .execute()
  const first = await nextId(within, 'legal_text')
  const rows = texts.map((text, index) => ({ ...text, id: first + BigInt(index), version_id: id }))
  await within.insertInto('legal_text').values(rows).execute()
  return { version }
}

/** Versions are named by their effective date (UTC), with a number if another version of any document has that name. */
async function newVersionName(within: Transaction<Tables>, effectiveAt: number): Promise<string> {
  const day = new Date(effectiveAt).toISOString().slice(0, 10)
  const rows = await within
    .selectFrom('legal_version')
    .select('version')
    .where('version', 'like', `${day}%`)
    .execute()
  const taken = new Set(rows.map(({ version }) => version))
  let name = day
  for (let count = 2; taken.has(name); count += 1) name = `${day}.${count}`
  return name
}

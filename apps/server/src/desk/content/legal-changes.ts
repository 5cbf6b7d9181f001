import type { LegalDocument } from '@fairlot/contract'
import { LEGAL_TEXT_LENGTH, type LegalText } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { versionsOf } from '../../legal/legal-versions.ts'
import type { DeskServices } from '../desk-services.ts'
import { nextId } from '../next-id.ts'
import type { DeskOperator } from '../operator.ts'

/** A form that was filled in for so long may still say "from now on", ms. */
const NOW_WITHIN_MS = 600_000

export type NewLegalVersion = {
  readonly document: LegalDocument
  /** The latest version that the operator saw; empty for none. */
  readonly follows: string
  readonly effectiveAt: number
  readonly texts: readonly LegalText[]
  readonly reason: string
}

/** Adds a version of a legal document: what is written is never changed any more. */
export function createLegalChanges({ acts, hub, now }: DeskServices) {
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
    const done = await acts.perform(
      {
        ...{ operator, act: 'editLegalText', subject: `legal:${document}`, reason },
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
  const version = await freeName(within, effectiveAt)
  const id = await nextId(within, 'legal_version')
  await within
    .insertInto('legal_version')
    .values({
      ...{ id, document, version, effective_at: BigInt(effectiveAt) },
      ...{ written_at: BigInt(at), written_by: by, reason },
    })
    .execute()
  const first = await nextId(within, 'legal_text')
  const rows = texts.map((text, index) => ({ ...text, id: first + BigInt(index), version_id: id }))
  await within.insertInto('legal_text').values(rows).execute()
  return { version }
}

/** The day on which it begins, in UTC; counted where that day has one already, of whatever document. */
async function freeName(within: Transaction<Tables>, effectiveAt: number): Promise<string> {
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

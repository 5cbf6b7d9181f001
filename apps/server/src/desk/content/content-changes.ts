import type { ContentItem, ContentText } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { ContentItemTable } from '../../database/content-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { currentTexts } from '../../news/content-texts.ts'
import type { DeskServices } from '../desk-services.ts'
import { nextId } from '../next-id.ts'
import type { DeskOperator } from '../operator.ts'
import { cleanTexts, refusalOfPicture } from './content-form.ts'
import { findContent, statusOf } from './content-rows.ts'

type Saved = { readonly id: number; readonly version: number }
type Form = Pick<ContentItem, 'version' | 'kind' | 'category' | 'isPinned' | 'picture' | 'texts'> & {
  readonly id: number | null
}
type Step = Saved & { readonly reason: string }

/** What operators do to news and announcements. */
export function createContentChanges({ queries, acts, hub, now }: DeskServices) {
  const act = 'editContent' as const
  const told = (saved: Saved | Refusal): Saved | Refusal => {
    if (!isRefusal(saved)) hub.changed('content')
    return saved
  }

  const move = async (operator: DeskOperator, { id, version, reason }: Step, to: Change) => {
    const row = await findContent(queries, id)
    if (!row) return refuse('contentNotFound')
    const after = { ...to, publish_at: to.publish_at ?? row.publish_at }
    const subject = `content:${id}`
    const shown = ({ state, publish_at }: Pick<ContentItemTable, 'state' | 'publish_at'>) => ({
      ...{ state, publishAt: publish_at },
    })
    return told(
      await acts.perform(
        { operator, act, subject, reason, before: shown(row), after: shown(after) },
        async (within) => {
          const refusal = await refusalOfStep(within, id, to, now())
          return refusal ?? renew(within, { ...after, id, version, by: operator.name, at: now() })
        },
      ),
    )
  }

  return {
    save: async (operator: DeskOperator, form: Form): Promise<Saved | Refusal> => {
      const texts = cleanTexts(form.texts)
      if (isRefusal(texts)) return texts
      const refusal = refusalOfPicture(form.picture)
      if (refusal) return refusal
      const { kind, category, isPinned } = form
      const after = { kind, category, isPinned, languages: texts.map(({ language }) => language) }
      const subject = `content:${form.id ?? 'new'}`
      return told(
        await acts.note({ operator, act, subject, after }, (within) =>
          save(within, { ...form, texts }, { by: operator.name, at: now() }),
        ),
      )
    },
    publish: async (
      operator: DeskOperator,
      { publishAt, ...step }: Step & { readonly publishAt: number | null },
    ) => {
      if (publishAt !== null && publishAt < now()) return refuse('contentMomentPast', { field: 'publishAt' })
      return move(operator, step, { state: 'live', publish_at: BigInt(publishAt ?? now()) })
    },
    withdraw: (operator: DeskOperator, step: Step) =>
      move(operator, step, { state: 'withdrawn', publish_at: null }),
  }
}

/** A null moment stays as it was. */
type Change = Pick<ContentItemTable, 'state' | 'publish_at'>
type Author = { readonly by: string; readonly at: number }

async function refusalOfStep(
  within: Transaction<Tables>,
  id: number,
  { state }: Change,
  at: number,
): Promise<Refusal | null> {
  const row = await findContent(within, id)
  if (!row) return refuse('contentNotFound')
  if (state === 'withdrawn')
    return ['draft', 'withdrawn'].includes(statusOf(row, at)) ? refuse('contentNotShown') : null
  return (await currentTexts(within, [row.id])).length > 0 ? null : refuse('contentTextsMissing')
}

async function save(within: Transaction<Tables>, form: Form, { by, at }: Author): Promise<Saved | Refusal> {
  const head = {
    ...{ kind: form.kind, category: form.category, picture: form.picture },
    is_pinned: form.isPinned ? 1n : 0n,
  }
  if (form.id === null && form.texts.every(({ title }) => title === '')) return refuse('contentTextsMissing')
  const saved =
    form.id === null
      ? await insert(within, head, { by, at })
      : await renew(within, { ...head, id: form.id, version: form.version, by, at })
  if (isRefusal(saved)) return saved
  await addTexts(within, saved, form.texts, { by, at })
  const isEmpty = (await currentTexts(within, [BigInt(saved.id)])).length === 0
  return isEmpty ? refuse('contentTextsMissing') : saved
}

async function insert(
  within: Transaction<Tables>,
  head: Pick<ContentItemTable, 'kind' | 'category' | 'picture' | 'is_pinned'>,
  { by, at }: Author,
): Promise<Saved> {
  const id = await nextId(within, 'content_item')
  await within
    .insertInto('content_item')
    .values({
      ...{ ...head, id, state: 'draft', publish_at: null, version: 1n },
      ...{ changed_at: BigInt(at), changed_by: by },
    })
    .execute()
  return { id: Number(id), version: 1 }
}

/** Changes an item that is still at the version that the operator saw. */
async function renew(
  within: Transaction<Tables>,
  { id, version, by, at, ...change }: Saved & Author & Partial<Omit<ContentItemTable, 'id' | 'version'>>,
): Promise<Saved | Refusal> {
  if (!(await findContent(within, id))) return refuse('contentNotFound')
  const { numUpdatedRows } = await within
    .updateTable('content_item')
    .set({ ...change, version: BigInt(version + 1), changed_at: BigInt(at), changed_by: by })
    .where('id', '=', BigInt(id))
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? { id, version: version + 1 } : refuse('formOutdated')
}

async function addTexts(
  within: Transaction<Tables>,
  { id, version }: Saved,
  texts: readonly ContentText[],
  { by, at }: Author,
): Promise<void> {
  for (const text of texts)
    await within
      .insertInto('content_text')
      .values({
        ...{ ...text, id: await nextId(within, 'content_text'), item_id: BigInt(id) },
        ...{ version: BigInt(version), author: by, at: BigInt(at) },
      })
      .execute()
}

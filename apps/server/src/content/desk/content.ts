import { isPublicPicture, type LanguageCode, PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import {
  CONTENT_LENGTH,
  contentFile,
  type ContentItem,
  type ContentRow,
  type ContentText,
  type ContentVersion,
  DESK_PAGE_ROWS,
  getContent,
  listContent,
  listContentVersions,
  previewContent,
  publishContent,
  saveContent,
  withdrawContent,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import type { ContentItemTable } from '../../platform/database/content-schema.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { shownText } from '../../platform/i18n/translate.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { cleanHtml, isBlankHtml } from '../news/clean-html.ts'
import { currentRows, currentTexts, fullTexts } from '../news/published-news.ts'

/** The longest texts in fifteen languages, in characters of the most bytes. */
const TEXTS_BYTES_MAX = 3 * 1024 * 1024

/** The calls that write news and announcements. */
export function registerContent(services: DeskServices): void {
  const { api, queries, now } = services
  const changes = createContentChanges(services)
  const bodyLimit = TEXTS_BYTES_MAX

  api.list(listContent, ({ input }, limit) => listContentRows(queries, input, now(), limit), {
    file: contentFile,
    rowsOf: ({ items }) => items,
  })
  api.operator(getContent, async ({ input: { id } }) => {
    const row = await findContent(queries, id)
    return row ? contentItem(queries, row, now()) : refuse('contentNotFound')
  })
  api.operator(listContentVersions, async ({ input: { id, language } }) => ({
    versions: await versionsOf(queries, id, language),
  }))
  api.operator(saveContent, ({ operator, input }) => changes.save(operator, input), { bodyLimit })
  api.operator(
    previewContent,
    ({ input: { language, texts } }) => {
      const cleaned = cleanTexts(texts)
      if (isRefusal(cleaned)) return cleaned
      const filled = cleaned.filter(({ title }) => title !== '')
      return { shown: shownText(filled, language) }
    },
    { bodyLimit },
  )
  api.operator(publishContent, ({ operator, input }) => changes.publish(operator, input))
  api.operator(withdrawContent, ({ operator, input }) => changes.withdraw(operator, input))
}

type Saved = { readonly id: number; readonly version: number }
type Form = Pick<ContentItem, 'version' | 'kind' | 'category' | 'isPinned' | 'picture' | 'texts'> & {
  readonly id: number | null
}
type Step = Saved & { readonly reason: string }

/** Saves, publishes and withdraws news and announcements. */
function createContentChanges({ queries, auditLog, hub, now }: DeskServices) {
  const act = 'editContent' as const
  const announced = (saved: Saved | Refusal): Saved | Refusal => {
    if (!isRefusal(saved)) hub.changed('content')
    return saved
  }

  const move = async (operator: DeskOperator, { id, version, reason }: Step, to: Change) => {
    const row = await findContent(queries, id)
    if (!row) return refuse('contentNotFound')
    const after = { ...to, publish_at: to.publish_at ?? row.publish_at }
    const subject = `content:${id}`
    const shown = ({ state, publish_at }: Pick<ContentItemTable, 'state' | 'publish_at'>) => ({
      state,
      publishAt: publish_at,
    })
    return announced(
      await auditLog.perform(
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
      return announced(
        await auditLog.performWithoutReason({ operator, act, subject, after }, (within) =>
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

/** `publish_at`: null for unchanged. */
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
    kind: form.kind,
    category: form.category,
    picture: form.picture,
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
      ...head,
      id,
      state: 'draft',
      publish_at: null,
      version: 1n,
      changed_at: BigInt(at),
      changed_by: by,
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
        ...text,
        id: await nextId(within, 'content_text'),
        item_id: BigInt(id),
        version: BigInt(version),
        author: by,
        at: BigInt(at),
      })
      .execute()
}

/** Texts as stored: sanitized and trimmed. One without title and body removes its language. */
function cleanTexts(texts: readonly ContentText[]): ContentText[] | Refusal {
  const byLanguage = new Map<string, ContentText>()
  for (const text of texts) {
    const cleaned = cleanText(text)
    if (isRefusal(cleaned)) return cleaned
    byLanguage.set(text.language, cleaned)
  }
  return [...byLanguage.values()]
}

/** The refusal of a picture that is not a public one; null if it is valid. */
const refusalOfPicture = (picture: string | null): Refusal | null =>
  picture === null || isPublicPicture(PUBLIC_PICTURE_PATH + picture)
    ? null
    : refuse('pictureUnknown', { field: 'picture' })

function cleanText({ language, ...given }: ContentText): ContentText | Refusal {
  for (const name of ['title', 'summary', 'body'] as const)
    if (given[name].length > CONTENT_LENGTH[name])
      return refuse('contentTooLong', { field: `${language}.${name}`, most: CONTENT_LENGTH[name] })
  const [title, summary, body] = [given.title.trim(), given.summary.trim(), cleanHtml(given.body)]
  if (title === '' && isBlankHtml(body)) return { language, title: '', summary: '', body: '' }
  if (title !== '' && !isBlankHtml(body)) return { language, title, summary, body }
  return refuse('contentTextsMissing', { field: `${language}.${title === '' ? 'title' : 'body'}` })
}

type Filter = {
  readonly kind: string | null
  readonly status: ContentRow['status'] | null
  readonly search: string
}

/** Whether a scheduled item is published depends on the time, so no timer has to publish it. `at`: epoch ms. */
function statusOf({ state, publish_at }: ContentItemTable, at: number): ContentRow['status'] {
  if (state !== 'live') return state === 'draft' ? 'draft' : 'withdrawn'
  return Number(publish_at) > at ? 'scheduled' : 'published'
}

/** A page of the matching items, latest change first. */
async function listContentRows(
  queries: Queries,
  filter: Filter & { readonly page: number },
  at: number,
  limit = DESK_PAGE_ROWS,
): Promise<{ items: ContentRow[]; total: number }> {
  const matching = matchingRows(queries, filter, BigInt(at))
  const { total } = await matching
    .select((select) => select.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((filter.page - 1) * limit)
    .execute()
  const texts = await currentTexts(
    queries,
    rows.map(({ id }) => id),
  )
  const items = rows.map((row) => {
    const own = texts.filter(({ itemId }) => itemId === Number(row.id))
    const title = shownText(own, 'en')?.title ?? ''
    return { ...headOf(row, at), title, languages: own.map(({ language }) => language) }
  })
  return { items, total: Number(total) }
}

async function findContent(queries: Queries, id: number): Promise<ContentItemTable | null> {
  const found = queries.selectFrom('content_item').selectAll().where('id', '=', BigInt(id))
  return (await found.executeTakeFirst()) ?? null
}

const contentItem = async (queries: Queries, row: ContentItemTable, at: number): Promise<ContentItem> => ({
  ...headOf(row, at),
  texts: await fullTexts(queries, row.id),
})

/** The versions of an item's text in a language, latest first. */
async function versionsOf(queries: Queries, id: number, language: LanguageCode): Promise<ContentVersion[]> {
  const rows = await queries
    .selectFrom('content_text')
    .selectAll()
    .where('item_id', '=', BigInt(id))
    .where('language', '=', language)
    .orderBy('version', 'desc')
    .limit(DESK_PAGE_ROWS)
    .execute()
  return rows.map(({ version, at, author, title, summary, body }) => ({
    version: Number(version),
    at: Number(at),
    author,
    title,
    summary,
    body,
  }))
}

const headOf = (row: ContentItemTable, at: number): Omit<ContentItem, 'texts'> => ({
  id: Number(row.id),
  kind: row.kind as ContentItem['kind'],
  status: statusOf(row, at),
  category: row.category as ContentItem['category'],
  version: Number(row.version),
  publishAt: row.publish_at === null ? null : Number(row.publish_at),
  isPinned: row.is_pinned === 1n,
  picture: row.picture,
  changedAt: Number(row.changed_at),
  changedBy: row.changed_by,
})

function matchingRows(queries: Queries, { kind, status, search }: Filter, at: bigint) {
  let rows = queries.selectFrom('content_item')
  if (kind !== null) rows = rows.where('kind', '=', kind)
  if (status === 'draft' || status === 'withdrawn') rows = rows.where('state', '=', status)
  if (status === 'scheduled') rows = rows.where('state', '=', 'live').where('publish_at', '>', at)
  if (status === 'published') rows = rows.where('state', '=', 'live').where('publish_at', '<=', at)
  const text = search.trim().toLowerCase()
  if (text === '') return rows
  const found = currentRows(queries)
    .select('item_id')
    .where(({ eb, fn }) =>
      eb(fn<string>('lower', ['content_text.title']), 'like', `%${text.replace(/[%_\\]/g, '')}%`),
    )
  return rows.where('content_item.id', 'in', found)
}

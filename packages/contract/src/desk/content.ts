import type { Inside } from '../codec.ts'
import { id, listOf, maybe, orNull, text, time, whole, withDefault } from '../field.ts'
import { typed } from '../typed-field.ts'
import { LANGUAGE_CODES } from '../language.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, word, yesNo } from './record.ts'

export const CONTENT_KINDS = ['news', 'announcement'] as const
export const CONTENT_CATEGORIES = ['company', 'market', 'product', 'policy'] as const
export const CONTENT_STATUSES = ['draft', 'scheduled', 'published', 'withdrawn'] as const

export const language = word(LANGUAGE_CODES)
/** Counts the changes of a row: a form that was opened at another one is refused. */
export const version = whole(0)

/** How long the texts are, in characters; the body with its markup. */
export const CONTENT_LENGTH = { title: 160, summary: 400, body: 40_000 } as const

const contentText = record({ language, title: typed, summary: typed, body: text })
/** One language of an item; the body is HTML, and clean when it comes from the server. */
export type ContentText = Inside<typeof contentText>

const kind = word(CONTENT_KINDS)
const status = word(CONTENT_STATUSES)
const head = {
  ...{ id, kind, category: word(CONTENT_CATEGORIES), status, version },
  /** From when readers see it; null for one that was never sent out. */
  publishAt: orNull(time),
  isPinned: yesNo,
  /** The name of a public picture. */
  picture: orNull(text),
  changedAt: time,
  changedBy: text,
}

const contentRow = record({ ...head, title: text, languages: listOf(language) })
export type ContentRow = Inside<typeof contentRow>

const contentItem = record({ ...head, texts: listOf(contentText) })
export type ContentItem = Inside<typeof contentItem>

export const listContent = defineDeskEndpoint({
  name: 'listContent',
  method: 'GET',
  path: '/desk/api/content',
  act: 'viewContent',
  request: record({
    ...{ kind: maybe(kind), status: maybe(status) },
    ...{ search: withDefault(text, ''), page: deskPage },
  }),
  response: record({ items: listOf(contentRow), total: whole() }),
  summary: 'News and announcements, the latest first, with the languages they are written in',
})

export const getContent = defineDeskEndpoint({
  name: 'getContent',
  method: 'GET',
  path: '/desk/api/content/item',
  act: 'viewContent',
  request: record({ id }),
  response: contentItem,
  summary: 'One item with its texts in every language',
})

export const saveContent = defineDeskEndpoint({
  name: 'saveContent',
  method: 'POST',
  path: '/desk/api/content/save',
  act: 'editContent',
  request: record({
    /** Left out for a new one, whose version is 0. */
    id: maybe(id),
    ...{ version, kind, category: word(CONTENT_CATEGORIES), isPinned: yesNo, picture: orNull(text) },
    /** Those that were edited; without title and body a language is taken out. Others stay. */
    texts: listOf(contentText),
  }),
  response: record({ id, version }),
  summary: 'Writes an item; its HTML is cleaned, and each text kept as a version of its own',
})

export const previewContent = defineDeskEndpoint({
  name: 'previewContent',
  method: 'POST',
  path: '/desk/api/content/preview',
  act: 'viewContent',
  request: record({ language, texts: listOf(contentText) }),
  response: record({ shown: orNull(contentText) }),
  summary: 'What a reader of a language would see, by the same cleaning and fallback; changes nothing',
})

export const publishContent = defineDeskEndpoint({
  name: 'publishContent',
  method: 'POST',
  path: '/desk/api/content/publish',
  act: 'editContent',
  request: record({ id, version, publishAt: orNull(time), reason }),
  response: record({ id, version }),
  summary: 'Shows an item to readers, at once or from a moment that is to come',
})

export const withdrawContent = defineDeskEndpoint({
  name: 'withdrawContent',
  method: 'POST',
  path: '/desk/api/content/withdraw',
  act: 'editContent',
  request: record({ id, version, reason }),
  response: record({ id, version }),
  summary: 'Takes an item from readers; it stays at the desk with its versions',
})

const contentVersion = record({ version, at: time, author: text, title: text, summary: text, body: text })
export type ContentVersion = Inside<typeof contentVersion>

export const listContentVersions = defineDeskEndpoint({
  name: 'listContentVersions',
  method: 'GET',
  path: '/desk/api/content/versions',
  act: 'viewContent',
  request: record({ id, language }),
  response: record({ versions: listOf(contentVersion) }),
  summary: 'Every wording that a language of an item has had, the latest first',
})

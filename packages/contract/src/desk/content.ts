import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, nullable, text, time, int, withDefault } from '../protocol/field.ts'
import { markup, searchText, userText } from '../protocol/user-text.ts'
import { LANGUAGE_CODES } from '../accounts/language.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, enumeration, yesNo } from './record.ts'

export const CONTENT_KINDS = ['news', 'announcement'] as const
export const CONTENT_CATEGORIES = ['company', 'market', 'product', 'policy'] as const
export const CONTENT_STATUSES = ['draft', 'scheduled', 'published', 'withdrawn'] as const

export const language = enumeration(LANGUAGE_CODES)
/** The number of changes of a row: a form opened at an older version is refused. */
export const version = int(0)

/** Maximum lengths of the texts, in characters; the body includes its markup. */
export const CONTENT_LENGTH = { title: 160, summary: 400, body: 40_000 } as const

const contentText = record({ language, title: userText, summary: userText, body: markup })
/** An item in one language; the body is HTML, sanitized by the server. */
export type ContentText = Infer<typeof contentText>

const kind = enumeration(CONTENT_KINDS)
const status = enumeration(CONTENT_STATUSES)
const head = {
  id,
  kind,
  category: enumeration(CONTENT_CATEGORIES),
  status,
  version,
  /** When it is published; null for a draft. */
  publishAt: nullable(time),
  isPinned: yesNo,
  /** The name of a public picture. */
  picture: nullable(text),
  changedAt: time,
  changedBy: text,
}

const contentRow = record({ ...head, title: text, languages: listOf(language) })
export type ContentRow = Infer<typeof contentRow>

const contentItem = record({ ...head, texts: listOf(contentText) })
export type ContentItem = Infer<typeof contentItem>

export const listContent = defineDeskEndpoint({
  name: 'listContent',
  method: 'GET',
  path: '/desk/api/content',
  permission: 'viewContent',
  request: record({
    kind: omittable(kind),
    status: omittable(status),
    search: withDefault(searchText, ''),
    page: deskPage,
  }),
  response: record({ items: listOf(contentRow), total: int() }),
  summary: 'News and announcements, the latest first, with the languages they are written in',
})

export const getContent = defineDeskEndpoint({
  name: 'getContent',
  method: 'GET',
  path: '/desk/api/content/item',
  permission: 'viewContent',
  request: record({ id }),
  response: contentItem,
  summary: 'One item with its texts in every language',
})

export const saveContent = defineDeskEndpoint({
  name: 'saveContent',
  method: 'POST',
  path: '/desk/api/content/save',
  permission: 'editContent',
  request: record({
    /** Left out for a new one, whose version is 0. */
    id: omittable(id),
    version,
    kind,
    category: enumeration(CONTENT_CATEGORIES),
    isPinned: yesNo,
    picture: nullable(text),
    /** The edited languages; empty title and body delete a language. Others stay. */
    texts: listOf(contentText),
  }),
  response: record({ id, version }),
  summary: 'Writes an item; its HTML is cleaned, and each text kept as a version of its own',
})

export const previewContent = defineDeskEndpoint({
  name: 'previewContent',
  method: 'POST',
  path: '/desk/api/content/preview',
  permission: 'viewContent',
  isPreview: true,
  request: record({ language, texts: listOf(contentText) }),
  response: record({ shown: nullable(contentText) }),
  summary: 'What a reader of a language would see, by the same cleaning and fallback; changes nothing',
})

export const publishContent = defineDeskEndpoint({
  name: 'publishContent',
  method: 'POST',
  path: '/desk/api/content/publish',
  permission: 'editContent',
  request: record({ id, version, publishAt: nullable(time), reason }),
  response: record({ id, version }),
  summary: 'Shows an item to readers, at once or from a moment that is to come',
})

export const withdrawContent = defineDeskEndpoint({
  name: 'withdrawContent',
  method: 'POST',
  path: '/desk/api/content/withdraw',
  permission: 'editContent',
  request: record({ id, version, reason }),
  response: record({ id, version }),
  summary: 'Takes an item from readers; it stays at the desk with its versions',
})

const contentVersion = record({ version, at: time, author: text, title: text, summary: text, body: text })
export type ContentVersion = Infer<typeof contentVersion>

export const listContentVersions = defineDeskEndpoint({
  name: 'listContentVersions',
  method: 'GET',
  path: '/desk/api/content/versions',
  permission: 'viewContent',
  request: record({ id, language }),
  response: record({ versions: listOf(contentVersion) }),
  summary: 'Every wording that a language of an item has had, the latest first',
})

import { LANGUAGE_CODES, type LanguageCode } from '../accounts/language.ts'
import { object, transform } from '../protocol/codec.ts'
import { choice, flag, id, listOf, text, withDefault, int, utcText } from '../protocol/field.ts'

const topics = { company: 1, market: 2, product: 3, policy: 4, announcements: 9 } as const

/** All news, one topic, or the announcements. */
const wanted = choice({ all: 0, ...topics })
/** The topic of an item; an announcement has its own. */
const topic = choice(topics)

export const newsQuery = object({
  category: ['category_id', withDefault(wanted, 'all')],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
})

export const newsId = object({ id: ['id', id] })

/** Epoch ms; the wire has seconds. */
const createdAt = transform(text, {
  decode: (shown) => Date.parse(`${shown.replace(' ', 'T')}Z`),
  encode: utcText,
})

const LANGUAGES = Object.fromEntries(LANGUAGE_CODES.map((code) => [code, code])) as {
  readonly [Code in LanguageCode]: Code
}

const head = {
  id: ['id', id],
  category: ['category_id', topic],
  title: ['title', text],
  summary: ['desc', text],
  /** The language of the texts: the reader's, if available. */
  language: ['lang', choice(LANGUAGES)],
  /** The address of a picture, or empty. */
  picture: ['logo', text],
  isPinned: ['is_top', flag(1, 0)],
  publishedAt: ['created_at', createdAt],
} as const

const newsRow = object(head)

export const newsPage = object({ items: ['data', listOf(newsRow)], total: ['total', int()] })

export const newsItem = object({ ...head, content: ['content', text] })

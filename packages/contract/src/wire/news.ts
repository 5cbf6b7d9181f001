import { noun, reshape } from '../codec.ts'
import { choice, flag, id, listOf, text, whole, withDefault } from '../field.ts'
import { LANGUAGE_CODES, type LanguageCode } from '../language.ts'
import { utcText } from './utc-text.ts'

const topics = { company: 1, market: 2, product: 3, policy: 4, announcements: 9 } as const

/** Everything, what is about one topic, or the announcements. */
const wanted = choice({ all: 0, ...topics })
/** What an item is about; an announcement is told as that. */
const topic = choice(topics)

export const newsQuery = noun({
  category: ['category_id', withDefault(wanted, 'all')],
  page: ['page', withDefault(whole(1, 'pageInvalid'), 1)],
})

export const newsId = noun({ id: ['id', id] })

/** Epoch ms inside; seconds are all the wire has. */
const createdAt = reshape(text, {
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
  /** The language of the texts: the reader's, where there is one. */
  language: ['lang', choice(LANGUAGES)],
  /** The address of a picture, or empty. */
  picture: ['logo', text],
  isPinned: ['is_top', flag(1, 0)],
  publishedAt: ['created_at', createdAt],
} as const

const newsRow = noun(head)

export const newsPage = noun({ items: ['data', listOf(newsRow)], total: ['total', whole()] })

export const newsItem = noun({ ...head, content: ['content', text] })

import { noun, reshape } from '../codec.ts'
import { choice, id, listOf, text, whole, withDefault } from '../field.ts'
import { utcText } from './utc-text.ts'

/** All news, those of one category, or the announcements. */
const category = choice({ news: 0, company: 1, market: 2, product: 3, policy: 4, announcements: 9 })

export const newsQuery = noun({
  category: ['category_id', withDefault(category, 'news')],
  page: ['page', withDefault(whole(1, 'pageInvalid'), 1)],
})

export const newsId = noun({ id: ['id', id] })

/** Epoch ms inside; seconds are all the wire has. */
const createdAt = reshape(text, {
  decode: (shown) => Date.parse(`${shown.replace(' ', 'T')}Z`),
  encode: utcText,
})

const head = {
  id: ['id', id],
  title: ['title', text],
  summary: ['desc', text],
  /** The address of a picture, or empty. */
  picture: ['logo', text],
  publishedAt: ['created_at', createdAt],
} as const

const newsRow = noun(head)

export const newsPage = noun({ items: ['data', listOf(newsRow)], total: ['total', whole()] })

export const newsItem = noun({ ...head, content: ['content', text] })

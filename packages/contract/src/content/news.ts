import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { newsId, newsItem, newsPage, newsQuery } from './news.wire.ts'

export type NewsItem = Infer<typeof newsItem>
export type NewsPage = Infer<typeof newsPage>
export type NewsRow = NewsPage['items'][number]
export type NewsCategory = Infer<typeof newsQuery>['category']

/** Rows per page of the list. */
export const NEWS_PAGE_ROWS = 10

/** The public address of the latest news as RSS; `lang` selects a language. */
export const RSS_PATH = '/rss.xml'

export const listNews = defineEndpoint({
  name: 'listNews',
  method: 'GET',
  path: '/api/news/list',
  access: ACCESS.information,
  request: newsQuery,
  response: newsPage,
  summary:
    'News and announcements, all of them or one category, in the language of the reader where there is one',
})

export const getNews = defineEndpoint({
  name: 'getNews',
  method: 'GET',
  path: '/api/news/info',
  access: ACCESS.information,
  request: newsId,
  response: newsItem,
  summary: 'One item of news with its content, which is clean HTML',
})

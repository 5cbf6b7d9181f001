import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { newsId, newsItem, newsPage, newsQuery } from './wire/news.ts'

export type NewsItem = Inside<typeof newsItem>
export type NewsPage = Inside<typeof newsPage>
export type NewsRow = NewsPage['items'][number]
export type NewsCategory = Inside<typeof newsQuery>['category']

/** Rows of the list that come with one answer. */
export const NEWS_PAGE_ROWS = 20

/** Where anybody fetches the latest news as RSS; `lang` asks for a language. */
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

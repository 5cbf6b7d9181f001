import type { NewsItem, NewsRow } from '@fairlot/contract'

/** 2026-01-07, 12:00 UTC. */
export const PUBLISHED = Date.UTC(2026, 0, 7, 12)

export const newsRow = (change: Partial<NewsRow> = {}): NewsRow => ({
  ...{ id: 1, category: 'market', title: 'Gold opens later', summary: 'From Monday.', language: 'en' },
  ...{ picture: '', isPinned: false, publishedAt: PUBLISHED },
  ...change,
})

export const newsItem = (change: Partial<NewsItem> = {}): NewsItem => ({
  ...newsRow(),
  content: '<p>At <strong>eight</strong>.</p>',
  ...change,
})

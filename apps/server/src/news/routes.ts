import { getLatestNews, getNews, getNewsSeen, listNews, tellNewsSeen } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import { newsSeenBy, rememberNewsSeen } from './news-seen.ts'
import { latestNewsAt, newsItemOf, newsPageOf } from './shown-news.ts'

/** News and announcements, for anybody; what they have seen of it, for users. `now`: real time, epoch ms. */
export function registerNews(api: Api, queries: Queries, now: () => number): void {
  api.visitor(listNews, ({ input, language }) => newsPageOf(queries, input, { language, at: now() }))

  api.visitor(
    getNews,
    async ({ input: { id }, language }) =>
      (await newsItemOf(queries, id, { language, at: now() })) ?? refuse('contentNotFound'),
  )

  api.visitor(getLatestNews, async () => ({ at: await latestNewsAt(queries, now()) }))

  api.user(getNewsSeen, async ({ user }) => ({ at: await newsSeenBy(queries, user.id) }))

  api.user(tellNewsSeen, async ({ user, input: { at } }) => {
    // Nobody has seen what is yet to come.
    await rememberNewsSeen(queries, user.id, Math.min(at, now()))
    return null
  })
}

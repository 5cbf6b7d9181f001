import type { LanguageCode } from '@fairlot/contract'
import type { Services } from '../deployment/services.ts'
import { settingsNamed } from '../platform/config/app-settings.ts'
import { registerDirectory } from './companies.ts'
import { registerLegal } from './legal-texts.ts'
import { newsTitles, registerNews, saveNewsSeen } from './news/published-news.ts'
import { registerRss } from './news/rss.ts'

/** News as calls and as RSS, legal texts, and the directory of companies. Returns what the notices need of the news. */
export function registerContentArea({ server, api, deployment }: Services) {
  const { config, settings, wallClock: now } = deployment
  const { queries } = deployment.database
  registerLegal(api, queries, now)
  registerNews(api, queries, now)
  registerRss(server, { queries, now, publicUrl: config.publicUrl })
  registerDirectory(
    api,
    queries,
    config.appMode,
    settingsNamed(settings, { lossHosts: 'loss_hosts', lossUrl: 'main_loss_url' }),
  )
  return {
    newsOf: (ids: readonly number[], language: LanguageCode) => newsTitles(queries, ids, language),
    saveNewsSeen: (userId: number, at: number) => saveNewsSeen(queries, userId, at),
  }
}

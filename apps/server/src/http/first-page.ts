import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createFirstPageThread, type FirstData, type Wish } from './first-page-thread.ts'

const WEB = new URL('../../../web/', import.meta.url)
const TEMPLATE = new URL('dist/index.html', WEB)
const RENDERER = new URL('first-page/dist/first-page.js', WEB)
/** So long the same page is handed out, ms: however many ask, it is rendered about once a second for each language. */
const LASTS_MS = 1_000

/** What the first page shows, its categories in a language. */
export type FirstDataOf = (language: string) => Promise<FirstData>

export type FirstPage = {
  /** The page of the trader app with the first rows already in it. Rejects when it cannot be rendered. */
  of(wish: Wish): Promise<string>
  stop(): Promise<void>
}

/** Null where the web app is not built. */
export function createFirstPage(dataOf: FirstDataOf): FirstPage | null {
  if (!existsSync(fileURLToPath(RENDERER))) return null
  const pages = new Map<string, { readonly until: number; readonly page: Promise<string> }>()
  const thread = createFirstPageThread({ renderer: RENDERER.href, template: TEMPLATE.href })
  return {
    of: async (wish) => {
      const language = await thread.languageOf(wish)
      const kept = pages.get(language)
      if (kept && kept.until > performance.now()) return kept.page
      const page = dataOf(language).then((data) => thread.render(language, data))
      pages.set(language, { until: performance.now() + LASTS_MS, page })
      return page
    },
    stop: thread.stop,
  }
}

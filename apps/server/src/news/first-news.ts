import type { Queries } from '../database/open.ts'
import { FIRST_ITEMS } from './first-items.ts'

const HOUR_MS = 3_600_000
const LANGUAGES = ['en', 'hk'] as const

/** Writes the first news where nothing was ever written; nobody is their author. `at`: epoch ms, that of the latest. */
export async function writeFirstNews(queries: Queries, at: number): Promise<void> {
  await queries.transaction().execute(async (within) => {
    const some = await within.selectFrom('content_item').select('id').limit(1).executeTakeFirst()
    if (some) return
    const items = FIRST_ITEMS.toReversed().map(({ kind, category, isPinned }, place) => ({
      ...{ id: BigInt(place + 1), kind, category, state: 'live', picture: null, version: 1n },
      publish_at: BigInt(at - (FIRST_ITEMS.length - 1 - place) * HOUR_MS),
      ...{ is_pinned: isPinned ? 1n : 0n, changed_at: BigInt(at), changed_by: '' },
    }))
    const texts = FIRST_ITEMS.toReversed().flatMap((item, place) =>
      LANGUAGES.map((language, index) => ({
        ...{ id: BigInt(place * LANGUAGES.length + index + 1), item_id: BigInt(place + 1), version: 1n },
        ...{ language, title: item[language].title, summary: item[language].summary },
        body: item[language].paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(''),
        ...{ author: '', at: BigInt(at) },
      })),
    )
    await within.insertInto('content_item').values(items).execute()
    await within.insertInto('content_text').values(texts).execute()
  })
}

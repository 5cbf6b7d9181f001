import type { ContentItemTable } from '../../platform/database/content-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { type Language, LANGUAGES, translatorFor } from '../../platform/i18n/translate.ts'

type FirstItem = Pick<ContentItemTable, 'kind' | 'category'> & {
  /** Its texts, below `firstNews` in the catalogues. */
  readonly name: string
  /** What follows its first paragraph. */
  readonly ending: string
  readonly isPinned: boolean
}

/** An invented item, whose last paragraph says so. */
const sample = (name: string, category: string): FirstItem => ({
  name,
  kind: 'news',
  category,
  ending: 'firstNews.sample',
  isPinned: false,
})

/** The items of a new installation, latest first. All but the announcement say that they are samples. */
export const FIRST_ITEMS: readonly FirstItem[] = [
  {
    name: 'notServed',
    kind: 'announcement',
    category: 'policy',
    ending: 'firstNews.notServed.moved',
    isPinned: true,
  },
  sample('receipts', 'product'),
  sample('calmWeek', 'market'),
  sample('clock', 'company'),
]

/** An item in one language, as it is stored; the body is HTML. */
export function firstWording(
  { name, ending }: FirstItem,
  language: Language,
): { readonly title: string; readonly summary: string; readonly body: string } {
  const translate = translatorFor(language)
  const paragraphs = [translate(`firstNews.${name}.text`), translate(ending)]
  return {
    title: translate(`firstNews.${name}.title`),
    summary: translate(`firstNews.${name}.summary`),
    body: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(''),
  }
}

const HOUR_MS = 3_600_000

/** Writes the first news in every language, without an author, if there is none. `at`: the time of the latest, epoch ms. */
export async function writeFirstNews(queries: Queries, at: number): Promise<void> {
  await queries.transaction().execute(async (within) => {
    const some = await within.selectFrom('content_item').select('id').limit(1).executeTakeFirst()
    if (some) return
    const items = FIRST_ITEMS.toReversed().map(({ kind, category, isPinned }, place) => ({
      id: BigInt(place + 1),
      kind,
      category,
      state: 'live',
      picture: null,
      version: 1n,
      publish_at: BigInt(at - (FIRST_ITEMS.length - 1 - place) * HOUR_MS),
      is_pinned: isPinned ? 1n : 0n,
      changed_at: BigInt(at),
      changed_by: '',
    }))
    const texts = FIRST_ITEMS.toReversed().flatMap((item, place) =>
      LANGUAGES.map((language, index) => ({
        id: BigInt(place * LANGUAGES.length + index + 1),
        item_id: BigInt(place + 1),
        version: 1n,
        language,
        ...firstWording(item, language),
        author: '',
        at: BigInt(at),
      })),
    )
    await within.insertInto('content_item').values(items).execute()
    await within.insertInto('content_text').values(texts).execute()
  })
}

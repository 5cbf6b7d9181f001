import type { ContentItemTable } from '../../platform/database/content-schema.ts'
import type { Queries } from '../../platform/database/open.ts'

type Wording = { readonly title: string; readonly summary: string; readonly paragraphs: readonly string[] }

export type FirstItem = Pick<ContentItemTable, 'kind' | 'category'> & {
  readonly isPinned: boolean
  readonly en: Wording
  readonly hk: Wording
}

const SAMPLE_NOTE = {
  en: 'This item is invented. It shows what news looks like here; an operator can withdraw it at the desk.',
  hk: '本篇純屬虛構，只為示範資訊的樣子；營運人員可在後台撤下。',
}

/** The items of a new installation, latest first. All but the announcement say that they are samples. */
export const FIRST_ITEMS: readonly FirstItem[] = [
  {
    kind: 'announcement',
    category: 'policy',
    isPinned: true,
    en: {
      title: 'Where our services are not provided',
      summary: 'North Korea, Israel, China, Vanuatu and Cuba.',
      paragraphs: [
        'For policy reasons services are not provided to people in five countries: North Korea, Israel, China, Vanuatu and Cuba.',
        'No account can be opened from there. Whoever moves to one of them is asked to tell support and to close what is open.',
      ],
    },
    hk: {
      title: '不提供服務的國家',
      summary: '朝鮮、以色列、中國、瓦努阿圖及古巴。',
      paragraphs: [
        '因政策原因，本平台不向以下五個國家的人士提供服務：朝鮮、以色列、中國、瓦努阿圖及古巴。',
        '在這些國家不能開立帳戶。如移居其中一國，請通知客服並了結未平倉的部位。',
      ],
    },
  },
  {
    kind: 'news',
    category: 'product',
    isPinned: false,
    en: {
      title: 'Sample: every fill has a receipt',
      summary: 'Open an order and press “Check this receipt”.',
      paragraphs: [
        'Each fill names the tick that it came from, the price asked for and the price given. The phone works the hash out again by itself.',
        SAMPLE_NOTE.en,
      ],
    },
    hk: {
      title: '範例：每筆成交都有憑證',
      summary: '打開訂單，按「核對這張憑證」。',
      paragraphs: [
        '每筆成交都註明取自哪一個報價、要求的價格和成交的價格。手機會自行重新計算雜湊值。',
        SAMPLE_NOTE.hk,
      ],
    },
  },
  {
    kind: 'news',
    category: 'market',
    isPinned: false,
    en: {
      title: 'Sample: a calm week on a made-up market',
      summary: 'Nothing happened, in an orderly way.',
      paragraphs: [
        'The simulated euro went up a little, then down a little, and ended where a random number had put it.',
        SAMPLE_NOTE.en,
      ],
    },
    hk: {
      title: '範例：虛構市場平靜的一週',
      summary: '井然有序，什麼也沒發生。',
      paragraphs: ['模擬的歐元升了一點，又跌了一點，最後停在一個隨機數決定的位置。', SAMPLE_NOTE.hk],
    },
  },
  {
    kind: 'news',
    category: 'company',
    isPinned: false,
    en: {
      title: 'Sample: the office clock has been polished',
      summary: 'It shows the same time as before.',
      paragraphs: [
        'A colleague who does not exist has polished a clock that does not hang anywhere.',
        SAMPLE_NOTE.en,
      ],
    },
    hk: {
      title: '範例：辦公室的鐘擦亮了',
      summary: '時間和以前一樣。',
      paragraphs: ['一位不存在的同事，擦亮了一個哪裡也沒掛著的鐘。', SAMPLE_NOTE.hk],
    },
  },
]

const HOUR_MS = 3_600_000
const LANGUAGES = ['en', 'hk'] as const

/** Writes the first news, without an author, if there is none. `at`: the time of the latest, epoch ms. */
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
        title: item[language].title,
        summary: item[language].summary,
        body: item[language].paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(''),
        author: '',
        at: BigInt(at),
      })),
    )
    await within.insertInto('content_item').values(items).execute()
    await within.insertInto('content_text').values(texts).execute()
  })
}

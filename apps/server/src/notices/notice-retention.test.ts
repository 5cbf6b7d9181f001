import { expect, test } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { type NoticeKind, noticeRow } from '../engine/projection/notice-facts.ts'
import { NOTICES_KEPT, startNoticeRetention } from './notice-retention.ts'

const DAY_MS = 86_400_000
const NOW = 1_800_000_000_000

type Given = {
  readonly id: string
  readonly userId?: number
  readonly daysAgo: number
  readonly kind?: NoticeKind
  readonly isRead?: boolean
  readonly mail?: 'due' | 'none'
}

onEveryDatabase('the retention of notices', (databases) => {
  const write = async (queries: Queries, notices: readonly Given[]) => {
    for (let from = 0; from < notices.length; from += 500)
      await queries
        .insertInto('notice')
        .values(notices.slice(from, from + 500).map(rowOf))
        .execute()
  }
  const rowOf = ({ id, userId = 1, daysAgo, kind = 'stopOut', isRead = false, mail = 'none' }: Given) => {
    const fact = { kind, closed: 1, cancelled: 0 } as never
    const row = noticeRow(id, { userId, at: NOW - daysAgo * DAY_MS, fact })
    return {
      ...row,
      mail,
      user_id: BigInt(row.user_id),
      at: BigInt(row.at),
      read_at: isRead ? BigInt(NOW) : null,
    }
  }
  const keptIn = async (queries: Queries) => {
    const retention = startNoticeRetention({
      queries,
      now: () => NOW,
      onError: (error) => {
        throw error
      },
    })
    await retention.round()
    await retention.stop()
    const rows = await queries.selectFrom('notice').select(['id', 'user_id']).orderBy('id').execute()
    return rows.map(({ id }) => id)
  }

  test('removes notices after 400 days, except unread security notices and those whose mail is due', async () => {
    const { queries } = await databases.open()
    await write(queries, [
      { id: 'young', daysAgo: 399 },
      { id: 'old', daysAgo: 401 },
      { id: 'old and read', daysAgo: 401, isRead: true },
      { id: 'old, mail due', daysAgo: 401, mail: 'due' },
      { id: 'security', daysAgo: 900, kind: 'passwordChanged' },
      { id: 'security that was read', daysAgo: 900, kind: 'passwordChanged', isRead: true },
      { id: 'of another, old', userId: 2, daysAgo: 401 },
    ])
    expect(await keptIn(queries)).toEqual(['old, mail due', 'security', 'young'])
  })

  test('keeps the newest thousand notices of each user', async () => {
    const { queries } = await databases.open()
    const many = Array.from({ length: NOTICES_KEPT + 3 }, (_, index) => ({
      id: String(index).padStart(5, '0'),
      daysAgo: index / 1_000,
      ...(index === NOTICES_KEPT + 1 && { kind: 'newLogin' as const }),
    }))
    await write(queries, [...many, { id: 'of another', userId: 2, daysAgo: 100 }])
    const left = await keptIn(queries)
    expect(left.slice(NOTICES_KEPT)).toEqual([String(NOTICES_KEPT + 1).padStart(5, '0'), 'of another'])
    expect(left).toHaveLength(NOTICES_KEPT + 2)
    expect(await keptIn(queries)).toEqual(left)
  })
})

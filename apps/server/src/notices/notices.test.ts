import { expect, test } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { startNoticeMails } from './notices.ts'
import { writeNotice } from '../engine/projection/notice-facts.ts'

const HOUR_MS = 3_600_000
const WARNING = { kind: 'marginWarning', level: '79.5', warningLevel: 80, stopOutLevel: 50 } as const

onEveryDatabase('mails of notices', (databases) => {
  const warn = async (queries: Queries, times: number, from: number) => {
    for (let count = 0; count < times; count += 1)
      await writeNotice(queries, { userId: 1, at: from + count, fact: WARNING })
  }
  const dueIn = async (queries: Queries) =>
    (await queries.selectFrom('notice').select('id').where('mail', '=', 'due').execute()).length

  test('are limited to two margin mails an hour, while the list shows every notice', async () => {
    const { queries } = await databases.open()
    let now = 1_800_000_000_000
    const mailed: string[] = []
    const mails = startNoticeMails({
      queries,
      now: () => now,
      currency: () => 'USD',
      ordersOf: async () => new Map(),
      codeOf: () => '',
      contactOf: async (id) => ({ channel: 'email', recipient: `user ${id}`, language: 'en' }),
      outbox: { add: () => Promise.reject(new Error('nobody has a device')) },
      messageWriter: {
        write: async (name, { recipient }) => void mailed.push(`${name} ${recipient}`),
        send: () => undefined,
      },
      onError: (error) => {
        throw error
      },
    })
    const settled = async () => {
      mails.wake()
      await expect.poll(() => dueIn(queries), { timeout: 20_000 }).toBe(0)
    }
    await warn(queries, 60, now)
    await settled()
    expect(mailed).toEqual(['notice user 1', 'notice user 1'])
    now += HOUR_MS / 2
    await warn(queries, 5, now)
    await settled()
    expect(mailed).toHaveLength(2)
    // Mails over the limit are never sent; later notices are mailed again.
    now += HOUR_MS
    await settled()
    expect(mailed).toHaveLength(2)
    await warn(queries, 5, now)
    await settled()
    expect(mailed).toHaveLength(4)
    await mails.stop()
    const { length } = await queries.selectFrom('notice').selectAll().execute()
    expect(length).toBe(70)
  })
})

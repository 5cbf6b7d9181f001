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

  /** A device of a user for pushes in English. */
  const addDevice = async (queries: Queries, userId: number) => {
    const row = { user_id: BigInt(userId), created_at: 0n, device: '' }
    await queries
      .insertInto('session')
      .values({ ...row, token_hash: 'a session', seen_at: 0n, address: '' })
      .execute()
    await queries
      .insertInto('push_subscription')
      .values({
        ...row,
        id: 'a device',
        session: 'a session',
        endpoint: '',
        p256dh: '',
        auth: '',
        language: 'en',
      })
      .execute()
  }

  test('are limited to two margin mails an hour, while the list shows every notice', async () => {
    const { queries } = await databases.open()
    let now = 1_800_000_000_000
    const mailed: string[] = []
    const mails = startNoticeMails({
      queries,
      now: () => now,
      marketNow: () => now,
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

  test('of more than five alerts that fire within a minute are one digest, after the first five at most', async () => {
    const { queries } = await databases.open()
    let now = 1_800_000_000_000
    const [mailed, pushed]: [string[], string[]] = [[], []]
    await addDevice(queries, 1)
    const mails = startNoticeMails({
      queries,
      now: () => now,
      marketNow: () => now,
      currency: () => 'USD',
      ordersOf: async () => new Map(),
      codeOf: () => 'EUR/USD',
      contactOf: async (id) => ({ channel: 'email', recipient: `user ${id}`, language: 'en' }),
      outbox: { add: async ({ body }) => String(pushed.push((JSON.parse(body) as { title: string }).title)) },
      messageWriter: {
        write: async (_name, { recipient }, { title = '', text = '' }) =>
          void mailed.push(
            `${recipient}: ${title}${title.includes('alerts') ? ` ${text.split('\n').length - 1}` : ''}`,
          ),
        send: () => undefined,
      },
      onError: (error) => {
        throw error
      },
    })
    const fire = async (userId: number, alertId: number) => {
      const fired = {
        kind: 'alertFired',
        about: 'marginLevel',
        level: String(alertId),
        reached: '99',
      } as const
      await writeNotice(queries, { userId, at: now, fact: { ...fired, alertId, seq: '1' } })
    }
    const leaves = async (due: number) => {
      mails.wake()
      await expect.poll(() => dueIn(queries), { timeout: 20_000 }).toBe(due)
    }
    // Seven on one tick wait for the end of the minute; those of another user do not.
    for (let id = 1; id <= 7; id += 1) await fire(1, id)
    for (let id = 1; id <= 5; id += 1) await fire(2, id)
    await leaves(7)
    expect(mailed.splice(0)).toEqual([1, 2, 3, 4, 5].map((id) => `user 2: Margin level at ${id} %`))
    now += 59_000
    await fire(1, 8)
    await leaves(8)
    now += 1_000
    await leaves(0)
    expect(mailed.splice(0)).toEqual(['user 1: 8 alerts have fired 8'])
    expect(pushed.splice(0)).toEqual(['8 alerts have fired'])
    // One after the other: five by themselves, the rest of the minute together.
    now += 3_600_000
    for (let id = 1; id <= 5; id += 1) {
      await fire(1, id)
      await leaves(0)
      now += 1_000
    }
    for (let id = 6; id <= 17; id += 1) await fire(1, id)
    await leaves(12)
    now += 60_000
    await leaves(0)
    expect(mailed).toEqual([
      ...[1, 2, 3, 4, 5].map((id) => `user 1: Margin level at ${id} %`),
      'user 1: 12 alerts have fired 11',
    ])
    expect(pushed).toEqual([
      ...[1, 2, 3, 4, 5].map((id) => `Margin level at ${id} %`),
      '12 alerts have fired',
    ])
    await mails.stop()
  })
})

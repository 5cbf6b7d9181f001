import { expect, test } from 'vitest'
import type { Queries } from '../database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { startNoticeMails } from './notice-mails.ts'
import { writeNotice } from './notice-row.ts'

const HOUR_MS = 3_600_000
const WARNING = { kind: 'marginWarning', level: '79.5', warningLevel: 80, stopOutLevel: 50 } as const

onEveryDatabase('mails of notices', (databases) => {
  const warn = async (queries: Queries, times: number, from: number) => {
    for (let count = 0; count < times; count += 1)
      await writeNotice(queries, { userId: 1, at: from + count, fact: WARNING })
  }
  const dueIn = async (queries: Queries) =>
    (await queries.selectFrom('notice').select('id').where('mail', '=', 'due').execute()).length

  test('of a margin that swings around the line are two an hour, and all of it stands in the list', async () => {
    const { queries } = await databases.open()
    let now = 1_800_000_000_000
    const mailed: string[] = []
    const mails = startNoticeMails({
      ...{ queries, now: () => now, currency: () => 'USD', ordersOf: async () => new Map() },
      contactOf: async (id) => ({ channel: 'email', recipient: `person ${id}`, language: 'en' }),
      notifier: {
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
    expect(mailed).toEqual(['notice person 1', 'notice person 1'])
    now += HOUR_MS / 2
    await warn(queries, 5, now)
    await settled()
    expect(mailed).toHaveLength(2)
    // What was held back does not come later; what is new does.
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

import { expect, test } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { isRefusal } from '../platform/refusal.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { createChat } from './chat.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

onEveryDatabase('the limits on chat messages', (databases) => {
  const openChat = (queries: Queries, now: () => number) =>
    createChat({
      queries,
      now,
      tie: async () => true,
      handOver: async () => true,
      limits: { messagesPerMinute: 10, messagesPerDay: 20 },
      onError: (error) => {
        throw error
      },
    })
  const say = async (chat: ReturnType<typeof openChat>, userId: number) => {
    const written = await chat.write({ userId, text: 'hello', picture: null, request: undefined })
    return isRefusal(written) ? written.rejected : 'written'
  }

  test('count the stored messages, so that a restart does not reset them', async () => {
    const { queries } = await databases.open()
    let at = 1_800_000_000_000
    const first = openChat(queries, () => at)
    const tries = await Promise.all(Array.from({ length: 60 }, () => say(first, 1)))
    expect(tries.filter((each) => each === 'written')).toHaveLength(10)
    expect(new Set(tries)).toEqual(new Set(['written', 'tooManyMessages']))
    const again = openChat(queries, () => at)
    expect([await say(again, 1), await say(again, 2)]).toEqual(['tooManyMessages', 'written'])

    let count = 10
    for (let minute = 0; minute < 40; minute += 1) {
      at += MINUTE_MS
      if ((await say(again, 1)) === 'written') count += 1
    }
    expect(count).toBe(20)
    const later = openChat(queries, () => at)
    expect(await say(later, 1)).toBe('tooManyMessages')
    at += DAY_MS
    expect(await say(later, 1)).toBe('written')
  })
})

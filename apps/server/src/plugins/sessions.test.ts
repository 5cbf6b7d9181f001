import { expect, test } from 'vitest'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { createSessions, secretHash } from './sessions.ts'

onEveryDatabase('sessions', (databases) => {
  const open = async () => {
    const { queries } = await databases.open()
    await queries
      .insertInto('app_user')
      .values({ id: 7n, is_demo: 1n, demo_hash: null, invite_code: 'X', credit_score: 100n, created_at: 0n })
      .execute()
    const failures: unknown[] = []
    const fresh = () =>
      createSessions({ queries, now: () => 1_000, onError: (error) => failures.push(error) })
    return { queries, sessions: fresh(), fresh }
  }
  const user = { id: 7, isDemo: true }

  test('a token opens its session, also for a server that has just started', async () => {
    const { sessions, fresh } = await open()
    const token = await sessions.start(7)
    expect(await sessions.userOf(token)).toEqual(user)
    expect(await fresh().userOf(token)).toEqual(user)
    expect(await sessions.userOf('made up')).toBeNull()
    expect(await sessions.userOf('')).toBeNull()
  })

  test('only the hash of a token is stored', async () => {
    const { sessions, queries } = await open()
    const token = await sessions.start(7)
    const rows = await queries.selectFrom('session').selectAll().execute()
    expect(rows.map((row) => row.token_hash)).toEqual([secretHash(token)])
  })

  test('a session is remembered once it was used, and no more once it has ended', async () => {
    const { sessions } = await open()
    const token = await sessions.start(7)
    expect(sessions.remembered(token)).toBeNull()
    await sessions.userOf(token)
    expect(sessions.remembered(token)).toEqual(user)
    await sessions.end(token)
    expect(sessions.remembered(token)).toBeNull()
    expect(await sessions.userOf(token)).toBeNull()
  })

  test('a log-out that overtakes a look-up is not undone by it', async () => {
    const { sessions, fresh } = await open()
    for (let round = 0; round < 20; round++) {
      const token = await sessions.start(7)
      const asked = fresh()
      await Promise.all([asked.userOf(token), asked.end(token), asked.userOf(token), asked.userOf(token)])
      expect([asked.remembered(token), await asked.userOf(token)]).toEqual([null, null])
    }
  })

  test('an end is told with the hash of the token, and one listener that fails keeps no other from it', async () => {
    const { sessions } = await open()
    const told: string[] = []
    sessions.onEnded(() => {
      throw new Error('a listener of ours fails')
    })
    sessions.onEnded((hash) => told.push(hash))
    const token = await sessions.start(7)
    await sessions.end(token)
    expect(told).toEqual([secretHash(token)])
  })
})

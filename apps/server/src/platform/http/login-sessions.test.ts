import type { KyselyPlugin } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Queries } from '../database/open.ts'
import { onEveryDatabase, type Databases } from '../../testing/on-every-database.ts'
import { createSessions } from './login-sessions.ts'
import { secretHash } from '../security/secrets.ts'

const HOUR_MS = 3_600_000

const lastSeen = async (queries: Queries): Promise<number> =>
  Number((await queries.selectFrom('session').select('seen_at').executeTakeFirstOrThrow()).seen_at)

async function open(databases: Databases) {
  const { queries } = await databases.open()
  await queries
    .insertInto('app_user')
    .values({
      id: 7n,
      is_demo: 1n,
      demo_hash: null,
      invite_code: 'X',
      credit_score: 100n,
      created_at: 0n,
      closed_at: null,
    })
    .execute()
  const failures: unknown[] = []
  let clock = 1_000
  const fresh = (given: Queries = queries) =>
    createSessions({
      queries: given,
      now: () => clock++,
      lifetimes: { idleMs: 3 * HOUR_MS, absoluteMs: 24 * HOUR_MS },
      onError: (error) => failures.push(error),
    })
  const pass = (ms: number) => (clock += ms)
  return { queries, sessions: fresh(), fresh, pass }
}

onEveryDatabase('sessions', (databases) => {
  const user = { id: 7, isDemo: true }

  test('a token is valid for its session, also after a restart', async () => {
    const { sessions, fresh } = await open(databases)
    const token = await sessions.start(7)
    expect(await sessions.userOf(token)).toEqual(user)
    expect(await fresh().userOf(token)).toEqual(user)
    expect(await sessions.userOf('made up')).toBeNull()
    expect(await sessions.userOf('')).toBeNull()
  })

  test('only the hash of a token is stored', async () => {
    const { sessions, queries } = await open(databases)
    const token = await sessions.start(7)
    const rows = await queries.selectFrom('session').selectAll().execute()
    expect(rows.map((row) => row.token_hash)).toEqual([secretHash(token)])
  })

  test('a session is in memory from its first use until it ends', async () => {
    const { sessions } = await open(databases)
    const token = await sessions.start(7)
    expect(sessions.cached(token)).toBeNull()
    await sessions.userOf(token)
    expect(sessions.cached(token)).toEqual(user)
    await sessions.end(token)
    expect(sessions.cached(token)).toBeNull()
    expect(await sessions.userOf(token)).toBeNull()
  })

  test('a user has at most fifty sessions: the next one ends the oldest', async () => {
    const { sessions, queries } = await open(databases)
    const tokens: string[] = []
    for (let count = 0; count < 52; count++) tokens.push(await sessions.start(7))
    const isIn = await Promise.all(tokens.map(async (token) => (await sessions.userOf(token)) !== null))
    expect(isIn.map(Number).join('')).toBe(`00${'1'.repeat(50)}`)
    expect(await queries.selectFrom('session').selectAll().execute()).toHaveLength(50)
  })

  test('the end of a session is emitted with the hash of its token, to all listeners even when one throws', async () => {
    const { sessions } = await open(databases)
    const ended: string[] = []
    sessions.onEnded(() => {
      throw new Error('this listener fails')
    })
    sessions.onEnded(({ tokenHash }) => ended.push(tokenHash))
    const token = await sessions.start(7)
    await sessions.end(token)
    expect(ended).toEqual([secretHash(token)])
  })
})

onEveryDatabase('a log-out during a lookup of the session', (databases) => {
  test('is not undone by the lookup', async () => {
    const { sessions, fresh } = await open(databases)
    for (let round = 0; round < 20; round++) {
      const token = await sessions.start(7)
      const server = fresh()
      await Promise.all([server.userOf(token), server.end(token), server.userOf(token), server.userOf(token)])
      expect([server.cached(token), await server.userOf(token)]).toEqual([null, null])
    }
  })

  test('ends the session even when the lookup finishes later', async () => {
    const { sessions, fresh, queries } = await open(databases)
    const token = await sessions.start(7)
    const found = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const slow: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.length === 0) return result
        found.resolve()
        await ended.promise
        return result
      },
    }
    const server = fresh(queries.withPlugin(slow))
    const lookup = server.userOf(token)
    await found.promise
    await server.end(token)
    ended.resolve()
    await lookup
    expect([server.cached(token), await server.userOf(token)]).toEqual([null, null])
  })
})

onEveryDatabase('the lifetime of a session', (databases) => {
  const user = { id: 7, isDemo: true }

  test('a session that is idle for too long ends, also after a restart', async () => {
    const { sessions, fresh, pass } = await open(databases)
    const [cached, stored] = [await sessions.start(7), await sessions.start(7)]
    expect(await sessions.userOf(cached)).toEqual(user)
    pass(3 * HOUR_MS)
    expect([sessions.cached(cached), await sessions.userOf(cached)]).toEqual([null, null])
    expect(await fresh().userOf(stored)).toBeNull()
    expect(await sessions.list(7, null)).toEqual([])
  })

  test('a session in use continues until its absolute lifetime ends', async () => {
    const { sessions, fresh, pass, queries } = await open(databases)
    const token = await sessions.start(7)
    for (let hours = 2; hours < 24; hours += 2) {
      expect(await sessions.userOf(token)).toEqual(user)
      pass(2 * HOUR_MS)
    }
    await vi.waitFor(async () => expect(await lastSeen(queries)).toBeGreaterThan(20 * HOUR_MS))
    expect(await fresh().userOf(token)).toEqual(user)
    pass(2 * HOUR_MS)
    expect(await sessions.userOf(token)).toBeNull()
  })

  test('the end of an expired session is emitted without a call', async () => {
    const { sessions, pass } = await open(databases)
    const ended: string[] = []
    sessions.onEnded(({ tokenHash }) => ended.push(tokenHash))
    const [idle, used] = [await sessions.start(7), await sessions.start(7)]
    pass(2 * HOUR_MS)
    await sessions.userOf(used)
    pass(HOUR_MS)
    await sessions.endExpired()
    expect(ended).toEqual([secretHash(idle)])
  })

  test('a list has the own sessions by public ids, by which each can be ended', async () => {
    const { sessions } = await open(databases)
    const [first, second] = [
      await sessions.start(7, { device: 'A', address: '192.0.2.1' }),
      await sessions.start(7),
    ]
    const list = await sessions.list(7, second)
    expect(list).toMatchObject([
      { isCurrent: true, device: '' },
      { isCurrent: false, device: 'A', address: '192.0.2.1' },
    ])
    const id = list[1]?.id ?? ''
    expect([await sessions.userOf(id), await sessions.endById(8, id)]).toEqual([null, false])
    expect([await sessions.endById(7, id), await sessions.userOf(first)]).toEqual([true, null])
    expect(await sessions.userOf(second)).toEqual(user)
  })
})

onEveryDatabase('all sessions of a user', (databases) => {
  const user = { id: 7, isDemo: true }

  test('end together', async () => {
    const { sessions } = await open(databases)
    const tokens = [await sessions.start(7), await sessions.start(7)]
    await sessions.userOf(tokens[0] ?? '')
    await sessions.endAll(7)
    expect(await Promise.all(tokens.map((token) => sessions.userOf(token)))).toEqual([null, null])
  })

  test('end with the commit of the transaction, and not when it fails', async () => {
    const { sessions, queries, fresh } = await open(databases)
    const [before, during] = [await sessions.start(7), await sessions.start(7)]
    await sessions.userOf(before)
    const failing = queries.transaction().execute(async (within) => {
      await sessions.endAllWithin(7, within)
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    expect(await sessions.userOf(before)).toEqual(user)
    const publish = await queries.transaction().execute((within) => sessions.endAllWithin(7, within))
    expect(await fresh().userOf(during)).toBeNull()
    const late = await sessions.start(7)
    await publish()
    const tokens = [before, during, late]
    expect(await Promise.all(tokens.map((token) => sessions.userOf(token)))).toEqual([null, null, null])
  })
})

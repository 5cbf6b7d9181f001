import type { KyselyPlugin } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Queries } from '../database/open.ts'
import { onEveryDatabase, type Databases } from '../testing/on-every-database.ts'
import { createSessions, secretHash } from './login-sessions.ts'

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
      ...{ queries: given, now: () => clock++, lifetimes: { idleMs: 3 * HOUR_MS, absoluteMs: 24 * HOUR_MS } },
      onError: (error) => failures.push(error),
    })
  const pass = (ms: number) => (clock += ms)
  return { queries, sessions: fresh(), fresh, pass }
}

onEveryDatabase('sessions', (databases) => {
  const user = { id: 7, isDemo: true }

  test('a token opens its session, also for a server that has just started', async () => {
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

  test('a session is remembered once it was used, and no more once it has ended', async () => {
    const { sessions } = await open(databases)
    const token = await sessions.start(7)
    expect(sessions.remembered(token)).toBeNull()
    await sessions.userOf(token)
    expect(sessions.remembered(token)).toEqual(user)
    await sessions.end(token)
    expect(sessions.remembered(token)).toBeNull()
    expect(await sessions.userOf(token)).toBeNull()
  })

  test('a user has fifty sessions at most: the next one ends the oldest', async () => {
    const { sessions, queries } = await open(databases)
    const tokens: string[] = []
    for (let count = 0; count < 52; count++) tokens.push(await sessions.start(7))
    const isIn = await Promise.all(tokens.map(async (token) => (await sessions.userOf(token)) !== null))
    expect(isIn.map(Number).join('')).toBe(`00${'1'.repeat(50)}`)
    expect(await queries.selectFrom('session').selectAll().execute()).toHaveLength(50)
  })

  test('an end is told with the hash of the token, and one listener that fails keeps no other from it', async () => {
    const { sessions } = await open(databases)
    const told: string[] = []
    sessions.onEnded(() => {
      throw new Error('a listener of ours fails')
    })
    sessions.onEnded(({ tokenHash }) => told.push(tokenHash))
    const token = await sessions.start(7)
    await sessions.end(token)
    expect(told).toEqual([secretHash(token)])
  })
})

onEveryDatabase('a log-out during a look-up', (databases) => {
  test('that overtakes it is not undone by it', async () => {
    const { sessions, fresh } = await open(databases)
    for (let round = 0; round < 20; round++) {
      const token = await sessions.start(7)
      const asked = fresh()
      await Promise.all([asked.userOf(token), asked.end(token), asked.userOf(token), asked.userOf(token)])
      expect([asked.remembered(token), await asked.userOf(token)]).toEqual([null, null])
    }
  })

  test('whose answer comes later opens nothing from then on', async () => {
    const { sessions, fresh, queries } = await open(databases)
    const token = await sessions.start(7)
    const asked = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const slow: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.length === 0) return result
        asked.resolve()
        await ended.promise
        return result
      },
    }
    const server = fresh(queries.withPlugin(slow))
    const lookUp = server.userOf(token)
    await asked.promise
    await server.end(token)
    ended.resolve()
    await lookUp
    expect([server.remembered(token), await server.userOf(token)]).toEqual([null, null])
  })
})

onEveryDatabase('the life of a session', (databases) => {
  const user = { id: 7, isDemo: true }

  test('a session that rests too long ends, also for a server that has just started', async () => {
    const { sessions, fresh, pass } = await open(databases)
    const [remembered, looked] = [await sessions.start(7), await sessions.start(7)]
    expect(await sessions.userOf(remembered)).toEqual(user)
    pass(3 * HOUR_MS)
    expect([sessions.remembered(remembered), await sessions.userOf(remembered)]).toEqual([null, null])
    expect(await fresh().userOf(looked)).toBeNull()
    expect(await sessions.list(7, null)).toEqual([])
  })

  test('a session in use goes on, and ends all the same when its time is up', async () => {
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

  test('a session that expires unseen is told to those who wait for ends', async () => {
    const { sessions, pass } = await open(databases)
    const told: string[] = []
    sessions.onEnded(({ tokenHash }) => told.push(tokenHash))
    const [resting, used] = [await sessions.start(7), await sessions.start(7)]
    pass(2 * HOUR_MS)
    await sessions.userOf(used)
    pass(HOUR_MS)
    await sessions.endExpired()
    expect(told).toEqual([secretHash(resting)])
  })

  test('a list names the own sessions by ids that open nothing, and one of them can be ended', async () => {
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

  test('end with the commit that is the reason, and not without it', async () => {
    const { sessions, queries, fresh } = await open(databases)
    const [before, during] = [await sessions.start(7), await sessions.start(7)]
    await sessions.userOf(before)
    const failing = queries.transaction().execute(async (within) => {
      await sessions.endAllWithin(7, within)
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    expect(await sessions.userOf(before)).toEqual(user)
    const tell = await queries.transaction().execute((within) => sessions.endAllWithin(7, within))
    expect(await fresh().userOf(during)).toBeNull()
    const late = await sessions.start(7)
    await tell()
    const tokens = [before, during, late]
    expect(await Promise.all(tokens.map((token) => sessions.userOf(token)))).toEqual([null, null, null])
  })
})

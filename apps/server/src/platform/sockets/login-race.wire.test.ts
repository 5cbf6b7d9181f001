import { setImmediate as yieldToLoop } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createGuard } from '../http/access-guard.ts'
import { createSessions } from '../http/login-sessions.ts'
import { onEveryDatabase, type Databases } from '../../testing/on-every-database.ts'
import { openSocket } from '../../testing/sockets.ts'
import { createSocketHub } from './socket-hub.ts'
import { registerSocket } from './socket-routes.ts'
import { registerWebsockets } from './websockets.ts'

const MANY = 1_000_000

/** A server with only the users' socket, whose session lookup waits until the test continues it. */
async function openSlowServer(databases: Databases) {
  const { queries } = await databases.open()
  const user = { is_demo: 1n, demo_hash: null, credit_score: 100n, created_at: 0n, closed_at: null }
  await queries
    .insertInto('app_user')
    .values({ id: 7n, invite_code: 'X', ...user })
    .execute()
  const found = Promise.withResolvers<void>()
  const proceed = Promise.withResolvers<void>()
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.length === 0) return result
      found.resolve()
      await proceed.promise
      return result
    },
  }
  const options = {
    now: () => 1_000,
    lifetimes: { idleMs: MANY, absoluteMs: MANY },
    onError: (error: unknown) => expect.unreachable(String(error)),
  }
  const token = await createSessions({ ...options, queries }).start(7)
  const sessions = createSessions({ ...options, queries: queries.withPlugin(slow) })
  const hub = createSocketHub()
  const limits = {
    callsPerSecond: MANY,
    callsBurst: MANY,
    addressCallsPerSecond: MANY,
    addressCallsBurst: MANY,
  }
  const server = Fastify()
  registerWebsockets(server)
  registerSocket(server, {
    hub,
    sessions,
    guard: createGuard(sessions, limits),
    publicUrl: null,
    limits: { handshakesPerSecond: MANY, socketsPerAddress: MANY },
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return { hub, sessions, token, url, found: found.promise, proceed: proceed.resolve }
}

onEveryDatabase('a session that ends during its log-in on a socket', (databases) => {
  test('does not log in, and leaves no private topic on the socket', async () => {
    const { hub, sessions, token, url, found, proceed } = await openSlowServer(databases)
    const reader = await openSocket({ url })
    reader.send({ type: 'login', params: token })
    await found
    await sessions.end(token)
    proceed()
    expect(await reader.next('login_result')).toEqual({ type: 'login_result', code: 999 })
    expect([...hub.readersByUser('FOREX_TRADE')]).toEqual([])
    reader.send({ type: 'sub', params: 'FOREX_TRADE' })
    expect(await reader.next('refused')).toMatchObject({ reason: 'sessionGone', topic: 'FOREX_TRADE' })
  })

  test('does not log in a socket that closes meanwhile', async () => {
    const { hub, token, url, found, proceed } = await openSlowServer(databases)
    const reader = await openSocket({ url })
    reader.send({ type: 'login', params: token })
    await found
    reader.socket.terminate()
    await reader.closed
    proceed()
    for (let count = 1; count <= 20; count += 1) await yieldToLoop()
    expect(hub.readersOf('FOREX_TRADE', 7)).toEqual([])
  })
})

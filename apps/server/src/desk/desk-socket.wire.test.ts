import type { AddressInfo } from 'node:net'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { requestHalt, DESK_SOCKET_PATH, logOutOfDesk } from '@fairlot/contract/desk'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket as Client } from 'ws'
import { rendered } from '../platform/files/testing/pictures.ts'
import { upload } from '../platform/files/testing/sending.ts'
import { secretHash } from '../platform/security/secrets.ts'
import { registerWebsockets } from '../platform/sockets/websockets.ts'
import { newUser } from '../testing/accounts.ts'
import { atDesk } from '../testing/desk.ts'
import { loggedInDeskPage, openDeskPage, topicsIn } from '../testing/desk-page.ts'
import { onEveryDatabase, type Databases } from '../testing/on-every-database.ts'
import { newPayer, setUpPayments, reportDeposit } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { createDeskHub, type OpenPage, registerDeskSocket } from './desk-socket.ts'
import { createDeskSessions } from './operators/desk-sessions.ts'
import { addOperator } from './operators/operators.ts'

const SOON = { timeout: 5_000 }

// One database is enough: the socket reads only the sessions.
describe.each(DATABASES.slice(0, 1))('the socket of the desk, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })

  const open = (token: string) => openDeskPage(server().url, token)
  const opened = (token: string) => loggedInDeskPage(server().url, token)

  test('answers a ping, also before the log-in, so that a page notices a dead connection', async () => {
    const { socket, messages, send } = open('no session')
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    send({ type: 'ping' })
    await expect.poll(() => messages, SOON).toEqual([{ type: 'pong' }])
  })

  test('shows all viewers of a case who views it', async () => {
    const [one, other] = [await atDesk(server(), 'finance'), await atDesk(server(), 'support')]
    const [first, second] = [await opened(one.token), await opened(other.token)]
    const viewing = (operators: readonly string[]) => ({
      type: 'viewing',
      caseKey: 'adjustment:1',
      operators,
    })
    first.send({ type: 'viewing', caseKey: 'adjustment:1' })
    await expect.poll(() => first.messages.at(-1), SOON).toEqual(viewing([one.name]))
    second.send({ type: 'viewing', caseKey: 'adjustment:1' })
    await expect.poll(() => first.messages.at(-1), SOON).toEqual(viewing([one.name, other.name]))
    await expect.poll(() => second.messages.at(-1), SOON).toEqual(viewing([one.name, other.name]))
    second.send({ type: 'viewing', caseKey: null })
    await expect.poll(() => first.messages.at(-1), SOON).toEqual(viewing([one.name]))
    expect(second.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('informs every page of a new case', async () => {
    const [one, other] = [await atDesk(server(), 'support'), await atDesk(server(), 'dealing')]
    const page = await opened(other.token)
    await one.request(requestHalt, { instrumentId: 3, reason: 'a spike' })
    await expect
      .poll(() => topicsIn(page.messages), SOON)
      .toEqual(expect.arrayContaining(['waiting', 'acts']))
  })

  test('informs every page of a reported deposit', async () => {
    await setUpPayments(server())
    const payer = await newPayer(server())
    const picture = await upload(server(), payer.token, await rendered(40, 30).png().toBuffer())
    const page = await opened((await atDesk(server(), 'finance')).token)
    await reportDeposit(payer, 500, picture)
    await expect.poll(() => topicsIn(page.messages), SOON).toContain('waiting')
  })

  test('is closed when its session ends, and to users', async () => {
    const operator = await atDesk(server(), 'support')
    const page = await opened(operator.token)
    await operator.request(logOutOfDesk, null)
    await expect.poll(() => page.socket.readyState, SOON).toBe(WebSocket.CLOSED)
    const trader = open((await newUser(server())).token)
    await expect.poll(() => trader.socket.readyState, SOON).toBe(WebSocket.CLOSED)
    expect(trader.messages).toEqual([])
  })

  test('is refused to pages of another origin', async () => {
    const address = `${server().url.replace('http', 'ws')}${DESK_SOCKET_PATH}`
    const status = (origin: string) =>
      new Promise((resolve) => {
        const socket = new Client(address, { origin })
        onTestFinished(() => socket.terminate())
        socket.on('error', () => {})
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.on('open', () => resolve('open'))
      })
    expect(await status('https://evil.example')).toBe(403)
    expect(await status('null')).toBe(403)
    expect(await status(server().url)).toBe('open')
  })

  test('is closed after an invalid message', async () => {
    const page = await opened((await atDesk(server(), 'support')).token)
    page.send({ type: 'viewing', caseKey: '<b>:1' })
    await expect.poll(() => page.socket.readyState, SOON).toBe(WebSocket.CLOSED)
  })
})

/** A desk with only its socket, whose session lookup returns when the test resumes it. */
async function openSlowDesk(databases: Databases) {
  const { queries } = await databases.open()
  const id = await queries.transaction().execute(async (within) => {
    const added = await addOperator(within, { name: 'Ada', role: 'finance', password_hash: 'x' }, 0)
    await within
      .updateTable('operator')
      .set({ totp_confirmed_at: 0n })
      .where('id', '=', BigInt(added))
      .execute()
    return added
  })
  const sessions = createDeskSessions(
    queries,
    () => 1_000,
    (error) => expect.unreachable(String(error)),
  )
  const token = await sessions.start(id, { address: '127.0.0.1', device: 'test' }, true)
  const found = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  const find: typeof sessions.find = async (...given) => {
    const session = await sessions.find(...given)
    found.resolve()
    await resume.promise
    return session
  }
  const hub = createDeskHub()
  const openPages = new Set<OpenPage>()
  const add: typeof hub.add = (page) => {
    const remove = hub.add(page)
    openPages.add(page)
    return () => {
      openPages.delete(page)
      remove()
    }
  }
  const server = Fastify()
  registerWebsockets(server)
  registerDeskSocket(server, { hub: { ...hub, add }, sessions: { ...sessions, find }, publicUrl: null })
  await server.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const socket = new Client(
    `ws://127.0.0.1:${(server.server.address() as AddressInfo).port}${DESK_SOCKET_PATH}`,
  )
  const messages: string[] = []
  socket.on('message', (data) => messages.push(String(data)))
  socket.on('open', () => socket.send(JSON.stringify({ type: 'login', token })))
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await found.promise
  return { sessions, token, socket, messages, closed, openPages, resume: resume.resolve }
}

onEveryDatabase('the log-in of a page of the desk', (databases) => {
  test('closes the page if its session ends during the lookup', async () => {
    const { sessions, token, messages, closed, openPages, resume } = await openSlowDesk(databases)
    await sessions.end(secretHash(token))
    resume()
    await closed
    expect(messages).toEqual([])
    expect(openPages.size).toBe(0)
  })

  test('registers no page that was closed during the lookup', async () => {
    const { socket, closed, openPages, resume } = await openSlowDesk(databases)
    socket.terminate()
    await closed
    for (let count = 0; count < 20; count += 1) await yieldToEventLoop()
    resume()
    for (let count = 0; count < 20; count += 1) await yieldToEventLoop()
    expect(openPages.size).toBe(0)
  })
})

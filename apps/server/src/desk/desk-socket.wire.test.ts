import { askHalt, DESK_SOCKET_PATH, logOutOfDesk } from '@fairlot/contract/desk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket as Client } from 'ws'
import { drawn } from '../files/testing/pictures.ts'
import { upload } from '../files/testing/sending.ts'
import { newMember } from '../testing/accounts.ts'
import { atDesk } from '../testing/desk.ts'
import { newPayer, setUpPayments, tellOf } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const SOON = { timeout: 5_000 }

/** What has changed, by the messages that a page was told. */
const topicsIn = (heard: readonly unknown[]): string[] =>
  heard.flatMap((message) => (message as { topics?: string[] }).topics ?? [])

// One database is enough: the socket reads no table but that of sessions.
describe.each(DATABASES.slice(0, 1))('the socket of the desk, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })

  /** A page that has logged in with a token, and all that it was told. */
  const open = (token: string) => {
    const heard: unknown[] = []
    const socket = new WebSocket(`${server().url.replace('http', 'ws')}${DESK_SOCKET_PATH}`)
    socket.onopen = () => socket.send(JSON.stringify({ type: 'login', token }))
    socket.onmessage = ({ data }) => void heard.push(JSON.parse(String(data)))
    onTestFinished(() => socket.close())
    return { socket, heard, say: (message: object) => socket.send(JSON.stringify(message)) }
  }
  const opened = async (token: string) => {
    const page = open(token)
    await expect.poll(() => page.heard, SOON).toContainEqual({ type: 'loggedIn' })
    return page
  }

  test('tells all who look at a case who does, until they look away', async () => {
    const [one, other] = [await atDesk(server(), 'finance'), await atDesk(server(), 'support')]
    const [first, second] = [await opened(one.token), await opened(other.token)]
    const viewing = (operators: readonly string[]) => ({
      type: 'viewing',
      caseKey: 'adjustment:1',
      operators,
    })
    first.say({ type: 'viewing', caseKey: 'adjustment:1' })
    await expect.poll(() => first.heard.at(-1), SOON).toEqual(viewing([one.name]))
    second.say({ type: 'viewing', caseKey: 'adjustment:1' })
    await expect.poll(() => first.heard.at(-1), SOON).toEqual(viewing([one.name, other.name]))
    await expect.poll(() => second.heard.at(-1), SOON).toEqual(viewing([one.name, other.name]))
    second.say({ type: 'viewing', caseKey: null })
    await expect.poll(() => first.heard.at(-1), SOON).toEqual(viewing([one.name]))
    expect(second.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('tells everybody that something else waits', async () => {
    const [one, other] = [await atDesk(server(), 'support'), await atDesk(server(), 'dealing')]
    const page = await opened(other.token)
    await one.ask(askHalt, { instrumentId: 3, reason: 'a spike' })
    await expect.poll(() => topicsIn(page.heard), SOON).toEqual(expect.arrayContaining(['waiting', 'acts']))
  })

  test('tells everybody of a deposit once somebody has told of it', async () => {
    await setUpPayments(server())
    const payer = await newPayer(server())
    const picture = await upload(server(), payer.token, await drawn(40, 30).png().toBuffer())
    const page = await opened((await atDesk(server(), 'finance')).token)
    await tellOf(payer, 500, picture)
    await expect.poll(() => topicsIn(page.heard), SOON).toContain('waiting')
  })

  test('closes with the session, and before anybody who is none of the desk', async () => {
    const operator = await atDesk(server(), 'support')
    const page = await opened(operator.token)
    await operator.ask(logOutOfDesk, null)
    await expect.poll(() => page.socket.readyState, SOON).toBe(WebSocket.CLOSED)
    const trader = open((await newMember(server())).token)
    await expect.poll(() => trader.socket.readyState, SOON).toBe(WebSocket.CLOSED)
    expect(trader.heard).toEqual([])
  })

  test('is not opened for a page from elsewhere', async () => {
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

  test('closes at a message that it does not understand', async () => {
    const page = await opened((await atDesk(server(), 'support')).token)
    page.say({ type: 'viewing', caseKey: '<b>:1' })
    await expect.poll(() => page.socket.readyState, SOON).toBe(WebSocket.CLOSED)
  })
})

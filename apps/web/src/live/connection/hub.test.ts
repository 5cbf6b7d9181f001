import { serverMessage } from '@fairlot/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { createHub } from './hub.ts'
import { queue, quick, serve } from './socket.fixture.ts'
import type { Frame } from './socket.fixture.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const PRIVATE = ['FOREX_TRADE', 'FOREX_CLOSED', 'FOREX_ORDER', 'FOREX_FUNDS', 'NOTICE', 'CHAT']

const privatePart = { messages: serverMessage, topics: PRIVATE }

async function connected(token: string | null, isHeard = true) {
  const server = await serve()
  const session = { token }
  const again = queue<null>()
  const hub = createHub({
    url: () => server.url,
    timing: { ...quick, pingEveryMs: 2000 },
    random: () => 0,
    token: () => session.token,
    onState: () => undefined,
    onReconnected: () => again.push(null),
  })
  if (isHeard) hub.hearPrivate(privatePart)
  closers.push(hub.stop, server.close)
  return { hub, server, session, again }
}

type Server = Awaited<ReturnType<typeof serve>>

/** The frames up to and with the first that fits. */
async function framesUpTo({ frames }: Server, fits: (frame: Frame) => boolean): Promise<Frame[]> {
  if (!frames.values.some(fits)) await frames.next(fits)
  return frames.values.splice(0, frames.values.findIndex(fits) + 1)
}

describe('the hub', () => {
  test('logs in before it subscribes, and adds the private topics', async () => {
    const { hub, server } = await connected('secret')
    hub.subscribe('DAY_MARKET')
    hub.start()
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'login', params: 'secret' },
      { type: 'sub', params: ['DAY_MARKET', ...PRIVATE] },
    ])
  })

  test('logs in as soon as somebody hears private messages, and not before', async () => {
    const { hub, server } = await connected('secret', false)
    hub.subscribe('DAY_MARKET')
    hub.start()
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'sub', params: 'DAY_MARKET' },
    ])
    const closed = new Promise((resolve) => hub.on('closed', resolve))
    hub.hearPrivate(privatePart)
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'login', params: 'secret' },
      { type: 'sub', params: PRIVATE },
    ])
    server.peers.values[0]?.send('{"type":"FOREX_CLOSED","id":[7],"seq":3}')
    expect(await closed).toMatchObject({ orderIds: [7] })
  })

  test('asks for no private topic as a visitor', async () => {
    const { hub, server } = await connected(null)
    hub.subscribe('DAY_MARKET')
    hub.start()
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'sub', params: 'DAY_MARKET' },
    ])
  })

  test('logs in on the standing connection when the session begins, and out when it ends', async () => {
    const { hub, server, session } = await connected(null)
    hub.subscribe('DAY_MARKET')
    hub.start()
    await framesUpTo(server, ({ type }) => type === 'sub')
    session.token = 'secret'
    hub.sendLogin()
    session.token = null
    hub.sendLogin()
    expect(await framesUpTo(server, ({ type }) => type === 'logout')).toEqual([
      { type: 'login', params: 'secret' },
      { type: 'sub', params: PRIVATE },
      { type: 'unsub', params: PRIVATE },
      { type: 'logout' },
    ])
  })

  test('says everything again after a reconnect and tells that something was missed', async () => {
    const { hub, server, again } = await connected('secret')
    hub.subscribe('DAY_MARKET')
    const peer = server.peers.next()
    hub.start()
    await framesUpTo(server, ({ type }) => type === 'sub')
    const isBack = again.next()
    ;(await peer).terminate()
    await isBack
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'login', params: 'secret' },
      { type: 'sub', params: ['DAY_MARKET', ...PRIVATE] },
    ])
  })

  test('subscribes to what is wanted later, and leaves what nobody wants any more', async () => {
    const { hub, server } = await connected(null)
    hub.subscribe('DAY_MARKET')
    hub.start()
    await framesUpTo(server, ({ type }) => type === 'sub')
    const leave = hub.subscribe('KLINE.EURUSD')
    await framesUpTo(server, ({ params }) => params === 'KLINE.EURUSD')
    leave()
    expect(await framesUpTo(server, ({ type }) => type === 'unsub')).toEqual([
      { type: 'unsub', params: 'KLINE.EURUSD' },
    ])
  })

  test('leads each message to those who listen to its type, until they stop', async () => {
    const { hub, server } = await connected(null)
    const heard = queue<readonly number[]>()
    const unheard = queue<readonly number[]>()
    hub.on('closed', ({ orderIds }) => unheard.push(orderIds))()
    hub.on('closed', ({ orderIds }) => heard.push(orderIds))
    const peer = server.peers.next()
    const message = heard.next()
    hub.start()
    ;(await peer).send('{"type":"FOREX_CLOSED","id":[7,8],"seq":1}')
    expect(await message).toEqual([7, 8])
    expect(unheard.values).toEqual([])
  })
})

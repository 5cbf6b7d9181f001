import { serverMessage } from '@fairlot/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { createHub, createTopics, SOCKET_TIMING, type TopicChange } from './hub.ts'
import { type Frame, queue, quick, serve } from '@fairlot/ui/connection/socket.fixture.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const PRIVATE = ['FOREX_TRADE', 'FOREX_CLOSED', 'FOREX_ORDER', 'FOREX_FUNDS', 'NOTICE', 'CHAT']

const privatePart = { messages: serverMessage, topics: PRIVATE }

async function connected(token: string | null, isListening = true) {
  const server = await serve()
  const session = { token }
  const reconnects = queue<null>()
  const hub = createHub({
    url: () => server.url,
    timing: { ...quick, pingEveryMs: 2000 },
    random: () => 0,
    token: () => session.token,
    onState: () => undefined,
    onReconnected: () => reconnects.push(null),
  })
  if (isListening) hub.listenToPrivate(privatePart)
  closers.push(hub.stop, server.close)
  return { hub, server, session, reconnects }
}

type Server = Awaited<ReturnType<typeof serve>>

/** The frames up to and including the first match. */
async function framesUpTo({ frames }: Server, matches: (frame: Frame) => boolean): Promise<Frame[]> {
  if (!frames.values.some(matches)) await frames.next(matches)
  return frames.values.splice(0, frames.values.findIndex(matches) + 1)
}

describe('the timing', () => {
  test('is that of the specification', () => {
    expect(SOCKET_TIMING).toMatchObject({ connectTimeoutMs: 5000, pingEveryMs: 5000, missedPongsMax: 3 })
  })

  test('shows silence within three seconds', () => {
    expect(SOCKET_TIMING.quietMs + SOCKET_TIMING.answerMs).toBeLessThan(3000)
  })
})

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

  test('logs in as soon as a listener for private messages exists, and not before', async () => {
    const { hub, server } = await connected('secret', false)
    hub.subscribe('DAY_MARKET')
    hub.start()
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'sub', params: 'DAY_MARKET' },
    ])
    const closed = new Promise((resolve) => hub.on('closed', resolve))
    hub.listenToPrivate(privatePart)
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'login', params: 'secret' },
      { type: 'sub', params: PRIVATE },
    ])
    server.peers.values[0]?.send('{"type":"FOREX_CLOSED","id":[7],"seq":3}')
    expect(await closed).toMatchObject({ orderIds: [7] })
  })

  test('subscribes to no private topic for a visitor', async () => {
    const { hub, server } = await connected(null)
    hub.subscribe('DAY_MARKET')
    hub.start()
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'sub', params: 'DAY_MARKET' },
    ])
  })

  test('logs in on the open connection when the session begins, and out when it ends', async () => {
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

  test('logs in and subscribes again after a reconnect and reports it, and not before', async () => {
    const { hub, server, reconnects } = await connected('secret')
    hub.subscribe('DAY_MARKET')
    const peer = server.peers.next()
    hub.start()
    await framesUpTo(server, ({ type }) => type === 'sub')
    expect(reconnects.values).toEqual([])
    const isBack = reconnects.next()
    ;(await peer).terminate()
    await isBack
    expect(await framesUpTo(server, ({ type }) => type === 'sub')).toEqual([
      { type: 'login', params: 'secret' },
      { type: 'sub', params: ['DAY_MARKET', ...PRIVATE] },
    ])
  })

  test('subscribes to a topic with the first listener and unsubscribes with the last', async () => {
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

  test('passes each message to the listeners of its type, until they stop', async () => {
    const { hub, server } = await connected(null)
    const received = queue<readonly number[]>()
    const ignored = queue<readonly number[]>()
    hub.on('closed', ({ orderIds }) => ignored.push(orderIds))()
    hub.on('closed', ({ orderIds }) => received.push(orderIds))
    const peer = server.peers.next()
    const message = received.next()
    hub.start()
    ;(await peer).send('{"type":"FOREX_CLOSED","id":[7,8],"seq":1}')
    expect(await message).toEqual([7, 8])
    expect(ignored.values).toEqual([])
  })
})

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function topics() {
  const changes: TopicChange[] = []
  return { changes, ...createTopics((change) => changes.push(change)) }
}

describe('subscribers of topics', () => {
  test('subscribe with the first and unsubscribe with the last', async () => {
    const { subscribe, changes } = topics()
    const [one, two] = [subscribe('A'), subscribe('A')]
    await turn()
    one()
    await turn()
    expect(changes).toEqual([{ type: 'sub', topics: ['A'] }])
    two()
    await turn()
    expect(changes.at(-1)).toEqual({ type: 'unsub', topics: ['A'] })
  })

  test('are sent together, one frame per turn of the event loop', async () => {
    const { subscribe, changes } = topics()
    for (const topic of ['A', 'B', 'C']) subscribe(topic)
    await turn()
    expect(changes).toEqual([{ type: 'sub', topics: ['A', 'B', 'C'] }])
  })

  test('cause no traffic when one screen closes and the next needs the same topic', async () => {
    const { subscribe, changes } = topics()
    const leave = subscribe('A')
    await turn()
    leave()
    subscribe('A')
    await turn()
    expect(changes).toHaveLength(1)
  })

  test('count a release once, however often it is called', async () => {
    const { subscribe, subscribed } = topics()
    const release = subscribe('A')
    subscribe('A')
    release()
    release()
    await turn()
    expect(subscribed()).toEqual(['A'])
  })
})

import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { call, dataOf, type RawAnswer } from '../../testing/calls.ts'
import { makePlace, serverOn, startServer, type ServerOptions } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
import { newTrader } from '../../../../../testing/traders.ts'

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const statusOf = ({ status }: RawAnswer) => status
const refusedOf = (statuses: readonly number[]) => statuses.filter((status) => status === 429).length

const figures = (server: { url: string }, token: string) =>
  call(server, '/v1/api/main/account/figures', { headers: { authorization: token, lang: 'en' } })

describe('with the limits of a fresh deployment', () => {
  const server = serverOn('sqlite', {
    env: {
      SETTING_CALLS_PER_SECOND: '',
      SETTING_ADDRESS_CALLS_PER_SECOND: '',
      SETTING_DEMO_ACCOUNTS_PER_HOUR: '',
    },
  })

  test('a user can load the home screen with all charts three times in a row', async () => {
    const { token } = await newTrader(server())
    const home = async () => {
      const headers = { authorization: token }
      const list = call(server(), '/v1/api/forex/trade_list', { headers })
      const charts = times(55, (index) =>
        call(server(), `/v1/api/forex/abbreviated_cache_kline?forex_id=${index + 1}&period=15min`, {
          headers,
        }),
      )
      return [...(await charts), await list, await figures(server(), token)].map(statusOf)
    }
    const statuses = [...(await home()), ...(await home()), ...(await home())]
    expect(statuses).toEqual(statuses.map(() => 200))
  })

  test('a burst of 100 trading calls is accepted', async () => {
    const { token } = await newTrader(server())
    const statuses = (await times(100, () => figures(server(), token))).map(statusOf)
    expect(refusedOf(statuses)).toBe(0)
  })

  test('an address can open 60 demo accounts an hour', async () => {
    const answers = await times(70, () => call(server(), '/api/user/createAccountDemoForU', { body: {} }))
    expect(refusedOf(answers.map(statusOf))).toBeGreaterThanOrEqual(10)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ code: 0, data: { reason: 'tooManyRequests' } })
  })
})

/** Runs a test with low limits. */
async function withLimits(
  env: ServerOptions['env'],
  run: (server: { url: string }) => Promise<void>,
): Promise<void> {
  const place = await makePlace('sqlite')
  const server = await startServer(place, { env: { FEED: 'ws://127.0.0.1:9', ...env } })
  try {
    await run(server)
  } finally {
    await server.stop()
    await place.remove()
  }
}

const LOW_FOR_USERS = { SETTING_CALLS_PER_SECOND: '2', SETTING_CALLS_BURST: '10' }

test('calls beyond the rate and the burst of a user are refused with 429, in the envelope', async () => {
  await withLimits(LOW_FOR_USERS, async (server) => {
    const { token } = await newTrader(server)
    await figures(server, token)
    const before = performance.now()
    const answers = await times(60, () => figures(server, token))
    const seconds = Math.ceil((performance.now() - before) / 1_000) + 1
    const allowed = 60 - refusedOf(answers.map(statusOf))
    expect(allowed).toBeGreaterThanOrEqual(11)
    expect(allowed).toBeLessThanOrEqual(10 + 2 * seconds)
    expect(answers.find(({ status }) => status === 429)?.body).toEqual({
      code: 0,
      msg: 'Too many requests in a short time. Wait a moment and try again.',
      data: { reason: 'tooManyRequests' },
    })
  })
})

test('a user at the limit does not affect other users or public calls', async () => {
  await withLimits(LOW_FOR_USERS, async (server) => {
    const [busy, calm] = [await newTrader(server), await newTrader(server)]
    // A token that was not used yet is counted per address; after this call it is known.
    expect(statusOf(await figures(server, calm.token))).toBe(200)
    expect(refusedOf((await times(60, () => figures(server, busy.token))).map(statusOf))).toBeGreaterThan(0)
    expect(refusedOf((await times(10, () => figures(server, calm.token))).map(statusOf))).toBe(0)
    expect(statusOf(await call(server, '/v1/api/forex/getCategories'))).toBe(200)
  })
})

test('socket handshakes per second and address are limited', async () => {
  await withLimits({ SETTING_SOCKET_HANDSHAKES_PER_SECOND: '5' }, async (server) => {
    const statuses = await times(40, async () => (await opened(server.url, 1))[0][0] ?? 0)
    expect(statuses.filter((status) => status === 101).length).toBeGreaterThanOrEqual(5)
    expect(refusedOf(statuses)).toBeGreaterThan(0)
  })
})

/** Opens sockets one after the other; returns the status of each handshake. */
async function opened(url: string, count: number, headers = {}): Promise<[number[], WebSocket[]]> {
  const sockets: WebSocket[] = []
  const statuses: number[] = []
  for (let index = 0; index < count; index++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`, { headers })
    sockets.push(socket)
    statuses.push(await statusOfHandshake(socket))
  }
  return [statuses, sockets]
}

const statusOfHandshake = (socket: WebSocket): Promise<number> =>
  new Promise((resolve, reject) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })

describe('concurrent sockets', () => {
  test('are limited per address; one that closes makes way for another', async () => {
    await withLimits({ SETTING_SOCKETS_PER_ADDRESS: '3' }, async (server) => {
      const [statuses, sockets] = await opened(server.url, 4)
      expect(statuses).toEqual([101, 101, 101, 429])
      sockets[0]?.terminate()
      await vi.waitUntil(async () => (await opened(server.url, 1))[0][0] === 101)
      expect((await opened(server.url, 1))[0]).toEqual([429])
      for (const socket of sockets) socket.terminate()
    })
  })

  test('are counted by the forwarded address of a trusted proxy only', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    await withLimits({ SETTING_SOCKETS_PER_ADDRESS: '1', TRUST_PROXY: 'loopback' }, async (server) => {
      expect((await opened(server.url, 2, from('203.0.113.1')))[0]).toEqual([101, 429])
      expect((await opened(server.url, 2, from('203.0.113.2')))[0]).toEqual([101, 429])
    })
    await withLimits({ SETTING_SOCKETS_PER_ADDRESS: '1' }, async (server) => {
      expect((await opened(server.url, 1, from('203.0.113.1')))[0]).toEqual([101])
      expect((await opened(server.url, 1, from('203.0.113.2')))[0]).toEqual([429])
    })
  })
})

describe('tokens tried on sockets', () => {
  const LOW = { SETTING_ADDRESS_CALLS_PER_SECOND: '1', SETTING_ADDRESS_CALLS_BURST: '5' }

  test('count as calls of their address: beyond the limit the socket is closed with "try again later"', async () => {
    await withLimits(LOW, async (server) => {
      const reader = await openSocket(server)
      for (let count = 0; count < 40; count++) reader.send({ type: 'login', params: `made-up-${count}` })
      expect(await reader.closed).toBe(1013)
      const answered = reader.messages.filter(({ type }) => type === 'login_result')
      expect(answered.length).toBeLessThan(15)
      expect(reader.messages.at(-1)).toMatchObject({ type: 'refused', reason: 'tooManyRequests' })
      // Another socket of the address is limited as well.
      const second = await openSocket(server)
      for (let count = 0; count < 40; count++) second.send({ type: 'login', params: `made-up-${count}` })
      expect(await second.closed).toBe(1013)
    })
  })

  test('a known token counts for its user, whatever the other calls of the address', async () => {
    await withLimits(LOW, async (server) => {
      const { token } = await newTrader(server)
      expect(statusOf(await figures(server, token))).toBe(200)
      const stranger = await openSocket(server)
      for (let count = 0; count < 40; count++) stranger.send({ type: 'login', params: 'made-up' })
      expect(await stranger.closed).toBe(1013)
      const reader = await openSocket(server)
      reader.send({ type: 'login', params: token })
      expect(await reader.next('login_result')).toEqual({ type: 'login_result', code: 1 })
    })
  })
})

/** A call as a proxy forwards it. */
const from = (server: { url: string }, address: string, path = '/v1/api/forex/getCategories', headers = {}) =>
  call(server, path, { headers: { 'x-forwarded-for': address, ...headers } })

describe('calls without a session are counted per address', () => {
  const LOW = { SETTING_ADDRESS_CALLS_PER_SECOND: '1', SETTING_ADDRESS_CALLS_BURST: '5' }

  test('with a different unknown token in each call', async () => {
    await withLimits(LOW, async (server) => {
      const answers = await times(40, (index) =>
        call(server, '/api/user/info', { headers: { authorization: `made-up-${index}` } }),
      )
      expect(refusedOf(answers.map(statusOf))).toBeGreaterThan(25)
    })
  })

  test('with a percent-encoded path', async () => {
    await withLimits(LOW, async (server) => {
      const answers = await times(40, () => call(server, '/%61pi/user/info'))
      expect(refusedOf(answers.map(statusOf))).toBeGreaterThan(25)
    })
  })

  test('without trusting X-Forwarded-For', async () => {
    await withLimits(LOW, async (server) => {
      const answers = await times(40, (index) => from(server, `203.0.113.${index}`))
      expect(refusedOf(answers.map(statusOf))).toBeGreaterThan(25)
    })
  })

  test('with X-Forwarded-For of a trusted proxy, by the forwarded address', async () => {
    await withLimits({ ...LOW, TRUST_PROXY: 'loopback' }, async (server) => {
      expect(refusedOf((await times(40, (index) => from(server, `203.0.113.${index}`))).map(statusOf))).toBe(
        0,
      )
      const sameNetwork = await times(40, (index) => from(server, `2001:db8::${index}`))
      expect(refusedOf(sameNetwork.map(statusOf))).toBeGreaterThan(25)
      // An address that the client adds itself comes before the one that the proxy adds.
      const forged = await times(40, (index) => from(server, `198.51.100.${index}, 203.0.113.99`))
      expect(refusedOf(forged.map(statusOf))).toBeGreaterThan(25)
    })
  })
})

test('failed log-ins are counted per address, successful ones are not', async () => {
  await withLimits({ SETTING_FAILED_LOGINS_PER_ADDRESS: '5' }, async (server) => {
    const created = await call(server, '/api/user/createAccountDemoForU', { body: {} })
    const { demo_id: demoId } = dataOf<{ demo_id: string }>(created)
    const logIn = async (secret: string) =>
      statusOf(await call(server, '/api/user/loginForU', { body: { demo_id: secret } }))
    for (let count = 0; count < 10; count++) expect(await logIn(demoId)).toBe(200)
    for (let count = 0; count < 5; count++) expect(await logIn('guess')).toBe(200)
    expect(await logIn('guess')).toBe(429)
    expect(await logIn(demoId)).toBe(429)
  })
})

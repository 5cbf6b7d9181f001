import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ENDPOINTS, listOrders, valueOf } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, type RawAnswer } from '../../testing/calls.ts'
import { serverOn } from '../../testing/running-server.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'

const server = serverOn('sqlite')
let trader: Trader
beforeAll(async () => {
  await server().price('EURUSD', [1.1, 1.10006])
  trader = await newTrader(server())
})

const ticket = { type: 1, cont: 0.01, forex_id: 1, status: 1, multiple: 30 }
const form = (fields: Record<string, string | number>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
const asTrader = (headers: Record<string, string> = {}) => ({
  authorization: trader.token,
  lang: 'en',
  ...headers,
})
const positions = async () =>
  valueOf(await trader.client.call(listOrders, { list: 'holding', page: 1, before: null, copyId: null }))
    .total

/** Sends raw bytes and reads until the server closes the connection. */
const sendBytes = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(server().url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })

const expectEnvelope = ({ body, text }: Pick<RawAnswer, 'body' | 'text'>) => {
  expect(body, text).toEqual({ code: expect.any(Number), msg: expect.any(String), data: expect.anything() })
  expect(text).not.toMatch(/node_modules|\.ts:\d|FST_|at \w+ \(|select |insert /i)
}

describe('a body', () => {
  const submit = (contentType: string, body: string) =>
    call(server(), '/v1/api/forex/submit', {
      headers: asTrader({ 'content-type': contentType }),
      body,
    })

  test('is read as JSON and as a form', async () => {
    const before = await positions()
    const json = await submit('application/json', JSON.stringify(ticket))
    const asForm = await submit('application/x-www-form-urlencoded', form(ticket))
    for (const answer of [json, asForm]) expect(answer.body).toMatchObject({ code: 1, msg: 'Done' })
    const [one, other] = [json, asForm].map(({ body }) => body?.data as Record<string, unknown>)
    expect(Object.keys(one ?? {})).toEqual(Object.keys(other ?? {}))
    expect(await positions()).toBe(before + 2)
  })

  test('can have numbers as text, in JSON too', async () => {
    const text = { type: '1', cont: '0.01', forex_id: '1', status: '1', multiple: '30' }
    expect((await submit('application/json', JSON.stringify(text))).body?.code).toBe(1)
  })

  test.each([
    ['truncated JSON', 'application/json', '{"type":1', 400],
    ['an empty JSON body', 'application/json', '', 400],
    ['JSON that sets a prototype', 'application/json', '{"__proto__":{"type":1}}', 400],
    ['JSON that is not an object', 'application/json', '"text"', 200],
    ['a list', 'application/json', '[1,2]', 200],
    ['null', 'application/json', 'null', 200],
    ['an unsupported type', 'text/csv', 'type,cont', 400],
    ['an invalid type', 'application', 'x', 400],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 400],
    ['JSON above the limit', 'application/json', `{"type":"${'1'.repeat(70_000)}"}`, 413],
    ['a form above the limit', 'application/x-www-form-urlencoded', `a=${'1'.repeat(70_000)}`, 413],
    ['deep nesting', 'application/json', `{"type":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 200],
  ])('is refused in an envelope: %s', async (_name, contentType, body, status) => {
    const before = await positions()
    const answer = await submit(contentType, body)
    expectEnvelope(answer)
    expect(answer).toMatchObject({ status, body: { code: 0 } })
    expect(await positions()).toBe(before)
  })
})

describe('a compressed body', () => {
  const submit = (encoding: string, body: Buffer) =>
    call(server(), '/v1/api/forex/submit', {
      headers: asTrader({ 'content-type': 'application/json', 'content-encoding': encoding }),
      body,
    })

  test('is read, and limited by its decompressed size', async () => {
    expect((await submit('gzip', gzipSync(JSON.stringify(ticket)))).body?.code).toBe(1)
    const bomb = await submit('gzip', gzipSync(`{"type":"${'1'.repeat(5_000_000)}"}`))
    expectEnvelope(bomb)
    expect(bomb.status).toBe(413)
  })

  test.each([
    ['in an unsupported encoding', 'rot13', Buffer.from('{}')],
    ['that is broken', 'gzip', Buffer.from('not compressed at all')],
  ])('%s is refused in an envelope', async (_name, encoding, body) => {
    const answer = await submit(encoding, body)
    expectEnvelope(answer)
    expect(answer.status).toBe(400)
  })
})

describe('a change that old clients make by GET', () => {
  const path = `/v1/api/forex/submit?${form(ticket)}`

  test('has the same effect as by POST', async () => {
    const before = await positions()
    const answer = await call(server(), path, { headers: asTrader() })
    expect(answer.body).toMatchObject({ code: 1, data: { Status: 1, OrderType: 1 } })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await positions()).toBe(before + 1)
  })

  test.each(['navigate', 'no-cors'])(
    'is refused as a navigation or subresource of a page: %s',
    async (mode) => {
      const before = await positions()
      const answer = await call(server(), path, { headers: asTrader({ 'sec-fetch-mode': mode }) })
      expect(answer).toMatchObject({ status: 403, body: { code: 0, data: { reason: 'originRefused' } } })
      expect(await positions()).toBe(before)
    },
  )

  test('ignores a token in the URL', async () => {
    const answer = await call(server(), `${path}&token=${trader.token}&authorization=${trader.token}`)
    expect(answer.body?.code).toBe(999)
  })

  test.each(ENDPOINTS.filter(({ alsoGet }) => alsoGet))(
    '$name supports GET but not HEAD, and rejects a navigation',
    async ({ path: of }) => {
      const linked = await call(server(), of, { headers: asTrader({ 'sec-fetch-mode': 'navigate' }) })
      expect(linked.status).toBe(403)
      const head = await call(server(), of, { method: 'HEAD', headers: asTrader() })
      expect(head.status).toBe(404)
    },
  )

  test.each(ENDPOINTS.filter(({ method, alsoGet }) => method === 'POST' && !alsoGet))(
    '$name does not support GET',
    async ({ path: of }) => expect((await call(server(), of, { headers: asTrader() })).status).toBe(404),
  )
})

describe('the token', () => {
  const info = (authorization: string) =>
    call(server(), '/api/user/info', { headers: { authorization, lang: 'en' } })

  test('is accepted with and without "Bearer "', async () => {
    for (const authorization of [trader.token, `Bearer ${trader.token}`, `bearer ${trader.token} `]) {
      expect((await info(authorization)).body).toMatchObject({ code: 1, data: { id: trader.user.id } })
    }
  })

  test.each(['', 'Bearer ', 'Bearer x', 'Basic eDp5', 'null', 'x'.repeat(4_000), "' or 1=1 --"])(
    'that is invalid is answered 999: %j',
    async (authorization) => {
      expect(await info(authorization)).toMatchObject({
        status: 200,
        body: { code: 999, msg: 'Please log in.' },
      })
    },
  )

  test('is required by every endpoint that needs a log-in, and by no other', async () => {
    for (const { name, method, path, access } of ENDPOINTS) {
      const answer = await call(server(), path, { method, ...(method === 'POST' && { body: {} }) })
      expectEnvelope(answer)
      expect([name, answer.body?.code === 999]).toEqual([name, access !== 'visitor'])
    }
  })
})

describe('the language', () => {
  const sentence = async (lang?: string) => {
    const answer = await call(server(), '/api/user/info', lang === undefined ? {} : { headers: { lang } })
    return answer.body?.msg
  }

  test.each([
    ['hk', '請先登入。'],
    ['tw', '請先登入。'],
    ['en', 'Please log in.'],
    ['jp', 'ログインしてください。'],
    ['../../en', '請先登入。'],
    ['', '請先登入。'],
    [undefined, '請先登入。'],
  ])('of the header %j gives "%s"', async (lang, expected) => expect(await sentence(lang)).toBe(expected))

  test('applies to success messages, too', async () => {
    const done = async (lang: string) =>
      (await call(server(), '/v1/api/forex/getCategories', { headers: { lang } })).body
    expect(await done('hk')).toMatchObject({ code: 1, msg: '完成' })
    expect(await done('en')).toMatchObject({ code: 1, msg: 'Done' })
  })
})

describe('an unknown path is answered in an envelope', () => {
  test.each([
    ['GET', '/v1/api/forex/nothing', 404],
    ['GET', '/api/user/INFO', 404],
    ['POST', '/api/user/info', 404],
    ['PUT', '/v1/api/forex/submit', 404],
    ['DELETE', '/v1/api/forex/submit', 404],
    ['PATCH', '/api/user/info', 404],
    ['OPTIONS', '/v1/api/forex/submit', 404],
    ['GET', '/v1/ws', 404],
    ['GET', '/no/such/page', 404],
    // An invalid file name; without the built web app an unknown route.
    ['GET', '/%00', [400, 404]],
    ['GET', '/..%2f..%2fetc%2fpasswd', 404],
    ['GET', '/v1/api/%zz', 400],
    ['GET', `/api/${'x'.repeat(5_000)}`, [400, 404]],
  ])('%s %s', async (method, path, status) => {
    const answer = await call(server(), path, { method })
    expectEnvelope(answer)
    expect([status].flat()).toContain(answer.status)
  })
})

describe('an invalid HTTP request is answered in an envelope', () => {
  test.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['a NUL in a header', `GET /api/user/info HTTP/1.1\r\nhost: x\r\nlang: h\0k\r\n\r\n`, 400],
    ['a header above the limit', `GET / HTTP/1.1\r\nhost: x\r\nlang: ${'x'.repeat(40_000)}\r\n\r\n`, 413],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
    [
      'a socket handshake without a key',
      'GET /v1/ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n',
      400,
    ],
  ])('%s', async (_name, bytes, status) => {
    const [head = '', text = ''] = (await sendBytes(bytes)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expectEnvelope({ text, body: JSON.parse(text) as RawAnswer['body'] })
  })

  test('an upgrade request for a change has no effect', async () => {
    const before = await positions()
    const body = JSON.stringify(ticket)
    const head = ['POST /v1/api/forex/submit HTTP/1.1', 'host: x', `authorization: ${trader.token}`]
    const upgrade = ['connection: upgrade', 'upgrade: websocket', 'content-type: application/json']
    await sendBytes(`${[...head, ...upgrade, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
    expect(await positions()).toBe(before)
  })
})

describe('every answer of the API', () => {
  test.each(['/api/user/info', '/%61pi/user/info', '/v1/api/forex/getCategories'])(
    'is not cached and not sniffed as another type: %s',
    async (path) => {
      const { headers } = await call(server(), path)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['set-cookie']).toBeUndefined()
    },
  )

  test('is documented at /docs with its path, fields and security', async () => {
    const page = await call(server(), '/docs/json')
    const { paths } = JSON.parse(page.text) as {
      paths: Record<string, Record<string, { security?: object }>>
    }
    for (const { path, method, access, name } of ENDPOINTS) {
      const described = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(described).toMatchObject({ operationId: name })
      expect(described?.security !== undefined).toBe(access !== 'visitor')
    }
    expect(JSON.stringify(paths['/v1/api/forex/submit'])).toContain('stop_loss_price')
  })

  test('has a page with the documentation; health checks and the manifest are served, too', async () => {
    expect((await call(server(), '/docs/')).text).toContain('swagger-ui')
    expect((await call(server(), '/healthz')).text).toBe('{"status":"alive"}')
    expect((await call(server(), '/readyz')).text).toBe('{"status":"ready"}')
    expect((await call(server(), '/manifest.json')).body).toMatchObject({
      name: 'Fairlot',
      display: 'standalone',
      id: '/',
      lang: 'en',
      dir: 'ltr',
    })
    for (const [header, lang] of [
      ['fr;q=0.9, zh-Hant-HK, en', 'zh-HK'],
      ['ja, en;q=0.5', 'ja'],
      ['xx, vi;q=0, ko-KR;q=0.2', 'ko'],
      ['xx', 'en'],
    ] as const) {
      const wanted = { headers: { 'accept-language': header } }
      expect((await call(server(), '/manifest.json', wanted)).body).toMatchObject({ lang })
    }
  })
})

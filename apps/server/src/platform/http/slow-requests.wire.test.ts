import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { serverOn } from '../../testing/running-server.ts'

/** Sends a request in pieces; returns the answer, and the time until the connection was closed, ms. */
function trickled(url: string, pieces: Iterable<string>, everyMs: number) {
  return new Promise<{ answer: string; tookMs: number }>((resolve) => {
    const { hostname, port } = new URL(url)
    const began = performance.now()
    const stream = connect({ host: hostname, port: Number(port), noDelay: true })
    const rest = pieces[Symbol.iterator]()
    const trickle = setInterval(() => {
      const { value, done } = rest.next()
      if (done !== true && stream.writable) stream.write(value)
    }, everyMs)
    let answer = ''
    stream.on('data', (bytes) => (answer += String(bytes)))
    stream.on('error', () => undefined)
    stream.on('close', () => {
      clearInterval(trickle)
      resolve({ answer, tookMs: performance.now() - began })
    })
  })
}

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
const tooSlow = {
  code: 0,
  msg: 'Your request did not arrive in time, so nothing was done. Check your connection and try again.',
  data: { reason: 'requestTooSlow' },
}

/** The beginning of a request, followed by an endless rest. */
function* endless(beginning: string, more: string): Generator<string> {
  yield beginning
  for (;;) yield more
}

const LOG_IN =
  'POST /api/user/loginForU HTTP/1.1\r\nHost: x\r\nlang: en\r\nContent-Type: application/json\r\n'

describe('a body that does not arrive within the time limit of a call', () => {
  const server = serverOn('sqlite')

  test('is answered with 408, and its connection is closed', async () => {
    const { answer, tookMs } = await trickled(
      server().url,
      endless(`${LOG_IN}Content-Length: 1000\r\n\r\n`, ' '),
      200,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(bodyOf(answer)).toEqual(tooSlow)
    expect(tookMs).toBeLessThan(7_000)
  })
})

describe('an endless request', () => {
  const server = serverOn('sqlite', { timing: { requestTimeoutMs: 500 } })

  test.each([
    ['the first line', 'GET /', 'x'],
    ['the header', 'GET / HTTP/1.1\r\nX-Slow: ', 'x'],
    ['the body', `${LOG_IN}Content-Length: 1000\r\n\r\n`, ' '],
  ])('is answered with 408 at the limit, in %s', async (_part, beginning, more) => {
    const { answer, tookMs } = await trickled(server().url, endless(beginning, more), 50)
    expect(tookMs).toBeLessThan(2_500)
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(bodyOf(answer)).toMatchObject({ data: { reason: 'requestTooSlow' } })
  })

  test('is closed at the limit when nothing is sent at all', async () => {
    const { tookMs } = await trickled(server().url, [], 50)
    expect(tookMs).toBeLessThan(2_500)
  })

  test.each([
    ['an invalid request', 'nonsense\r\n\r\n'],
    [
      'an invalid handshake',
      'GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
    ],
    [
      'an upgrade on another path',
      'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
    ],
  ])('a connection that the client keeps open after the answer is closed: %s', async (_what, bytes) => {
    const { hostname, port } = new URL(server().url)
    const stream = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    stream.on('error', () => undefined)
    stream.write(bytes)
    await once(stream, 'data')
    await vi.waitUntil(async () => (await openConnections()) === 0, { timeout: 5_000 })
    stream.destroy()
  })

  const openConnections = () =>
    new Promise<number>((resolve) => server().app.server.getConnections((_error, count) => resolve(count)))
})

import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createFetchPublic, mayBeAsked } from './fetch-public.ts'

const TERMS = { accept: '*/*', bytesMax: 50_000, withinMs: 20_000 }
/** Only in tests: feeds stand on this machine. */
const onLoopback = createFetchPublic((address) => address === '127.0.0.1')
const outside = createFetchPublic()

/** A real server on a free port of this machine. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const neverEnding = (answer: ServerResponse, chunk: string) => {
  const more = () => {
    while (answer.writable && answer.write(chunk));
  }
  answer.on('drain', more)
  more()
}

test('what an address holds is fetched with its type, over redirects too', async () => {
  const url = await serve((request, answer) => {
    if (request.url === '/') return void answer.writeHead(302, { location: '/feed' }).end()
    answer.writeHead(200, { 'content-type': 'text/xml' }).end('<rss/>')
  })
  const fetched = await onLoopback(url, TERMS)
  expect(fetched).toMatchObject({ contentType: 'text/xml', bytes: Buffer.from('<rss/>') })
})

test('this machine is never asked, by address, by name or over a redirect', async () => {
  let asked = 0
  const url = await serve((_request, answer) => {
    asked += 1
    answer.end('secret')
  })
  const { port } = new URL(url)
  for (const address of [url, `http://localhost:${port}`, `http://127.1:${port}`, `http://[::1]:${port}`])
    expect(await outside(address, TERMS)).toBe('addressRefused')
  expect(asked).toBe(0)
  const inward = [
    'http://127.0.0.2/',
    'http://169.254.169.254/latest',
    `http://localhost:${port}`,
    'file:///etc/passwd',
  ]
  for (const location of [...inward, 'http://user:pass@127.0.0.1/']) {
    const from = await serve((_request, answer) => void answer.writeHead(301, { location }).end())
    const found = await createFetchPublic((address) => address === '127.0.0.1')(from, TERMS)
    // Where this machine calls itself by the newer address as well, one of both is refused.
    if (location.includes('localhost')) expect(['addressRefused', 'secret']).toContain(textOf(found))
    else expect(found).toBe('addressRefused')
  }
})

const textOf = (found: Awaited<ReturnType<typeof onLoopback>>): string =>
  typeof found === 'string' ? found : found.bytes.toString()

test('what never ends is cut, by its size and by its time', async () => {
  const flood = await serve((_request, answer) => neverEnding(answer, 'x'.repeat(10_000)))
  expect(await onLoopback(flood, TERMS)).toBe('tooLarge')
  const silence = await serve(() => undefined)
  expect(await onLoopback(silence, { ...TERMS, withinMs: 50 })).toBe('tooSlow')
  const trickle = await serve((_request, answer) => void answer.write('<rss>'))
  expect(await onLoopback(trickle, { ...TERMS, withinMs: 150 })).toBe('tooSlow')
  const circle = await serve((_request, answer) => void answer.writeHead(302, { location: '/' }).end())
  expect(await onLoopback(circle, TERMS)).toBe('tooManyRedirects')
})

test('what is packed or no success is not taken, and what does not answer is no error of ours', async () => {
  const packed = await serve(
    (_request, answer) =>
      void answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000))),
  )
  expect(await onLoopback(packed, TERMS)).toBe('answerRefused')
  const gone = await serve((_request, answer) => void answer.writeHead(404).end())
  expect(await onLoopback(gone, TERMS)).toBe('answerRefused')
  expect(await onLoopback('http://127.0.0.1:1/', TERMS)).toBe('unreachable')
  const broken = await serve((request) => void request.socket.end('nonsense\r\n\r\n'))
  expect(await onLoopback(broken, TERMS)).toBe('unreachable')
  const stopped = AbortSignal.abort()
  expect(await onLoopback(gone, { ...TERMS, signal: stopped })).toBe('unreachable')
})

test.each([
  ['https://news.example/feed.xml', true],
  ['http://93.184.216.34/feed', true],
  ...[
    ...['http://localhost/feed', 'http://127.0.0.1/', 'http://[::1]/', 'http://0x7f.1/', 'http://10.0.0.1/'],
    ...['https://user:pass@news.example/', 'ftp://news.example/', 'file:///etc/passwd', 'javascript:x()'],
    ...['http://printer/', 'http://db.internal/', 'http://nas.local/', 'news.example', ''],
  ].map((address): [string, boolean] => [address, false]),
])('%j may be asked: %s', (address, may) => {
  expect(mayBeAsked(address)).toBe(may)
})

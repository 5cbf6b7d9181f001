import { expect, onTestFinished, test } from 'vitest'
import { isPublicAddress, literalIn, mayBeFetched } from '../../../platform/http/public-address.ts'
import { createFetchPublic, mayBeKept } from './fetch-public.ts'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

test.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  '::127.0.0.1',
  'localhost',
  '',
  '1.1.1',
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ['http://127.1/', '127.0.0.1'],
  ['http://0x7f000001/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://[::1]/', '::1'],
  ['http://127.0.0.1.example/', null],
])('the host of %s is the address %j', (address, literal) => {
  expect(literalIn(new URL(address).hostname)).toBe(literal)
})

const TERMS = { accept: '*/*', bytesMax: 50_000, withinMs: 20_000 }
/** Only for tests, whose feeds are on this machine. */
const onLoopback = createFetchPublic((address) => address === '127.0.0.1')
const outside = createFetchPublic()

/** An HTTP server on a free port of this machine. */
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

test('a resource is fetched with its type, also over redirects', async () => {
  const url = await serve((request, answer) => {
    if (request.url === '/') return void answer.writeHead(302, { location: '/feed' }).end()
    answer.writeHead(200, { 'content-type': 'text/xml' }).end('<rss/>')
  })
  const fetched = await onLoopback(url, TERMS)
  expect(fetched).toMatchObject({ contentType: 'text/xml', bytes: Buffer.from('<rss/>') })
})

test('nothing is fetched from this machine, by address, by name or over a redirect', async () => {
  let requests = 0
  const url = await serve((_request, answer) => {
    requests += 1
    answer.end('secret')
  })
  const { port } = new URL(url)
  for (const address of [url, `http://localhost:${port}`, `http://127.1:${port}`, `http://[::1]:${port}`])
    expect(await outside(address, TERMS)).toBe('addressRefused')
  expect(requests).toBe(0)
  const inward = [
    'http://127.0.0.2/',
    'http://169.254.169.254/latest',
    `http://localhost:${port}`,
    'file:///etc/passwd',
  ]
  for (const location of [...inward, 'http://user:pass@127.0.0.1/']) {
    const from = await serve((_request, answer) => void answer.writeHead(301, { location }).end())
    const found = await createFetchPublic((address) => address === '127.0.0.1')(from, TERMS)
    // If localhost has an IPv6 address too, that one is refused.
    if (location.includes('localhost')) expect(['addressRefused', 'secret']).toContain(textOf(found))
    else expect(found).toBe('addressRefused')
  }
})

const textOf = (found: Awaited<ReturnType<typeof onLoopback>>): string =>
  typeof found === 'string' ? found : found.bytes.toString()

test('an endless response is cut by size and by time', async () => {
  const flood = await serve((_request, answer) => neverEnding(answer, 'x'.repeat(10_000)))
  expect(await onLoopback(flood, TERMS)).toBe('tooLarge')
  const silence = await serve(() => undefined)
  expect(await onLoopback(silence, { ...TERMS, withinMs: 50 })).toBe('tooSlow')
  const trickle = await serve((_request, answer) => void answer.write('<rss>'))
  expect(await onLoopback(trickle, { ...TERMS, withinMs: 150 })).toBe('tooSlow')
  const circle = await serve((_request, answer) => void answer.writeHead(302, { location: '/' }).end())
  expect(await onLoopback(circle, TERMS)).toBe('tooManyRedirects')
})

test('compressed and unsuccessful responses are refused, and a missing one is reported', async () => {
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
    'http://localhost/feed',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://0x7f.1/',
    'http://10.0.0.1/',
    'https://user:pass@news.example/',
    'ftp://news.example/',
    'file:///etc/passwd',
    'javascript:x()',
    'http://localhost./',
    'http://printer./',
    'http://a.localhost./',
    'http://router.lan/',
    'http://nas.home.arpa/',
    'http://printer/',
    'http://db.internal/',
    'http://nas.local/',
    'news.example',
    '',
  ].map((address): [string, boolean] => [address, false]),
])('%j may be fetched: %s', (address, may) => {
  expect(mayBeFetched(address)).toBe(may)
})

test.each([
  ['a public name', ['93.184.216.34', '2606:2800:220:1::1'], true],
  ['a name of this machine', ['127.0.0.1'], false],
  ['a name with an internal address', ['93.184.216.34', '10.0.0.7'], false],
  ['a name of a cloud service', ['169.254.169.254'], false],
  ['a name that does not resolve now', [], true],
])('%s, %j, may be stored: %s', async (_, addresses, may) => {
  expect(await mayBeKept('https://feeds.example/rss', async () => addresses)).toBe(may)
})

test('an address that cannot be fetched is not looked up', async () => {
  const lookups: string[] = []
  const addressesOf = async (name: string) => {
    lookups.push(name)
    return ['93.184.216.34']
  }
  for (const address of ['http://127.0.0.1/', 'http://db.internal/', 'ftp://feeds.example/', 'nonsense'])
    expect(await mayBeKept(address, addressesOf)).toBe(false)
  expect(await mayBeKept('http://93.184.216.34/', addressesOf)).toBe(true)
  expect(lookups).toEqual([])
})

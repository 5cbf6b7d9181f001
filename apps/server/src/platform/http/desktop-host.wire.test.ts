import { describe, expect, test } from 'vitest'
import { call } from '../../testing/calls.ts'
import { serverOn } from '../../testing/running-server.ts'
import { isDesktopBrowser, pcHostOf } from './desktop-host.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
const PHONE =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'

test.each([
  [WINDOWS, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', true],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', true],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36', true],
  [PHONE, false],
  ['Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36', false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1', false],
  ['Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1', false],
  ['Mozilla/5.0 (Android 14; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0', false],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', false],
  ['', false],
  ['\u202eWindows NT\0'.repeat(2_000), true],
])('knows a desktop browser by its User-Agent: %.60s', (userAgent, isDesktop) => {
  expect(isDesktopBrowser(userAgent)).toBe(isDesktop)
})

test.each([
  ['m.broker.example', 'pc.broker.example'],
  ['WWW.Broker.Example:8443', 'pc.broker.example:8443'],
  ['app.eu.broker.example', 'pc.eu.broker.example'],
  ['pc.broker.example', null],
  ['broker.example', null],
  ['localhost:8080', null],
  ['192.168.1.20:8080', null],
  ['[2001:db8::1]:8080', null],
  ['m.broker.example.', null],
  ['m..broker.example', null],
  ['m.broker.example/evil', null],
  ['m.broker.example@evil.example', null],
  ['м.broker.example', null],
  ['١.broker.example', null],
  ['m.broker.example\0', null],
  [`m.${'a'.repeat(10_000)}.example`, null],
  ['   ', null],
  ['', null],
])('replaces the first label of %.40s', (host, pcHost) => {
  expect(pcHostOf(host)).toBe(pcHost)
})

describe('the address of the app', () => {
  const server = serverOn('sqlite')
  const opened = async (path: string, userAgent: string, host = 'm.broker.example') => {
    const { status, headers } = await call(server(), path, { headers: { host, 'user-agent': userAgent } })
    return { status, location: headers['location'] }
  }
  const set = (value: string | null) => server().deployment.liveSettings.change('desktop_host', value)

  test('is the same for every browser, unless set otherwise', async () => {
    expect((await opened('/', WINDOWS)).location).toBeUndefined()
  })

  test('leads desktop browsers to the host pc, with their query, and no others', async () => {
    set('pc')
    const moved = await opened('/?lang=fr', WINDOWS)
    expect(moved).toEqual({ status: 302, location: '//pc.broker.example/?lang=fr' })
    expect((await opened('/', PHONE)).location).toBeUndefined()
    expect((await opened('/', WINDOWS, 'pc.broker.example')).location).toBeUndefined()
    expect((await opened('/', WINDOWS, 'broker.example')).location).toBeUndefined()
    expect((await opened('/healthz', WINDOWS)).status).toBe(200)
    expect((await opened('//other.example', WINDOWS)).location).toBeUndefined()
    set(null)
    expect((await opened('/', WINDOWS)).location).toBeUndefined()
  })
})

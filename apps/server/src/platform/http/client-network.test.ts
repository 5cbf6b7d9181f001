import { expect, test } from 'vitest'
import { clientNetworkOf, createProxyWatch, unnamedProxyOf } from './client-network.ts'

/** A request from a peer; `ip` is the client address that Fastify determines. */
const call = (peer: string, headers: Record<string, string> = {}, ip = peer) =>
  ({ ip, headers, socket: { remoteAddress: peer } }) as unknown as Parameters<typeof clientNetworkOf>[0]

const FORWARDED = { 'x-forwarded-for': '8.8.8.8, 203.0.113.7' }

test.each([
  ['a visitor without a proxy', call('203.0.113.9'), '203.0.113.9'],
  ['one on the internet who sends the header', call('203.0.113.9', FORWARDED), '203.0.113.9'],
  ['a client of a trusted proxy', call('127.0.0.1', FORWARDED, '203.0.113.7'), '203.0.113.7'],
  ['a client of an unnamed internal proxy', call('127.0.0.1', FORWARDED), '127.0.0.1 for 203.0.113.7'],
  ['the same over IPv6', call('::ffff:10.1.2.3', FORWARDED), '10.1.2.3 for 203.0.113.7'],
  ['a header without an address', call('10.1.2.3', { 'x-forwarded-for': 'unknown' }), '10.1.2.3'],
  ['an empty one', call('10.1.2.3', { 'x-forwarded-for': '' }), '10.1.2.3'],
])('%s is counted by the right network', (_, request, network) => {
  expect(clientNetworkOf(request)).toBe(network)
})

test.each([
  [call('127.0.0.1', FORWARDED), '127.0.0.1'],
  [call('127.0.0.1', { forwarded: 'for=203.0.113.7' }), '127.0.0.1'],
  [call('198.51.100.4', { 'x-real-ip': '203.0.113.7' }), '198.51.100.4'],
  [call('127.0.0.1'), null],
  [call('127.0.0.1', FORWARDED, '203.0.113.7'), null],
])('an unnamed proxy is detected by its headers: %#', (request, proxy) => {
  expect(unnamedProxyOf(request)).toBe(proxy)
})

test('an unnamed proxy is logged once an hour and listed while it forwards calls; outsiders cannot fill the list', () => {
  let now = 0
  const warnings: string[] = []
  const watch = createProxyWatch(
    () => now,
    (sentence) => warnings.push(sentence),
  )
  for (let count = 0; count < 100; count += 1) watch.see(call('10.0.0.1', FORWARDED))
  watch.see(call('10.0.0.2'))
  expect(warnings).toEqual([expect.stringMatching(/^calls come through 10\.0\.0\.1, .* set TRUST_PROXY/)])
  expect(watch.unnamed()).toEqual(['10.0.0.1'])
  for (let count = 0; count < 250; count += 1) watch.see(call(`198.51.100.${count}`, FORWARDED))
  expect(warnings).toHaveLength(20)
  expect(watch.unnamed()).toEqual(['10.0.0.1'])
  now += 3_600_000
  expect(watch.unnamed()).toEqual([])
  watch.see(call('10.0.0.1', FORWARDED))
  expect(warnings).toHaveLength(21)
})

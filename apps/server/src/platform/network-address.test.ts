import { expect, test } from 'vitest'
import { networkOf } from './network-address.ts'

test('an IPv4 address is its own network, also when it is mapped to IPv6', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
})

test('an IPv6 address belongs to its /64 network, in any notation', () => {
  const network = '2001:db8:0:7::/64'
  expect(networkOf('2001:db8:0:7:1:2:3:4')).toBe(network)
  expect(networkOf('2001:0DB8:0000:0007::9')).toBe(network)
  expect(networkOf('2001:db8:0:7::')).toBe(network)
  expect(networkOf('2001:db8:0:8::1')).not.toBe(network)
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

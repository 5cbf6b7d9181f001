import { expect, test } from 'vitest'
import { isPublicAddress, literalIn } from './public-address.ts'

test.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1'],
  ...['169.254.169.254', '192.0.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '2001::1', '::127.0.0.1', 'localhost', '', '1.1.1'],
])('%j is not', (address) => {
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

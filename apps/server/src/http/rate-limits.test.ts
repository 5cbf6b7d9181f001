import { expect, test } from 'vitest'
import { createBurstLimit, createLimit, networkOf } from './rate-limits.ts'

const yesOf = async (limit: (key: string) => Promise<boolean>, key: string, calls: number) => {
  const answers = await Promise.all(Array.from({ length: calls }, () => limit(key)))
  return answers.filter(Boolean).length
}

test('a limit counts each key for itself', async () => {
  const limit = createLimit(3, 60)
  expect(await yesOf(limit, 'a', 5)).toBe(3)
  expect(await yesOf(limit, 'b', 2)).toBe(2)
})

test('a limit that is a setting counts by what the setting says now', async () => {
  let most = 1
  const limit = createLimit(() => most, 60)
  expect(await yesOf(limit, 'a', 5)).toBe(1)
  most = 7
  expect(await yesOf(limit, 'a', 5)).toBe(2)
})

test('a burst comes on top of the steady rate', async () => {
  expect(await yesOf(createBurstLimit(20, 100), 'a', 500)).toBe(120)
})

test('an IPv4 address counts for itself, also where it comes in the clothes of IPv6', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
})

test('an IPv6 address counts with its network of 64 bits, however it is written', () => {
  const network = '2001:db8:0:7::/64'
  expect(networkOf('2001:db8:0:7:1:2:3:4')).toBe(network)
  expect(networkOf('2001:0DB8:0000:0007::9')).toBe(network)
  expect(networkOf('2001:db8:0:7::')).toBe(network)
  expect(networkOf('2001:db8:0:8::1')).not.toBe(network)
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

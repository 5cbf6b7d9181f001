import { expect, test } from 'vitest'
import { passkeySite } from './passkey-site.ts'

const site = (given: Partial<Parameters<typeof passkeySite>[0]> = {}) =>
  passkeySite({ domain: undefined, origins: undefined, publicUrl: null, port: 8080, ...given })

test('is that of the public address, or of the own machine without one', () => {
  expect(site()).toEqual({ domain: 'localhost', origins: ['http://localhost:8080'] })
  expect(site({ publicUrl: 'https://trade.example/app/' })).toEqual({
    domain: 'trade.example',
    origins: ['https://trade.example'],
  })
})

test('does not exist at an address that is a number or without https', () => {
  expect(site({ publicUrl: 'https://203.0.113.7' })).toBeNull()
  expect(site({ publicUrl: 'https://[2001:db8::7]' })).toBeNull()
  expect(site({ publicUrl: 'http://trade.example' })).toBeNull()
})

test('may be a wider domain, with several addresses below it', () => {
  const publicUrl = 'https://trade.broker.example'
  expect(site({ publicUrl, domain: 'Broker.example' })).toEqual({
    domain: 'broker.example',
    origins: ['https://trade.broker.example'],
  })
  const origins = 'https://trade.broker.example, https://desk.broker.example:8443/'
  expect(site({ publicUrl, domain: 'broker.example', origins })).toEqual({
    domain: 'broker.example',
    origins: ['https://trade.broker.example', 'https://desk.broker.example:8443'],
  })
})

test.each([
  [{ domain: '203.0.113.7' }, 'PASSKEY_DOMAIN'],
  [{ domain: 'https://trade.example' }, 'PASSKEY_DOMAIN'],
  [{ domain: 'example' }, 'PASSKEY_DOMAIN'],
  [{ domain: 'trade.example', origins: 'https://trade.example.evil.example' }, 'PASSKEY_ORIGINS'],
  [{ domain: 'trade.example', origins: 'http://trade.example' }, 'PASSKEY_ORIGINS'],
  [{ domain: 'trade.example', origins: 'https://trade.example,' }, 'PASSKEY_ORIGINS'],
])('refuses %o and names the setting', (given, name) => {
  expect(site(given)).toEqual({ problem: expect.stringContaining(`The setting ${name} is wrong`) })
})

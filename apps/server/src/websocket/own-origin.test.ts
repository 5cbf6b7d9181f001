import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { isOwnOrigin } from './own-origin.ts'

const HOST = 'trade.example:8080'
const PUBLIC_URL = 'https://fairlot.example/'

const opens = (origin: string | undefined, publicUrl: string | null = null): boolean =>
  isOwnOrigin({ headers: { origin, host: HOST } } as FastifyRequest, publicUrl)

it.each(['http://trade.example:8080', 'https://trade.example:8080'])(
  'a page of our own opens it: %s',
  (own) => {
    expect(opens(own)).toBe(true)
  },
)

it('a client without a page opens it', () => {
  expect(opens(undefined)).toBe(true)
})

it.each([
  'https://evil.example',
  'http://trade.example',
  'http://trade.example:8080.evil.example',
  'http://trade.example:80801',
  'file://',
])('a page from elsewhere does not: %s', (foreign) => {
  expect(opens(foreign)).toBe(false)
})

it.each(['null', '', 'x', 'trade.example:8080'])(
  'a page that hides where it comes from does not: "%s"',
  (hidden) => {
    expect(opens(hidden)).toBe(false)
  },
)

it('a page of the public address opens it behind a proxy, where there is one', () => {
  expect(opens('https://fairlot.example', PUBLIC_URL)).toBe(true)
  expect(opens('https://fairlot.example')).toBe(false)
  expect(opens('https://evil.example', PUBLIC_URL)).toBe(false)
})

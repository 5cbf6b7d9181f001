import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { isOwnOrigin } from './own-origin.ts'

const HOST = 'trade.example:8080'
const PUBLIC_URL = 'https://fairlot.example/'

const opens = (origin: string | undefined, publicUrl: string | null = null): boolean =>
  isOwnOrigin({ headers: { origin, host: HOST } } as FastifyRequest, publicUrl)

it.each(['http://trade.example:8080', 'https://trade.example:8080'])(
  'allows a page of the server: %s',
  (own) => {
    expect(opens(own)).toBe(true)
  },
)

it('allows a client without a page', () => {
  expect(opens(undefined)).toBe(true)
})

it.each([
  'https://evil.example',
  'http://trade.example',
  'http://trade.example:8080.evil.example',
  'http://trade.example:80801',
  'file://',
])('rejects a page of another origin: %s', (foreign) => {
  expect(opens(foreign)).toBe(false)
})

it.each(['null', '', 'x', 'trade.example:8080'])(
  'rejects a page with an opaque or invalid origin: "%s"',
  (hidden) => {
    expect(opens(hidden)).toBe(false)
  },
)

it('rejects an origin without a host, even when the request has no host', () => {
  expect(isOwnOrigin({ headers: { origin: 'file://', host: '' } } as FastifyRequest, null)).toBe(false)
})

it('allows a page of the public URL, behind a proxy', () => {
  expect(opens('https://fairlot.example', PUBLIC_URL)).toBe(true)
  expect(opens('https://fairlot.example')).toBe(false)
  expect(opens('https://evil.example', PUBLIC_URL)).toBe(false)
})

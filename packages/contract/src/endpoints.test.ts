import { describe, expect, it } from 'vitest'
import { toJsonSchema } from './protocol/codec.ts'
import { ENDPOINTS } from './endpoints.ts'

describe('endpoints', () => {
  it('have unique names and paths', () => {
    expect(new Set(ENDPOINTS.map(({ name }) => name)).size).toBe(ENDPOINTS.length)
    expect(new Set(ENDPOINTS.map(({ path }) => path)).size).toBe(ENDPOINTS.length)
  })

  it('change nothing by GET, except for older clients', () => {
    expect(ENDPOINTS.filter(({ method, changes }) => method === 'GET' && changes)).toEqual([])
    expect(ENDPOINTS.filter(({ method, alsoGet }) => method === 'GET' && alsoGet)).toEqual([])
  })

  it('require a log-in if they change something for a user', () => {
    expect(ENDPOINTS.filter(({ changes, access }) => changes && access === 'visitor')).toEqual([])
  })

  it.each(ENDPOINTS)('$name can be shown on the API page', (endpoint) => {
    expect(toJsonSchema(endpoint.request)).toBeTypeOf('object')
    expect(JSON.stringify(toJsonSchema(endpoint.response)).length).toBeGreaterThan(20)
  })
})

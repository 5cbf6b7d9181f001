import { ENDPOINTS, toJsonSchema } from '@fairlot/contract'
import { DESK_PERMISSIONS, DESK_ENDPOINTS, mayDo, ROLES, type DeskEndpoint } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUser } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { DATABASES, serverOn, type RunningServer } from '../testing/running-server.ts'

/** Refusals of the admission guard; with any other answer the call was admitted. */
const GUARD_REASONS = ['sessionGone', 'roleRefused', 'secondFactorUnset']

const GUARDED = DESK_ENDPOINTS.filter((endpoint) => endpoint.permission !== null)

// One database is enough: permissions are checked before any table but the sessions is read.
describe.each(DATABASES.slice(0, 1))('every call of the desk, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9', TRUST_PROXY: 'loopback' } })
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    for (const role of ROLES) tokens.set(role, (await atDesk(server(), role)).token)
    tokens.set('trader', (await newUser(server())).token)
  })

  /** The refusal of the admission guard; null for an admitted call. */
  const guardRefusalOf = async ({ method, path, name }: DeskEndpoint, token: string | undefined) => {
    // It would end the session of the next test.
    if (name === 'logOutOfDesk') return null
    // From its own network, as calls of visitors are limited per network.
    const number = DESK_ENDPOINTS.findIndex((endpoint) => endpoint.name === name)
    const network = { 'x-forwarded-for': `198.18.${number}.1` }
    const headers = token === undefined ? network : { ...network, authorization: token }
    const { body } = await call(server(), path, { method, headers, ...(method === 'POST' && { body: {} }) })
    const reason = (body?.data as { reason?: string } | null)?.reason ?? null
    return reason !== null && GUARD_REASONS.includes(reason) ? reason : null
  }

  test('is bound', () => {
    const unbound = DESK_ENDPOINTS.filter(({ method, path: url }) => !server().app.hasRoute({ method, url }))
    expect(unbound.map(({ name }) => name)).toEqual([])
  })

  test('is described at /desk/docs with path, fields and roles, apart from the calls of users', async () => {
    const described = await describedAt(server(), '/desk/docs')
    for (const { name, path, method, permission, request } of DESK_ENDPOINTS) {
      const found = described.get(name)
      const place = { path: path.replace(/:(\w+)/g, '{$1}'), method: method.toLowerCase() }
      expect(found).toMatchObject({
        ...place,
        description: permission === null ? 'For anyone.' : `For ${DESK_PERMISSIONS[permission].join(', ')}.`,
      })
      expect(found?.security !== undefined, name).toBe(permission !== null)
      for (const field of Object.keys(toJsonSchema(request)['properties'] ?? {}))
        expect(JSON.stringify(found), `${name}: ${field}`).toContain(`"${field}"`)
    }
    expect(described.size).toBe(DESK_ENDPOINTS.length)
    const ofTraders = await describedAt(server(), '/docs')
    expect([...ofTraders.keys()].filter((name) => described.has(name))).toEqual([])
    expect(ofTraders.size).toBe(ENDPOINTS.length)
    expect((await call(server(), '/desk/docs/')).text).toContain('swagger-ui')
  })

  describe.each(GUARDED)('$name', (endpoint) => {
    test.each(ROLES)('admits %s only with the permission', async (role) => {
      const isAllowed = endpoint.permission === null || mayDo(role, endpoint.permission)
      expect(await guardRefusalOf(endpoint, tokens.get(role))).toBe(isAllowed ? null : 'roleRefused')
    })

    test('refuses visitors and users', async () => {
      if (endpoint.name === 'logOutOfDesk') return
      expect(await guardRefusalOf(endpoint, undefined)).toBe('sessionGone')
      expect(await guardRefusalOf(endpoint, 'made up')).toBe('sessionGone')
      expect(await guardRefusalOf(endpoint, tokens.get('trader'))).toBe('sessionGone')
    })
  })

  test("is for operators' tokens, which do not work for users' calls", async () => {
    for (const role of ROLES) {
      const headers = { authorization: tokens.get(role) ?? '' }
      expect((await call(server(), '/api/user/info', { headers })).body?.code).toBe(999)
    }
  })
})

type Described = { readonly path: string; readonly method: string; readonly security?: object }

/** The calls described by an API page, by name. */
async function describedAt(
  server: Pick<RunningServer, 'url'>,
  page: string,
): Promise<ReadonlyMap<string, Described>> {
  const { paths } = JSON.parse((await call(server, `${page}/json`)).text) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => [
        described.operationId,
        { ...described, path, method },
      ]),
    ),
  )
}

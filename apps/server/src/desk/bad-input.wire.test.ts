import { toJsonSchema } from '@fairlot/contract'
import { DESK_ENDPOINTS, mayDo, ROLES, type DeskEndpoint, type OperatorRole } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../testing/traders.ts'
import { call, dataOf } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

/** The JSON schema of one field. */
type Shape = { readonly type?: string; readonly enum?: readonly unknown[]; readonly anyOf?: readonly Shape[] }

const WRONG_TEXTS = [
  'a\u0000b',
  '\ud800',
  `'; drop table journal; --`,
  '9223372036854775808',
  'x'.repeat(60_000),
]
const WRONG_TYPES: readonly unknown[] = [null, -1, 1.5, [null], {}]

/** A value of the right type, so that it gets past the decoding; texts are the wrong ones. */
const plausible = ({ type, enum: values, anyOf }: Shape, wrong: string): unknown => {
  if (values) return values[0]
  if (anyOf) return plausible(anyOf.find((each) => each.type !== 'null') ?? {}, wrong)
  if (type === 'integer' || type === 'number') return 1
  return type === 'boolean' ? true : type === 'array' ? [] : wrong
}

function inputsOf({ request }: DeskEndpoint): object[] {
  const { properties = {} } = toJsonSchema(request) as { properties?: Record<string, Shape> }
  const fields = Object.entries(properties)
  const filled = (valueOf: (shape: Shape) => unknown) =>
    Object.fromEntries(fields.map(([name, shape]) => [name, valueOf(shape)]))
  return [
    ...[...WRONG_TEXTS, ...WRONG_TYPES].map((value) => filled(() => value)),
    ...WRONG_TEXTS.map((text) => filled((shape) => plausible(shape, text))),
  ]
}

/** Calls that would end or change the session of the others. */
const OWN_SESSION = new Set(['logOutOfDesk', 'changeDeskPassword'])
const TRIED = DESK_ENDPOINTS.filter(({ name }) => !OWN_SESSION.has(name))

describe.each(DATABASES)('invalid input, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  const tokens = new Map<OperatorRole, string>()
  beforeAll(async () => {
    for (const role of ROLES) tokens.set(role, (await atDesk(server(), role)).token)
    await newTrader(server())
  })

  test.each(TRIED)('is no server error for $name', async (endpoint) => {
    const role =
      ROLES.find((each) => endpoint.permission !== null && mayDo(each, endpoint.permission)) ??
      'administrator'
    const headers = { authorization: tokens.get(role) ?? '' }
    const answers = await Promise.all(
      inputsOf(endpoint).map((input) => {
        if (endpoint.method === 'POST') return call(server(), endpoint.path, { headers, body: input })
        const query = Object.entries(input).map(([name, value]) => [
          name,
          String(value).slice(0, 500).toWellFormed(),
        ])
        return call(
          server(),
          `${endpoint.path}?${new URLSearchParams(Object.fromEntries(query)).toString()}`,
          {
            headers,
          },
        )
      }),
    )
    for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
  })

  const CHANGES = TRIED.filter(
    ({ method, permission, isPreview }) => method !== 'GET' && permission !== null && !isPreview,
  )

  test.each(CHANGES)('is refused by its field and recorded for $name', async (endpoint) => {
    const { queries } = server().deployment.database
    const entries = () => queries.selectFrom('desk_act').selectAll().orderBy('id').execute()
    const role =
      ROLES.find((each) => endpoint.permission !== null && mayDo(each, endpoint.permission)) ??
      'administrator'
    // Somebody else than above, whose calls may have reached their limit.
    const { token } = await atDesk(server(), role)
    const headers = { authorization: token }
    const { length: before } = await entries()
    const answer = await call(server(), endpoint.path, { method: 'POST', headers, body: {} })
    const { reason, field } = dataOf<{ reason: string; field?: string }>(answer)
    const fields = Object.keys((toJsonSchema(endpoint.request) as { properties?: object }).properties ?? {})
    if (fields.length > 0) expect(fields).toContain(field)
    expect((await entries()).slice(before)).toMatchObject([
      { act: endpoint.permission, outcome: reason, role },
    ])
  })
})

import { toJsonSchema } from '@fairlot/contract'
import { DESK_ENDPOINTS, mayDo, ROLES, type DeskEndpoint, type OperatorRole } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../testing/traders.ts'
import { call } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

/** What a shape says of one field. */
type Shape = { readonly type?: string; readonly enum?: readonly unknown[]; readonly anyOf?: readonly Shape[] }

const WRONG_TEXTS = [
  'a\u0000b',
  '\ud800',
  `'; drop table journal; --`,
  '9223372036854775808',
  'x'.repeat(60_000),
]
const WRONG_KINDS: readonly unknown[] = [null, -1, 1.5, [null], {}]

/** Of the right type, so that it comes as far as it can: what is wrong is within. */
const likely = ({ type, enum: words, anyOf }: Shape, wrong: string): unknown => {
  if (words) return words[0]
  if (anyOf) return likely(anyOf.find((each) => each.type !== 'null') ?? {}, wrong)
  if (type === 'integer' || type === 'number') return 1
  return type === 'boolean' ? true : type === 'array' ? [] : wrong
}

function inputsOf({ request }: DeskEndpoint): object[] {
  const { properties = {} } = toJsonSchema(request) as { properties?: Record<string, Shape> }
  const fields = Object.entries(properties)
  const filled = (valueOf: (shape: Shape) => unknown) =>
    Object.fromEntries(fields.map(([name, shape]) => [name, valueOf(shape)]))
  return [
    ...[...WRONG_TEXTS, ...WRONG_KINDS].map((value) => filled(() => value)),
    ...WRONG_TEXTS.map((text) => filled((shape) => likely(shape, text))),
  ]
}

/** Calls that end or change the session that the others go by. */
const OWN = new Set(['logOutOfDesk', 'changeDeskPassword'])
const ASKED = DESK_ENDPOINTS.filter(({ name }) => !OWN.has(name))

describe.each(DATABASES)('nonsense, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  const tokens = new Map<OperatorRole, string>()
  beforeAll(async () => {
    for (const role of ROLES) tokens.set(role, (await atDesk(server(), role)).token)
    await newTrader(server())
  })

  test.each(ASKED)('$name refuses it in words', async (endpoint) => {
    const role = ROLES.find((each) => endpoint.act !== null && mayDo(each, endpoint.act)) ?? 'administrator'
    const headers = { authorization: tokens.get(role) ?? '' }
    const answers = await Promise.all(
      inputsOf(endpoint).map((input) => {
        if (endpoint.method === 'POST') return call(server(), endpoint.path, { headers, body: input })
        const asked = Object.entries(input).map(([name, value]) => [
          name,
          String(value).slice(0, 500).toWellFormed(),
        ])
        return call(
          server(),
          `${endpoint.path}?${new URLSearchParams(Object.fromEntries(asked)).toString()}`,
          {
            headers,
          },
        )
      }),
    )
    for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
  })
})

import { ENDPOINTS, toJsonSchema, type Endpoint } from '@fairlot/contract'
import { violations } from '@fairlot/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, type RawAnswer, type RawCall } from '../../testing/calls.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
import { changesNothing } from '../../testing/changes-nothing.ts'
import { isWholeCheck } from '../../../../../testing/tiers.ts'
import { decimal, newTrader, type Trader } from '../../../../../testing/traders.ts'

/** Calls of each endpoint. */
const RUNS = isWholeCheck() ? 40 : 20

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const NASTY = [
  '1e309',
  '-1e309',
  '1e-400',
  '-0',
  '9'.repeat(400),
  '0.1e1',
  '"0x10"',
  '""',
  'null',
  '[]',
  '{}',
  'true',
]
  .concat([
    '"\\u0000"',
    '"\\ud800"',
    '"１"',
    '"-"',
    '"NaN"',
    '" 1 "',
    '"1\\n"',
    '9007199254740993',
    '1.7976931348623157e308',
  ])
  .concat([nested('[', ']', 5_000), nested('{"a":', '}', 500), JSON.stringify('x'.repeat(60_000))])
  .concat(['"%"', `"'; drop table journal; --"`, '"${7*7}"', '"../../etc/passwd"', '"<script>"', '{"$gt":0}'])
const GOOD = ['1', '2', '0', '"1"', '0.01', '1.05', '30', '"EURUSD"', '"1min"', '"is_show_mobile"', '1000']

/** Any value of a field, as JSON text. */
const jsonText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...GOOD) },
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.double().map(String) },
)
const headerText = fc.oneof(
  // All five together stay below the limit of a request's headers, see byAddress.
  fc.constantFrom('', 'x'.repeat(2_500), 'hk', 'en', 'constructor', '__proto__', 'Bearer', 'Bearer '),
  fc.string({ maxLength: 80 }).map((text) => text.replace(/[^\x20-\x7e]/g, '~')),
)

const fieldsOf = ({ request }: Endpoint): string[] => {
  const { properties } = toJsonSchema(request) as { properties?: object }
  return [...Object.keys(properties ?? {}), 't', '__proto__', 'constructor', 'UserId']
}

/** Any call of an endpoint: known and unknown fields with any values, in any encoding. */
function anyCall(endpoint: Endpoint, token: string): fc.Arbitrary<{ path: string; options: RawCall }> {
  const fields = fc.dictionary(fc.constantFrom(...fieldsOf(endpoint)), jsonText)
  const asJson = (values: Record<string, string>) =>
    `{${Object.entries(values)
      .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
      .join(',')}}`
  const asForm = (values: Record<string, string>) =>
    Object.entries(values)
      .map(
        ([name, value]) =>
          `${encodeURIComponent(name)}=${encodeURIComponent(value.replace(/^"|"$/g, '').toWellFormed())}`,
      )
      .join('&')
  const headers = fc.record(
    {
      authorization: fc.oneof(
        { weight: 4, arbitrary: fc.constant(token) },
        { weight: 1, arbitrary: headerText },
      ),
      lang: headerText,
      'idempotency-key': headerText,
      'sec-fetch-mode': headerText,
      'x-forwarded-for': headerText,
    },
    { requiredKeys: ['authorization'] },
  )
  const json = fields.map((values) => ({ body: asJson(values), type: 'application/json' }))
  const form = fields.map((values) => ({ body: asForm(values), type: 'application/x-www-form-urlencoded' }))
  const broken = fc.record({
    body: fc.oneof(fc.string(), fc.constant('x'.repeat(1_000_000)), jsonText),
    type: fc.oneof(headerText, fc.constant('application/json')),
  })
  const byAddress = fc.record({ method: fc.constantFrom('GET', 'HEAD'), sent: headers, values: fields }).map(
    // A header above the limit is answered with a body, which a client does not expect for HEAD.
    ({ method, sent, values }) => ({
      path: `${endpoint.path}?${asForm(values).slice(0, method === 'GET' ? 20_000 : 100)}`,
      options: { method, headers: sent },
    }),
  )
  const byBody = fc
    .record({
      method: fc.constantFrom('POST', 'POST', 'PUT'),
      sent: headers,
      content: fc.oneof(json, form, broken),
    })
    .map(({ method, sent, content: { body, type } }) => ({
      path: endpoint.path,
      options: { method, body, headers: { ...sent, 'content-type': type } },
    }))
  return fc.oneof<fc.Arbitrary<{ path: string; options: RawCall }>[]>(byAddress, byBody, byBody)
}

function expectAnswer({ status, headers, body, text }: RawAnswer, method: string | undefined): void {
  expect(status, text).toBeLessThan(500)
  // A file has no envelope.
  if (method === 'HEAD' || headers['content-type'] === 'application/zip') return
  expect(body, text).toMatchObject({
    code: expect.toSatisfy(Number.isInteger),
    msg: expect.stringMatching(/./),
  })
  expect(text).not.toMatch(/node_modules|\.ts:\d|FST_|\bat \w+ \(|SQLITE|syntax error at/i)
}

describe.each(DATABASES)('fuzzing, %s', (kind) => {
  const server = serverOn(kind)
  let trader: Trader
  const core = () => server().deployment.engine.core()

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    trader = await newTrader(server())
    await trader.order()
    await trader.order({ orderType: 'pending', targetPrice: decimal('1.05') })
  })

  // A log-out would make the remaining calls pointless; its own tests fuzz the token.
  test.each(ENDPOINTS.filter(({ name }) => !['logOut', 'logOutEverywhere'].includes(name)))(
    '$name answers with an envelope, never with an internal error, and a refusal changes nothing',
    async (endpoint) => {
      await fc.assert(
        fc.asyncProperty(anyCall(endpoint, trader.token), async ({ path, options }) => {
          const send = () => call(server(), path, options)
          const { engine } = server().deployment
          expectAnswer(await changesNothing(engine, send, ({ body }) => body?.code !== 1), options.method)
        }),
        { numRuns: RUNS },
      )
    },
  )

  test('any path is answered with an envelope or a page, never with an internal error', async () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('api', 'v1', 'docs', '..', '%2e%2e', '%00', '%', 'ws', 'json', ';'),
    )
    const path = fc
      .array(part, { maxLength: 6 })
      .map((parts) => `/${parts.join('/')}`.replace(/[^\x21-\x7e]|[ \\"]/g, '_'))
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('GET', 'POST', 'DELETE'), async (address, method) => {
        const answer = await call(server(), address, { method })
        expect(answer.status, answer.text).toBeLessThan(500)
        if (answer.status >= 400) expectAnswer(answer, method)
      }),
      { numRuns: RUNS * 3 },
    )
  })

  test('any frames leave the server running and do not affect other sockets', async () => {
    const type = fc.oneof(fc.constantFrom('"login"', '"logout"', '"sub"', '"unsub"', '"ping"'), jsonText)
    const params = fc.oneof(fc.constantFrom('"DAY_MARKET"', '["KLINE.EURUSD"]', '"FOREX_TRADE"'), jsonText)
    const frame = fc.oneof(
      fc
        .record({ type, params })
        .map(({ type: typeText, params: paramsText }) => `{"type":${typeText},"params":${paramsText}}`),
      jsonText,
      fc.string(),
    )
    const neighbour = await openSocket(server())
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 20 }), async (frames) => {
        const reader = await openSocket(server())
        for (const text of frames) reader.send(text)
        await Promise.race([reader.settled(), reader.closed])
        reader.socket.close()
      }),
      { numRuns: RUNS },
    )
    await neighbour.settled()
    expect(neighbour.messages).toEqual([{ type: 'pong' }])
  })

  test('all invariants hold afterwards', () => {
    expect(violations(core())).toEqual([])
  })
})

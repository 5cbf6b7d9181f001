import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, dataOf } from '../../testing/calls.ts'
import { serverOn } from '../../testing/running-server.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'

describe('the fields of a body', () => {
  const server = serverOn('sqlite')
  let trader: Trader
  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    trader = await newTrader(server())
  })

  const submit = (body: string, type: string) =>
    call(server(), '/v1/api/forex/submit', {
      method: 'POST',
      headers: { authorization: trader.token, lang: 'en', 'content-type': type },
      body,
    })
  const asForm = (body: string) => submit(body, 'application/x-www-form-urlencoded')
  const asJson = (body: string) => submit(body, 'application/json')
  const ticketWith = (fields: string) => `{"type":1,"forex_id":1,"status":1,"multiple":30,${fields}}`

  test('an empty optional field counts as absent: in a form, in JSON and in the query', async () => {
    const form = await asForm(
      'type=1&cont=0.1&forex_id=1&status=1&multiple=30&target_price=&stop_loss_price=&target_profit_price=&expire_time=',
    )
    expect(form.body).toMatchObject({ code: 1, data: { TargetLossPrice: 0, TargetProfitPrice: 0 } })
    const json = await asJson(ticketWith('"cont":0.1,"stop_loss_price":"","expire_time":""'))
    expect(json.body).toMatchObject({ code: 1, data: { TargetLossPrice: 0 } })
    const listed = await call(server(), '/v1/api/forex/trade_list?searchCurrency=')
    expect(dataOf<unknown[]>(listed).length).toBeGreaterThan(50)
    const bars = await call(server(), '/v1/api/forex/kline?forex_id=1&period=1min&to=&limit=')
    expect(bars.body).toMatchObject({ code: 1 })
  })

  test.each([
    ['cont', 'lotsInvalid'],
    ['type', 'sideInvalid'],
    ['forex_id', 'idInvalid'],
    ['status', 'notUnderstood'],
  ])('an empty required field is refused: %s', async (field, reason) => {
    const fields = { type: '1', cont: '0.1', forex_id: '1', status: '1', multiple: '30', [field]: '' }
    const { body } = await asForm(new URLSearchParams(fields).toString())
    expect(body).toMatchObject({ code: 0, data: { reason } })
  })

  test('an empty required text is refused', async () => {
    const answer = await call(server(), '/api/user/loginForU', {
      body: { account: 'a@example.com', password: '', login_type: 'email' },
    })
    expect(answer.body).toMatchObject({ code: 0 })
    expect(answer.body?.code).not.toBe(1)
  })

  test.each([
    '0.1000000000000000000000001',
    '0.1000001',
    '1e-1',
    '1E-1',
    '100000e-6',
    '0.09999999999999999999999999',
    '12345678901234567890',
  ])('an inexact JSON number is refused like its text: %s', async (number) => {
    const before = server().deployment.engine.state().accounts.get(trader.user.id)?.orders.size
    const refused = { code: 0, data: { reason: 'lotsInvalid' } }
    expect((await asJson(ticketWith(`"cont":${number}`))).body).toMatchObject(refused)
    expect((await asJson(ticketWith(`"cont":"${number}"`))).body).toMatchObject(refused)
    expect((await asForm(`type=1&forex_id=1&status=1&multiple=30&cont=${number}`)).body).toMatchObject(
      refused,
    )
    expect(server().deployment.engine.state().accounts.get(trader.user.id)?.orders.size).toBe(before)
  })

  test.each(['0.1', '0.10', '0.100000', '"0.1"'])(
    'a JSON number is accepted like its text: %s',
    async (number) => {
      expect((await asJson(ticketWith(`"cont":${number}`))).body).toMatchObject({
        code: 1,
        data: { Quantity: 0.1 },
      })
    },
  )

  test('inexact numbers in unknown fields are ignored', async () => {
    const { body } = await asJson(
      ticketWith('"cont":0.1,"note":"12345678901234567890 1e5","list":[1e5,0.30000000000000004]'),
    )
    expect(body).toMatchObject({ code: 1 })
  })

  test('a deeply nested body with inexact numbers is refused', async () => {
    const deep = '['.repeat(20_000) + '1e1' + ']'.repeat(20_000)
    const answer = await asJson(`{"cont":${deep}}`)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body).toMatchObject({ code: 0 })
  })

  test('a body that sets a prototype is refused', async () => {
    const answer = await asJson('{"cont":12345678901234567890,"__proto__":{"type":1}}')
    expect(answer).toMatchObject({ status: 400, body: { code: 0, data: { reason: 'malformed' } } })
  })
})

describe('the Host header', () => {
  const server = serverOn('sqlite')
  const answerTo = (request: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(server().url)
      const stream = connect({ host: hostname, port: Number(port) })
      let answer = ''
      stream.on('data', (bytes) => (answer += String(bytes)))
      stream.on('error', reject)
      stream.on('close', () => resolve(answer))
      stream.write(request)
    })

  test.each([
    ['a call', 'GET /api/user/getBasicInfo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a page', 'GET / HTTP/1.1\r\nhost: a\r\nHOST: a\r\n\r\n'],
    ['an unknown path', 'GET /nothing HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    [
      'a socket',
      'GET /v1/ws HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ],
  ])('given twice is refused, and the connection is closed: %s', async (_what, request) => {
    const answer = await answerTo(request)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('"reason":"malformed"')
  })
})

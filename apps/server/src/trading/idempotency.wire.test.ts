import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, dataOf, type RawAnswer } from '../testing/calls.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { openPriceSource, quote } from '../../../../testing/price-source.ts'
import { DATABASES, serverOn, startServer, type RunningServer } from '../testing/running-server.ts'
import { newTrader } from '../../../../testing/traders.ts'

const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
const pending = { ...ticket, status: 0, target_price: 1.09 }

const requester =
  (server: () => Pick<RunningServer, 'url'>, token: string) =>
  (path: string, body: object, key?: string): Promise<RawAnswer> =>
    call(server(), `/v1/api/${path}`, {
      headers: { authorization: token, lang: 'en', ...(key !== undefined && { 'idempotency-key': key }) },
      body,
    })
const idOf = ({ body }: RawAnswer) => dataOf<{ Id: number }>({ body }).Id
const reasonOf = ({ body }: RawAnswer) => dataOf<{ reason?: string }>({ body }).reason

describe.each(DATABASES)('a change with a request id, %s', (kind) => {
  const server = serverOn(kind)
  let request: ReturnType<typeof requester>
  const positions = async () => {
    const answer = await call(server(), '/v1/api/forex/my_deal?status=1', {
      headers: { authorization: token },
    })
    return dataOf<{ total: number }>(answer).total
  }
  let token = ''
  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    token = (await newTrader(server())).token
    request = requester(server, token)
  })

  test('takes effect once, and gets the same answer each time it is sent', async () => {
    const key = randomUUID()
    const before = await positions()
    const first = await request('forex/submit', ticket, key)
    await server().price('EURUSD', [1.101, 1.10106])
    const again = await request('forex/submit', { ...ticket, cont: '0.10' }, key)
    expect(first.body?.code).toBe(1)
    expect(again.text).toBe(first.text)
    expect(await positions()).toBe(before + 1)
  })

  test('takes effect once when duplicates are in flight together', async () => {
    const key = randomUUID()
    const before = await positions()
    const duplicates = await Promise.all(
      Array.from({ length: 8 }, () => request('forex/submit', ticket, key)),
    )
    expect(new Set(duplicates.map(({ text }) => text)).size).toBe(1)
    expect(duplicates[0]?.body?.code).toBe(1)
    expect(await positions()).toBe(before + 1)
  })

  test('is refused with another payload', async () => {
    const key = randomUUID()
    await request('forex/submit', ticket, key)
    const before = await positions()
    const other = await request('forex/submit', { ...ticket, cont: 0.2 }, key)
    expect(other.body).toEqual({
      code: 0,
      msg: 'This Idempotency-Key was already used for another request.',
      data: { reason: 'requestIdReused' },
    })
    expect(await positions()).toBe(before)
  })

  test('is refused with an id of more than 64 characters', async () => {
    expect(reasonOf(await request('forex/submit', ticket, 'k'.repeat(65)))).toBe('requestIdTooLong')
    expect((await request('forex/submit', ticket, 'k'.repeat(64))).body?.code).toBe(1)
  })

  test('may use the same id for another user or another call', async () => {
    const key = randomUUID()
    const mine = await request('forex/submit', ticket, key)
    const stranger = requester(server, (await newTrader(server())).token)
    expect(idOf(await stranger('forex/submit', ticket, key))).not.toBe(idOf(mine))
    expect((await request('forex/close', { id: idOf(mine) }, key)).body?.code).toBe(1)
  })

  test('is not kept after a rejection', async () => {
    const key = randomUUID()
    expect(reasonOf(await request('forex/submit', { ...ticket, cont: 100 }, key))).toBe('notEnoughPrepayment')
    expect((await request('forex/submit', ticket, key)).body?.code).toBe(1)
  })

  test('gets the first answer again when repeated, for every kind of change', async () => {
    const open = idOf(await request('forex/submit', ticket))
    const waiting = idOf(await request('forex/submit', pending))
    const stops = { id: open, stop_loss_price: 1.05, target_profit_price: 1.2 }
    const changes: [string, object][] = [
      ['forex/set_stop_price', stops],
      ['forex/close', { id: open }],
      ['forex/cancel_trade', { id: waiting }],
      ['main/user/resetForexDemoAccount', {}],
    ]
    for (const [path, body] of changes) {
      const key = randomUUID()
      const first = await request(path, body, key)
      expect(first.body?.code).toBe(1)
      expect((await request(path, body, key)).text).toBe(first.text)
    }
  })
})

onEveryDatabase('after a restart', (databases) => {
  test('a repeat still gets the first answer, another payload is still refused, and the log-in is still valid', async () => {
    const place = await databases.place()
    const source = await openPriceSource()
    const key = randomUUID()
    const first = await startServer(place, { env: { FEED: source.url } })
    await quote(source, first.deployment.engine, 'EURUSD', [1.1, 1.10006])
    const { token } = await newTrader(first)
    const answered = await requester(() => first, token)('forex/submit', ticket, key)
    await first.stop()

    const second = await startServer(place, { env: { FEED: source.url } })
    await quote(source, second.deployment.engine, 'EURUSD', [1.102, 1.10206])
    const request = requester(() => second, token)
    expect((await request('forex/submit', ticket, key)).text).toBe(answered.text)
    expect(reasonOf(await request('forex/submit', pending, key))).toBe('requestIdReused')
    expect((await request('forex/close', { id: idOf(answered) })).body).toMatchObject({
      code: 1,
      data: { Status: 3 },
    })
    await second.stop()
    source.close()
  })
})

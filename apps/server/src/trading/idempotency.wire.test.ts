import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, dataOf, type RawAnswer } from '../testing/calls.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { openPriceSource, quote } from '../../../../testing/price-source.ts'
import { DATABASES, serverOn, startServer, type RunningServer } from '../testing/running-server.ts'
import { newTrader } from '../../../../testing/traders.ts'

const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
const pending = { ...ticket, status: 0, target_price: 1.09 }

const asker =
  (server: () => Pick<RunningServer, 'url'>, token: string) =>
  (path: string, body: object, key?: string): Promise<RawAnswer> =>
    call(server(), `/v1/api/${path}`, {
      headers: { authorization: token, lang: 'en', ...(key !== undefined && { 'idempotency-key': key }) },
      body,
    })
const idOf = ({ body }: RawAnswer) => dataOf<{ Id: number }>({ body }).Id
const reasonOf = ({ body }: RawAnswer) => dataOf<{ reason?: string }>({ body }).reason

describe.each(DATABASES)('a change with a name of its own, %s', (kind) => {
  const server = serverOn(kind)
  let ask: ReturnType<typeof asker>
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
    ask = asker(server, token)
  })

  test('takes effect once, and gets the same answer however often it is sent and whatever the market does', async () => {
    const key = randomUUID()
    const before = await positions()
    const first = await ask('forex/submit', ticket, key)
    await server().price('EURUSD', [1.101, 1.10106])
    const again = await ask('forex/submit', { ...ticket, cont: '0.10' }, key)
    expect(first.body?.code).toBe(1)
    expect(again.text).toBe(first.text)
    expect(await positions()).toBe(before + 1)
  })

  test('has one effect when its twins are in flight together', async () => {
    const key = randomUUID()
    const before = await positions()
    const twins = await Promise.all(Array.from({ length: 8 }, () => ask('forex/submit', ticket, key)))
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1)
    expect(twins[0]?.body?.code).toBe(1)
    expect(await positions()).toBe(before + 1)
  })

  test('is refused with another payload', async () => {
    const key = randomUUID()
    await ask('forex/submit', ticket, key)
    const before = await positions()
    const other = await ask('forex/submit', { ...ticket, cont: 0.2 }, key)
    expect(other.body).toEqual({
      code: 0,
      msg: 'This Idempotency-Key was used before for another request.',
      data: { reason: 'requestIdReused' },
    })
    expect(await positions()).toBe(before)
  })

  test('is refused when the name is too long, and taken up to 64 characters', async () => {
    expect(reasonOf(await ask('forex/submit', ticket, 'k'.repeat(65)))).toBe('requestIdTooLong')
    expect((await ask('forex/submit', ticket, 'k'.repeat(64))).body?.code).toBe(1)
  })

  test('counts for its user and its call alone', async () => {
    const key = randomUUID()
    const mine = await ask('forex/submit', ticket, key)
    const stranger = asker(server, (await newTrader(server())).token)
    expect(idOf(await stranger('forex/submit', ticket, key))).not.toBe(idOf(mine))
    expect((await ask('forex/close', { id: idOf(mine) }, key)).body?.code).toBe(1)
  })

  test('is not remembered when it was refused', async () => {
    const key = randomUUID()
    expect(reasonOf(await ask('forex/submit', { ...ticket, cont: 100 }, key))).toBe('notEnoughPrepayment')
    expect((await ask('forex/submit', ticket, key)).body?.code).toBe(1)
  })

  test('works for every change: the repeat of each gets the answer of the first', async () => {
    const open = idOf(await ask('forex/submit', ticket))
    const waiting = idOf(await ask('forex/submit', pending))
    const stops = { id: open, stop_loss_price: 1.05, target_profit_price: 1.2 }
    const changes: [string, object][] = [
      ['forex/set_stop_price', stops],
      ['forex/close', { id: open }],
      ['forex/cancel_trade', { id: waiting }],
      ['main/user/resetForexDemoAccount', {}],
    ]
    for (const [path, body] of changes) {
      const key = randomUUID()
      const first = await ask(path, body, key)
      expect(first.body?.code).toBe(1)
      expect((await ask(path, body, key)).text).toBe(first.text)
    }
  })
})

onEveryDatabase('after a restart', (databases) => {
  test('a repeat still gets the first answer, another payload is still refused, and the log-in still holds', async () => {
    const place = await databases.place()
    const source = await openPriceSource()
    const key = randomUUID()
    const first = await startServer(place, { env: { FEED: source.url } })
    await quote(source, first.deployment.engine, 'EURUSD', [1.1, 1.10006])
    const { token } = await newTrader(first)
    const answered = await asker(() => first, token)('forex/submit', ticket, key)
    await first.stop()

    const second = await startServer(place, { env: { FEED: source.url } })
    await quote(source, second.deployment.engine, 'EURUSD', [1.102, 1.10206])
    const ask = asker(() => second, token)
    expect((await ask('forex/submit', ticket, key)).text).toBe(answered.text)
    expect(reasonOf(await ask('forex/submit', pending, key))).toBe('requestIdReused')
    expect((await ask('forex/close', { id: idOf(answered) })).body).toMatchObject({
      code: 1,
      data: { Status: 3 },
    })
    await second.stop()
    source.close()
  })
})

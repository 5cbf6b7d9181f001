import {
  listAlerts,
  listNotices,
  removeAlert,
  setAlert,
  switchNotices,
  valueOf,
  type NewAlert,
} from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { sentTo } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
import { newPayer } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'

type Answer = { code: number; msg: string; data: Record<string, unknown> }

describe.each(DATABASES)('alerts over the wire, %s', (kind) => {
  const server = serverOn(kind)
  let trader: Trader
  const post = async (path: string, body: object) => {
    const headers = { authorization: trader.token, lang: 'en' }
    return (await call(server(), `/v1/api/forex/${path}`, { headers, body })).body as Answer
  }
  const list = async () => valueOf(await trader.client.call(listAlerts, null))
  const set = async (condition: NewAlert['condition'], more: Partial<NewAlert> = {}) =>
    valueOf(await trader.client.call(setAlert, { condition, pauseMs: null, expiresAt: null, ...more }))
  const above = { kind: 'price', forex_id: 1, side: 'bid', direction: 'above' }
  const priced = (price: number) =>
    ({
      kind: 'price',
      instrumentId: 1,
      side: 'bid',
      direction: 'above',
      price,
    }) as unknown as NewAlert['condition']

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    trader = await newTrader(server())
  })

  test('one is set, listed, fires at a price, and says the price and the tick', async () => {
    const phone = await openSocket(server(), {}, '?lang=en')
    phone.send({ type: 'login', params: trader.token })
    phone.send({ type: 'sub', params: ['NOTICE', 'ALERT', 'FOREX_FUNDS'] })
    await phone.next('FOREX_FUNDS')
    const { code, data } = await post('set_alert', { ...above, price: '1.101' })
    expect([code, data]).toEqual([
      1,
      {
        id: expect.any(Number),
        kind: 'price',
        forex_id: 1,
        side: 'bid',
        direction: 'above',
        price: 1.101,
        set_at: expect.any(Number),
        state: 'waiting',
        awaits_return: 0,
      },
    ])
    expect(await phone.next('ALERT')).toMatchObject({ To: trader.user.id })
    expect(await list()).toMatchObject([{ id: data['id'], state: 'waiting', fired: null }])

    await server().price('EURUSD', [1.10099, 1.10105])
    const { seq } = await server().price('EURUSD', [1.10102, 1.10108])
    expect(await phone.next('NOTICE')).toMatchObject({
      notice: {
        kind: 'alertFired',
        title: 'EUR/USD reached 1.10100',
        text: `The bid is 1.10102, at or above 1.10100. Tick ${seq}.`,
      },
    })
    await phone.next('ALERT')
    expect(await list()).toMatchObject([
      { id: data['id'], state: 'fired', fired: { price: 1.10102, bid: 1.10102, ask: 1.10108, seq } },
    ])
    const { notices } = valueOf(await trader.client.call(listNotices, { page: 1, before: null }))
    expect(notices).toMatchObject([{ kind: 'alertFired', group: 'alerts', title: 'EUR/USD reached 1.10100' }])
  })

  test('on the margin level and on a move of the day fire as well', async () => {
    await trader.order({ lots: lots(250_000) })
    const margin = await set({ kind: 'marginLevel', level: 105 }, { pauseMs: 3_600_000 })
    await set({ kind: 'dayMove', instrumentId: 1, direction: 'above', percent: 50 } as never)
    await server().price('EURUSD', [1.0985, 1.09856])
    await expect.poll(list).toMatchObject([
      { condition: { kind: 'dayMove', percent: 50 }, state: 'waiting' },
      { id: margin.id, state: 'waiting', wakesAt: expect.any(Number), fired: { price: null } },
    ])
    const [, fired] = await list()
    expect(Number(fired?.fired?.level)).toBeLessThanOrEqual(105)
    const { notices } = valueOf(await trader.client.call(listNotices, { page: 1, before: null }))
    expect(notices.map(({ title }) => title)).toContain('Margin level at 105 %')
  })

  test('one is removed, and another user cannot see or remove it', async () => {
    const { id } = await set(priced(1.2))
    const other = await newTrader(server())
    expect(valueOf(await other.client.call(listAlerts, null))).toEqual([])
    expect(await other.client.call(removeAlert, { alertId: id })).toMatchObject({ reason: 'alertNotFound' })
    expect((await post('remove_alert', { id })).code).toBe(1)
    expect(await list()).toEqual([])
    await server().price('EURUSD', [1.11, 1.11006])
    expect(await post('remove_alert', { id })).toMatchObject({
      code: 0,
      msg: 'There is no such alert; it may have fired or been removed.',
      data: { reason: 'alertNotFound' },
    })
  })

  test.each([
    ['for an unknown instrument', { ...above, forex_id: 999, price: 1.2 }, 'unknownInstrument'],
    ['at a price of zero', { ...above, price: 0 }, 'priceInvalid'],
    ['with too many digits', { ...above, price: 1.2000001 }, 'priceTooManyDigits'],
    ['at a price that is reached', { ...above, price: 1.1 }, 'alertAlreadyMet'],
    ['without a price', above, 'alertInvalid'],
    ['without a direction', { ...above, price: 1.2, direction: '' }, 'alertInvalid'],
    ['of an unknown kind', { ...above, price: 1.2, kind: 'news' }, 'notUnderstood'],
    ['for a move of 0 %', { kind: 'day_move', forex_id: 1, direction: 'above', percent: 0 }, 'alertInvalid'],
    [
      'for 0.00001 %',
      { kind: 'day_move', forex_id: 1, direction: 'above', percent: 0.00001 },
      'alertInvalid',
    ],
    ['at a margin level of 0 %', { kind: 'margin_level', level: 0 }, 'alertInvalid'],
    ['with an expiry in the past', { ...above, price: 1.2, expires_at: 1_000 }, 'alertInvalid'],
    ['with an expiry that is no time', { ...above, price: 1.2, expires_at: 'soon' }, 'timeInvalid'],
    ['with a pause of a second', { ...above, price: 1.2, pause: 1_000 }, 'alertInvalid'],
  ])('setting one is refused %s, and changes nothing', async (_name, body, reason) => {
    const answer = await post('set_alert', body)
    expect(answer).toMatchObject({ code: 0, data: { reason } })
    expect(answer.msg).toMatch(/^[A-Z].*\.$/)
    expect(await list()).toEqual([])
  })

  test.each([
    ['the bid', { ...above, price: 1.1 }, 'The bid is 1.10000 now, so the alert would fire at once.'],
    [
      'the mid, to half a tick',
      { ...above, side: 'mid', price: 1.1 },
      'The mid is 1.10003 now, so the alert would fire at once.',
    ],
  ])('one that is reached is refused with %s', async (_name, body, sentence) => {
    expect((await post('set_alert', body)).msg).toBe(`${sentence} Choose another level.`)
  })

  test('one on a margin level that is reached is refused with the level', async () => {
    await trader.order({ lots: lots(250_000) })
    expect((await post('set_alert', { kind: 'margin_level', level: 100_000 })).msg).toMatch(
      /^Your margin level is \d+(\.\d+)? % now, so the alert would fire at once\. Choose another level\.$/,
    )
  })

  test('a second one for the same is refused, also with a pause', async () => {
    await set(priced(1.2))
    expect(await post('set_alert', { ...above, price: '1.20', pause: 60_000 })).toMatchObject({
      code: 0,
      msg: 'You have the same alert already. Remove it first, or choose another level.',
      data: { reason: 'alertExists' },
    })
    expect(await list()).toHaveLength(1)
  })

  test('sending one again with the same key sets it once', async () => {
    const headers = { authorization: trader.token, lang: 'en', 'idempotency-key': 'alert' }
    const body = { ...above, price: 1.2 }
    const first = await call(server(), '/v1/api/forex/set_alert', { headers, body })
    expect(await call(server(), '/v1/api/forex/set_alert', { headers, body })).toMatchObject({
      body: first.body,
    })
    expect(await list()).toHaveLength(1)
  })

  test('there are at most 50', async () => {
    for (let count = 0; count < 50; count += 1) await set(priced((120_000 + count) / 100_000))
    expect(await post('set_alert', { ...above, price: 1.3 })).toMatchObject({
      msg: 'An account has at most 50 alerts. Remove one first.',
      data: { reason: 'tooManyAlerts' },
    })
  })

  test('the calls under /api/alert have a type, a pause in minutes and the time of the firing', async () => {
    const headers = { authorization: trader.token, lang: 'en' }
    const at = async (name: string, body?: object) =>
      (await call(server(), `/api/alert/${name}`, { headers, ...(body && { body }) })).body as Answer
    const { kind: _, ...price } = above
    const expires_at = Date.now() + 3_600_000
    const once = await at('add', { type: 'price', ...price, price: 1.101, again_minutes: 0, expires_at })
    expect(once).toMatchObject({
      code: 1,
      data: { type: 'price', forex_id: 1, price: 1.101, again_minutes: 0, expires_at, state: 'waiting' },
    })
    const move = { type: 'day_move', forex_id: 1, direction: 'below', percent: 5, again_minutes: 15 }
    expect(await at('add', move)).toMatchObject({ code: 1, data: { type: 'day_move', again_minutes: 15 } })
    const level = await at('add', { type: 'margin_level', level: 120 })
    expect(level).toMatchObject({ code: 1, data: { type: 'margin_level', level: 120 } })
    expect(await at('add', { type: 'price', ...price })).toMatchObject({ data: { reason: 'alertInvalid' } })
    await server().price('EURUSD', [1.101, 1.10106])
    expect((await at('remove', { id: level.data['id'] })).code).toBe(1)
    const { data } = (await at('list')).data as { data: object[] }
    expect(data).toMatchObject([
      { type: 'day_move', state: 'waiting' },
      { id: once.data['id'], type: 'price', state: 'fired', fired_at: expect.any(Number) },
    ])
    // The same alerts as under the other paths.
    expect(await list()).toHaveLength(2)
  })

  test('an alert added without a type is one on a price', async () => {
    const headers = { authorization: trader.token, lang: 'en' }
    const { kind: _, ...price } = above
    const body = { ...price, price: 1.101, again_minutes: 0 }
    expect((await call(server(), '/api/alert/add', { headers, body })).body).toMatchObject({
      code: 1,
      data: { type: 'price', forex_id: 1, price: 1.101, state: 'waiting' },
    })
  })

  test('they are mailed to users with an address, unless they switched it off', async () => {
    const payer = await newPayer(server())
    const alert = { condition: priced(1.101), pauseMs: null, expiresAt: null }
    valueOf(await payer.client.call(setAlert, alert))
    await server().price('EURUSD', [1.101, 1.10106])
    const subjects = async () => (await sentTo(server(), payer.email)).map(({ subject }) => subject)
    await expect.poll(subjects).toContain('EUR/USD reached 1.10100')
    await payer.client.call(switchNotices, { group: 'alerts', way: 'mail', isOn: false })
    await payer.client.call(switchNotices, { group: 'alerts', way: 'app', isOn: false })
    valueOf(await payer.client.call(setAlert, { ...alert, condition: priced(1.102) }))
    await server().price('EURUSD', [1.102, 1.10206])
    const { notices } = valueOf(await payer.client.call(listNotices, { page: 1, before: null }))
    expect(notices.filter(({ kind: shown }) => shown === 'alertFired')).toEqual([])
    const queued = () =>
      server()
        .deployment.database.queries.selectFrom('notice')
        .select('id')
        .where('mail', '=', 'due')
        .execute()
    await expect.poll(queued).toEqual([])
    expect(await subjects()).not.toContain('EUR/USD reached 1.10200')
  })
})

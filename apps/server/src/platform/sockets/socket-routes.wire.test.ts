import { getFigures, logOut, valueOf } from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../testing/calls.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'

describe.each(DATABASES)('private topics of the socket, %s', (kind) => {
  const server = serverOn(kind)
  let trader: Trader
  let bid = 1.1
  /** The next price, a tick above the last. */
  const nextPrice = () => {
    bid = Number((bid + 0.00001).toFixed(5))
    return server().price('EURUSD', [bid, Number((bid + 0.00006).toFixed(5))])
  }
  const open = () => openSocket(server(), { headers: { lang: 'en' } })
  const loggedIn = async ({ token }: Trader) => {
    const reader = await open()
    reader.send({ type: 'login', params: token })
    await reader.next('login_result')
    return reader
  }

  beforeEach(async () => {
    await nextPrice()
    trader = await newTrader(server())
  })

  test('reports the result of a log-in, and stays open after a failed one', async () => {
    const reader = await open()
    for (const params of ['nonsense', '', 'x'.repeat(9_000)]) {
      reader.send({ type: 'login', params })
      expect(await reader.next('login_result')).toEqual({ type: 'login_result', code: 999 })
    }
    reader.send({ type: 'login', params: trader.token })
    expect(await reader.next('login_result')).toEqual({ type: 'login_result', code: 1 })
  })

  test('FOREX_TRADE and FOREX_CLOSED: current figures, their changes, and closed positions', async () => {
    const order = await trader.order()
    const reader = await loggedIn(trader)
    reader.send({ type: 'sub', params: ['FOREX_TRADE', 'FOREX_CLOSED'] })
    const first = await reader.next('FOREX_TRADE')
    const margin = Number(await marginOf(trader))
    expect(first).toEqual({
      type: 'FOREX_TRADE',
      To: trader.user.id,
      HazardRate: expect.any(Number),
      CautionMoneyAll: margin,
      ProfitsTotal: -0.6,
      Balance: expect.any(Number),
      Reserved: 0,
      TransOrder: [{ Id: order.id, UpdatePrice: bid, FactProfits: -0.6 }],
      ComputedAt: expect.any(Number),
      seq: expect.any(Number),
    })
    bid += 0.001
    await nextPrice()
    const moved = await reader.next('FOREX_TRADE', ({ ProfitsTotal }) => ProfitsTotal !== -0.6)
    expect(moved).toMatchObject({ To: trader.user.id, ProfitsTotal: expect.closeTo(9.5, 1) })
    await call(server(), '/v1/api/forex/close', {
      headers: { authorization: trader.token },
      body: { id: order.id },
    })
    const closed = await reader.next('FOREX_CLOSED')
    expect(closed).toEqual({ type: 'FOREX_CLOSED', id: [order.id], seq: expect.any(Number) })
    const last = await reader.next('FOREX_TRADE', ({ TransOrder }) => (TransOrder as object[]).length === 0)
    expect(last).toMatchObject({ HazardRate: null, CautionMoneyAll: 0, ProfitsTotal: 0 })
    const numbers = reader.messages.flatMap(({ seq }) => (seq === undefined ? [] : [Number(seq)]))
    // Changes published on other topics are numbered in the same sequence.
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(closed['seq']).toBeGreaterThan(Number(moved['seq']))
    expect(last['seq']).toBeGreaterThan(Number(closed['seq']))
  })

  test('every closed position is published, for any reason', async () => {
    const stopped = await trader.order()
    const reset = await trader.order()
    const reader = await loggedIn(trader)
    reader.send({ type: 'sub', params: 'FOREX_CLOSED' })
    await reader.settled()
    await call(server(), '/v1/api/forex/set_stop_price', {
      headers: { authorization: trader.token },
      body: { id: stopped.id, stop_loss_price: Number((bid - 0.0005).toFixed(5)) },
    })
    bid -= 0.001
    await nextPrice()
    expect((await reader.next('FOREX_CLOSED'))['id']).toEqual([stopped.id])
    await call(server(), '/v1/api/main/user/resetForexDemoAccount', {
      headers: { authorization: trader.token },
      body: {},
    })
    expect((await reader.next('FOREX_CLOSED'))['id']).toEqual([reset.id])
  })

  test('messages are handled in order: a sub waits for the login before it', async () => {
    const reader = await open()
    reader.send({ type: 'login', params: trader.token })
    reader.send({ type: 'sub', params: ['FOREX_TRADE'] })
    reader.send({ type: 'ping' })
    await reader.next('pong')
    // The figures may come twice: for the subscription, and at the next round of publishing.
    const types = new Set(reader.messages.map(({ type }) => type))
    expect([...types]).toEqual(['login_result', 'FOREX_TRADE', 'pong'])
  })

  test('a private sub before the login is refused and has no later effect', async () => {
    await trader.order()
    const reader = await open()
    reader.send({ type: 'sub', params: ['FOREX_TRADE', 'FOREX_CLOSED'] })
    const refusal = await reader.next('refused')
    expect(refusal).toEqual({
      type: 'refused',
      code: 999,
      msg: 'Please log in.',
      reason: 'sessionGone',
      topic: 'FOREX_TRADE',
    })
    reader.send({ type: 'login', params: trader.token })
    await reader.next('login_result')
    await receivedOnAnotherSocket(trader)
    await reader.settled()
    expect(reader.messages.map(({ type }) => type)).not.toContain('FOREX_TRADE')
  })

  /** Waits until a second socket of the user has received new figures; the first would have received them by then. */
  const receivedOnAnotherSocket = async (of: Trader) => {
    const other = await loggedIn(of)
    other.send({ type: 'sub', params: 'FOREX_TRADE' })
    await other.next('FOREX_TRADE')
    bid += 0.0001
    await nextPrice()
    await other.next('FOREX_TRADE')
    other.socket.close()
  }

  test('unsub ends a topic', async () => {
    await trader.order()
    const reader = await loggedIn(trader)
    reader.send({ type: 'sub', params: ['FOREX_TRADE', 'DAY_MARKET'] })
    await reader.next('FOREX_TRADE')
    await reader.next('DAY_MARKET')
    reader.send({ type: 'unsub', params: ['FOREX_TRADE', 'DAY_MARKET', 'KLINE.EURUSD', 'no such topic'] })
    await reader.settled()
    const before = reader.messages.length
    await receivedOnAnotherSocket(trader)
    await reader.settled()
    expect(reader.messages.slice(before).map(({ type }) => type)).toEqual(['pong'])
  })

  test('logout ends private topics and keeps public ones', async () => {
    await trader.order()
    const reader = await loggedIn(trader)
    reader.send({ type: 'sub', params: ['FOREX_TRADE', 'DAY_MARKET'] })
    await reader.next('FOREX_TRADE')
    reader.send({ type: 'logout' })
    await reader.settled()
    const before = reader.messages.length
    await receivedOnAnotherSocket(trader)
    await reader.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    expect(reader.messages.slice(before).map(({ type }) => type)).not.toContain('FOREX_TRADE')
  })

  test('a log-out by HTTP ends the private topics of that session only', async () => {
    await trader.order()
    const leaving = await loggedIn(trader)
    leaving.send({ type: 'sub', params: ['FOREX_TRADE', 'FOREX_CLOSED', 'DAY_MARKET'] })
    await leaving.next('FOREX_TRADE')
    const endedToken = trader.token
    const again = await newTrader(server())
    await trader.client.call(logOut, null)
    const before = leaving.messages.length
    bid += 0.001
    await nextPrice()
    // Two rounds of figures later, as another user receives them.
    await again.order()
    await receivedOnAnotherSocket(again)
    await receivedOnAnotherSocket(again)
    await leaving.settled()
    const later = leaving.messages.slice(before).map(({ type }) => type)
    expect(later).toContain('DAY_MARKET')
    expect(later).not.toContain('FOREX_TRADE')
    leaving.send({ type: 'login', params: endedToken })
    expect(await leaving.next('login_result')).toMatchObject({ code: 999 })
  })

  test('a log-in during a log-out does not log in the socket', async () => {
    for (let round = 0; round < 10; round++) {
      const leaving = await newTrader(server())
      const reader = await open()
      reader.send({ type: 'login', params: leaving.token })
      await Promise.all([reader.next('login_result'), leaving.client.call(logOut, null)])
      reader.send({ type: 'sub', params: 'FOREX_TRADE' })
      expect(await reader.next('refused')).toMatchObject({ code: 999 })
      reader.socket.close()
    }
  })

  test('another log-in replaces the first: data of one user is not sent to the other', async () => {
    const other = await newTrader(server())
    await trader.order()
    await other.order()
    const reader = await loggedIn(trader)
    reader.send({ type: 'sub', params: 'FOREX_TRADE' })
    await reader.next('FOREX_TRADE')
    reader.send({ type: 'login', params: other.token })
    await reader.next('login_result')
    const before = reader.messages.length
    await receivedOnAnotherSocket(trader)
    await receivedOnAnotherSocket(other)
    await reader.settled()
    expect(reader.messages.slice(before).map(({ type }) => type)).toEqual(['pong'])
  })
})

const marginOf = async (trader: Trader) => {
  const { margin } = valueOf(await trader.client.call(getFigures, null))
  return Number(margin) / 1e6
}

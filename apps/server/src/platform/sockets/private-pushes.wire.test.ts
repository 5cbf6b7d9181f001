import { logOut } from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { call, dataOf } from '../../testing/calls.ts'
import { serverOn } from '../../testing/running-server.ts'
import { openSocket, type SocketReader } from '../../testing/sockets.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'

const PRIVATE = ['FOREX_TRADE', 'FOREX_CLOSED']

describe('private messages', () => {
  const server = serverOn('sqlite')
  let bid = 1.1
  const nextPrice = (move = 0.0001) => {
    bid = Number((bid + move).toFixed(5))
    return server().price('EURUSD', [bid, Number((bid + 0.00006).toFixed(5))])
  }
  beforeEach(() => nextPrice())

  const listening = async (token: string): Promise<SocketReader> => {
    const reader = await openSocket(server())
    reader.send({ type: 'login', params: token })
    await reader.next('login_result')
    reader.send({ type: 'sub', params: PRIVATE })
    await reader.next('FOREX_TRADE')
    return reader
  }
  const close = ({ token }: Trader, id: number) =>
    call(server(), '/v1/api/forex/close', { headers: { authorization: token }, body: { id } })
  const privateOf = (messages: SocketReader['messages']) =>
    messages.filter(({ type }) => PRIVATE.includes(type))

  test('figures and closed positions are sent to every socket of their owner and to nobody else', async () => {
    const [first, second] = [await newTrader(server()), await newTrader(server())]
    const [ofFirst, ofSecond] = [await first.order(), await second.order()]
    const desk = await listening(first.token)
    const phone = await listening(first.token)
    const neighbour = await listening(second.token)
    await nextPrice(0.001)
    await close(first, ofFirst.id)
    for (const reader of [desk, phone]) {
      expect((await reader.next('FOREX_CLOSED'))['id']).toEqual([ofFirst.id])
      await reader.next('FOREX_TRADE', ({ TransOrder }) => (TransOrder as object[]).length === 0)
    }
    await nextPrice(0.001)
    await close(second, ofSecond.id)
    expect((await neighbour.next('FOREX_CLOSED'))['id']).toEqual([ofSecond.id])
    await neighbour.next('FOREX_TRADE', ({ TransOrder }) => (TransOrder as object[]).length === 0)
    await Promise.all([desk, phone, neighbour].map((reader) => reader.settled()))
    for (const [readers, owner, order, other] of [
      [[desk, phone], first, ofFirst, ofSecond],
      [[neighbour], second, ofSecond, ofFirst],
    ] as const) {
      for (const { messages } of readers) {
        const received = privateOf(messages)
        const figures = received.filter(({ type }) => type === 'FOREX_TRADE')
        expect(new Set(figures.map(({ To }) => To))).toEqual(new Set([owner.user.id]))
        expect(JSON.stringify(received)).toContain(`[${order.id}]`)
        expect(JSON.stringify(received)).not.toMatch(new RegExp(`\\[${other.id}\\]|"Id":${other.id}\\b`))
      }
    }
  })

  test('stop on every socket of a session that logs out, but not on those of another session', async () => {
    const created = await call(server(), '/api/user/createAccountDemoForU', { body: {} })
    const { demo_id: demoId } = dataOf<{ demo_id: string }>(created)
    const sessionOf = async () => {
      const answer = await call(server(), '/api/user/loginForU', { body: { demo_id: demoId } })
      return dataOf<{ token: string }>(answer).token
    }
    const [leaving, staying] = [await sessionOf(), await sessionOf()]
    await call(server(), '/v1/api/forex/submit', {
      headers: { authorization: staying },
      body: { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 },
    })
    const silenced = [await listening(leaving), await listening(leaving), await listening(leaving)]
    const witness = await listening(staying)
    await call(server(), '/api/user/logout', { headers: { authorization: leaving }, body: {} })
    const before = silenced.map(({ messages }) => messages.length)
    for (let round = 0; round < 2; round++) {
      const received = witness.messages.length
      await nextPrice(0.001)
      await witness.next('FOREX_TRADE', (message) => witness.messages.indexOf(message) >= received)
    }
    for (const [index, reader] of silenced.entries()) {
      await Promise.race([reader.settled(), reader.closed])
      expect(privateOf(reader.messages.slice(before[index]))).toEqual([])
    }
  })

  test('stop on a socket that unsubscribes, and continue on another socket of the user', async () => {
    const trader = await newTrader(server())
    await trader.order()
    const [quiet, witness] = [await listening(trader.token), await listening(trader.token)]
    quiet.send({ type: 'unsub', params: PRIVATE })
    await quiet.settled()
    const before = quiet.messages.length
    const received = witness.messages.length
    await nextPrice(0.001)
    await witness.next('FOREX_TRADE', (message) => witness.messages.indexOf(message) >= received)
    await quiet.settled()
    expect(privateOf(quiet.messages.slice(before))).toEqual([])
    await trader.client.call(logOut, null)
  })
})

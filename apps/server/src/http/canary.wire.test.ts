import { randomUUID } from 'node:crypto'
import { ENDPOINTS } from '@fairlot/contract'
import { expect, describe, test } from 'vitest'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/socket-reader.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

const READS = ENDPOINTS.filter(({ method, alsoGet }) => method === 'GET' && !alsoGet)
const QUERY = 'status=1&page=1&forex_id=1&period=1min&key=is_show_mobile'

describe.each(DATABASES)('what belongs to one user, %s', (kind) => {
  const server = serverOn(kind)

  const change = (path: string, trader: Trader, body: object) =>
    call(server(), `/v1/api/forex/${path}`, {
      headers: { authorization: trader.token, 'idempotency-key': `canary ${randomUUID()}` },
      body,
    })

  test('is in no answer and no frame to anybody else', async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    const [owner, stranger] = [await newTrader(server()), await newTrader(server())]
    const frames = await openSocket(server())
    const topics = ['DAY_MARKET', 'KLINE.EURUSD', 'FOREX_TRADE', 'FOREX_CLOSED']
    frames.send({ type: 'login', params: stranger.token })
    frames.send({ type: 'sub', params: topics })
    const visitorFrames = await openSocket(server())
    visitorFrames.send({ type: 'sub', params: topics })
    await stranger.order()

    // Figures that occur nowhere else, planted in every row the owner can have.
    const ticket = { type: 1, forex_id: 1, multiple: 30, cont: 7.77, target_profit_price: 1.17771 }
    const opened = await change('submit', owner, { ...ticket, status: 1 })
    const placed = await change('submit', owner, {
      ...ticket,
      cont: 7.76,
      status: 0,
      target_price: 1.07771,
      stop_loss_price: 1.0111,
    })
    expect([opened.body?.code, placed.body?.code]).toEqual([1, 1])
    const ids = [opened, placed].map(({ body }) => dataOf<{ Id: number }>({ body }).Id)
    const seen = await look(stranger)
    await server().price('EURUSD', [1.101, 1.10106])
    await frames.next('FOREX_TRADE', ({ ProfitsTotal }) => Number(ProfitsTotal) > 0)
    await change('close', owner, { id: ids[0] })
    await server().price('EURUSD', [1.102, 1.10206])
    await frames.next('FOREX_TRADE', ({ ProfitsTotal }) => Number(ProfitsTotal) > 15)

    const everything = [
      ...seen,
      ...(await look(stranger)),
      JSON.stringify(frames.messages),
      JSON.stringify(visitorFrames.messages),
    ].join('\n')
    const canaries = ['7.77', '7.76', '1.17771', '1.07771', '1.0111', 'canary', owner.token]
    expect(canaries.filter((canary) => everything.includes(canary))).toEqual([])
    const { id } = owner.user
    const marks = [
      `"UserId":${id},`,
      `"To":${id},`,
      `"uid":"${owner.user.uid}"`,
      ...ids.flatMap((order) => [`"Id":${order},"UserId"`, `"Id":${order},"UpdatePrice"`]),
    ]
    expect(marks.filter((mark) => everything.includes(mark))).toEqual([])
    // The same look finds the canaries in the owner's own answers: it would have seen them.
    const own = (await look(owner)).join('\n')
    expect([...canaries.slice(1, 5), ...marks.slice(0, 1)].filter((mark) => !own.includes(mark))).toEqual([])
  })

  const look = async ({ token }: Trader): Promise<string[]> => {
    const answers: string[] = []
    for (const { path } of READS) {
      for (const status of [0, 1, 3]) {
        const query = QUERY.replace('status=1', `status=${status}`)
        answers.push((await call(server(), `${path}?${query}`, { headers: { authorization: token } })).text)
      }
    }
    return answers
  }
})

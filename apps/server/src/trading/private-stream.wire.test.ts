import { decode, serverMessage } from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket, type SocketReader } from '../testing/sockets.ts'
import { TEST_OPERATOR as by } from '../../../../testing/test-world.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

type Row = Record<string, unknown>

const TOPICS = ['FOREX_TRADE', 'FOREX_CLOSED', 'FOREX_ORDER', 'FOREX_FUNDS', 'NOTICE']
/** Figures repeat the number of the last change. */
const CHANGES = TOPICS.slice(1)

describe.each(DATABASES)('the private stream, %s', (kind) => {
  const server = serverOn(kind)
  let trader: Trader
  const request = async (path: string, body?: object) => {
    const headers = { authorization: trader.token, lang: 'en' }
    const answer = await call(server(), `/v1/api/${path}`, { headers, ...(body && { body }) })
    return answer.body?.data as Row
  }
  const deals = async (status: number) => (await request(`forex/my_deal?status=${status}`))['data'] as Row[]
  const device = async (path = ''): Promise<SocketReader> => {
    const reader = await openSocket({ url: server().url }, {}, path)
    reader.send({ type: 'login', params: trader.token })
    reader.send({ type: 'sub', params: TOPICS })
    await reader.next('FOREX_FUNDS')
    await reader.settled()
    return reader
  }
  const changesOf = ({ messages }: SocketReader) =>
    messages.filter((message) => CHANGES.includes(message.type) && !isSnapshot(message))
  const numbersOf = (reader: SocketReader) => changesOf(reader).map((message) => message['seq'] as number)
  const rowsOf = (message: Row) => message['Orders'] as Row[]

  /** A margin call may come before the notice. */
  const isOf =
    (kind: string) =>
    ({ notice }: Row) =>
      (notice as Row)['kind'] === kind

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await server().price('GBPUSD', [1.3, 1.30009])
    trader = await newTrader(server())
  })

  test('sends a partial close to every device, with the rows of my_deal', async () => {
    const [phone, desktop] = [await device(), await device()]
    const { id } = await trader.order()
    await desktop.next('FOREX_ORDER', (message) => rowsOf(message)[0]?.['Id'] === id)
    await server().price('EURUSD', [1.101, 1.10106])
    await request('forex/close', { id, cont: 0.04 })
    const isReduced = (message: Row) => rowsOf(message).length === 2
    const message = await desktop.next('FOREX_ORDER', isReduced)
    expect(await phone.next('FOREX_ORDER', isReduced)).toEqual(message)
    expect(message).toMatchObject({ To: trader.user.id })
    expect(rowsOf(message)[0]).toMatchObject({ Id: id, Quantity: 0.06, Status: 1 })
    expect(rowsOf(message)).toEqual([...(await deals(1)), ...(await deals(3))])
  })

  test('sends bookings with the balance after them, as in forexChange', async () => {
    const reader = await device('?lang=en')
    await trader.order()
    const message = await reader.next('FOREX_FUNDS', ({ changes }) => (changes as Row[]).length > 0)
    const [fee] = (await request('main/accountLog/forexChange'))['data'] as Row[]
    expect(message).toEqual({
      type: 'FOREX_FUNDS',
      To: trader.user.id,
      seq: expect.any(Number),
      ...(await request('main/account/forexDetail')),
      changes: [fee],
    })
    expect(fee).toMatchObject({ Kind: 'fee', Balance: message['balance'] })
  })

  test('numbers messages in one sequence for all devices, without gaps by figures', async () => {
    const [phone, desktop] = [await device(), await device()]
    const { id } = await trader.order()
    await server().price('EURUSD', [1.102, 1.10206])
    await request('forex/set_stop_price', { id, target_profit_price: 1.2, stop_loss_price: 1.05 })
    await request('forex/close', { id })
    const late = await device()
    await request('main/user/resetForexDemoAccount', {})
    for (const reader of [phone, desktop, late])
      await reader.next('FOREX_FUNDS', ({ changes }) => (changes as Row[])[0]?.['Kind'] === 'demoReset')
    const numbers = numbersOf(phone)
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
    expect(numbersOf(desktop)).toEqual(numbers)
    expect(numbersOf(late)).toEqual(numbers.slice(-1))
    const figures = phone.messages.filter(({ type }) => type === 'FOREX_TRADE')
    for (const { seq } of figures) expect([(numbers[0] ?? 0) - 1, ...numbers]).toContain(seq)
    for (const message of phone.messages) expect(decode(serverMessage, message)).toMatchObject({ ok: true })
  })

  test('numbers changes without listeners too, so that a client that reconnects sees the gap', async () => {
    const before = await device()
    await trader.order()
    await before.next('FOREX_FUNDS', ({ changes }) => (changes as Row[]).length > 0)
    const last = numbersOf(before).at(-1) ?? 0
    before.socket.terminate()
    await before.closed
    await trader.order()
    const after = await device()
    const snapshot = after.messages.find(({ type }) => type === 'FOREX_TRADE')
    expect(snapshot?.['seq']).toBe(last + 2)
  })

  test('sends active orders and the balance at once to a new subscription', async () => {
    const { id } = await trader.order()
    const reader = await device()
    const [orders] = reader.messages.filter(({ type }) => type === 'FOREX_ORDER')
    expect(orders && rowsOf(orders)).toEqual(await deals(1))
    expect(orders && rowsOf(orders)).toMatchObject([{ Id: id }])
    const [funds] = reader.messages.filter(({ type }) => type === 'FOREX_FUNDS')
    expect(funds).toMatchObject({ ...(await request('main/account/forexDetail')), changes: [] })
    const [figures] = reader.messages.filter(({ type }) => type === 'FOREX_TRADE')
    expect(figures).toMatchObject({ Balance: funds?.['balance'], Reserved: 0 })
  })

  test('sends a trailing stop as it moves', async () => {
    const { id } = await trader.order()
    await request('forex/set_trailing', { id, distance: 0.002 })
    const reader = await device()
    await server().price('EURUSD', [1.105, 1.10506])
    const message = await reader.next(
      'FOREX_ORDER',
      (message) => rowsOf(message)[0]?.['TargetLossPrice'] === 1.103,
    )
    expect(rowsOf(message)).toEqual(await deals(1))
  })

  test('sends an expired order, with a notice in the language of each socket', async () => {
    const [english, chinese] = [await device('?lang=en'), await device('?lang=hk')]
    const now = server().deployment.market.now()
    const pending = { type: 1, cont: 0.1, forex_id: 1, status: 0, multiple: 30, target_price: 1.05 }
    const { Id } = await request('forex/submit', { ...pending, expire_time: now + 1_500 })
    const ended = await english.next('FOREX_ORDER', (message) => rowsOf(message)[0]?.['Status'] === 4)
    expect(rowsOf(ended)).toMatchObject([{ Id, ClosedType: 6, CautionMoney: 0 }])
    expect(rowsOf(ended)).toEqual(await deals(3))
    const notice = await english.next('NOTICE')
    expect(notice['notice']).toMatchObject({
      id: notice['seq'],
      kind: 'orderExpired',
      title: 'Order expired',
      text: 'Buy of 0.1 EUR/USD at 1.05000: the price was not reached in time.',
    })
    expect((await chinese.next('NOTICE'))['notice']).toMatchObject({
      kind: 'orderExpired',
      title: '掛單已到期',
    })
  })

  test('sends a notice of a pending order without enough margin at its price', async () => {
    const reader = await device('?lang=en')
    const pending = { type: 1, cont: 20, forex_id: 1, status: 0, multiple: 30, target_price: 1.09 }
    const { Id } = await request('forex/submit', pending)
    await trader.order({ instrumentId: 2, lots: 50_000 as never })
    await server().price('GBPUSD', [1.288, 1.28809])
    await server().price('EURUSD', [1.08994, 1.09])
    const ended = await reader.next('FOREX_ORDER', (message) => rowsOf(message)[0]?.['Status'] === 4)
    expect(rowsOf(ended)[0]).toMatchObject({ Id, ClosedType: 8 })
    await reader.next('NOTICE', isOf('orderNotFilled'))
  })

  test('sends one notice of a stop-out, with what it closed', async () => {
    const reader = await device('?lang=en')
    const { id } = await trader.order({ lots: 250_000 as never })
    await server().price('EURUSD', [1.09, 1.09006])
    await server().price('EURUSD', [1.078, 1.07806])
    expect(await reader.next('FOREX_CLOSED')).toMatchObject({ id: [id] })
    expect((await reader.next('NOTICE', isOf('stopOut')))['notice']).toMatchObject({ title: 'Stopped out' })
    // Back within the band of the next test's price.
    await server().price('EURUSD', [1.09, 1.09006])
  })

  test('splits many orders into several messages', async () => {
    for (let count = 0; count < 60; count += 1) await trader.order({ lots: 100 as never })
    const reader = await device()
    await request('main/user/resetForexDemoAccount', {})
    const isOver = (message: Row) => rowsOf(message).every(({ ClosedType }) => ClosedType === 9)
    const [first, second] = [
      await reader.next('FOREX_ORDER', (message) => rowsOf(message).length > 0 && isOver(message)),
      await reader.next('FOREX_ORDER', (message) => rowsOf(message).length > 0 && isOver(message)),
    ]
    expect([rowsOf(first).length, rowsOf(second).length]).toEqual([50, 10])
    expect((await reader.next('FOREX_CLOSED'))['id']).toHaveLength(60)
  })

  test("never sends another user's changes", async () => {
    const reader = await device()
    const other = await newTrader(server())
    await other.order()
    await trader.order()
    await reader.next('FOREX_FUNDS', ({ changes }) => (changes as Row[]).length > 0)
    const own = reader.messages.filter((message) => 'To' in message)
    expect(new Set(own.map(({ To }) => To))).toEqual(new Set([trader.user.id]))
    const orders = reader.messages.flatMap((message) =>
      message.type === 'FOREX_ORDER' ? rowsOf(message) : [],
    )
    expect(new Set(orders.map(({ UserId }) => UserId))).toEqual(new Set([trader.user.id]))
  })

  test('publishes trading modes and halts at once to everybody', async () => {
    const { engine } = server().deployment
    const visitor = await openSocket(server())
    visitor.send({ type: 'sub', params: 'MARKET_STATE' })
    const quiet = { type: 'MARKET_STATE', mode: 'normal', reason: '', halts: [], terms: [] }
    expect(await visitor.next('MARKET_STATE')).toEqual(quiet)
    await engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: 'Prices are being checked.', by })
    const halts = [{ ForexId: 2, reason: 'Prices are being checked.' }]
    expect(await visitor.next('MARKET_STATE')).toEqual({ ...quiet, halts })
    await engine.execute({ type: 'setTradingMode', mode: 'reduceOnly', by })
    expect(await visitor.next('MARKET_STATE')).toEqual({
      ...quiet,
      halts,
      mode: 'reduceOnly',
      reason: by.reason,
    })
    const late = await openSocket(server())
    late.send({ type: 'sub', params: 'MARKET_STATE' })
    expect(await late.next('MARKET_STATE')).toEqual({
      ...quiet,
      halts,
      mode: 'reduceOnly',
      reason: by.reason,
    })
    await engine.execute({ type: 'setTradingMode', mode: 'normal', by })
    await engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: null, by })
    await visitor.next('MARKET_STATE', ({ mode }) => mode === 'normal')
    expect(await visitor.next('MARKET_STATE')).toEqual(quiet)
  })
})

/** The messages at the start of a subscription have no number of their own. */
const isSnapshot = (message: Row): boolean =>
  (message['type'] === 'FOREX_FUNDS' && (message['changes'] as Row[]).length === 0) ||
  (message['type'] === 'FOREX_ORDER' && (message['Orders'] as Row[]).length === 0)

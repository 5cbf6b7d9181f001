import { beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
describe('public topics of the socket', () => {
  const server = serverOn('sqlite')
  let bid = 1.1
  /** The next price, a tick above the last. */
  const nextPrice = () => {
    bid = Number((bid + 0.00001).toFixed(5))
    return server().price('EURUSD', [bid, Number((bid + 0.00006).toFixed(5))])
  }
  const open = () => openSocket(server(), { headers: { lang: 'en' } })

  beforeEach(() => nextPrice())

  test('answers a ping', async () => {
    const reader = await open()
    reader.send({ type: 'ping' })
    expect(await reader.next('pong')).toEqual({ type: 'pong' })
  })

  test('DAY_MARKET: all prices at once, then changes, with rising numbers', async () => {
    await server().price('GBPUSD', [1.3, 1.30009])
    const reader = await open()
    reader.send({ type: 'sub', params: 'DAY_MARKET' })
    const first = await reader.next('DAY_MARKET', ({ symbol }) => symbol === 'EURUSD')
    await reader.next('DAY_MARKET', ({ symbol }) => symbol === 'GBPUSD')
    expect(first).toEqual({
      type: 'DAY_MARKET',
      symbol: 'EURUSD',
      quotation: {
        forex_id: 1,
        open: expect.any(Number),
        close: expect.any(Number),
        high: expect.any(Number),
        low: expect.any(Number),
        change: expect.any(Number),
        volume: expect.any(Number),
        bid,
        ask: Number((bid + 0.00006).toFixed(5)),
        time: expect.any(Number),
        seq: expect.any(Number),
        source: 'live',
        age: expect.any(Number),
      },
    })
    const { seq } = await nextPrice()
    const moved = await reader.next(
      'DAY_MARKET',
      ({ quotation }) => (quotation as { seq: number }).seq === seq,
    )
    expect(moved).toMatchObject({ symbol: 'EURUSD', quotation: { bid } })
    expect(moved['quotation']).not.toHaveProperty('age')
    expect(seq).toBeGreaterThan((first['quotation'] as { seq: number }).seq)
  })

  test('KLINE: the current bars of all periods at once, then their changes', async () => {
    const reader = await open()
    reader.send({ type: 'sub', params: ['KLINE.EURUSD'] })
    const periods = ['1min', '5min', '15min', '30min', '60min', '1day']
    for (const Period of periods) {
      const message = await reader.next(
        'KLINE',
        ({ kline }) => (kline as { Period: string }).Period === Period,
      )
      expect(message).toEqual({
        type: 'KLINE',
        symbol: 'EURUSD',
        forex_id: 1,
        kline: {
          Period,
          Time: expect.any(Number),
          Open: expect.any(Number),
          High: expect.any(Number),
          Low: expect.any(Number),
          Close: Number((bid + 0.00003).toFixed(5)),
          Volume: expect.any(Number),
        },
      })
    }
    await nextPrice()
    const close = Number((bid + 0.00003).toFixed(5))
    for (const Period of periods) {
      // Skips messages about the price before.
      await reader.next('KLINE', ({ kline }) => {
        const bar = kline as { Period: string; Close: number }
        return bar.Period === Period && bar.Close === close
      })
    }
  })

  test('bars and prices are updated for clients with and without compression', async () => {
    // Enough instruments that a frame of prices is compressed.
    const others = ['AUDUSD', 'NZDUSD', 'USDCAD', 'USDCHF', 'EURGBP', 'EURCHF', 'EURAUD']
    for (const perMessageDeflate of [true, false]) {
      const reader = await openSocket(server(), { perMessageDeflate })
      reader.send({ type: 'sub', params: ['DAY_MARKET', 'KLINE.EURUSD'] })
      await reader.next('KLINE')
      for (let round = 0; round < 3; round++) {
        await Promise.all([...others.map((code) => server().price(code, [1.2, 1.20006])), nextPrice()])
        const close = Number((bid + 0.00003).toFixed(5))
        await reader.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
        await reader.next('KLINE', ({ kline }) => (kline as { Close: number }).Close === close)
      }
      reader.socket.close()
    }
  })

  test('the final state of a bar is sent before the next bar', async () => {
    const reader = await open()
    reader.send({ type: 'sub', params: 'KLINE.USDJPY' })
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    await server().price('USDJPY', [150, 150.008], minute - 60_000)
    // Both before the next push: the last price of a bar and the first of the next.
    await Promise.all([
      server().price('USDJPY', [150.1, 150.108], minute - 1),
      server().price('USDJPY', [150.05, 150.058], minute),
    ])
    const isMinute = (Time: number) => (message: { readonly [field: string]: unknown }) => {
      const kline = message['kline'] as { Period: string; Time: number; Volume: number }
      return kline.Period === '1min' && kline.Time === Time && (Time === minute || kline.Volume === 2)
    }
    const ended = await reader.next('KLINE', isMinute(minute - 60_000))
    expect(ended['kline']).toMatchObject({ Open: 150.004, High: 150.104, Low: 150.004, Close: 150.104 })
    const moving = await reader.next('KLINE', isMinute(minute))
    expect(reader.messages.indexOf(ended)).toBeLessThan(reader.messages.indexOf(moving))
  })

  describe('an invalid message is refused, and the socket stays open', () => {
    test.each<[string, string]>([
      ['no JSON', 'hello'],
      ['JSON that ends too early', '{"type":'],
      ['an empty frame', ''],
      ['a number', '1e309'],
      ['null', 'null'],
      ['a list', '[]'],
      ['a list of lists', `${'['.repeat(8_000)}${']'.repeat(8_000)}`],
      ['an unknown type', '{"type":"order"}'],
      ['a type of the object kind', '{"type":"constructor"}'],
      ['a type that is no text', '{"type":["sub"]}'],
      ['a login without a token', '{"type":"login"}'],
      ['a login with a number', '{"type":"login","params":1}'],
      ['a sub without a topic', '{"type":"sub"}'],
      ['a sub of numbers', '{"type":"sub","params":[1,2]}'],
      ['a sub of nothing', '{"type":"sub","params":null}'],
      ['a sub of lists', `{"type":"sub","params":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
    ])('%s', async (_name, frame) => {
      const reader = await open()
      reader.send(frame)
      expect(await reader.next('refused')).toMatchObject({
        code: 0,
        reason: 'notUnderstood',
      })
      await reader.settled()
      reader.socket.close()
    })

    test.each([
      'NO_SUCH_TOPIC',
      '',
      'KLINE.',
      'KLINE.NOPE',
      'KLINE.{code}',
      'day_market',
      '\u0000',
      'K'.repeat(9_000),
    ])('an unknown topic: %j', async (params) => {
      const reader = await open()
      reader.send({ type: 'sub', params })
      const refusal = await reader.next('refused')
      expect(refusal).toMatchObject({
        code: 0,
        reason: 'unknownTopic',
        msg: 'There is no topic of this name.',
      })
      expect(String(refusal['topic']).length).toBeLessThanOrEqual(64)
      reader.socket.close()
    })

    test('a binary frame', async () => {
      const reader = await open()
      reader.socket.send(Buffer.from('{"type":"ping"}'), { binary: true })
      expect(await reader.next('refused')).toMatchObject({ reason: 'notUnderstood' })
      await reader.settled()
    })
  })

  test('a frame above the limit and invalid text end the socket; others are not affected', async () => {
    const [neighbour, large, broken] = [await open(), await open(), await open()]
    large.send('x'.repeat(20_000))
    expect(await large.closed).toBe(1009)
    broken.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect(await broken.closed).toBe(1007)
    await neighbour.settled()
  })

  test('a sender of too many messages is dropped; others are not affected', async () => {
    const [neighbour, flood] = [await open(), await open()]
    for (let count = 0; count < 5_000; count++) flood.send({ type: 'ping' })
    expect(await flood.closed).toBe(1006)
    await neighbour.settled()
  })

  test('topics per second are limited, and repeated topics count once', async () => {
    const reader = await open()
    reader.send({ type: 'sub', params: Array<string>(290).fill('KLINE.EURUSD') })
    await reader.settled()
    // One bar of each of the six periods, and more if the price moves meanwhile.
    expect(reader.messages.filter(({ type }) => type === 'KLINE').length).toBeLessThan(60)
    reader.send({ type: 'sub', params: Array<string>(290).fill('KLINE.EURUSD') })
    expect(await reader.next('refused')).toMatchObject({ reason: 'tooManyRequests' })
  })

  test('a page of another origin is refused in an envelope; own pages and other clients are not', async () => {
    const { host } = new URL(server().url)
    const origins = [
      'https://evil.example',
      'null',
      'http://127.0.0.1',
      `http://${host}.evil.example`,
      'x',
      'file://',
    ]
    for (const origin of origins)
      expect(await handshake({ origin })).toMatchObject({ status: 403, reason: 'originRefused' })
    const reader = await openSocket(server(), { headers: { origin: `http://${host}` } })
    await reader.settled()
  })

  const handshake = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${server().url.replace('http', 'ws')}/v1/ws`, { headers })
      socket.on('open', () => reject(new Error('the handshake was accepted')))
      socket.on('unexpected-response', (_request, response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => {
          const { data } = JSON.parse(text) as { data: { reason: string } }
          resolve({ status: response.statusCode, reason: data.reason })
        })
      })
    })
})

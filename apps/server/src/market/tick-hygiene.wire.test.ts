import { getFigures, listCandles, listOrders, valueOf } from '@fairlot/contract'
import { TICK_REFUSALS } from '@fairlot/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { movablePace } from '../testing/accounts.ts'
import { serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
import { decimal, newTrader } from '../../../../testing/traders.ts'

describe('prices of a source', () => {
  const { pace, pass } = movablePace()
  const server = serverOn('sqlite', { pace })
  const send = (price: object | string) =>
    server().source.send(typeof price === 'string' ? price : JSON.stringify({ symbol: 'EURUSD', ...price }))
  const refusals = () => ({ ...server().deployment.market.intake.refusals(1) })
  const NONE = Object.fromEntries(TICK_REFUSALS.map((reason) => [reason, 0]))
  /** Prices are processed in order: once this one is published, those before it have been checked. */
  const processed = () => server().price('USDJPY', [150, 150.008])

  beforeEach(() => server().price('EURUSD', [1.1, 1.10006]))

  const now = Date.now()
  test.each<[string, object, string]>([
    ['zero', { bid: 0, ask: 1.1 }, 'zero'],
    ['below zero', { bid: -1.1, ask: -1 }, 'negative'],
    ['crossed', { bid: 1.1001, ask: 1.1 }, 'crossed'],
    ['older than the last', { bid: 1.1, ask: 1.10006, time: now - 3_600_000 }, 'outOfOrder'],
    ['ahead of the clock', { bid: 1.1, ask: 1.10006, time: now + 600_000 }, 'future'],
    ['of a spread beyond reason', { bid: 1.1, ask: 1.12 }, 'wideSpread'],
    ['far from the last', { bid: 1.2, ask: 1.20006 }, 'suspect'],
    ['a thousand times the last', { bid: 1100, ask: 1100.06 }, 'outOfBounds'],
    ['no number', { bid: 'one', ask: 1.1 }, 'notANumber'],
    ['an exponent', { bid: '1e0', ask: '1.1' }, 'notANumber'],
    ['hexadecimal', { bid: '0x1', ask: '0x2' }, 'notANumber'],
    ['beyond counting', { bid: 1e300, ask: 1e300 }, 'notANumber'],
  ])('%s: refused, counted by reason, and not in any bar, push or fill', async (_name, price, reason) => {
    const trader = await newTrader(server())
    await trader.order({ orderType: 'pending', targetPrice: decimal('1.09') })
    await trader.order({ stopLoss: decimal('1.095'), takeProfit: decimal('1.11') })
    const reader = await openSocket(server())
    reader.send({ type: 'sub', params: ['DAY_MARKET', 'KLINE.EURUSD'] })
    await reader.next('DAY_MARKET', ({ symbol }) => symbol === 'EURUSD')
    const bars = async () =>
      valueOf(
        await trader.client.call(listCandles, { instrumentId: 1, period: '1min', before: null, limit: null }),
      )
    const [barsBefore, before] = [await bars(), refusals()]
    const sequence = server().deployment.market.quoteOf(1)?.seq

    await send(price)
    await processed()
    expect(refusals()).toEqual({ ...before, [reason]: (before[reason as keyof typeof before] ?? 0) + 1 })
    expect(await bars()).toEqual(barsBefore)
    expect(server().deployment.market.quoteOf(1)).toMatchObject({ bid: 110_000, ask: 110_006, seq: sequence })
    await reader.next('DAY_MARKET', ({ symbol }) => symbol === 'USDJPY')
    await processed()
    await reader.next('DAY_MARKET', ({ symbol }) => symbol === 'USDJPY')
    const about = reader.messages.filter(({ symbol }) => symbol === 'EURUSD').map(pricesOf)
    expect(new Set(about)).toEqual(new Set(['1.1 1.10006', '1.10003 1.10003 1.10003 1.10003']))
    for (const list of ['pending', 'holding'] as const)
      expect(
        valueOf(await trader.client.call(listOrders, { list, page: 1, before: null, copyId: null })).total,
      ).toBe(1)
    expect(valueOf(await trader.client.call(getFigures, null)).profit).toBe(-600_000n)
    reader.socket.close()
  })

  /** The prices of a pushed message: bid and ask of a quote, the four prices of a bar. */
  const pricesOf = ({ quotation, kline }: { readonly [field: string]: unknown }) => {
    const quote = quotation as { bid: number; ask: number } | undefined
    const bar = kline as { Open: number; High: number; Low: number; Close: number } | undefined
    return (quote ? [quote.bid, quote.ask] : [bar?.Open, bar?.High, bar?.Low, bar?.Close]).join(' ')
  }

  test('accepts a jump once a second price confirms it, at the confirming price', async () => {
    const trader = await newTrader(server())
    const { id } = await trader.order({ takeProfit: decimal('1.14') })
    await send({ bid: 1.15, ask: 1.15006 })
    await processed()
    expect(server().deployment.market.quoteOf(1)?.bid).toBe(110_000)
    pass(1_000)
    await server().price('EURUSD', [1.1501, 1.15016])
    const [closed] = valueOf(
      await trader.client.call(listOrders, { list: 'history', page: 1, before: null, copyId: null }),
    ).orders
    expect(closed).toMatchObject({ id, endReason: 'takeProfit', currentPrice: 1.1501 })
    await send({ bid: 1.1, ask: 1.10006 })
    await processed()
    pass(1_000)
  })

  test('does not confirm by the same frame twice, and never confirms a price out of bounds', async () => {
    const trader = await newTrader(server())
    await trader.order({ takeProfit: decimal('1.14') })
    const before = refusals()
    const time = server().deployment.market.now()
    for (const bid of [1.15, 1.15, 1100, 1100, 1e9]) await send({ bid, ask: bid, time })
    await send({ bid: 1100, ask: 1100, time: time + 1_500 })
    await processed()
    expect(refusals()).toEqual({
      ...before,
      suspect: (before['suspect'] ?? 0) + 2,
      outOfBounds: (before['outOfBounds'] ?? 0) + 4,
    })
    expect(
      valueOf(await trader.client.call(listOrders, { list: 'holding', page: 1, before: null, copyId: null }))
        .total,
    ).toBe(1)
  })

  test('counts unreadable prices and unknown instruments separately', async () => {
    const { intake } = server().deployment.market
    const [unknown, counted] = [intake.unknownCount(), refusals()]
    for (const text of ['nonsense', '{}', '[]', '{"symbol":"EURUSD"}', '{"symbol":1,"bid":1,"ask":1}'])
      await send(text)
    await send({ symbol: 'NOPE', bid: 1, ask: 1.1 })
    await processed()
    expect(intake.unknownCount()).toBe(unknown + 1)
    expect(refusals()).toEqual(counted)
  })

  test('reports refused ticks to the operator once', async () => {
    const { market } = server().deployment
    market.refusedTicks()
    await send({ bid: 0, ask: 0 })
    await send({ bid: 1.1001, ask: 1.1 })
    await send({ bid: 1.1001, ask: 1.1 })
    await send({ symbol: 'NOPE', bid: 1, ask: 1.1 })
    await processed()
    expect(market.refusedTicks()).toBe(
      'refused ticks: EURUSD zero 1, EURUSD crossed 2, instruments that nobody offers 1',
    )
    expect(market.refusedTicks()).toBeNull()
  })

  test('a fresh instrument has no refusals', () => {
    expect(server().deployment.market.intake.refusals(2)).toEqual(NONE)
  })
})

import type { AlertView, Decimal, OrderView } from '@fairlot/contract'
import { lots, money, ONE, price } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { eurusd } from './ticket/ticket.fixture.ts'
import { alertLines, linesOf, type LineLabels } from './trade-lines.ts'
import type { TradeMarket } from './trade-market.ts'

const market: TradeMarket = {
  instrument: eurusd,
  quote: { bid: price(108_469), ask: price(108_475) },
  staleSeconds: null,
  rate: ONE,
}
const labels: LineLabels = {
  open: ({ side }, profit) => `${side} ${profit}`,
  pending: ({ side, kind }) => `${side} ${kind}`,
  stopLoss: (profit) => `stop ${profit}`,
  takeProfit: (profit) => `profit ${profit}`,
  alert: (price) => `alert ${price}`,
  handle: ({ kind }) => `handle of ${kind}`,
  stopNote: ({ was, distance, profit }) => `was ${was}, ${distance} away, ${profit}`,
  alertNote: (was) => `was ${was}`,
}
const order = (change: Partial<OrderView>): OrderView =>
  ({
    id: 7,
    side: 'buy',
    kind: 'market',
    status: 'holding',
    lots: lots(1000),
    leverage: 30,
    margin: money(361_580_000n),
    acceptedPrice: 1.08472 as Decimal,
    openPrice: 1.084 as Decimal,
    stopLoss: null,
    takeProfit: null,
    ...change,
  }) as OrderView

describe('lines of the user’s order', () => {
  it('are at the opening price of a position, with its current profit', () => {
    expect(linesOf(order({}), market, labels)).toMatchObject([
      { id: '7', price: 108_400, tone: 'up', stroke: 'solid', label: 'buy 6900000' },
    ])
    expect(linesOf(order({ side: 'sell' }), market, labels)).toMatchObject([
      { tone: 'down', label: 'sell -7500000' },
    ])
  })

  it('show the profit at each stop', () => {
    const stops = { stopLoss: 1.083 as Decimal, takeProfit: 1.086 as Decimal }
    expect(linesOf(order(stops), market, labels).slice(1)).toMatchObject([
      { id: '7-loss', price: 108_300, tone: 'brass', stroke: 'dashed', label: 'stop -10000000' },
      { id: '7-profit', price: 108_600, tone: 'brass', stroke: 'dashed', label: 'profit 20000000' },
    ])
  })

  it('are dashed at the target of a pending order, whose stops are measured from there', () => {
    const pending = order({
      status: 'pending',
      kind: 'limit',
      acceptedPrice: 1.08 as Decimal,
      openPrice: null,
      takeProfit: 1.081 as Decimal,
    })
    expect(linesOf(pending, market, labels)).toMatchObject([
      { price: 108_000, tone: 'ink', stroke: 'dashed', label: 'buy limit' },
      { price: 108_100, label: 'profit 10000000' },
    ])
  })

  it('are drawn without profit while a price or a rate is missing', () => {
    expect(linesOf(order({}), { ...market, quote: null }, labels)).toMatchObject([{ label: 'buy null' }])
    expect(linesOf(order({}), { ...market, rate: null }, labels)).toMatchObject([{ label: 'buy null' }])
  })
})

describe('moving a line by hand', () => {
  const handleOf = (id: string, change: Partial<OrderView>) =>
    linesOf(order(change), market, labels).find((line) => line.id === id)?.handle

  it('shows what a stop would book there, and what it was', () => {
    const handle = handleOf('7-loss', { stopLoss: 1.083 as Decimal })
    expect(handle).toMatchObject({ name: 'handle of stopLoss', isLineMoved: true, step: 10 })
    expect(handle?.at(108_200)).toEqual({
      label: 'stop -20000000',
      tone: 'brass',
      note: 'was 1.083, 200 away, -20000000',
    })
  })

  it('draws a stop loss or a take profit from the entry, by the side of the market', () => {
    const handle = handleOf('7', {})
    expect(handle?.isLineMoved).toBe(false)
    expect(handle?.at(108_200).label).toBe('stop -20000000')
    expect(handle?.at(108_600).label).toBe('profit 20000000')
    const sold = handleOf('7', { side: 'sell' })
    expect(sold?.at(108_200).label).toBe('profit 20000000')
    expect(sold?.at(108_600).label).toBe('stop -20000000')
  })

  it('measures the stops of a pending order from the price it waits for', () => {
    const pending = {
      status: 'pending',
      kind: 'limit',
      acceptedPrice: 1.08 as Decimal,
      openPrice: null,
    } as const
    expect(handleOf('7', pending)?.at(107_900).label).toBe('stop -10000000')
    expect(handleOf('7', pending)?.at(108_300).label).toBe('profit 30000000')
  })

  it('leaves nothing to draw from the entry once both stops are set', () => {
    const both = { stopLoss: 1.083 as Decimal, takeProfit: 1.086 as Decimal }
    expect(handleOf('7', both)).toBeUndefined()
    expect(handleOf('7-profit', both)).toBeDefined()
  })

  it('keeps to whole ticks above zero', () => {
    const snap = handleOf('7', {})?.snap
    expect([snap?.(108_200.4), snap?.(-3)]).toEqual([108_200, 1])
  })

  it('is not offered before the first price', () => {
    expect(linesOf(order({}), { ...market, quote: null }, labels)[0]?.handle).toBeUndefined()
  })
})

describe('lines of the user’s alerts', () => {
  const above = { instrumentId: eurusd.id, direction: 'above' } as const
  const alert = (id: number, change: Partial<AlertView>): AlertView => ({
    id,
    condition: { kind: 'price', side: 'mid', price: 1.089 as Decimal, ...above },
    pauseMs: null,
    expiresAt: null,
    endedAt: null,
    awaitsReturn: false,
    setAt: 0,
    state: 'waiting',
    wakesAt: null,
    target: null,
    fired: null,
    ...change,
  })
  const lines = (...alerts: AlertView[]) => alertLines(alerts, market, labels)

  it('are at the price they wait for, for a move of the day at its target', () => {
    const move = { kind: 'dayMove', percent: 1 as Decimal, ...above } as const
    expect(lines(alert(1, {}), alert(2, { condition: move, target: 1.0905 as Decimal }))).toMatchObject([
      { id: 'alert-1', price: 108_900, label: 'alert 1.089' },
      { id: 'alert-2', price: 109_050, label: 'alert 1.0905' },
    ])
  })

  it('are moved where they wait for a price, not where they follow the day', () => {
    const move = { kind: 'dayMove', percent: 1 as Decimal, ...above } as const
    const [atPrice, ofDay] = lines(alert(1, {}), alert(2, { condition: move, target: 1.0905 as Decimal }))
    expect(atPrice?.handle?.at(108_950)).toEqual({ label: 'alert 1.0895', tone: 'quiet', note: 'was 1.089' })
    expect(ofDay?.handle).toBeUndefined()
  })

  it('are none for another instrument, a margin level, a move without a target, or a fired alert', () => {
    const elsewhere = { kind: 'price', side: 'bid', price: 1 as Decimal, ...above, instrumentId: 99 } as const
    expect(
      lines(
        alert(1, { condition: elsewhere }),
        alert(2, { condition: { kind: 'marginLevel', level: 150 } }),
        alert(3, { condition: { kind: 'dayMove', percent: 1 as Decimal, ...above } }),
        alert(4, { state: 'fired' }),
      ),
    ).toEqual([])
  })
})

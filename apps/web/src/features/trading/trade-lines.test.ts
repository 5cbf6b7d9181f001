import type { Decimal, OrderView } from '@fairlot/contract'
import { lots, money, ONE, price } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { eurusd } from './ticket/ticket.fixture.ts'
import { linesOf, type LineWords } from './trade-lines.ts'
import type { TradeMarket } from './trade-market.ts'

const market: TradeMarket = {
  instrument: eurusd,
  quote: { bid: price(108_469), ask: price(108_475) },
  staleSeconds: null,
  rate: ONE,
}
const words: LineWords = {
  open: ({ side }, profit) => `${side} ${profit}`,
  pending: ({ side, kind }) => `${side} ${kind}`,
  stopLoss: (profit) => `stop ${profit}`,
  takeProfit: (profit) => `profit ${profit}`,
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

describe('lines of an own order', () => {
  it('stand where a position opened, with its profit at the price it would close at', () => {
    expect(linesOf(order({}), market, words)).toEqual([
      { id: '7', price: 108_400, tone: 'up', stroke: 'solid', label: 'buy 6900000' },
    ])
    expect(linesOf(order({ side: 'sell' }), market, words)).toMatchObject([
      { tone: 'down', label: 'sell -7500000' },
    ])
  })

  it('tell what each stop would bring', () => {
    const stops = { stopLoss: 1.083 as Decimal, takeProfit: 1.086 as Decimal }
    expect(linesOf(order(stops), market, words).slice(1)).toEqual([
      { id: '7-loss', price: 108_300, tone: 'brass', stroke: 'dashed', label: 'stop -10000000' },
      { id: '7-profit', price: 108_600, tone: 'brass', stroke: 'dashed', label: 'profit 20000000' },
    ])
  })

  it('wait dashed at the target of a pending order, whose stops count from there', () => {
    const pending = order({
      status: 'pending',
      kind: 'limit',
      acceptedPrice: 1.08 as Decimal,
      openPrice: null,
      takeProfit: 1.081 as Decimal,
    })
    expect(linesOf(pending, market, words)).toMatchObject([
      { price: 108_000, tone: 'ink', stroke: 'dashed', label: 'buy limit' },
      { price: 108_100, label: 'profit 10000000' },
    ])
  })

  it('are drawn without profit while a price or a rate is missing', () => {
    expect(linesOf(order({}), { ...market, quote: null }, words)).toMatchObject([{ label: 'buy null' }])
    expect(linesOf(order({}), { ...market, rate: null }, words)).toMatchObject([{ label: 'buy null' }])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lots, money, price } from '../model/number.ts'
import type { Order } from '../model/order.ts'
import { TriggerBook } from './trigger-book.ts'
import type { Trigger } from './trigger-book.ts'

const PENDING: Order = {
  id: 1,
  accountId: 1,
  instrumentId: 1,
  side: 'buy',
  kind: 'limit',
  lots: lots(100),
  leverage: 10,
  status: 'pending',
  targetPrice: price(100),
  acceptedPrice: price(100),
  openPrice: null,
  takeProfit: null,
  stopLoss: null,
  margin: money(1n),
  fee: money(1n),
  expiresAt: null,
  createdAt: 0,
  openedAt: null,
  openedSeq: 0,
  trailingDistance: null,
  financedAt: 0,
  copied: null,
}
const HOLDING: Order = {
  ...PENDING,
  kind: 'market',
  status: 'holding',
  targetPrice: null,
  openPrice: price(100),
}

const tick = (bid: number, ask: number, instrumentId = 1) => ({
  instrumentId,
  bid: price(bid),
  ask: price(ask),
})
const names = (triggers: readonly Trigger[]) => triggers.map(({ orderId, kind }) => `${orderId} ${kind}`)

function watching(...orders: Order[]): TriggerBook {
  const book = new TriggerBook()
  orders.forEach((order) => book.watch(order))
  return book
}

describe('a target fires on its opening side', () => {
  it.each([
    ['buy', 'limit', tick(80, 101), tick(80, 100)],
    ['buy', 'stop', tick(98, 99), tick(80, 100)],
    ['sell', 'limit', tick(99, 120), tick(100, 120)],
    ['sell', 'stop', tick(101, 120), tick(100, 120)],
  ] as const)('%s %s', (side, kind, before, reached) => {
    const book = watching({ ...PENDING, side, kind })
    expect([book.isReachedBy(before), book.due(before)]).toEqual([false, []])
    expect([book.isReachedBy(reached), names(book.due(reached))]).toEqual([true, ['1 target']])
  })
})

describe('a stop fires on the closing side', () => {
  it.each([
    ['buy', 'takeProfit', tick(99, 120), tick(100, 120)],
    ['buy', 'stopLoss', tick(101, 120), tick(100, 120)],
    ['sell', 'takeProfit', tick(80, 101), tick(80, 100)],
    ['sell', 'stopLoss', tick(80, 99), tick(80, 100)],
  ] as const)('%s %s', (side, kind, before, reached) => {
    const book = watching({ ...HOLDING, side, [kind]: price(100) })
    expect([book.isReachedBy(before), book.due(before)]).toEqual([false, []])
    expect([book.isReachedBy(reached), names(book.due(reached))]).toEqual([true, [`1 ${kind}`]])
  })
})

it('the stops of a pending order do not fire', () => {
  const book = watching({ ...PENDING, targetPrice: price(50), takeProfit: price(60), stopLoss: price(40) })
  expect(book.due(tick(60, 61))).toEqual([])
})

it('instruments are independent', () => {
  const book = watching(PENDING)
  expect(book.isReachedBy(tick(1, 1, 2))).toBe(false)
  expect(book.due(tick(1, 1, 2))).toEqual([])
})

it('triggers of one tick are stops first, then targets, each by order id', () => {
  const book = watching(
    { ...PENDING, id: 10 },
    { ...HOLDING, id: 9, takeProfit: price(80) },
    { ...HOLDING, id: 100, stopLoss: price(120) },
    { ...PENDING, id: 2, side: 'sell' },
    { ...HOLDING, id: 11, side: 'sell', takeProfit: price(120) },
  )
  const due = names(book.due(tick(100, 100)))
  expect(due).toEqual(['9 takeProfit', '11 takeProfit', '100 stopLoss', '2 target', '10 target'])
})

it('expiries fire at their time, by order id', () => {
  const book = watching(
    { ...PENDING, id: 3, expiresAt: 1_000 },
    { ...PENDING, id: 2, expiresAt: 1_000 },
    { ...PENDING, id: 1, expiresAt: 2_000 },
    { ...HOLDING, id: 4, expiresAt: 1_000 },
  )
  expect(book.expired(999)).toEqual([])
  expect(names(book.expired(1_000))).toEqual(['2 expiry', '3 expiry'])
})

it('watching an order again replaces what was watched before', () => {
  const book = watching({ ...HOLDING, takeProfit: price(110), stopLoss: price(90) })
  book.watch({ ...HOLDING, takeProfit: price(120) })
  expect([...book.all()]).toEqual([
    { orderId: 1, kind: 'takeProfit', level: 120, instrumentId: 1, watch: 'bidUp' },
  ])
})

const maybe = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary.map(price))
const anyLevel = fc.integer({ min: -15, max: 15 })
const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    id: fc.integer({ min: 1, max: 12 }),
    instrumentId: fc.integer({ min: 1, max: 2 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    kind: fc.constantFrom('limit' as const, 'stop' as const),
    isPending: fc.boolean(),
    level: anyLevel.map(price),
    takeProfit: maybe(anyLevel),
    stopLoss: maybe(anyLevel),
    trailingDistance: maybe(fc.integer({ min: 1, max: 10 })),
    expiresAt: fc.option(anyLevel),
  })
  .map(({ isPending, level, ...terms }) => ({
    ...(isPending ? PENDING : HOLDING),
    ...terms,
    targetPrice: level,
    openPrice: isPending ? null : level,
  }))

/** The rule for a single order. */
function firesOf(order: Order, { instrumentId, bid, ask }: ReturnType<typeof tick>): string[] {
  if (order.instrumentId !== instrumentId) return []
  const isBuy = order.side === 'buy'
  const { targetPrice, takeProfit, stopLoss, trailingDistance } = order
  if (order.status === 'pending') {
    if (targetPrice === null) return []
    const fillsAt = isBuy ? ask : bid
    const isReached = isBuy === (order.kind === 'limit') ? fillsAt <= targetPrice : fillsAt >= targetPrice
    return isReached ? ['target'] : []
  }
  const closesAt = isBuy ? bid : ask
  const gains = isBuy ? 1 : -1
  return [
    ...(takeProfit !== null && (closesAt - takeProfit) * gains >= 0 ? ['takeProfit'] : []),
    ...(stopLoss !== null && (closesAt - stopLoss) * gains <= 0 ? ['stopLoss'] : []),
    ...(stopLoss !== null && trailingDistance !== null && (closesAt - stopLoss) * gains > trailingDistance
      ? ['trail']
      : []),
  ]
}

type Step = { watch: Order } | { forget: number } | { bid: number; spread: number; instrumentId: number }
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ watch: anyOrder }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ bid: anyLevel, spread: fc.nat(4), instrumentId: fc.integer({ min: 1, max: 3 }) }),
  },
)

it('gives the same results as checking all orders', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120, size: 'max' }), (steps) => {
      const book = new TriggerBook()
      const orders = new Map<number, Order>()
      for (const each of steps) {
        if ('watch' in each) {
          book.watch(each.watch)
          orders.set(each.watch.id, each.watch)
        } else if ('forget' in each) {
          book.forget(each.forget)
          orders.delete(each.forget)
        } else {
          const now = tick(each.bid, each.bid + each.spread, each.instrumentId)
          const all = [...orders.values()].toSorted((a, b) => a.id - b.id)
          const fired = all.flatMap((order) => firesOf(order, now).map((kind) => `${order.id} ${kind}`))
          const isTarget = (name: string) => name.endsWith('target')
          const expected = [...fired.filter((name) => !isTarget(name)), ...fired.filter(isTarget)]
          expect(book.isReachedBy(now)).toBe(expected.length > 0)
          const isTrail = (name: string) => name.endsWith('trail')
          const firing = expected.filter((name) => !isTrail(name))
          expect(names(book.due(now)).toSorted()).toEqual(firing.toSorted())
          expect(book.due(now).map(({ orderId }) => orderId)).toEqual(
            firing.map((name) => Number.parseInt(name)),
          )
          expect(names(book.trailing(now))).toEqual(expected.filter(isTrail))
        }
      }
    }),
  )
})

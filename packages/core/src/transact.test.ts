import { describe, expect, it } from 'vitest'
import { demoFloor, effects, figures, remembered } from '../scenarios/floor.ts'
import { usd } from '../scenarios/market.ts'
import { REQUEST_MEMORY_MS } from './request-memory.ts'

describe('a pending order past its expiry', () => {
  /** A buy limit at 1.38400 that ends in a second. */
  function waitingFloor() {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { target: '1.38400', expiresAt: floor.now() + 1_000 })
    return floor
  }

  it('fills up to its expiry', () => {
    const floor = waitingFloor()
    floor.wait(999)
    expect(effects(floor.tick('EURUSD', '1.38390', '1.38400'))).toEqual(['1 positionOpened'])
  })

  it('is not filled by a tick that comes before the clock', () => {
    const floor = waitingFloor()
    floor.wait(1_000)
    const outcome = floor.tick('EURUSD', '1.38390', '1.38400')
    expect(effects(outcome)).toEqual(['1 orderCancelled'])
    expect(outcome).toMatchObject({
      entry: { events: [{ reason: 'expired', receipt: { trigger: 'expiry' } }] },
    })
  })

  it('ends with the next tick of any instrument', () => {
    const floor = waitingFloor()
    floor.wait(1_000)
    expect(effects(floor.tick('GBPUSD', '1.68500', '1.68510'))).toEqual(['1 orderCancelled'])
  })
})

describe('a request', () => {
  const request = { accountId: 1, call: 'placeOrder', id: 'a', digest: 'one lot' }

  function askingFloor() {
    const floor = demoFloor()
    const buy = (changes: Partial<typeof request> = {}) => {
      floor.tick('EURUSD', '1.38500', '1.38510')
      return floor.buy('EURUSD', { lots: '0.01', request: { ...request, ...changes } })
    }
    buy()
    return { ...floor, buy }
  }

  it('is remembered for 48 hours', () => {
    const floor = askingFloor()
    floor.wait(REQUEST_MEMORY_MS)
    expect(floor.buy()).toMatchObject({ repeatOf: expect.any(Number), entry: { events: [{ orderId: 1 }] } })
    expect(floor.buy({ digest: 'two lots' })).toMatchObject({ rejected: 'requestIdReused' })
  })

  it('is a new one after that, whether or not others came between', () => {
    const floor = askingFloor()
    floor.wait(REQUEST_MEMORY_MS + 1)
    const again = { digest: 'two lots' }
    expect(floor.buy(again)).toMatchObject({ repeatOf: null, entry: { events: [{ orderId: 2 }] } })
    expect(floor.buy(again)).toMatchObject({
      repeatOf: expect.any(Number),
      entry: { events: [{ orderId: 2 }] },
    })
  })

  it('whose name is taken again does not keep older ones in memory', () => {
    const floor = askingFloor()
    floor.wait(10)
    floor.buy({ id: 'b' })
    floor.wait(REQUEST_MEMORY_MS - 5)
    floor.buy({ id: 'a' })
    floor.wait(10)
    floor.buy({ id: 'c' })
    expect([...floor.state.requests.keys()]).toEqual(['1 placeOrder a', '1 placeOrder c'])
  })
})

it('a demo reset ends orders by id, in whatever order they came to be held', () => {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.buy('EURUSD', { lots: '0.01', target: '1.38400' })
  floor.buy('EURUSD', { lots: '0.01' })
  floor.tick('EURUSD', '1.38390', '1.38400')
  expect(effects(floor.reset())).toEqual(['1 positionClosed', '2 positionClosed', 'demoReset'])
})

describe('a request that is sent again', () => {
  const request = { accountId: 1, call: 'submit', id: 'a', digest: 'one' }

  function openFloor() {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    return floor
  }

  it('gets the first answer and has no second effect', () => {
    const floor = openFloor()
    const first = floor.buy('EURUSD', { request })
    const before = remembered(floor.core)
    floor.wait(4_000)
    const second = floor.buy('EURUSD', { request })
    expect(second).toMatchObject({ repeatOf: expect.any(Number), postings: [] })
    expect('entry' in second && second.entry.events).toEqual('entry' in first && first.entry.events)
    expect(remembered(floor.core)).toEqual(before)
  })

  it('gets it even when it would be refused by now', () => {
    const floor = openFloor()
    floor.buy('EURUSD', { request })
    const close = { request: { ...request, call: 'close' } }
    floor.close(1, close)
    floor.closeMarket('EURUSD')
    floor.wait(60_000)
    expect(effects(floor.buy('EURUSD', { request }))).toEqual(['1 positionOpened'])
    expect(effects(floor.close(1, close))).toEqual(['1 positionClosed'])
  })

  it('with another payload is refused before anything else is looked at', () => {
    const floor = openFloor()
    floor.buy('EURUSD', { request })
    floor.closeMarket('EURUSD')
    expect(floor.buy('EURUSD', { lots: '0.001', request: { ...request, digest: 'two' } })).toEqual({
      rejected: 'requestIdReused',
      details: { requestId: 'a' },
    })
  })

  it('is known by user, call and id together', () => {
    const floor = openFloor()
    floor.openAccount()
    floor.buy('EURUSD', { request })
    const others = [
      floor.buy('EURUSD', { accountId: 2, request: { ...request, accountId: 2 } }),
      floor.buy('EURUSD', { request: { ...request, call: 'reverse' } }),
      floor.buy('EURUSD', { request: { ...request, id: 'b' } }),
    ]
    expect(others.flatMap(effects)).toEqual(['2 positionOpened', '3 positionOpened', '4 positionOpened'])
  })

  it('was not remembered when it was refused', () => {
    const floor = openFloor()
    floor.closeMarket('EURUSD')
    expect(effects(floor.buy('EURUSD', { request }))).toEqual(['refused marketClosed'])
    floor.openMarket('EURUSD')
    expect(effects(floor.buy('EURUSD', { request: { ...request, digest: 'two' } }))).toEqual([
      '1 positionOpened',
    ])
  })

  it('is still known after a rebuild from the journal', () => {
    const floor = openFloor()
    floor.buy('EURUSD', { request })
    expect([...floor.replayed().state.requests]).toEqual([...floor.state.requests])
  })

  it.each(['cancel', 'reset'] as const)('works for a %s as well', (call) => {
    const floor = openFloor()
    floor.buy('EURUSD', { target: '1.38000' })
    const asking = { request: { ...request, call } }
    const act = () => (call === 'cancel' ? floor.cancel(1, asking) : floor.reset(asking))
    const first = effects(act())
    expect([effects(act()), first[0]]).toEqual([first, '1 orderCancelled'])
  })
})

describe('a tick', () => {
  it('that fires nothing makes no event and no row', () => {
    const floor = demoFloor()
    expect(floor.tick('EURUSD', '1.38500', '1.38510')).toMatchObject({
      entry: { request: null, events: [] },
      postings: [],
      repeatOf: null,
    })
  })

  it('of an instrument that nobody knows is kept and fires nothing', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    const known = floor.state.quotes.get(1)
    if (!known) throw new Error('no quote')
    const outcome = floor.send({ type: 'tick', at: floor.now(), quote: { ...known, instrumentId: 999 } })
    expect(effects(outcome)).toEqual([])
  })

  it('fires stops before targets, each by order id, whatever the order of their levels', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    const small = { lots: '0.01' }
    floor.buy('EURUSD', { ...small, target: '1.38400' })
    floor.buy('EURUSD', { ...small, stopLoss: '1.38100' })
    floor.sell('EURUSD', { ...small, takeProfit: '1.38300' })
    floor.sell('EURUSD', { ...small, target: '1.38450' })
    floor.buy('EURUSD', { ...small, stopLoss: '1.38200' })
    floor.buy('EURUSD', { ...small, target: '1.38490' })
    expect(effects(floor.tick('EURUSD', '1.38000', '1.38010'))).toEqual([
      '2 positionClosed',
      '3 positionClosed',
      '5 positionClosed',
      '1 positionOpened',
      '4 positionOpened',
      '6 positionOpened',
    ])
  })

  it('decides each trigger on what the ones before it left behind', () => {
    const floor = demoFloor({ settings: { demoBalance: usd('10000') } })
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { leverage: 30, stopLoss: '1.38000' })
    floor.buy('EURUSD', { leverage: 30, lots: '0.5', target: '1.38200' })
    floor.buy('EURUSD', { leverage: 30, lots: '0.5', target: '1.38200' })
    // The stop loss leaves 9,995.383 - 7,485 = 2,510.383. An opening costs 2,186.100584: too much for order 2 while
    // order 3 reserves 2,305.636666, but not for order 3 once order 2 has ended.
    expect(effects(floor.tick('EURUSD', '1.31025', '1.31035'))).toEqual([
      '1 positionClosed',
      '2 orderCancelled',
      '3 positionOpened',
    ])
    // 2,510.383 - 2.183917; less 5 of spread; less the margin of 2,183.916667
    expect(figures(floor)).toMatchObject({
      balance: usd('2508.199083'),
      free: usd('319.282416'),
      reserved: 0n,
    })
  })

  it('touches only the orders of its own instrument', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { stopLoss: '1.38000' })
    expect(effects(floor.tick('GBPUSD', '1.00000', '1.00010'))).toEqual([])
  })
})

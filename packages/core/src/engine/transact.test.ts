import { describe, expect, it } from 'vitest'
import { demoHarness, effects, figures, snapshotOf } from '../../scenarios/harness.ts'
import { usd } from '../../scenarios/market.ts'
import { REQUEST_RETENTION_MS } from '../state/accepted-requests.ts'

describe('a pending order past its expiry', () => {
  /** A buy limit at 1.38400 that ends in a second. */
  function waitingHarness() {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { target: '1.38400', expiresAt: harness.now() + 1_000 })
    return harness
  }

  it('fills up to its expiry', () => {
    const harness = waitingHarness()
    harness.wait(999)
    expect(effects(harness.tick('EURUSD', '1.38390', '1.38400'))).toEqual(['1 positionOpened'])
  })

  it('is not filled by a tick before the clock', () => {
    const harness = waitingHarness()
    harness.wait(1_000)
    const outcome = harness.tick('EURUSD', '1.38390', '1.38400')
    expect(effects(outcome)).toEqual(['1 orderCancelled'])
    expect(outcome).toMatchObject({
      entry: { events: [{ reason: 'expired', receipt: { trigger: 'expiry' } }] },
    })
  })

  it('ends on the next tick of any instrument', () => {
    const harness = waitingHarness()
    harness.wait(1_000)
    expect(effects(harness.tick('GBPUSD', '1.68500', '1.68510'))).toEqual(['1 orderCancelled'])
  })
})

describe('a request', () => {
  const request = { accountId: 1, call: 'placeOrder', id: 'a', digest: 'one lot' }

  function requestHarness() {
    const harness = demoHarness()
    const buy = (changes: Partial<typeof request> = {}) => {
      harness.tick('EURUSD', '1.38500', '1.38510')
      return harness.buy('EURUSD', { lots: '0.01', request: { ...request, ...changes } })
    }
    buy()
    return { ...harness, buy }
  }

  it('is kept for 48 hours', () => {
    const harness = requestHarness()
    harness.wait(REQUEST_RETENTION_MS)
    expect(harness.buy()).toMatchObject({ repeatOf: expect.any(Number), entry: { events: [{ orderId: 1 }] } })
    expect(harness.buy({ digest: 'two lots' })).toMatchObject({ rejected: 'requestIdReused' })
  })

  it('is a new one after that, with or without others in between', () => {
    const harness = requestHarness()
    harness.wait(REQUEST_RETENTION_MS + 1)
    const again = { digest: 'two lots' }
    expect(harness.buy(again)).toMatchObject({ repeatOf: null, entry: { events: [{ orderId: 2 }] } })
    expect(harness.buy(again)).toMatchObject({
      repeatOf: expect.any(Number),
      entry: { events: [{ orderId: 2 }] },
    })
  })

  it('with a reused id does not keep older ones in memory', () => {
    const harness = requestHarness()
    harness.wait(10)
    harness.buy({ id: 'b' })
    harness.wait(REQUEST_RETENTION_MS - 5)
    harness.buy({ id: 'a' })
    harness.wait(10)
    harness.buy({ id: 'c' })
    expect([...harness.state.requests.keys()]).toEqual(['1 placeOrder a', '1 placeOrder c'])
  })
})

it('a demo reset ends orders by id, regardless of their order in memory', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD', { lots: '0.01', target: '1.38400' })
  harness.buy('EURUSD', { lots: '0.01' })
  harness.tick('EURUSD', '1.38390', '1.38400')
  expect(effects(harness.reset())).toEqual(['1 positionClosed', '2 positionClosed', 'demoReset'])
})

describe('a request that is sent again', () => {
  const request = { accountId: 1, call: 'submit', id: 'a', digest: 'one' }

  function createHarness() {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    return harness
  }

  it('returns the first result and has no second effect', () => {
    const harness = createHarness()
    const first = harness.buy('EURUSD', { request })
    const before = snapshotOf(harness.core)
    harness.wait(4_000)
    const second = harness.buy('EURUSD', { request })
    expect(second).toMatchObject({ repeatOf: expect.any(Number), postings: [] })
    expect('entry' in second && second.entry.events).toEqual('entry' in first && first.entry.events)
    expect(snapshotOf(harness.core)).toEqual(before)
  })

  it('returns it even if it would be rejected now', () => {
    const harness = createHarness()
    harness.buy('EURUSD', { request })
    const close = { request: { ...request, call: 'close' } }
    harness.close(1, close)
    harness.closeMarket('EURUSD')
    harness.wait(60_000)
    expect(effects(harness.buy('EURUSD', { request }))).toEqual(['1 positionOpened'])
    expect(effects(harness.close(1, close))).toEqual(['1 positionClosed'])
  })

  it('with another payload is rejected before any other check', () => {
    const harness = createHarness()
    harness.buy('EURUSD', { request })
    harness.closeMarket('EURUSD')
    expect(harness.buy('EURUSD', { lots: '0.001', request: { ...request, digest: 'two' } })).toEqual({
      rejected: 'requestIdReused',
      details: { requestId: 'a' },
    })
  })

  it('is identified by user, call and id', () => {
    const harness = createHarness()
    harness.openAccount()
    harness.buy('EURUSD', { request })
    const others = [
      harness.buy('EURUSD', { accountId: 2, request: { ...request, accountId: 2 } }),
      harness.buy('EURUSD', { request: { ...request, call: 'reverse' } }),
      harness.buy('EURUSD', { request: { ...request, id: 'b' } }),
    ]
    expect(others.flatMap(effects)).toEqual(['2 positionOpened', '3 positionOpened', '4 positionOpened'])
  })

  it('is not kept after a rejection', () => {
    const harness = createHarness()
    harness.closeMarket('EURUSD')
    expect(effects(harness.buy('EURUSD', { request }))).toEqual(['refused marketClosed'])
    harness.openMarket('EURUSD')
    expect(effects(harness.buy('EURUSD', { request: { ...request, digest: 'two' } }))).toEqual([
      '1 positionOpened',
    ])
  })

  it('is kept after a restart', () => {
    const harness = createHarness()
    harness.buy('EURUSD', { request })
    expect([...harness.replayed().state.requests]).toEqual([...harness.state.requests])
  })

  it.each(['cancel', 'reset'] as const)('works for a %s as well', (call) => {
    const harness = createHarness()
    harness.buy('EURUSD', { target: '1.38000' })
    const requesting = { request: { ...request, call } }
    const act = () => (call === 'cancel' ? harness.cancel(1, requesting) : harness.reset(requesting))
    const first = effects(act())
    expect([effects(act()), first[0]]).toEqual([first, '1 orderCancelled'])
  })
})

describe('a tick', () => {
  it('that triggers nothing makes no event and no row', () => {
    const harness = demoHarness()
    expect(harness.tick('EURUSD', '1.38500', '1.38510')).toMatchObject({
      entry: { request: null, events: [] },
      postings: [],
      repeatOf: null,
    })
  })

  it('of an unknown instrument is kept and triggers nothing', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    const known = harness.state.quotes.get(1)
    if (!known) throw new Error('no quote')
    const outcome = harness.send({ type: 'tick', at: harness.now(), quote: { ...known, instrumentId: 999 } })
    expect(effects(outcome)).toEqual([])
  })

  it('fires stops before targets, each by order id, whatever the order of their levels', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    const small = { lots: '0.01' }
    harness.buy('EURUSD', { ...small, target: '1.38400' })
    harness.buy('EURUSD', { ...small, stopLoss: '1.38100' })
    harness.sell('EURUSD', { ...small, takeProfit: '1.38300' })
    harness.sell('EURUSD', { ...small, target: '1.38450' })
    harness.buy('EURUSD', { ...small, stopLoss: '1.38200' })
    harness.buy('EURUSD', { ...small, target: '1.38490' })
    expect(effects(harness.tick('EURUSD', '1.38000', '1.38010'))).toEqual([
      '2 positionClosed',
      '3 positionClosed',
      '5 positionClosed',
      '1 positionOpened',
      '4 positionOpened',
      '6 positionOpened',
    ])
  })

  it('decides each trigger based on the ones before it', () => {
    const harness = demoHarness({ settings: { demoBalance: usd('10000') } })
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { leverage: 30, stopLoss: '1.38000' })
    harness.buy('EURUSD', { leverage: 30, lots: '0.5', target: '1.38200' })
    harness.buy('EURUSD', { leverage: 30, lots: '0.5', target: '1.38200' })
    // The stop loss leaves 9,995.383 - 7,485 = 2,510.383. An opening costs 2,186.100584: too much for order 2 while
    // order 3 reserves 2,305.636666, but not for order 3 once order 2 has ended.
    expect(effects(harness.tick('EURUSD', '1.31025', '1.31035'))).toEqual([
      '1 positionClosed',
      '2 orderCancelled',
      '3 positionOpened',
    ])
    // 2,510.383 - 2.183917; less 5 of spread; less the margin of 2,183.916667
    expect(figures(harness)).toMatchObject({
      balance: usd('2508.199083'),
      free: usd('319.282416'),
      reserved: 0n,
    })
  })

  it('changes only orders on its own instrument', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { stopLoss: '1.38000' })
    expect(effects(harness.tick('GBPUSD', '1.00000', '1.00010'))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { demoFloor, effects } from '../scenarios/floor.ts'
import { REQUEST_MEMORY_MS } from './evolve.ts'

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
    expect(floor.buy()).toMatchObject({ isRepeat: true, entry: { events: [{ orderId: 1 }] } })
    expect(floor.buy({ digest: 'two lots' })).toMatchObject({ rejected: 'requestIdReused' })
  })

  it('is a new one after that, whether or not others came between', () => {
    const floor = askingFloor()
    floor.wait(REQUEST_MEMORY_MS + 1)
    const again = { digest: 'two lots' }
    expect(floor.buy(again)).toMatchObject({ isRepeat: false, entry: { events: [{ orderId: 2 }] } })
    expect(floor.buy(again)).toMatchObject({ isRepeat: true, entry: { events: [{ orderId: 2 }] } })
  })

  it('whose name is taken again does not keep older ones in memory', () => {
    const floor = askingFloor()
    floor.wait(10)
    floor.buy({ id: 'b' })
    floor.wait(REQUEST_MEMORY_MS - 5)
    floor.buy({ id: 'a' })
    floor.wait(10)
    floor.buy({ id: 'c' })
    expect([...floor.state.requests.values()].map((remembered) => remembered.request.id)).toEqual(['a', 'c'])
  })
})

it('a demo reset ends orders by id, in whatever order they came to be held', () => {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.buy('EURUSD', { lots: '0.01', target: '1.38400' })
  floor.buy('EURUSD', { lots: '0.01' })
  floor.tick('EURUSD', '1.38390', '1.38400')
  expect(effects(floor.reset())).toEqual(['1 positionClosed', '2 positionClosed', 'moneyMoved'])
})

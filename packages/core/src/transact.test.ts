import { describe, expect, it } from 'vitest'
import { demoFloor, effects } from '../scenarios/floor.ts'

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

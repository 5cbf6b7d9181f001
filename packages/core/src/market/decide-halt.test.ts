import { describe, expect, it } from 'vitest'
import { demoFloor, effects, onlyEvent, remembered, type Floor } from '../../scenarios/floor.ts'
import { DEALER, instrumentOf } from '../../scenarios/market.ts'

/** Position 1 with both stops, and orders 2 (a limit) and 3 (that ends in a minute) that wait. */
function busyFloor(): Floor {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.tick('GBPUSD', '1.68500', '1.68510')
  floor.buy('EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
  floor.buy('EURUSD', { lots: '0.1', target: '1.38200' })
  floor.buy('EURUSD', { lots: '0.1', target: '1.30000', expiresAt: floor.now() + 60_000 })
  return floor
}

type Stop = readonly [name: string, code: string, stop: (floor: Floor) => void, start: (floor: Floor) => void]
const STOPS: readonly Stop[] = [
  [
    'a halted instrument',
    'marketHalted',
    (floor) => floor.halt('EURUSD', 'a storm'),
    (floor) => floor.halt('EURUSD', null),
  ],
  ['cancel-only mode', 'cancelOnly', (floor) => floor.mode('cancelOnly'), (floor) => floor.mode('normal')],
  [
    'a closed market',
    'marketClosed',
    (floor) => floor.closeMarket('EURUSD'),
    (floor) => floor.openMarket('EURUSD'),
  ],
]

describe.each(STOPS)('%s', (_name, code, stop, start) => {
  function stopped(): Floor {
    const floor = busyFloor()
    stop(floor)
    return floor
  }

  it('opens nothing and closes nothing', () => {
    const floor = stopped()
    const refused = [`refused ${code}`]
    expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(refused)
    expect(effects(floor.buy('EURUSD', { lots: '0.01', target: '1.38000' }))).toEqual(refused)
    expect(effects(floor.close(1))).toEqual(refused)
    expect(effects(floor.close(1, { lots: '0.5' }))).toEqual(refused)
    expect(effects(floor.closeAll())).toEqual(refused)
    expect(effects(floor.reverse(1))).toEqual(refused)
  })

  it('triggers nothing, and publishes the price all the same', () => {
    const floor = stopped()
    expect(effects(floor.tick('EURUSD', '1.37000', '1.37010'))).toEqual([])
    expect(effects(floor.tick('EURUSD', '1.39500', '1.39510'))).toEqual([])
    expect(floor.state.quotes.get(1)).toMatchObject({ bid: 139_500, seq: 3 })
  })

  it('lets orders be cancelled and stops be moved', () => {
    const floor = stopped()
    onlyEvent(floor.setStops(1, 'EURUSD', { stopLoss: '1.38100' }), 'stopsSet')
    onlyEvent(floor.setStops(2, 'EURUSD', { stopLoss: '1.38100' }), 'stopsSet')
    onlyEvent(floor.trail(1, 'EURUSD', '0.00100'), 'stopsSet')
    onlyEvent(floor.cancel(2), 'orderCancelled')
  })

  it('lets orders expire, on a tick and on the clock', () => {
    for (const sign of ['tick', 'clock'] as const) {
      const floor = stopped()
      floor.wait(60_000)
      const outcome = sign === 'clock' ? floor.clock() : floor.tick('EURUSD', '1.38500', '1.38510')
      expect(effects(outcome)).toEqual(['3 orderCancelled'])
    }
  })

  it('fires at the first tick after, at the price of that tick', () => {
    const floor = stopped()
    floor.tick('EURUSD', '1.37000', '1.37010')
    start(floor)
    expect(effects(floor.tick('EURUSD', '1.37900', '1.37910'))).toEqual([
      '1 positionClosed',
      '2 positionOpened',
    ])
  })

  it('forgets what it has only passed', () => {
    const floor = stopped()
    floor.tick('EURUSD', '1.37000', '1.37010')
    start(floor)
    expect(effects(floor.tick('EURUSD', '1.38500', '1.38510'))).toEqual([])
  })

  it('allows the demo to be begun anew', () => {
    expect(effects(stopped().reset())).toContain('1 positionClosed')
  })
})

describe('an operator', () => {
  it('halts one instrument, and the reason is shown', () => {
    const floor = busyFloor()
    expect(onlyEvent(floor.halt('EURUSD', 'No liquidity'), 'instrumentHalted')).toEqual({
      type: 'instrumentHalted',
      instrumentId: 1,
      reason: 'No liquidity',
    })
    expect(floor.close(1)).toEqual({
      rejected: 'marketHalted',
      details: { instrument: 'EURUSD', reason: 'No liquidity' },
    })
    expect(effects(floor.buy('GBPUSD', { lots: '0.01' }))).toEqual(['4 positionOpened'])
  })

  it('cannot halt what nobody knows', () => {
    const floor = busyFloor()
    const halt = {
      type: 'haltInstrument',
      at: floor.now(),
      instrumentId: 999,
      reason: 'x',
      by: DEALER,
    } as const
    expect(effects(floor.send(halt))).toEqual(['refused unknownInstrument'])
  })

  it('stops all of them at once, and each says so for the nearest reason', () => {
    const floor = busyFloor()
    floor.mode('cancelOnly')
    expect(effects(floor.buy('GBPUSD', { lots: '0.01' }))).toEqual(['refused cancelOnly'])
    floor.halt('GBPUSD', 'a storm')
    expect(effects(floor.buy('GBPUSD', { lots: '0.01' }))).toEqual(['refused marketHalted'])
    floor.closeMarket('GBPUSD')
    expect(effects(floor.buy('GBPUSD', { lots: '0.01' }))).toEqual(['refused marketClosed'])
  })

  it('may halt a conversion pair: its last rate serves while fresh, then openings wait and closes do not', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.20000', '1.20000')
    floor.tick('GER40', '10000.0', '10000.0')
    floor.halt('EURUSD', 'a storm')
    expect(effects(floor.buy('GER40'))).toEqual(['1 positionOpened'])
    floor.wait(5_001)
    floor.tick('GER40', '10000.0', '10000.0')
    expect(effects(floor.buy('GER40'))).toEqual(['refused stalePrice'])
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })

  it('is remembered by the journal, and so is that it is over', () => {
    const floor = busyFloor()
    floor.halt('EURUSD', 'a storm')
    floor.halt('GBPUSD', 'another')
    floor.halt('GBPUSD', null)
    floor.mode('cancelOnly')
    const copy = floor.replayed()
    expect(remembered(copy)).toEqual(remembered(floor.core))
    expect([...copy.state.halts]).toEqual([[instrumentOf('EURUSD').id, 'a storm']])
    expect(copy.state.mode).toBe('cancelOnly')
  })
})

import { describe, expect, it } from 'vitest'
import { demoHarness, effects, onlyEvent, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { DEALER, instrumentOf, TWO } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../model/author.ts'
import { HALT_AGAIN_MS, HALT_ALONE_MS } from './halts.ts'

/** Position 1 with both stops, and orders 2 (a limit) and 3 (that ends in a minute) that wait. */
function busyHarness(): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.tick('GBPUSD', '1.68500', '1.68510')
  harness.buy('EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
  harness.buy('EURUSD', { lots: '0.1', target: '1.38200' })
  harness.buy('EURUSD', { lots: '0.1', target: '1.30000', expiresAt: harness.now() + 60_000 })
  return harness
}

type Stop = readonly [
  name: string,
  code: string,
  stop: (harness: Harness) => void,
  start: (harness: Harness) => void,
]
const STOPS: readonly Stop[] = [
  [
    'a halted instrument',
    'marketHalted',
    (harness) => harness.halt('EURUSD', 'a storm'),
    (harness) => harness.halt('EURUSD', null),
  ],
  [
    'a halted market as a whole',
    'marketHalted',
    (harness) => harness.mode('halted'),
    (harness) => harness.mode('normal'),
  ],
  [
    'a closed market',
    'marketClosed',
    (harness) => harness.closeMarket('EURUSD'),
    (harness) => harness.openMarket('EURUSD'),
  ],
]

describe.each(STOPS)('%s', (_name, code, stop, start) => {
  function stopped(): Harness {
    const harness = busyHarness()
    stop(harness)
    return harness
  }

  it('opens and closes nothing', () => {
    const harness = stopped()
    const refused = [`refused ${code}`]
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(refused)
    expect(effects(harness.buy('EURUSD', { lots: '0.01', target: '1.38000' }))).toEqual(refused)
    expect(effects(harness.close(1))).toEqual(refused)
    expect(effects(harness.close(1, { lots: '0.5' }))).toEqual(refused)
    expect(effects(harness.closeAll())).toEqual(refused)
    expect(effects(harness.reverse(1))).toEqual(refused)
  })

  it('triggers nothing, but publishes prices', () => {
    const harness = stopped()
    expect(effects(harness.tick('EURUSD', '1.37000', '1.37010'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.39500', '1.39510'))).toEqual([])
    expect(harness.state.quotes.get(1)).toMatchObject({ bid: 139_500, seq: 3 })
  })

  it('allows cancelling orders and moving stops', () => {
    const harness = stopped()
    onlyEvent(harness.setStops(1, 'EURUSD', { stopLoss: '1.38100' }), 'stopsSet')
    onlyEvent(harness.setStops(2, 'EURUSD', { stopLoss: '1.38100' }), 'stopsSet')
    onlyEvent(harness.trail(1, 'EURUSD', '0.00100'), 'stopsSet')
    onlyEvent(harness.cancel(2), 'orderCancelled')
  })

  it('lets orders expire on a tick and on the clock', () => {
    for (const sign of ['tick', 'clock'] as const) {
      const harness = stopped()
      harness.wait(60_000)
      const outcome = sign === 'clock' ? harness.clock() : harness.tick('EURUSD', '1.38500', '1.38510')
      expect(effects(outcome)).toEqual(['3 orderCancelled'])
    }
  })

  it('triggers on the first tick afterwards, at its price', () => {
    const harness = stopped()
    harness.tick('EURUSD', '1.37000', '1.37010')
    start(harness)
    expect(effects(harness.tick('EURUSD', '1.37900', '1.37910'))).toEqual([
      '1 positionClosed',
      '2 positionOpened',
    ])
  })

  it('does not trigger levels that were only passed meanwhile', () => {
    const harness = stopped()
    harness.tick('EURUSD', '1.37000', '1.37010')
    start(harness)
    expect(effects(harness.tick('EURUSD', '1.38500', '1.38510'))).toEqual([])
  })

  it('allows a demo reset', () => {
    expect(effects(stopped().reset())).toContain('1 positionClosed')
  })
})

describe('an operator', () => {
  it('halts one instrument, and the reason is shown', () => {
    const harness = busyHarness()
    expect(onlyEvent(harness.halt('EURUSD', 'No liquidity'), 'instrumentHalted')).toEqual({
      type: 'instrumentHalted',
      instrumentId: 1,
      reason: 'No liquidity',
      endsAt: null,
    })
    expect(harness.close(1)).toEqual({
      rejected: 'marketHalted',
      details: { instrument: 'EURUSD', reason: 'No liquidity' },
    })
    expect(effects(harness.buy('GBPUSD', { lots: '0.01' }))).toEqual(['4 positionOpened'])
  })

  it('cannot halt an unknown instrument', () => {
    const harness = busyHarness()
    const halt = {
      type: 'haltInstrument',
      at: harness.now(),
      instrumentId: 999,
      reason: 'x',
      by: DEALER,
    } as const
    expect(effects(harness.send(halt))).toEqual(['refused unknownInstrument'])
  })

  it('halts all instruments at once, with the more specific reason', () => {
    const harness = busyHarness()
    harness.mode('reduceOnly')
    expect(effects(harness.buy('GBPUSD', { lots: '0.01' }))).toEqual(['refused reduceOnly'])
    harness.halt('GBPUSD', 'a storm')
    expect(effects(harness.buy('GBPUSD', { lots: '0.01' }))).toEqual(['refused marketHalted'])
    harness.closeMarket('GBPUSD')
    expect(effects(harness.buy('GBPUSD', { lots: '0.01' }))).toEqual(['refused marketClosed'])
  })

  it('may halt a conversion pair: its last rate is used while fresh, then openings wait and closes do not', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.halt('EURUSD', 'a storm')
    expect(effects(harness.buy('GER40'))).toEqual(['1 positionOpened'])
    harness.wait(5_001)
    harness.tick('GER40', '10000.0', '10000.0')
    expect(effects(harness.buy('GER40'))).toEqual(['refused stalePrice'])
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })

  it('is restored from the journal, and so is its end', () => {
    const harness = busyHarness()
    harness.halt('EURUSD', 'a storm')
    harness.halt('GBPUSD', 'another')
    harness.halt('GBPUSD', null)
    harness.mode('reduceOnly')
    const copy = harness.replayed()
    expect(snapshotOf(copy)).toEqual(snapshotOf(harness.core))
    expect([...copy.state.halts]).toEqual([[instrumentOf('EURUSD').id, 'a storm']])
    expect(copy.state.mode).toBe('reduceOnly')
  })
})

describe('trading that may only reduce risk', () => {
  const reducing = (): Harness => {
    const harness = busyHarness()
    harness.mode('reduceOnly', DEALER)
    return harness
  }

  it('rejects openings with the reason', () => {
    const harness = reducing()
    const refused = ['refused reduceOnly']
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(refused)
    expect(effects(harness.buy('EURUSD', { lots: '0.01', target: '1.38000' }))).toEqual(refused)
    expect(effects(harness.reverse(1))).toEqual(refused)
    expect(harness.buy('EURUSD')).toMatchObject({ details: { reason: DEALER.reason } })
  })

  it('closes, whole and in parts, and allows cancelling orders and moving stops', () => {
    const harness = reducing()
    expect(effects(harness.close(1, { lots: '0.5' }))).toEqual(['1 positionReduced'])
    expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '1.38100' }))).toEqual(['1 stopsSet'])
    expect(effects(harness.cancel(2))).toEqual(['2 orderCancelled'])
    expect(effects(harness.closeAll())).toEqual(['1 positionClosed'])
  })

  it('triggers stops, but pending orders only once trading is open again', () => {
    const harness = reducing()
    expect(effects(harness.tick('EURUSD', '1.37900', '1.37910'))).toEqual(['1 positionClosed'])
    harness.mode('normal')
    expect(effects(harness.tick('EURUSD', '1.37900', '1.37910'))).toEqual(['2 positionOpened'])
  })

  it('lasts until it is lifted', () => {
    const harness = reducing()
    harness.wait(HALT_ALONE_MS + HALT_AGAIN_MS)
    harness.clock()
    expect(harness.state.mode).toBe('reduceOnly')
  })

  it('is the current meaning of the old pause', () => {
    const harness = busyHarness()
    expect(onlyEvent(harness.mode('cancelOnly', DEALER), 'tradingModeSet')).toMatchObject({
      mode: 'reduceOnly',
    })
  })
})

describe('a halt by one operator', () => {
  const halted = (): Harness => {
    const harness = busyHarness()
    harness.halt('EURUSD', 'a storm', DEALER)
    return harness
  }
  const marked = (harness: Harness) =>
    effects(harness.clock()).filter((each) => !each.endsWith('orderCancelled'))

  it('expires after 30 minutes, to the millisecond, by the clock', () => {
    expect(HALT_ALONE_MS).toBe(1_800_000)
    const harness = halted()
    harness.wait(HALT_ALONE_MS - 1)
    expect(marked(harness)).toEqual([])
    expect(harness.state.halts.size).toBe(1)
    harness.wait(1)
    expect(marked(harness)).toEqual(['instrumentHalted'])
    expect(harness.state.halts.size).toBe(0)
    expect(harness.journal.at(-1)?.author).toEqual({ type: 'clock' })
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('has expired for the first command after its end', () => {
    const harness = halted()
    harness.wait(HALT_ALONE_MS)
    harness.tick('EURUSD', '1.38500', '1.38510')
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })

  it('is not extended by another reason', () => {
    const harness = halted()
    harness.wait(HALT_ALONE_MS - 1)
    harness.halt('EURUSD', 'another storm', DEALER)
    expect(harness.state.halts.get(1)).toBe('another storm')
    harness.wait(1)
    harness.clock()
    expect(harness.state.halts.size).toBe(0)
  })

  it('cannot be repeated by one operator within 4 hours of its end', () => {
    expect(HALT_AGAIN_MS).toBe(14_400_000)
    const lifted = halted()
    lifted.halt('EURUSD', null, DEALER)
    const ranOut = halted()
    ranOut.wait(HALT_ALONE_MS)
    ranOut.clock()
    for (const harness of [lifted, ranOut]) {
      const again = () => effects(harness.halt('EURUSD', 'once more', DEALER)).at(-1)
      expect(again()).toBe('refused secondOperatorNeeded')
      expect(effects(harness.halt('GBPUSD', 'another market', DEALER)).at(-1)).toBe('instrumentHalted')
      harness.wait(HALT_AGAIN_MS - 1)
      harness.clock()
      expect(again()).toBe('refused secondOperatorNeeded')
      harness.wait(1)
      expect(again()).toBe('instrumentHalted')
    }
  })

  it('by two operators lasts until it is lifted, also where one began it, and also within the 4 hours', () => {
    const harness = halted()
    harness.halt('EURUSD', 'a storm', TWO)
    harness.halt('EURUSD', 'the storm goes on', DEALER)
    harness.wait(10 * HALT_AGAIN_MS)
    harness.clock()
    expect(harness.state.halts.has(1)).toBe(true)
    harness.halt('EURUSD', null, DEALER)
    expect(effects(harness.halt('EURUSD', 'once more', DEALER))).toEqual(['refused secondOperatorNeeded'])
    expect(effects(harness.halt('EURUSD', 'once more', TWO))).toEqual(['instrumentHalted'])
  })

  it('of the whole market is limited like that of an instrument, and restores the mode before it', () => {
    const harness = busyHarness()
    harness.mode('reduceOnly', DEALER)
    harness.mode('halted', DEALER)
    expect(harness.close(1)).toMatchObject({ rejected: 'marketHalted', details: { reason: DEALER.reason } })
    harness.wait(HALT_ALONE_MS)
    expect(marked(harness)).toEqual(['tradingModeSet'])
    expect(harness.state).toMatchObject({ mode: 'reduceOnly', modeReason: DEALER.reason })
    expect(effects(harness.mode('halted', DEALER))).toEqual(['refused secondOperatorNeeded'])
    harness.mode('normal', DEALER)
    expect(effects(harness.mode('halted', DEALER))).toEqual(['refused secondOperatorNeeded'])
    expect(effects(harness.mode('halted', TWO))).toEqual(['tradingModeSet'])
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })
})

describe('a halt by one operator of what another one by one operator stops too', () => {
  const marked = (harness: Harness) =>
    effects(harness.clock()).filter((each) => !each.endsWith('orderCancelled'))

  it('of the whole market is refused within 4 hours of that of any instrument', () => {
    const harness = busyHarness()
    harness.halt('EURUSD', 'a storm', DEALER)
    harness.wait(HALT_ALONE_MS)
    harness.clock()
    const again = () => harness.mode('halted', DEALER)
    expect(again()).toEqual({
      rejected: 'secondOperatorNeeded',
      details: { from: harness.now() + HALT_AGAIN_MS },
    })
    harness.wait(HALT_AGAIN_MS - 1)
    harness.clock()
    expect(effects(again())).toEqual(['refused secondOperatorNeeded'])
    expect(effects(harness.mode('halted', TWO))).toEqual(['tradingModeSet'])
    harness.mode('normal', DEALER)
    harness.wait(HALT_AGAIN_MS)
    expect(effects(again()).at(-1)).toBe('tradingModeSet')
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('of an instrument is refused within 4 hours of that of the whole market', () => {
    const harness = busyHarness()
    harness.mode('halted', DEALER)
    harness.mode('normal', DEALER)
    harness.wait(HALT_AGAIN_MS - 1)
    harness.clock()
    expect(effects(harness.halt('EURUSD', 'once more', DEALER))).toEqual(['refused secondOperatorNeeded'])
    expect(effects(harness.halt('EURUSD', 'once more', TWO))).toEqual(['instrumentHalted'])
    harness.wait(1)
    expect(effects(harness.halt('GBPUSD', 'once more', DEALER))).toEqual(['instrumentHalted'])
  })

  it.each<[string, (harness: Harness) => unknown, (harness: Harness) => unknown]>([
    [
      'of the whole market ends with the first one of an instrument',
      (harness) => harness.halt('EURUSD', 'a storm', DEALER),
      (harness) => harness.mode('halted', DEALER),
    ],
    [
      'of an instrument ends with that of the whole market',
      (harness) => harness.mode('halted', DEALER),
      (harness) => harness.halt('EURUSD', 'a storm', DEALER),
    ],
  ])('%s', (_name, first, second) => {
    const harness = busyHarness()
    first(harness)
    harness.wait(HALT_ALONE_MS - 1)
    second(harness)
    expect([harness.state.mode, harness.state.halts.size]).toEqual(['halted', 1])
    harness.wait(1)
    expect(marked(harness).toSorted()).toEqual(['instrumentHalted', 'tradingModeSet'])
    expect([harness.state.mode, harness.state.halts.size]).toEqual(['normal', 0])
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('is not limited by one of two operators that is in force', () => {
    const harness = busyHarness()
    harness.halt('EURUSD', 'delisted', TWO)
    harness.mode('halted', DEALER)
    expect(harness.state.haltEnds.get(0)).toBe(harness.now() + HALT_ALONE_MS)
  })

  it('by the rules before version 6 counted by itself', () => {
    const harness = busyHarness()
    harness.state.rulesVersion = 5
    harness.halt('EURUSD', 'a storm', DEALER)
    harness.wait(HALT_ALONE_MS - 1)
    harness.mode('halted', DEALER)
    expect(harness.state.haltEnds.get(0)).toBe(harness.now() + HALT_ALONE_MS)
    harness.mode('normal', DEALER)
    expect(effects(harness.halt('GBPUSD', 'once more', DEALER)).at(-1)).toBe('instrumentHalted')
  })
})

describe('by the first rules', () => {
  const old = (): Harness => {
    const harness = busyHarness()
    harness.state.rulesVersion = 1
    return harness
  }

  it('a halt and a pause do not expire, and nothing closes in a pause', () => {
    const harness = old()
    expect(onlyEvent(harness.halt('EURUSD', 'a storm', DEALER), 'instrumentHalted')).toEqual({
      type: 'instrumentHalted',
      instrumentId: 1,
      reason: 'a storm',
    })
    expect(onlyEvent(harness.mode('cancelOnly', DEALER), 'tradingModeSet')).toEqual({
      type: 'tradingModeSet',
      mode: 'cancelOnly',
    })
    harness.halt('EURUSD', null, DEALER)
    expect(effects(harness.close(1))).toEqual(['refused cancelOnly'])
  })

  it('a pause in force becomes reduce-only with the new rules', () => {
    const harness = old()
    harness.mode('cancelOnly', DEALER)
    expect(effects(harness.send({ type: 'setRules', at: harness.now(), rules: 2, by: DEPLOYMENT }))).toEqual([
      'rulesSet',
    ])
    expect(harness.state.mode).toBe('reduceOnly')
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })

  it('cannot be restored', () => {
    const harness = busyHarness()
    for (const rules of [1, 2, 3])
      expect(effects(harness.send({ type: 'setRules', at: harness.now(), rules, by: DEPLOYMENT }))).toEqual([
        'refused termsFixed',
      ])
  })
})

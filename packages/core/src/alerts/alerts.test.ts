import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  onlyEvent,
  riskyHarness,
  snapshotOf,
  type Harness,
} from '../../scenarios/harness.ts'
import { instrumentOf, priceOf, usd } from '../../scenarios/market.ts'
import { price, ratio } from '../model/number.ts'
import type { SetAccountStatus, SetAlert, SetTerms } from '../model/command.ts'
import { hasDueWork } from '../accounts/due-work.ts'
import { MAX_ALERTS } from '../model/alert.ts'
import { isRejection } from '../model/rejection.ts'

type Condition = SetAlert['condition']

const HOUR_MS = 3_600_000

const at = (
  side: 'bid' | 'ask' | 'mid',
  direction: 'above' | 'below',
  level: string,
  code = 'EURUSD',
): Condition => ({
  kind: 'price',
  instrumentId: instrumentOf(code).id,
  side,
  direction,
  price: priceOf(code, level),
})
const move = (direction: 'above' | 'below', millionths: number, code = 'EURUSD'): Condition => ({
  kind: 'dayMove',
  instrumentId: instrumentOf(code).id,
  direction,
  move: ratio(millionths),
})
const level = (percent: number): Condition => ({ kind: 'marginLevel', level: percent })

/** EURUSD at 1.38500 / 1.38510. */
function market(): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  return harness
}

const isFired = (outcome: ReturnType<Harness['tick']>): boolean => effects(outcome).includes('alertFired')

describe('an alert on a price', () => {
  it.each([
    ['bid', 'above', '1.38520', ['1.38519', '1.38530'], ['1.38520', '1.38530']],
    ['bid', 'below', '1.38480', ['1.38481', '1.38482'], ['1.38480', '1.38490']],
    ['ask', 'above', '1.38520', ['1.38500', '1.38519'], ['1.38500', '1.38520']],
    ['ask', 'below', '1.38480', ['1.38470', '1.38481'], ['1.38470', '1.38480']],
    ['mid', 'above', '1.38520', ['1.38519', '1.38520'], ['1.38519', '1.38521']],
    ['mid', 'below', '1.38480', ['1.38480', '1.38481'], ['1.38480', '1.38480']],
  ] as const)(
    'fires when the %s is %s %s',
    (side, direction, wanted, [bidBefore, askBefore], [bidReached, askReached]) => {
      const harness = market()
      onlyEvent(harness.setAlert(at(side, direction, wanted)), 'alertSet')
      expect(effects(harness.tick('EURUSD', bidBefore, askBefore))).toEqual([])
      const fired = onlyEvent(harness.tick('EURUSD', bidReached, askReached), 'alertFired')
      const [bid, ask] = [priceOf('EURUSD', bidReached), priceOf('EURUSD', askReached)]
      expect(fired.tick).toMatchObject({ bid, ask, seq: 3 })
    },
  )

  it('fires once, also after a restart', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
    harness.tick('EURUSD', '1.38500', '1.38510')
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it.each([
    ['bid', 'above', '1.39000', ['1.39000', '1.39010'], ['1.38999', '1.39010']],
    ['ask', 'below', '1.38000', ['1.37990', '1.38000'], ['1.37990', '1.38001']],
    ['mid', 'above', '1.39000', ['1.38995', '1.39005'], ['1.38995', '1.39003']],
    ['mid', 'below', '1.38000', ['1.37995', '1.38005'], ['1.37996', '1.38006']],
  ] as const)(
    'with a pause fires again once its %s has been a tick on the other side of %s %s',
    (side, direction, wanted, [bid, ask], [bidBack, askBack]) => {
      const harness = market()
      harness.setAlert(at(side, direction, wanted), { pauseMs: 60_000 })
      const first = onlyEvent(harness.tick('EURUSD', bid, ask), 'alertFired')
      expect(first).toMatchObject({ wakesAt: harness.now() + 60_000, awaitsReturn: true })
      harness.wait(120_000)
      expect(effects(harness.tick('EURUSD', bid, ask))).toEqual([])
      const rearmed = onlyEvent(harness.tick('EURUSD', bidBack, askBack), 'alertRearmed')
      expect(rearmed.tick).toMatchObject({ bid: priceOf('EURUSD', bidBack), ask: priceOf('EURUSD', askBack) })
      expect(isFired(harness.tick('EURUSD', bid, ask))).toBe(true)
    },
  )

  it('half a tick on the other side is not enough for the mid', () => {
    const harness = market()
    harness.setAlert(at('mid', 'above', '1.39000'), { pauseMs: 60_000 })
    harness.tick('EURUSD', '1.38995', '1.39005')
    expect(effects(harness.tick('EURUSD', '1.38995', '1.39004'))).toEqual([])
  })

  it('that was on the other side in its pause still waits for the end of the pause', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'), { pauseMs: 60_000 })
    harness.tick('EURUSD', '1.39000', '1.39010')
    harness.wait(59_999)
    onlyEvent(harness.tick('EURUSD', '1.38990', '1.39000'), 'alertRearmed')
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
    harness.wait(1)
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
  })

  it('that waits for the price to come back still does after a restart', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'), { pauseMs: 60_000 })
    harness.tick('EURUSD', '1.39000', '1.39010')
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
    harness.tick('EURUSD', '1.38990', '1.39000')
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('before rules 4 fires again at the first price after its pause, on whichever side it was', () => {
    const harness = market()
    harness.state.rulesVersion = 3
    harness.setAlert(at('bid', 'above', '1.39000'), { pauseMs: 60_000 })
    const first = onlyEvent(harness.tick('EURUSD', '1.39000', '1.39010'), 'alertFired')
    expect(first).not.toHaveProperty('awaitsReturn')
    harness.wait(59_999)
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
    harness.wait(1)
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
  })

  it('fires during a halt, because its price is published all the same, but not outside hours', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    harness.setAlert(at('bid', 'above', '1.39500'))
    harness.halt('EURUSD', 'a test')
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
    harness.closeMarket('EURUSD')
    expect(effects(harness.tick('EURUSD', '1.39500', '1.39510'))).toEqual([])
    harness.openMarket('EURUSD')
    expect(isFired(harness.tick('EURUSD', '1.39500', '1.39510'))).toBe(true)
  })

  it('fired outside hours too before rules 4', () => {
    const harness = market()
    harness.state.rulesVersion = 3
    harness.setAlert(at('bid', 'above', '1.39000'))
    harness.closeMarket('EURUSD')
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
  })

  it('reached by a gap names the tick behind it, not its level', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    const fired = onlyEvent(harness.tick('EURUSD', '1.41234', '1.41244'), 'alertFired')
    expect(fired.tick).toMatchObject({ bid: priceOf('EURUSD', '1.41234'), seq: 2 })
  })

  it('is not fired by a changed mark-up alone, but by the next tick with it', () => {
    const harness = market()
    harness.setAlert(at('ask', 'above', '1.38600'))
    const changed = harness.operate<SetTerms>({
      type: 'setTerms',
      change: {
        kind: 'instrument',
        instrument: { ...instrumentOf('EURUSD'), markUp: ratio(1_000) },
        listing: null,
      },
      effectiveAt: null,
      by: { type: 'deployment' },
    })
    expect(effects(changed)).toEqual(['termsSet'])
    expect(effects(harness.clock())).toEqual([])
    const fired = onlyEvent(harness.tick('EURUSD', '1.38500', '1.38510'), 'alertFired')
    expect(fired.tick).toMatchObject({ ask: priceOf('EURUSD', '1.38649'), markUp: 139 })
  })

  it('does not fire on a price that is no longer fresh, but on the next fresh one', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010', 5_001))).toEqual([])
    harness.wait(10_000)
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
  })

  it('changes no money, no order and no price', () => {
    const harness = market()
    const before = snapshotOf(harness.core)
    harness.setAlert(at('bid', 'above', '1.39000'))
    harness.tick('EURUSD', '1.39000', '1.39010')
    expect(snapshotOf(harness.core)).toEqual({ ...before, alerts: [], lastAlertId: 1 })
  })

  it('fires after the orders of the tick and before its stop-outs', () => {
    const harness = riskyHarness('1000')
    harness.tick('EURUSD', '1.38500', '1.38500')
    harness.buy('EURUSD', { lots: '0.15', leverage: 30 })
    harness.buy('EURUSD', { lots: '0.01', leverage: 30, stopLoss: '1.38000' })
    harness.setAlert(at('bid', 'below', '1.35000'))
    expect(effects(harness.tick('EURUSD', '1.34000', '1.34000'))).toEqual([
      '2 positionClosed',
      'alertFired',
      '1 positionClosed',
    ])
  })

  it('waits for nothing once its instrument has other decimals', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    const instrument = { ...instrumentOf('EURUSD'), priceDecimals: 6 }
    harness.operate<SetTerms>({
      type: 'setTerms',
      change: { kind: 'instrument', instrument, listing: null },
      effectiveAt: null,
      by: { type: 'deployment' },
    })
    expect(harness.state.instruments.get(1)?.priceDecimals).toBe(6)
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
  })
})

describe('an alert on a move of the day', () => {
  /** The price of the full hour is recorded: 1.40000. */
  function recorded(): Harness {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.40000', '1.40000')
    harness.wait(30 * 60_000)
    harness.clock()
    return harness
  }

  it.each([
    ['above', '1.40699', '1.40700'],
    ['below', '1.39301', '1.39300'],
  ] as const)(
    'fires when the mid is half a percent %s the first recorded price of the day',
    (way, before, reached) => {
      const harness = recorded()
      harness.setAlert(move(way, 5_000))
      expect(effects(harness.tick('EURUSD', before, before))).toEqual([])
      const fired = onlyEvent(harness.tick('EURUSD', reached, reached), 'alertFired')
      expect(fired.reference).toEqual({ bid: 140_000, ask: 140_000 })
    },
  )

  it('waits while no price of the day is recorded', () => {
    const harness = market()
    harness.setAlert(move('above', 5_000))
    expect(effects(harness.tick('EURUSD', '1.50000', '1.50010'))).toEqual([])
    harness.wait(30 * 60_000)
    harness.clock()
    expect(isFired(harness.tick('EURUSD', '1.51000', '1.51010'))).toBe(true)
  })

  it('is measured from a new price after the turn of the day', () => {
    const harness = recorded()
    harness.setAlert(move('above', 5_000))
    harness.wait(11 * HOUR_MS - 1_000)
    harness.tick('EURUSD', '1.40600', '1.40600')
    harness.wait(1_000)
    expect(effects(harness.tick('EURUSD', '1.40700', '1.40700'))).toEqual([])
    expect(isFired(harness.tick('EURUSD', '1.41303', '1.41303'))).toBe(true)
  })

  it('is refused where the move is complete already', () => {
    const harness = recorded()
    harness.tick('EURUSD', '1.40700', '1.40700')
    expect(effects(harness.setAlert(move('above', 5_000)))).toEqual(['refused alertAlreadyMet'])
    onlyEvent(harness.setAlert(move('above', 5_001)), 'alertSet')
  })

  it('with a pause fires again once the mid has been less than the move away', () => {
    const harness = recorded()
    harness.setAlert(move('above', 5_000), { pauseMs: 60_000 })
    expect(isFired(harness.tick('EURUSD', '1.40700', '1.40700'))).toBe(true)
    harness.wait(60_000)
    expect(effects(harness.tick('EURUSD', '1.40710', '1.40710'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.40699', '1.40699'))).toEqual(['alertRearmed'])
    expect(isFired(harness.tick('EURUSD', '1.40700', '1.40700'))).toBe(true)
  })

  it('is measured by the size of a reference below zero', () => {
    const harness = demoHarness()
    harness.tick('WTI', '-10.00', '-10.00')
    harness.wait(30 * 60_000)
    harness.clock()
    harness.setAlert(move('above', 100_000, 'WTI'))
    expect(effects(harness.tick('WTI', '-9.01', '-9.01'))).toEqual([])
    expect(isFired(harness.tick('WTI', '-9.00', '-9.00'))).toBe(true)
  })
})

describe('an alert on the margin level', () => {
  /** 1,000 of money, less a fee of 4.67; a position of 4,666.66 margin at 1.40000 has 10.00 of profit a tick. */
  function leveraged(): Harness {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.40000', '1.40000')
    harness.buy('EURUSD', { lots: '1', leverage: 30 })
    return harness
  }

  it('fires when the level falls to it, and names the figures and every price behind them', () => {
    const harness = leveraged()
    harness.setAlert(level(150))
    const before = harness.tick('EURUSD', '1.37005', '1.37005')
    expect(effects(before)).toEqual([])
    const fired = onlyEvent(harness.tick('EURUSD', '1.37004', '1.37004'), 'alertFired')
    const { equity = 0n, margin = 0n, prices } = fired.margin ?? {}
    expect(equity * 100n <= 150n * margin).toBe(true)
    expect((equity + usd('1')) * 100n <= 150n * margin).toBe(false)
    expect(prices).toMatchObject([{ instrumentId: 1, bid: 137_004 }])
  })

  it('fires on the next price after an order that takes the margin', () => {
    const harness = leveraged()
    harness.setAlert(level(150))
    harness.buy('EURUSD', { lots: '0.9', leverage: 30 })
    expect(isFired(harness.tick('EURUSD', '1.40000', '1.40000'))).toBe(true)
  })

  it('waits while there is no margin, and is refused where the level is reached already', () => {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.40000', '1.40000')
    onlyEvent(harness.setAlert(level(150)), 'alertSet')
    expect(effects(harness.tick('EURUSD', '1.30000', '1.30000'))).toEqual([])
    harness.buy('EURUSD', { lots: '1', leverage: 30 })
    expect(effects(harness.setAlert(level(1_000)))).toEqual(['refused alertAlreadyMet'])
  })

  it('fires each of several levels at its own price', () => {
    const harness = leveraged()
    harness.setAlert(level(100))
    harness.setAlert(level(150))
    expect(effects(harness.tick('EURUSD', '1.37000', '1.37000'))).toEqual(['alertFired'])
    expect(effects(harness.tick('EURUSD', '1.34000', '1.34000'))).toEqual(['alertFired'])
    expect(harness.state.alerts.size).toBe(0)
  })

  it('with a pause is watched again after it', () => {
    const harness = leveraged()
    harness.setAlert(level(150), { pauseMs: 60_000 })
    expect(isFired(harness.tick('EURUSD', '1.37000', '1.37000'))).toBe(true)
    expect(effects(harness.tick('EURUSD', '1.36990', '1.36990'))).toEqual([])
    harness.wait(60_000)
    expect(isFired(harness.tick('EURUSD', '1.37000', '1.37000'))).toBe(true)
  })
})

describe('an alert with an expiry', () => {
  it('ends at that time without firing, by the clock', () => {
    const harness = market()
    harness.setAlert(level(100), { expiresAt: harness.now() + 60_000 })
    harness.wait(59_999)
    expect(effects(harness.clock())).toEqual([])
    harness.wait(1)
    expect(hasDueWork(harness.core, harness.now())).toBe(true)
    expect(onlyEvent(harness.clock(), 'alertEnded')).toMatchObject({ alertId: 1, reason: 'expired' })
    expect(harness.state.alerts.size).toBe(0)
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('ends before the tick at that time can fire it, and fires on the one before', () => {
    const harness = market()
    const expiresAt = harness.now() + 60_000
    harness.setAlert(at('bid', 'above', '1.39000'), { expiresAt })
    harness.setAlert(at('bid', 'above', '1.39500'), { expiresAt })
    harness.wait(59_999)
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
    harness.wait(1)
    expect(effects(harness.tick('EURUSD', '1.39500', '1.39510'))).toEqual(['alertEnded'])
  })

  it('ends in its pause too', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'), { pauseMs: 600_000, expiresAt: harness.now() + 60_000 })
    harness.tick('EURUSD', '1.39000', '1.39010')
    harness.wait(60_000)
    expect(effects(harness.clock())).toEqual(['alertEnded'])
  })

  it.each([
    ['now', 0],
    ['in the past', -1],
    ['between two milliseconds', 0.5],
    ['in more than 366 days', 366 * 86_400_000 + 1],
  ])('that lies %s is refused', (_name, after) => {
    const harness = market()
    expect(harness.setAlert(level(100), { expiresAt: harness.now() + after })).toEqual({
      rejected: 'alertInvalid',
      details: { field: 'expiry' },
    })
  })
})

describe('alerts on an instrument that is switched off', () => {
  const switched = (harness: Harness, isEnabled: boolean) =>
    harness.operate<SetTerms>({
      type: 'setTerms',
      change: { kind: 'instrument', instrument: { ...instrumentOf('EURUSD'), isEnabled }, listing: null },
      effectiveAt: null,
      by: { type: 'deployment' },
    })

  it('end, also in their pause, and others stay', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'), { pauseMs: 600_000 })
    harness.setAlert(move('above', 5_000))
    harness.setAlert(level(100))
    harness.setAlert(at('bid', 'above', '2000.00', 'XAUUSD'))
    harness.tick('EURUSD', '1.39000', '1.39010')
    switched(harness, false)
    expect(effects(harness.clock())).toEqual(['alertEnded', 'alertEnded'])
    expect([...(harness.state.alerts.get(1)?.keys() ?? [])]).toEqual([3, 4])
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('say why, and no new one can be set', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    switched(harness, false)
    expect(onlyEvent(harness.clock(), 'alertEnded').reason).toBe('instrumentOff')
    expect(effects(harness.setAlert(at('bid', 'above', '1.39000')))).toEqual(['refused instrumentDisabled'])
  })

  it('stay where it is switched on again before they have ended', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    switched(harness, false)
    switched(harness, true)
    expect(effects(harness.clock())).toEqual([])
    expect(isFired(harness.tick('EURUSD', '1.39000', '1.39010'))).toBe(true)
  })

  it('end once rules 4 are in force, not before', () => {
    const harness = market()
    harness.state.rulesVersion = 3
    harness.setAlert(at('bid', 'above', '1.39000'))
    switched(harness, false)
    expect(effects(harness.clock())).toEqual([])
    harness.send({ type: 'setRules', at: harness.now(), rules: 4, by: { type: 'deployment' } })
    expect(effects(harness.clock())).toEqual(['alertEnded'])
  })
})

describe('setting an alert is refused', () => {
  it.each([
    [
      'for an unknown instrument',
      { ...at('bid', 'above', '1.39000'), instrumentId: 99 },
      null,
      'unknownInstrument',
    ],
    ['at a price of zero', { ...at('bid', 'below', '1.38000'), price: price(0) }, null, 'priceInvalid'],
    [
      'between two ticks',
      { ...at('bid', 'above', '1.39000'), price: price(139_000.5) },
      null,
      'priceInvalid',
    ],
    ['at a price that is reached already', at('bid', 'above', '1.38500'), null, 'alertAlreadyMet'],
    ['for a move of nothing', move('above', 0), null, 'alertInvalid'],
    ['for a move of more than 100 %', move('below', 1_000_001), null, 'alertInvalid'],
    ['for a margin level of zero', level(0), null, 'alertInvalid'],
    ['with a pause below a minute', at('bid', 'above', '1.39000'), 59_999, 'alertInvalid'],
  ] as const)('%s', (_name, condition, pauseMs, code) => {
    expect(effects(market().setAlert(condition as Condition, { pauseMs }))).toEqual([`refused ${code}`])
  })

  it.each([
    ['bid', at('bid', 'above', '1.38500'), { side: 'bid', price: '1.38500' }],
    ['ask', at('ask', 'below', '1.38510'), { side: 'ask', price: '1.38510' }],
    ['mid, to half a tick', at('mid', 'above', '1.38500'), { side: 'mid', price: '1.385045' }],
  ] as const)('at a price that is reached already names the %s', (_name, condition, named) => {
    const harness = market()
    harness.tick('EURUSD', '1.38500', named.side === 'mid' ? '1.38509' : '1.38510')
    expect(harness.setAlert(condition)).toEqual({
      rejected: 'alertAlreadyMet',
      details: { about: 'price', ...named },
    })
  })

  it.each([
    ['price', at('bid', 'above', '1.39000'), at('bid', 'above', '1.39001')],
    ['price of another side', at('bid', 'above', '1.39000'), at('mid', 'above', '1.39000')],
    ['move', move('above', 5_000), move('below', 5_000)],
    ['margin level', level(100), level(101)],
  ])('equal to one that waits; another %s is another alert', (_name, condition, other) => {
    const harness = market()
    harness.openAccount()
    onlyEvent(harness.setAlert(condition), 'alertSet')
    expect(effects(harness.setAlert(condition, { pauseMs: 60_000 }))).toEqual(['refused alertExists'])
    onlyEvent(harness.setAlert(other), 'alertSet')
    onlyEvent(harness.setAlert(condition, { accountId: 2 }), 'alertSet')
    harness.removeAlert(1)
    onlyEvent(harness.setAlert(condition), 'alertSet')
  })

  it('equal to one that waits was not refused before rules 4', () => {
    const harness = market()
    harness.state.rulesVersion = 3
    harness.setAlert(at('bid', 'above', '1.39000'))
    onlyEvent(harness.setAlert(at('bid', 'above', '1.39000')), 'alertSet')
  })

  it('beyond the limit, until one has ended', () => {
    const harness = market()
    for (let count = 0; count < MAX_ALERTS; count += 1)
      harness.setAlert(at('bid', 'above', `1.${39_000 + count}`))
    expect(harness.setAlert(level(100))).toEqual({ rejected: 'tooManyAlerts', details: { most: 50 } })
    harness.removeAlert(1)
    expect(isRejection(harness.setAlert(level(100)))).toBe(false)
  })
})

describe('removing an alert', () => {
  it('ends it; another one, and that of another user, is not found', () => {
    const harness = market()
    harness.openAccount()
    harness.setAlert(at('bid', 'above', '1.39000'))
    expect(effects(harness.removeAlert(1, { accountId: 2 }))).toEqual(['refused alertNotFound'])
    onlyEvent(harness.removeAlert(1), 'alertRemoved')
    expect(effects(harness.removeAlert(1))).toEqual(['refused alertNotFound'])
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
  })

  it('comes with a demo reset and with the closing of the account', () => {
    const harness = market()
    harness.setAlert(at('bid', 'above', '1.39000'))
    harness.setAlert(level(100), { pauseMs: 60_000 })
    expect(effects(harness.reset())).toEqual(['alertRemoved', 'alertRemoved', 'demoReset'])
    harness.setAlert(level(100))
    const closing = harness.send({ type: 'closeAccount', at: harness.now(), accountId: 1, leftMax: usd('0') })
    expect(effects(closing)).toEqual(['accountClosed', 'alertRemoved'])
  })

  it('is allowed to a frozen account, and so is setting one', () => {
    const harness = market()
    harness.operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status: 'frozen' })
    onlyEvent(harness.setAlert(level(100)), 'alertSet')
    onlyEvent(harness.removeAlert(1), 'alertRemoved')
  })
})

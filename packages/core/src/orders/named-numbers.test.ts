import { describe, expect, it } from 'vitest'
import { demoHarness, effects, type Wish } from '../../scenarios/harness.ts'
import { INSTRUMENTS, lotsOf } from '../../scenarios/market.ts'
import { formatDecimal } from '../model/decimal.ts'
import { isRejection, type RejectionCode } from '../model/rejection.ts'
import { LOTS_DECIMALS, price } from '../model/number.ts'

type Answer = ReturnType<ReturnType<typeof demoHarness>['buy']>

/** Euros at 1.38500 to 1.38510, with stops at least 10 ticks away. */
function euroHarness() {
  const harness = demoHarness({
    instruments: INSTRUMENTS.map((instrument) =>
      instrument.code === 'EURUSD'
        ? { ...instrument, minStopDistance: price(10), lotMax: lotsOf('0.5') }
        : instrument,
    ),
  })
  harness.tick('EURUSD', '1.38500', '1.38510')
  return harness
}

/** The answer to what was asked first, and to the same with the number that its refusal names. */
function followed(ask: (text: string) => Answer, first: string, name: string, decimals: number) {
  const refused = ask(first)
  if (!isRejection(refused)) throw new Error(`${first} was not refused`)
  const named = formatDecimal(Number(refused.details?.[name]), decimals)
  return [refused.rejected, effects(ask(named))]
}

/** Decimals of EURUSD. */
const FIVE = 5

describe('a number that a refusal names is accepted', () => {
  const lots = (text: string): Wish => ({ lots: text })
  const profit = (text: string): Wish => ({ takeProfit: text })
  const loss = (text: string): Wish => ({ stopLoss: text })
  const pending = { target: '1.38400', kind: 'limit' } as const
  it.each<[RejectionCode, 'buy' | 'sell', (text: string) => Wish, string, string, number]>([
    ['lotsBelowMinimum', 'buy', lots, '0.0001', 'minimum', LOTS_DECIMALS],
    ['lotsAboveMaximum', 'buy', lots, '0.6', 'maximum', LOTS_DECIMALS],
    ['lotsOffStep', 'buy', lots, '0.0101', 'step', LOTS_DECIMALS],
    ['takeProfitWrongSide', 'buy', profit, '1.38500', 'above', FIVE],
    ['takeProfitWrongSide', 'sell', profit, '1.38600', 'below', FIVE],
    ['stopLossWrongSide', 'buy', loss, '1.38600', 'below', FIVE],
    ['stopLossWrongSide', 'sell', loss, '1.38500', 'above', FIVE],
    ['takeProfitWrongSide', 'buy', (text) => ({ ...pending, ...profit(text) }), '1.38300', 'above', FIVE],
    ['stopLossWrongSide', 'buy', (text) => ({ ...pending, ...loss(text) }), '1.38450', 'below', FIVE],
  ])('%s of a %s', (code, side, wish, first, name, decimals) => {
    const harness = euroHarness()
    const ask = (text: string) => harness[side]('EURUSD', { lots: '0.1', ...wish(text) })
    expect(followed(ask, first, name, decimals)).toEqual([
      code,
      [expect.stringMatching(/^1 (positionOpened|orderPlaced)$/)],
    ])
  })

  it('as the stop of an open position, and as its trailing distance', () => {
    const harness = euroHarness()
    harness.buy('EURUSD', { lots: '0.1' })
    const stop = (stopLoss: string) => harness.setStops(1, 'EURUSD', { stopLoss })
    const trail = (distance: string) => harness.trail(1, 'EURUSD', distance)
    expect(followed(stop, '1.39000', 'below', FIVE)).toEqual(['stopLossWrongSide', ['1 stopsSet']])
    expect(followed(trail, '0.00001', 'below', FIVE)).toEqual(['trailingDistanceInvalid', ['1 stopsSet']])
  })
})

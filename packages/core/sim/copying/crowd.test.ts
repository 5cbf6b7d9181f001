/** One provider of real money with 500 copies, through everything that can happen to it. */
import { expect, test } from 'vitest'
import { usd } from '../../scenarios/market.ts'
import {
  closeAll,
  closePosition,
  comparePair,
  createPair,
  deposit,
  endStrategy,
  openAccount,
  placeOrder,
  priceTo,
  publish,
  reachMonthEnd,
  setStatus,
  startCopy,
  switchMarket,
  takeFromCopy,
  withdraw,
} from './copying-pair.ts'

const COPIES = 500
const TIMEOUT_MS = 120_000
/** 31 May 2014, 17:00 New York, epoch ms. */
const MONTH_END = Date.UTC(2014, 4, 31, 21)

/** The choices of the copies: small and large ones, bold and careful ones. */
const AMOUNTS = ['100', '500', '2000', '8000', '50000']
const MULTIPLIERS = [100_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 10_000_000]
const STOP_LOSSES = [5, 5, 5, 60, 90, 5, 5]
const EXPOSURE_LIMITS = [30, 30, 30, 30, 2, 30, 30, 30, 30, 30, 30]

const oneOf = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}

test('500 copies agree with the plain model after every step', { timeout: TIMEOUT_MS }, () => {
  const pair = createPair({ isChecked: false, budget: { events: 60, checks: 400 } })
  const { counts } = pair
  const provider = openAccount(pair, 'real')
  publish(pair, provider)
  const owners = Array.from({ length: COPIES }, (_, index) =>
    openAccount(pair, index % 5 > 0 ? 'real' : 'demo'),
  )
  const copies = owners.map((owner, index) =>
    startCopy(pair, owner, provider, {
      amount: usd(oneOf(AMOUNTS, index)),
      multiplier: oneOf(MULTIPLIERS, index),
      stopLoss: oneOf(STOP_LOSSES, index),
      exposureLimit: oneOf(EXPOSURE_LIMITS, index),
    }),
  )
  const same = () => expect(comparePair(pair)).toBeNull()
  const open = (code: string, side: 'buy' | 'sell', lots: number, leverage = 30) => {
    placeOrder(pair, provider, code, { side, lots, leverage })
    same()
  }
  const to = (code: string, bid: number) => {
    priceTo(pair, code, bid)
    same()
  }
  const closeFirst = (part?: number) => {
    const [position] = provider.positions
    if (!position) throw new Error('the provider has no position')
    closePosition(pair, provider, position, part)
    same()
  }
  same()

  // A chain of reductions.
  open('EURUSD', 'buy', 10_000)
  for (let count = 0; count < 6; count += 1) closeFirst(1_000)
  to('EURUSD', 141_000)
  closeFirst()

  // Money of the provider moves: the sizes of later orders change, what is open does not.
  withdraw(pair, provider, usd('40000'), 'paid')
  open('EURUSD', 'sell', 20_000)
  withdraw(pair, provider, usd('1000'), 'rejected')
  deposit(pair, provider, usd('15000'))
  open('USDJPY', 'buy', 20_000, 10)

  // Restricted accounts: nothing new in copies of restricted owners, and none at all of a restricted provider; both close.
  for (const owner of owners.slice(0, 40)) setStatus(pair, owner, 'frozen')
  for (const owner of owners.slice(40, 60)) setStatus(pair, owner, 'closeOnly')
  open('EURUSD', 'buy', 5_000)
  setStatus(pair, provider, 'frozen')
  open('EURUSD', 'buy', 5_000)
  expect(provider.positions).toHaveLength(3)
  closeFirst()
  setStatus(pair, provider, 'active')

  // A fee of the month, also of what has been won and is not taken out, and money taken out.
  to('EURUSD', 140_000)
  reachMonthEnd(pair, MONTH_END)
  for (const copy of copies.slice(0, 50)) if (copy) takeFromCopy(pair, copy, pair.model.free(copy) / 2n)
  same()

  // Bold copies are stopped out, the provider is not.
  closeAll(pair, provider)
  same()
  open('EURUSD', 'buy', 14_000)
  to('EURUSD', 134_500)
  expect(provider.positions).toHaveLength(1)
  expect(counts.has('stop-out of a copy')).toBe(true)
  closeFirst()

  // Copies stop at their stop loss while one of their markets is closed, and wait for it.
  open('USDJPY', 'buy', 4_000)
  open('EURUSD', 'buy', 40_000)
  switchMarket(pair, 'USDJPY')
  to('EURUSD', 131_000)
  expect(copies.filter((copy) => copy?.copy?.status === 'ending').length).toBeGreaterThan(0)
  switchMarket(pair, 'USDJPY')
  to('USDJPY', 102_200)

  // A gap stops out the provider and copies, some of them below zero.
  open('EURUSD', 'buy', 30_000)
  to('EURUSD', 110_000)
  expect(provider.positions).toHaveLength(0)

  deposit(pair, provider, usd('50000'))
  open('EURUSD', 'buy', 10_000)
  endStrategy(pair, provider)
  same()
  expect(copies.every((copy) => copy?.isClosed)).toBe(true)
  const reached = [
    'stop-out',
    'stop-out of a copy',
    'protection',
    'ended: stopLoss',
    'ended: strategyEnded',
    'skipped: accountRestricted',
    'skipped: belowMinimumLot',
    'skipped: exposureLimit',
    'skipped: notEnoughMargin',
    'skipped: belowStep',
    'close while frozen',
    'fee of a month',
  ]
  expect(reached.filter((name) => !counts.has(name))).toEqual([])
})

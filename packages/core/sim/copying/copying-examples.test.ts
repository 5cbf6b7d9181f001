/** The examples of the rules (trading-rules §12), with the same numbers in the core and in the plain model. */
import { describe, expect, test } from 'vitest'
import { usd } from '../../scenarios/market.ts'
import {
  closePosition,
  comparePair,
  createPair,
  openAccount,
  placeOrder,
  priceTo,
  publish,
  startCopy,
  stopCopy,
  takeFromCopy,
  type CopyingPair,
} from './copying-pair.ts'
import type { PlainAccount } from './plain-copying.ts'

/** A provider with 100,000 and a fee of 20 %, without costs of orders, and a copy of 1,000. */
function copied(multiplier = 10_000_000) {
  const pair = createPair({ spread: 0, feeRate: 0 })
  const [provider] = pair.model.accounts
  const owner = openAccount(pair, 'demo')
  if (!provider || !publish(pair, provider)) throw new Error('nothing is published')
  const copy = startCopy(pair, owner, provider, { amount: usd('1000'), multiplier })
  if (!copy) throw new Error('no copy has started')
  return { pair, provider, owner, copy }
}

/** The provider buys and sells again at another price; the balance of a copy after it, the same in both. */
function trade(
  pair: CopyingPair,
  { provider, copy }: { readonly provider: PlainAccount; readonly copy: PlainAccount },
  { lots, move }: { readonly lots: number; readonly move: number },
): bigint {
  placeOrder(pair, provider, 'EURUSD', { side: 'buy', lots, leverage: 30 })
  priceTo(pair, 'EURUSD', (pair.bids.get('EURUSD') ?? 0) + move)
  for (const position of provider.positions) closePosition(pair, provider, position)
  expect(comparePair(pair)).toBeNull()
  return copy.balance
}

describe('the performance fee of the examples', () => {
  test('is nothing: 1,000 fall to 500, 250 are taken out, 300 are there later', () => {
    const { pair, owner, ...sides } = copied()
    expect(trade(pair, sides, { lots: 20_000, move: -2_500 })).toBe(usd('500'))
    takeFromCopy(pair, sides.copy, usd('250'))
    expect(trade(pair, sides, { lots: 19_000, move: 1_000 })).toBe(usd('300'))
    stopCopy(pair, sides.copy)
    expect(comparePair(pair)).toBeNull()
    expect(owner.balance).toBe(usd('99550'))
  })

  test('is 33.33, then 66.67: 1,000 rise to 1,500, and 500 are taken out', () => {
    const { pair, owner, ...sides } = copied()
    expect(trade(pair, sides, { lots: 20_000, move: 2_500 })).toBe(usd('1500'))
    takeFromCopy(pair, sides.copy, usd('500'))
    expect(comparePair(pair)).toBeNull()
    expect(owner.balance).toBe(usd('99500') - usd('33.333333'))
    stopCopy(pair, sides.copy)
    expect(comparePair(pair)).toBeNull()
    expect(owner.balance).toBe(usd('100500') - usd('100'))
  })
})

test('a copy of 0.05 of a provider who closes 10 % six times ends at 0.02', () => {
  const { pair, provider, copy } = copied(5_000_000)
  placeOrder(pair, provider, 'EURUSD', { side: 'buy', lots: 10_000, leverage: 30 })
  const left = [copy.positions[0]?.lots]
  for (let count = 0; count < 6; count += 1) {
    const [position] = provider.positions
    if (position) closePosition(pair, provider, position, 1_000)
    expect(comparePair(pair)).toBeNull()
    left.push(copy.positions[0]?.lots)
  }
  expect(left).toEqual([500, 400, 400, 300, 300, 200, 200])
})

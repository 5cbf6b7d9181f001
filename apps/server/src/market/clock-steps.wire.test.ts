import { listOrders, valueOf } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { movablePace } from '../testing/accounts.ts'
import { serverOn } from '../testing/running-server.ts'
import { newTrader } from '../../../../testing/traders.ts'

const HOUR_MS = 3_600_000
const FRESH_MS = 5_000

const { pace, pass, step } = movablePace()
const server = serverOn('sqlite', { pace, env: { SETTING_FRESHNESS_MS: String(FRESH_MS) } })
const wall = () => Math.floor(pace.wall())
const price = (time: number) => server().price('EURUSD', [1.1, 1.10006], time)
/** A price a second later than the ones before. */
const freshPrice = () => {
  pass(1_000)
  return price(wall())
}
const now = () => server().deployment.market.now()

test.each([
  ['slept, or was set forward', HOUR_MS],
  ['was set back', -HOUR_MS],
  ['was set back further', -24 * HOUR_MS],
  ['was set forward again', 30 * HOUR_MS],
])('accepts live prices and fills orders after the machine’s clock %s', async (_name, ms) => {
  await freshPrice()
  const trader = await newTrader(server())
  const before = now()
  step(ms)
  pass(10)
  expect((await price(wall())).receivedAt).toBeGreaterThanOrEqual(before)
  pass(1_000)
  expect((await price(wall())).receivedAt).toBeGreaterThanOrEqual(before + 1_000)
  await trader.order()
  expect(
    valueOf(await trader.client.call(listOrders, { list: 'holding', page: 1, before: null, copyId: null }))
      .total,
  ).toBe(1)
})

test('accepts a source that was not set back with the machine', async () => {
  const { time } = await freshPrice()
  step(-HOUR_MS)
  expect((await price(time + 20)).time).toBe(time + 20)
  step(HOUR_MS)
})

test('fills nothing at a price from before the machine slept', async () => {
  await freshPrice()
  const trader = await newTrader(server())
  // Further than the sum of all earlier steps.
  step(100 * HOUR_MS)
  await expect(trader.order()).rejects.toThrow()
  expect(server().deployment.market.clockJump()).toMatch(/^the market clock has followed/)
  await freshPrice()
  await trader.order()
})

test('ages prices by the monotonic clock while the machine’s is set back', async () => {
  await freshPrice()
  const trader = await newTrader(server())
  step(-2 * HOUR_MS)
  await trader.order()
  pass(FRESH_MS + 1)
  step(-2 * HOUR_MS)
  await expect(trader.order()).rejects.toThrow()
})

import type { Decimal, OrderView } from '@fairlot/contract'
import { price } from '@fairlot/core'
import { expect, test } from 'vitest'
import { offeredDistance, trailingStart } from './trailing.ts'

const position = (side: OrderView['side'], stopLoss: string | null) =>
  ({ side, stopLoss: stopLoss as Decimal | null, instrument: { priceDecimals: 5 } }) as OrderView

const [now, distance] = [price(110_000), price(200)]

test.each([
  ['buy', null, 109_800],
  ['sell', null, 110_200],
  ['buy', '1.0985', 109_850],
  ['buy', '1.05', 109_800],
  ['sell', '1.1015', 110_150],
  ['sell', '1.2', 110_200],
] as const)('the stop of a %s that stands at %s starts at %i', (side, stopLoss, start) => {
  expect(trailingStart(position(side, stopLoss), now, distance)).toBe(start)
})

test('the offered distance is about 0.2 % of the price, and never too near', () => {
  expect(offeredDistance(price(110_000), price(6))).toBe(200)
  expect(offeredDistance(price(110_000), price(300))).toBe(600)
})

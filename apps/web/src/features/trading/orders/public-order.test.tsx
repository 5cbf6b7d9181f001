import { getStrategy, listStrategyOrders } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, withFakeServer } from '../../../testing/app.tsx'
import * as copying from '../../../testing/copying-samples.ts'
import { answer } from '../../../testing/fake-server.ts'

withFakeServer()

test('a fill of somebody else’s order says that operators admitted the reference of its price', async () => {
  const [opening, ...closings] = copying.strategyOrder().receipts
  if (!opening?.tick) throw new Error('the sample has one')
  const admitted = { ...opening, tick: { ...opening.tick, admitted: 'yes' } } as const
  const order = copying.strategyOrder({ receipts: [admitted, ...closings] })
  answer(getStrategy, copying.strategy())
  answer(listStrategyOrders, { orders: [order], total: 1 })
  await openApp('/rank/strategy?id=31')
  await page.getByRole('button', { name: /EUR\/USD.*Buy 0\.10/ }).click()
  const sheet = page.getByRole('dialog', { name: 'EUR/USD' })
  await expect
    .element(sheet)
    .toMatchTextContent(/Receipt: opened.*Reference\s*Reference price approved by operators.*Receipt: closed/)
  // Not the closings, whose prices the market confirmed.
  expect(sheet.element().textContent.match(/approved by operators/g)).toHaveLength(1)
})

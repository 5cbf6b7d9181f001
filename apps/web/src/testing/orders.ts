import { getFigures } from '@fairlot/contract'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { answerOrders, openApp } from './app.tsx'
import { answer } from './fake-server.ts'
import { figuresWithPosition } from './samples.ts'

/** A row of the visible list of orders. */
export const orderRow = (code: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: code })

/** The sheet of an order of EUR/USD. */
export const orderSheet = () => page.getByRole('dialog', { name: 'EUR/USD' })

/** The confirmation before an action. */
export const confirmation = () => page.getByRole('alertdialog')

/** Opens the orders screen of a demo account with these orders. */
export async function openOrders(lists: Parameters<typeof answerOrders>[0]): Promise<void> {
  answerOrders(lists)
  answer(getFigures, figuresWithPosition())
  await openApp('/order', { as: 'demo' })
}

/** Opens an order in full. */
export async function openOrderSheet(code: string): Promise<void> {
  await orderRow(code).getByRole('button').first().click()
  await expect.element(orderSheet()).toBeVisible()
}

/** The app in front of a real server with simulated prices: what the other tests let a fake one say is what this one says. */
import { listInstruments } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { request } from '../live/requests/request.ts'
import { choose, notice, openApp } from '../testing/app.tsx'
import { forgetDevice } from '../testing/device.ts'

const rows = () => page.getByRole('list', { name: 'Instruments' }).getByRole('link')
const row = () => rows().filter({ hasText: 'EUR/USD' })
const buy = () => page.getByRole('button', { name: /^Buy .* lots at/ })
const sheet = () => page.getByRole('dialog', { name: 'EUR/USD' })

test('a visitor sees every instrument, and prices that move', async () => {
  forgetDevice()
  await openApp('/')
  await expect.poll(() => rows().elements().length).toBe(55)
  const price = () => row().element().textContent
  const before = price()
  await expect.poll(price).not.toBe(before)
  await expect.element(page.getByText('Simulated', { exact: true })).toBeVisible()
})

test('a demo buys, sees the position, checks its receipt, closes it and finds it in the history', async () => {
  forgetDevice()
  await openApp('/')
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect.element(page.getByRole('main')).toMatchTextContent(/Net value\s*100,000\.00/)

  await row().click()
  await expect.element(buy()).toBeEnabled()
  await buy().click()
  await expect.element(notice(/^Bought 0\.01 EUR\/USD at/)).toBeVisible()

  await page.getByRole('link', { name: 'Orders' }).click()
  const order = page.getByRole('main').getByRole('listitem').filter({ hasText: 'EUR/USD' })
  await expect.element(order).toMatchTextContent('Buy 0.01')
  await order.getByRole('button').first().click()
  await sheet().getByRole('button', { name: 'Check this receipt' }).click()
  await expect.element(sheet().getByText('This receipt is genuine')).toBeVisible()

  await sheet()
    .getByRole('button', { name: /^Close [+−0]/ })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Close/ })
    .click()
  await expect.element(page.getByText('No open position')).toBeVisible()
  await choose('History')
  await expect.element(order).toMatchTextContent('Closed by you')
})

test('a refusal of the server is its own sentence, in the reader’s language', async () => {
  forgetDevice()
  await openApp('/login')
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('nobody@example.org')
  await page.getByLabelText('Password', { exact: true }).fill('not a password')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect.element(page.getByLabelText('Password', { exact: true })).toBeInvalid()
  await expect.element(page.getByRole('alert').first()).toMatchTextContent(/\w+ .*\./)
})

test('the samples of the other tests are of the kind that the server sends', async () => {
  const { eurusd } = await import('../testing/samples.ts')
  const listed = await request(listInstruments, { search: 'EURUSD' })
  const [real] = listed
  const sample = eurusd()
  expect(Object.keys(real ?? {}).toSorted()).toEqual(Object.keys(sample).toSorted())
  for (const field of [
    'code',
    'showCode',
    'priceDecimals',
    'contractSize',
    'lotStep',
    'baseCurrency',
  ] as const)
    expect(real?.[field]).toEqual(sample[field])
})

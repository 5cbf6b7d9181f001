/** The app with a real server and simulated prices, which proves that the fake server of the other tests responds alike. */
import { expect, inject, test } from 'vitest'
import { page } from 'vitest/browser'
import { claimDemo, createClient, listInstruments, listStrategies } from '@fairlot/contract'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { request, setup } from '../live/requests/request.ts'
import { keptDemo } from '../live/session/user.ts'
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

test('a demo user buys, sees the position, checks its receipt, closes it and finds it in the history', async () => {
  forgetDevice()
  await openApp('/')
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect.element(page.getByRole('main')).toMatchTextContent(/Equity\s*100,000\.00/)

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

test('a demo user publishes a strategy, and another tries it, copies its open position and stops', async () => {
  forgetDevice()
  const provider = await openApp('/')
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect.element(page.getByRole('main')).toMatchTextContent(/Equity\s*100,000\.00/)
  await row().click()
  await expect.element(buy()).toBeEnabled()
  await page.getByRole('textbox', { name: 'Lots' }).fill('20')
  await buy().click()
  await expect.element(notice(/^Bought 20\.00 EUR\/USD at/)).toBeVisible()
  navigate('/mine/strategy')
  await expect.element(page.getByRole('heading', { name: 'Open an account first' })).toBeVisible()
  navigate('/orders')
  const owner = createClient<AbortSignal>({ ...setup, token: () => inject('ownerToken') })
  expect(await owner.call(claimDemo, { demoId: keptDemo() ?? '' })).toMatchObject({ ok: true })
  navigate('/mine/strategy')
  await page.getByRole('textbox', { name: 'Name' }).fill('Slow tide')
  await page.getByLabelText('Performance fee, percent').fill('12.5')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
  await expect.element(page.getByRole('heading', { name: 'Slow tide' })).toBeVisible()
  await provider.unmount()

  forgetDevice()
  const ranked = () => request(listStrategies, { window: 'all', kind: 'demo', sort: 'score', page: 1 })
  await expect.poll(async () => (await ranked()).total).toBe(1)
  await openApp('/rank')
  await choose('Demo')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Slow tide/ })
    .click()
  await page.getByRole('main').getByRole('link', { name: 'Copy', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Try the demo' }).click()
  await page.getByLabelText('Amount').fill('2000')
  await page.getByLabelText('Exposure limit, times equity').fill('30')
  await page.getByRole('checkbox', { name: /Also copy the open position/ }).click()
  await page.getByRole('button', { name: 'Start copying' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start copying' }).click()
  const log = page.getByRole('list', { name: 'What was copied' })
  await expect.element(log).toMatchTextContent(/Buy 0\.\d+ copied/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click()
  await expect.element(page.getByRole('main')).toMatchTextContent(/Stopped by you.*Returned/)
})

test('a rejection shows the server’s message, in the user’s language', async () => {
  forgetDevice()
  await openApp('/login')
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('nobody@example.org')
  await page.getByLabelText('Password', { exact: true }).fill('not a password')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect.element(page.getByLabelText('Password', { exact: true })).toBeInvalid()
  await expect.element(page.getByRole('alert').first()).toMatchTextContent(/\w+ .*\./)
})

test('the samples of the other tests have the shape of the server’s responses', async () => {
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

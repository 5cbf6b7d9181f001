import { listActs } from '@fairlot/contract/desk'
import type { Page } from '@playwright/test'
import { readByCamera } from './support/qr-code.ts'
import { valueOf } from './support/app.ts'
import { deskPage, openDesk } from './support/desk.ts'
import { holdBack } from './support/hold-back.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openOwn, startMoneyDesk } from './support/payments.ts'
import { verified } from './support/verify.ts'
import { TRON_ADDRESS } from '../testing/payments.ts'

const ACTS = {
  ...{ operatorId: null, act: null, subject: null, accountId: null, outcome: null },
  ...{ since: null, until: null, search: null, page: 1 },
} as const

/** Chooses a picture of what the screen shows, and answers the part of the form that has it. */
async function addProof(page: Page) {
  const proof = page.getByRole('group', { name: 'Picture of the transfer' })
  const buffer = await page.screenshot()
  await proof
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'transfer.png', mimeType: 'image/png', buffer })
  return proof
}

test('a wire with its picture is credited at what has arrived, on the screen that is open', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const { server, finance } = await startMoneyDesk(start)
  await openOwn(page, server, 'charge')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Deposit 1' })

  await test.step('the trader sees the account, adds a picture and tells of the wire', async () => {
    await page.getByText('Bank wire', { exact: true }).click()
    await expect(valueOf(page.getByRole('main'), 'Account')).toHaveText('DE89370400440532013000')
    const release = await holdBack(page, '**/image_upload')
    const proof = await addProof(page)
    await expect(proof.getByRole('meter', { name: 'Sending' })).toBeVisible()
    release()
    await expect(proof.getByText('Sent', { exact: true })).toBeVisible()
    await page.getByLabel('Amount sent, in USD').fill('500')
    await page.getByRole('button', { name: 'Tell us about this deposit' }).click()
    await expect(row).toContainText('500.00 USD')
    await expect(row).toContainText('Unchecked')
    await expect(proof.getByText('Sent', { exact: true })).toHaveCount(0)
  })

  const funds = await page.context().newPage()
  await funds.goto(`${server.url}/#/mine/history`)
  await expect(valueOf(funds.getByRole('main'), 'Available balance')).toHaveText('0.00')
  const desk = await deskPage(browser)

  await test.step('the desk looks at the picture from near, and each look is written down', async () => {
    await openDesk(desk.page, server, finance)
    await desk.page.getByRole('row', { name: /Deposit 1/ }).click()
    await desk.page.getByRole('button', { name: /Look at the picture/ }).click()
    const picture = desk.page.getByRole('img', { name: 'Proof of the transfer' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(390)
    const width = async () => (await picture.boundingBox())?.width ?? 0
    const before = await width()
    await desk.page.getByRole('button', { name: 'Larger' }).click()
    await desk.page.getByRole('button', { name: 'Larger' }).click()
    expect(await width()).toBeCloseTo(before * 2, 0)
    const { acts } = await finance.ask(listActs, { ...ACTS, act: 'viewProof' })
    expect(acts).toMatchObject([{ operator: 'F. Finance', accountId: 1 }])
  })
  await test.step('what has arrived is credited, not what was told', async () => {
    await desk.page.keyboard.press('a')
    await desk.page.getByLabel('Has arrived').fill('487.5')
    await desk.page.getByLabel('Reason').fill('12.50 went to the sending bank.')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Credit' }).click()
    await expect(desk.page.getByText('Nothing waits')).toBeVisible()
    await desk.close()
  })
  await test.step('both screens of the trader say so without being asked', async () => {
    await expect(row).toContainText('487.50 credited')
    await expect(valueOf(funds.getByRole('main'), 'Available balance')).toHaveText('487.50')
    await expect(funds.getByRole('listitem')).toHaveText(/Deposit.*\+487\.50.*Balance 487\.50/s)
  })
  expect(await verified(server)).toContain('no difference')
})

test('coins are sent by QR code, and the reason of a refusal is read by whoever sent them', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const { server, finance } = await startMoneyDesk(start)
  await openOwn(page, server, 'charge')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Deposit 1' })

  await test.step('the address is there for a camera, for a clipboard and for the eye', async () => {
    const code = page.getByRole('img', { name: 'Address of USDT on TRC20' })
    expect(await readByCamera(code)).toBe(TRON_ADDRESS)
    await expect(page.getByRole('paragraph').getByText(TRON_ADDRESS)).toBeVisible()
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  })
  await test.step('nothing is told without a picture', async () => {
    const tell = page.getByRole('button', { name: 'Tell us about this deposit' })
    await page.getByLabel('Amount sent, in USDT').fill('250')
    await tell.click()
    await expect(page.getByText('Add a picture of the transfer.')).toBeVisible()
    const proof = await addProof(page)
    await expect(proof.getByText('Sent', { exact: true })).toBeVisible()
    await tell.click()
    await expect(row).toContainText('250.00 USDT')
  })
  await test.step('the desk rejects it', async () => {
    const desk = await deskPage(browser)
    await openDesk(desk.page, server, finance, '/waiting/deposit:1')
    await desk.page.getByRole('button', { name: 'Reject…' }).click()
    await desk.page.getByLabel('Reason').fill('No such transfer is in the chain.')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await expect(desk.page.getByText('Nothing waits')).toBeVisible()
    await desk.close()
  })
  await expect(row).toContainText('Rejected')
  await expect(row).toContainText('Reason: No such transfer is in the chain.')
  expect(await verified(server)).toContain('no difference')
})

import { listAuditEntries, saveDepositChannel } from '@fairlot/contract/desk'
import type { Locator, Page } from '@playwright/test'
import { openAsRealUser } from './support/accounts.ts'
import { readByCamera } from './support/qr-code.ts'
import { valueOf } from './support/app.ts'
import { deskPage, openDesk } from './support/desk.ts'
import { holdBack } from './support/hold-back.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { startMoneyDesk, type MoneyDesk } from './support/payments.ts'
import { TRON_ADDRESS } from '../testing/payments.ts'

const ACTS = {
  operatorId: null,
  act: null,
  subject: null,
  accountId: null,
  outcome: null,
  since: null,
  until: null,
  search: null,
  page: 1,
} as const
const ETHER = {
  id: null,
  version: 0,
  currencyCode: 'USDT',
  protocolCode: 'ERC20',
  reason: 'a trial',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  tag: '',
  isUnlistedNetwork: false,
  dayLimit: null,
  fixedRate: null,
  personDayLimit: null,
} as const

test('deposits by wire and by coin appear on all open screens at each step', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const money = await startMoneyDesk(start)
  await openAsRealUser(page, money.server, 'charge')
  const desk = await deskPage(browser)
  await openDesk(desk.page, money.server, money.finance)
  await creditWire(page, desk.page, money)
  await rejectCoins(page, desk.page)
  await approveAddress(page, desk.page, money)
  await desk.close()
})

/** A wire transfer with its proof is credited with the amount that arrived. */
async function creditWire(page: Page, desk: Page, { server, finance }: MoneyDesk): Promise<void> {
  const row = deposit(page, 1)

  await test.step('the trader sees the account, adds a proof and reports the transfer', async () => {
    await page.getByText('Bank wire', { exact: true }).click()
    await expect(valueOf(page.getByRole('main'), 'Account')).toHaveText('DE89370400440532013000')
    const release = await holdBack(page, '**/image_upload')
    const proof = await addProof(page)
    await expect(proof.getByRole('meter', { name: 'Sending' })).toBeVisible()
    release()
    await expect(proof.getByText('Sent', { exact: true })).toBeVisible()
    await page.getByLabel('Amount sent, in USD').fill('500')
    await page.getByRole('button', { name: 'Send deposit request' }).click()
    await expect(page.getByText('We received your deposit request.')).toBeVisible()
    await page.getByRole('link', { name: 'All deposits' }).click()
    await page.getByText('Bank wire', { exact: true }).click()
    await expect(row).toContainText('500.00 USD')
    await expect(row).toContainText('Unchecked')
    await expect(proof.getByText('Sent', { exact: true })).toHaveCount(0)
  })

  const funds = await page.context().newPage()
  await funds.goto(`${server.url}/#/mine/history`)
  await expect(valueOf(funds.getByRole('main'), 'Available balance')).toHaveText('0.00')

  await test.step('an operator enlarges the proof, and each view is audited', async () => {
    await desk.getByRole('row', { name: /Deposit 1/ }).click()
    await desk.getByRole('button', { name: /Open the image/ }).click()
    const picture = desk.getByRole('img', { name: 'Proof of the transfer' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(390)
    const width = async () => (await picture.boundingBox())?.width ?? 0
    const before = await width()
    await desk.getByRole('button', { name: 'Larger' }).click()
    await desk.getByRole('button', { name: 'Larger' }).click()
    expect(await width()).toBeCloseTo(before * 2, 0)
    const { acts } = await finance.request(listAuditEntries, { ...ACTS, act: 'viewProof' })
    expect(acts).toMatchObject([{ operator: 'F. Finance', accountId: 1 }])
  })
  await test.step('the amount that arrived is credited, not the amount reported', async () => {
    await desk.keyboard.press('a')
    await desk.getByLabel('Amount received').fill('487.5')
    await desk.getByLabel('Reason').fill('12.50 went to the sending bank.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Credit' }).click()
    await expect(desk.getByText('No open cases')).toBeVisible()
  })
  await test.step('both screens of the trader update without a reload', async () => {
    await expect(row).toContainText('487.50 USD credited')
    await expect(valueOf(funds.getByRole('main'), 'Available balance')).toHaveText('487.50')
    await expect(funds.getByRole('listitem')).toHaveText(/Deposit.*\+487\.50.*Balance 487\.50/s)
  })
  await funds.close()
}

/** A deposit by QR code is rejected, and its sender reads the reason. */
async function rejectCoins(page: Page, desk: Page): Promise<void> {
  const row = deposit(page, 2)

  await test.step('the address is shown as QR code and text, and can be copied', async () => {
    await page.getByText('Coin', { exact: true }).click()
    const code = page.getByRole('img', { name: 'Address of USDT on TRC20' })
    expect(await readByCamera(code)).toBe(TRON_ADDRESS)
    await expect(page.getByRole('paragraph').getByText(TRON_ADDRESS)).toBeVisible()
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  })
  await test.step('a deposit cannot be reported without a proof', async () => {
    const report = page.getByRole('button', { name: 'Send deposit request' })
    await page.getByLabel('Amount sent, in USDT').fill('250')
    await report.click()
    await expect(page.getByText('Add a picture of the transfer.')).toBeVisible()
    const proof = await addProof(page)
    await expect(proof.getByText('Sent', { exact: true })).toBeVisible()
    await report.click()
    await expect(page.getByText('We received your deposit request.')).toBeVisible()
    await page.getByRole('link', { name: 'All deposits' }).click()
    await expect(row).toContainText('250.00 USDT')
  })
  await test.step('the desk rejects it', async () => {
    await desk.getByRole('row', { name: /Deposit 2/ }).click()
    await desk.getByRole('button', { name: 'Reject…' }).click()
    await desk.getByLabel('Reason').fill('No such transfer is in the chain.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await expect(desk.getByText('No open cases')).toBeVisible()
  })
  await expect(row).toContainText('Rejected')
  await expect(row).toContainText('Reason: No such transfer is in the chain.')
}

async function approveAddress(page: Page, desk: Page, { administrator }: MoneyDesk): Promise<void> {
  await test.step('a new receiving address is offered once a second operator approves it', async () => {
    const network = page.getByLabel('Coin and network')
    await administrator.request(saveDepositChannel, ETHER)
    await desk.getByRole('row', { name: /Receiving account/ }).click()
    await expect(desk.getByText(ETHER.address).first()).toBeVisible()
    await page.reload()
    await expect(network.getByRole('option')).toHaveText(['USDT · TRC20'])
    await desk.getByRole('button', { name: /^Approve/ }).click()
    await desk.getByLabel('Reason').fill('Compared by telephone.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(desk.getByText('No open cases')).toBeVisible()
    // Without a reload: the open screen asks again by itself.
    await network.selectOption('USDT · ERC20')
    await expect(page.getByText(ETHER.address).first()).toBeVisible()
  })
}

const deposit = (page: Page, id: number): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `Deposit ${id}` })

/** Uploads a screenshot as the proof; returns its form group. */
async function addProof(page: Page): Promise<Locator> {
  const proof = page.getByRole('group', { name: 'Picture of the transfer' })
  const buffer = await page.screenshot()
  await proof
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'transfer.png', mimeType: 'image/png', buffer })
  return proof
}

import { readFile } from 'node:fs/promises'
import { getUser, listOrders } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import { notice, openTradeAsDemo, sideButton } from './support/app.ts'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('an open position is counted in the exposure, the what-if, the reports and the exports', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', MARKET_HOURS: 'always', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const finance = await addOperator(server, administrator, { name: 'F. Finance', role: 'finance' })
  await openTradeAsDemo(page, server)
  const { page: desk, close } = await deskPage(browser)
  await openDesk(desk, server, finance, '/risk/exposure')
  await demo(desk)
  await expect(desk.getByText('No open positions')).toBeVisible()

  await test.step('the exposure updates without a reload', async () => {
    await sideButton(page, 'Buy').click()
    await expect(notice(page, /^Bought 0.01 EUR\/USD/).first()).toBeVisible()
    const row = desk.getByRole('row', { name: /EURUSD/ })
    await expect(row).toContainText('0.01')
    await expect(desk.getByText('1 of 1')).toBeVisible()
    await expectDrawn(desk, 'Net value by instrument')
  })
  await test.step('the what-if shows the loss of the account', async () => {
    const { uid } = await (await apiAs(page)).request(getUser, null)
    await desk.getByRole('button', { name: 'What if' }).click()
    await desk.getByLabel('Price move, %').fill('-10')
    await desk.getByRole('combobox', { name: 'Applies to' }).selectOption({ label: 'EURUSD' })
    await desk.getByRole('button', { name: 'Calculate' }).click()
    await expect(desk.getByText(/EURUSD −10 %: 1 price moved/)).toBeVisible()
    // 0.01 lots at about 1.1: a tenth of 1,100.
    await expect(desk.getByRole('row', { name: new RegExp(`^${uid} `) })).toContainText(/−1\d\d\.\d\d/)
    await expect(desk.getByText("Broker's result").locator('..')).toContainText(/\+1\d\d\.\d\d/)
    expect(
      (
        await (
          await apiAs(page)
        ).request(listOrders, { list: 'holding', page: 1, before: null, copyId: null })
      ).total,
    ).toBe(1)
  })
  await test.step('the report of fills counts it, draws a chart and can be exported', async () => {
    await desk.goto(`${server.url}/desk/#/reports/traders`)
    await demo(desk)
    await expectDrawn(desk, /traders/i)
    await desk.goto(`${server.url}/desk/#/reports/fills`)
    await expect(desk.getByRole('row', { name: /EURUSD/ })).toBeVisible()
    const [header, row] = await savedLines(desk, 'fills-30-days.csv')
    expect(header).toBe('instrumentId,code,fills,spread,slippage,better,worse,delayMs,delayMostMs')
    expect(row).toMatch(/^1,EURUSD,1,0\.\d+,0,0,0,/)
  })
  await close()
})

const demo = (desk: Page) => desk.getByText('Demo', { exact: true }).click()

async function expectDrawn(desk: Page, title: string | RegExp): Promise<void> {
  const canvas = desk.getByRole('figure', { name: title }).first().locator('canvas')
  await expect(canvas).toHaveAttribute('data-rendered', 'true')
  expect((await canvas.boundingBox())?.width).toBeGreaterThan(300)
}

/** Exports the list on the screen; returns its lines without the byte order mark. */
async function savedLines(desk: Page, name: string): Promise<string[]> {
  const saving = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Export' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe(name)
  return (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')
}

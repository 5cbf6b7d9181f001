import { getCompanyStatus } from '@fairlot/contract'
import { saveCompany } from '@fairlot/contract/desk'
import type { Locator } from '@playwright/test'
import { apiOf } from './support/api.ts'
import { instrumentList } from './support/app.ts'
import { DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const COMPANY = {
  id: null,
  version: 0,
  name: 'Harbour Ledger',
  subject: 'Brokerage',
  logo: '',
  url: 'https://harbour.example',
  registeredAddress: '1 Quay',
  location: 'Hong Kong',
  email: 'desk@harbour.example',
  isOn: true,
  redirectUrl: '',
  reason: 'joined the directory',
}
const BYE = 'https://closed.example/bye'

/** Enters the address for visitors and a reason in the open form, and saves it. */
async function redirectTo(form: Locator, address: string): Promise<void> {
  await form.getByLabel('Redirect visitors to, when switched off').fill(address)
  await form.getByLabel('Reason').fill('a journey')
  await form.getByRole('button', { name: 'Save' }).click()
}

test('a company added at the desk can be chosen, and redirects its visitors once disabled', async ({
  page,
  start,
  browser,
}) => {
  const env = { APP_MODE: 'main', SETTING_LOSS_HOSTS: 'closed.example' }
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD, ...env })
  const desk = await deskPage(browser)
  const list = page.getByRole('list', { name: 'Companies' })
  const cookie = async () =>
    (await page.context().cookies(server.url)).find(({ name }) => name === 'company_id')

  await test.step('an operator adds it', async () => {
    const administrator = await enrolAdministrator(server)
    await administrator.request(saveCompany, COMPANY)
    await openDesk(desk.page, server, administrator, '/content/companies')
    await expect(desk.page.getByRole('row', { name: /Harbour Ledger/ })).toBeVisible()
  })

  await test.step('a visitor finds it and chooses it for three years', async () => {
    await page.goto(server.url)
    await expect(instrumentList(page)).toBeVisible()
    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('searchbox', { name: 'Search companies' }).fill('HARBOUR')
    await list.getByRole('button', { name: /Harbour Ledger/ }).click()
    const popup = page.getByRole('dialog', { name: 'Harbour Ledger' })
    await expect(popup.getByText('1 Quay')).toBeVisible()
    await popup.getByRole('button', { name: 'Choose this company' }).click()
    await expect(list.getByRole('button', { name: /Harbour Ledger.*Yours/ })).toBeVisible()
    // Chromium limits the three years to 400 days.
    const days = (((await cookie())?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(399)
  })

  await test.step('a disabled company may only redirect to a listed host', async () => {
    await desk.page.getByRole('row', { name: /Harbour Ledger/ }).click()
    await desk.page.getByRole('button', { name: 'Edit' }).click()
    const dialog = desk.page.getByRole('dialog', { name: 'Edit Harbour Ledger' })
    await dialog.getByText('Shown in the directory').click()
    await redirectTo(dialog, 'https://closed.example@evil.example')
    await expect(dialog.getByText(/^Visitors can only be redirected to/).first()).toBeVisible()
    await redirectTo(dialog, BYE)
    await expect(dialog).toBeHidden()
    const status = await apiOf(server.url, null).request(getCompanyStatus, { companyId: 1 })
    expect(status).toEqual({ mustLeave: true, standing: 'closed', redirectUrl: BYE })
    await desk.close()
  })

  await test.step('visitors who chose it are redirected, others no longer see it', async () => {
    await page.route(BYE, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Bye</h1>' }))
    await page.reload()
    await expect(page).toHaveURL(BYE)
    await page.context().clearCookies()
    await page.goto(`${server.url}/#/product`)
    await expect(page.getByText('No company is listed yet')).toBeVisible()
  })
})

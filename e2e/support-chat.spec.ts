import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listAuditEntries, changeSetting } from '@fairlot/contract/desk'
import type { Locator, Page } from '@playwright/test'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openAsRealUser } from './support/accounts.ts'

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

/** Adds a screenshot to a message that is being written. */
async function attach(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a picture' }).click()
  const buffer = await page.screenshot()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer })
}

async function answerWithPicture(desk: Page): Promise<void> {
  await attach(desk)
  await expect(desk.getByText('Attached to the answer')).toBeVisible()
  await desk.getByLabel('Answer').fill('Press here:')
  await desk.getByRole('button', { name: 'Answer', exact: true }).click()
}

/** The width in pixels of the picture that a link opens in a new page. */
async function widthOpened(page: Page, link: Locator): Promise<number> {
  const opening = page.waitForEvent('popup')
  await link.click()
  const opened = await opening
  await expect.poll(() => opened.evaluate(() => document.images[0]?.complete)).toBe(true)
  const width = await opened.evaluate(() => document.images[0]?.naturalWidth ?? 0)
  await opened.close()
  return width
}

test("a user's question and the answer from the desk are shown to both at once", async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const support = await addOperator(server, administrator, { name: 'S. Support', role: 'support' })
  await openAsRealUser(page, server, 'chat')
  const messages = page.getByRole('log')
  const desk = await deskPage(browser)
  await openDesk(desk.page, server, support, '/waiting')

  await test.step('a question is shown at the desk at once, as plain text', async () => {
    await expect(page.getByText('How can we help?')).toBeVisible()
    await page.getByLabel('Your message').fill('Where is <b>my</b> deposit?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(messages.getByText('Where is <b>my</b> deposit?')).toBeVisible()
    await expect(page.getByLabel('Your message')).toHaveValue('')
    await desk.page.getByRole('row', { name: /Chat with/ }).click()
    await expect(desk.page.getByRole('log').getByText('Where is <b>my</b> deposit?')).toBeVisible()
    await expect(messages.getByText(/Seen/)).toBeVisible()
  })
  await test.step('the answer is shown to the user at once and closes the case', async () => {
    await desk.page.getByRole('button', { name: 'Take', exact: true }).click()
    await desk.page.getByLabel('Answer').fill('It arrives today.')
    await desk.page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(messages.getByText('It arrives today.')).toBeVisible()
    await expect(desk.page.getByText('No open cases')).toBeVisible()
    await expect(desk.page.getByRole('log').getByText(/S\. Support .* · seen$/)).toBeVisible()
  })
  await test.step('an operator opens a picture, and the view is audited', async () => {
    await attach(page)
    await expect(page.getByText('Will be sent with your message')).toBeVisible()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(messages.getByRole('img', { name: 'Picture' })).toBeVisible()
    await desk.page.getByRole('row', { name: /Chat with/ }).click()
    await desk.page.getByRole('button', { name: /Open the image/ }).click()
    await expect(desk.page.getByRole('img', { name: 'Sent by the user' })).toBeVisible()
    expect((await support.request(listAuditEntries, { ...ACTS, act: 'viewChat' })).acts).toMatchObject([
      { operator: 'S. Support', outcome: 'done' },
    ])
  })
  await test.step('a picture from support is shown to the user at once and can be opened', async () => {
    await answerWithPicture(desk.page)
    await expect(messages.getByText('Press here:')).toBeVisible()
    await expect(messages.getByRole('link', { name: 'Picture' })).toHaveCount(2)
    expect(await widthOpened(page, messages.getByRole('link', { name: 'Picture' }).last())).toBe(1_440)
    await desk.page
      .getByRole('button', { name: /Open the image/ })
      .last()
      .click()
    await expect(desk.page.getByRole('img', { name: 'Sent by S. Support' })).toBeVisible()
    expect((await support.request(listAuditEntries, { ...ACTS, act: 'answerChat' })).acts[0]).toMatchObject({
      operator: 'S. Support',
      outcome: 'done',
    })
  })
  await test.step("an answer from the user's page counts as new until it is read", async () => {
    await page.goto(`${server.url}/#/user`)
    await desk.page.goto(`${server.url}/desk/#/people/1/messages`)
    await desk.page.getByLabel('Answer').fill('We see it.')
    await desk.page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(page.getByText('1 new')).toBeVisible()
    await page.getByRole('link', { name: /Support chat/ }).click()
    await expect(messages.getByText('We see it.')).toBeVisible()
    await page.goBack()
    await expect(page.getByText('1 new')).toHaveCount(0)
  })
  await desk.close()
})

test('an external support service is shown in a frame or as a link, and complaints go to the configured address', async ({
  page,
  browser,
  start,
}) => {
  const service = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>The service</h1>')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const link = `http://127.0.0.1:${(service.address() as AddressInfo).port}/talk`
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD, SETTING_SERVICE_LINK: link })
  const administrator = await enrolAdministrator(server)
  await page.goto(`${server.url}/#/mine/chat`)
  await expect(page.frameLocator('iframe').getByText('The service')).toBeVisible()
  const opened = { name: 'service_opens_in', value: 'dialog', was: 'chat', reason: 'a trial' }
  await administrator.request(changeSetting, opened)
  // The server reuses a rendered page for a second.
  const rendered = () => page.evaluate(async () => (await fetch('/')).text())
  await expect.poll(rendered).toMatch(/"service_link_type":\s*2/)
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('link')).toHaveAttribute('href', link)

  await page.goto(`${server.url}/#/feedback`)
  await page.getByRole('link', { name: 'Send a complaint by e-mail' }).click()
  await expect(page.getByText('No address for complaints')).toBeVisible()
  const desk = await deskPage(browser)
  await openDesk(desk.page, server, administrator, '/settings/house')
  await desk.page.getByRole('row', { name: /Address for complaints/ }).click()
  await desk.page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = desk.page.getByRole('dialog', { name: 'Address for complaints' })
  await dialog.getByLabel('Value').fill('care@house.example')
  await dialog.getByLabel('Reason').fill('somebody reads it now')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(dialog).toBeHidden()
  await desk.close()
  await page.reload()
  await expect(page.getByText('care@house.example', { exact: true }).last()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write an e-mail' })).toHaveAttribute(
    'href',
    'mailto:care@house.example',
  )
  service.close()
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listActs, changeSetting } from '@fairlot/contract/desk'
import type { Locator, Page } from '@playwright/test'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openOwn } from './support/accounts.ts'

const ACTS = {
  ...{ operatorId: null, act: null, subject: null, accountId: null, outcome: null },
  ...{ since: null, until: null, search: null, page: 1 },
} as const

/** Adds what the page shows to a message that is being written. */
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
  await expect(desk.getByText('Goes along with the answer')).toBeVisible()
  await desk.getByLabel('Answer').fill('Press here:')
  await desk.getByRole('button', { name: 'Answer', exact: true }).click()
}

/** How wide the picture is that a link opens beside the page, in pixels. */
async function widthOpened(page: Page, link: Locator): Promise<number> {
  const opening = page.waitForEvent('popup')
  await link.click()
  const opened = await opening
  await expect.poll(() => opened.evaluate(() => document.images[0]?.complete)).toBe(true)
  const width = await opened.evaluate(() => document.images[0]?.naturalWidth ?? 0)
  await opened.close()
  return width
}

test('somebody asks the support on the phone, and is answered from the desk while both look', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const support = await addOperator(server, administrator, { name: 'S. Support', role: 'support' })
  await openOwn(page, server, 'chat')
  const said = page.getByRole('log')
  const desk = await deskPage(browser)
  await openDesk(desk.page, server, support, '/waiting')

  await test.step('a question is at the desk at once, as text', async () => {
    await expect(page.getByText('How can we help?')).toBeVisible()
    await page.getByLabel('Your message').fill('Where is <b>my</b> deposit?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(said.getByText('Where is <b>my</b> deposit?')).toBeVisible()
    await expect(page.getByLabel('Your message')).toHaveValue('')
    await desk.page.getByRole('row', { name: /Messages of/ }).click()
    await expect(desk.page.getByRole('log').getByText('Where is <b>my</b> deposit?')).toBeVisible()
    await expect(said.getByText(/Seen/)).toBeVisible()
  })
  await test.step('the answer is on the phone at once, and nothing waits any more', async () => {
    await desk.page.getByRole('button', { name: 'Take', exact: true }).click()
    await desk.page.getByLabel('Answer').fill('It arrives today.')
    await desk.page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(said.getByText('It arrives today.')).toBeVisible()
    await expect(desk.page.getByText('Nothing waits')).toBeVisible()
    await expect(desk.page.getByRole('log').getByText(/S\. Support .* · seen$/)).toBeVisible()
  })
  await test.step('a picture is seen by whoever asks to, which is written down', async () => {
    await attach(page)
    await expect(page.getByText('Goes along with your message')).toBeVisible()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(said.getByRole('img', { name: 'Picture' })).toBeVisible()
    await desk.page.getByRole('row', { name: /Messages of/ }).click()
    await desk.page.getByRole('button', { name: /Look at the picture/ }).click()
    await expect(desk.page.getByRole('img', { name: 'Sent by the person' })).toBeVisible()
    expect((await support.ask(listActs, { ...ACTS, act: 'viewChat' })).acts).toMatchObject([
      { operator: 'S. Support', outcome: 'done' },
    ])
  })
  await test.step('a picture of the support is on the phone at once, and opens there', async () => {
    await answerWithPicture(desk.page)
    await expect(said.getByText('Press here:')).toBeVisible()
    await expect(said.getByRole('link', { name: 'Picture' })).toHaveCount(2)
    expect(await widthOpened(page, said.getByRole('link', { name: 'Picture' }).last())).toBe(1_440)
    await desk.page
      .getByRole('button', { name: /Look at the picture/ })
      .last()
      .click()
    await expect(desk.page.getByRole('img', { name: 'Sent by S. Support' })).toBeVisible()
    expect((await support.ask(listActs, { ...ACTS, act: 'answerChat' })).acts[0]).toMatchObject({
      ...{ operator: 'S. Support', outcome: 'done' },
    })
  })
  await test.step('an answer from the page of the person is counted until it is read', async () => {
    await page.goto(`${server.url}/#/user`)
    await desk.page.goto(`${server.url}/desk/#/people/1/messages`)
    await desk.page.getByLabel('Answer').fill('We see it.')
    await desk.page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(page.getByText('1 new')).toBeVisible()
    await page.getByRole('link', { name: /Support chat/ }).click()
    await expect(said.getByText('We see it.')).toBeVisible()
    await page.goBack()
    await expect(page.getByText('1 new')).toHaveCount(0)
  })
  await desk.close()
})

test('the page of another service stands in a frame or behind a link, and complaints go where the desk says', async ({
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
  await administrator.ask(changeSetting, opened)
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('link')).toHaveAttribute('href', link)

  await page.goto(`${server.url}/#/feedback`)
  await page.getByRole('link', { name: 'Complain by e-mail' }).click()
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

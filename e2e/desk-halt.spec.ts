import { openTrade, sideButton, startDemo, ticket } from './support/app.ts'
import { DESK_PASSWORD, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { verified } from './support/verify.ts'

const REASON = 'All prices are in doubt.'
const SECOND_MS = 1_000

test('a halt of everything is on a trader’s phone within a second, its end after it', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const desk = await context.newPage()
  await openDesk(desk, server, administrator, '/market/halts')
  await page.goto(server.url)
  await startDemo(page)
  await openTrade(page, 'EUR/USD')
  const halted = ticket(page).getByText(`Trading is halted: ${REASON}`)

  await test.step('the big key asks why, and the phone knows', async () => {
    await desk.getByRole('button', { name: 'Halt everything' }).click()
    await desk.getByLabel('Reason').fill(REASON)
    const done = desk.waitForResponse(/\/market\/halt$/)
    await desk.getByRole('dialog').getByRole('button', { name: 'Halt everything' }).click()
    await done
    await expect(halted).toBeVisible({ timeout: SECOND_MS })
    await expect(sideButton(page, 'Buy')).toBeDisabled()
    await expect(desk.getByText('55 of 55 halted')).toBeVisible()
  })
  await test.step('the end of it reaches the phone too', async () => {
    await desk.getByRole('button', { name: 'Let everything trade' }).click()
    await desk.getByLabel('Reason').fill('Prices are right again.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Let it trade' }).click()
    await expect(halted).toBeHidden()
    await expect(sideButton(page, 'Buy')).toBeEnabled()
  })
  await test.step('trading is paused and opened again', async () => {
    await desk.getByRole('button', { name: 'Pause trading' }).click()
    await desk.getByLabel('Reason').fill('A test of the key.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Pause trading' }).click()
    await expect(page.getByText(/Trading is paused/).first()).toBeVisible()
    await desk.getByRole('button', { name: 'Open trading' }).click()
    await desk.getByLabel('Reason').fill('The key works.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Open trading' }).click()
    await expect(sideButton(page, 'Buy')).toBeEnabled()
  })
  expect(await verified(server)).toContain('no difference')
  await context.close()
})

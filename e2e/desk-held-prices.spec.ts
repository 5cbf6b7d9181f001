import { decideApproval, listAuditEntries } from '@fairlot/contract/desk'
import { openPriceSource } from '../testing/price-source.ts'
import { openTradeAsDemo, sideButton } from './support/app.ts'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const REASON = 'The central bank has let it go.'

test('a held price is not published until two operators admit it', async ({ page, browser, start }) => {
  const source = await openPriceSource()
  const send = (bid: number, ask: number) => source.send(JSON.stringify({ symbol: 'EURUSD', bid, ask }))
  const server = await start({
    FEED: source.url,
    MARKET_HOURS: 'always',
    DESK_PASSWORD,
    // Each price is sent once and has to stay fresh for the whole test.
    SETTING_FRESHNESS_MS: '120000',
  })
  const administrator = await enrolAdministrator(server)
  const second = await addOperator(server, administrator, { name: 'C. Compliance', role: 'compliance' })
  const dealing = await addOperator(server, administrator, { name: 'D. Dealing', role: 'dealing', second })
  await send(1.1, 1.10006)
  await openTradeAsDemo(page, server)
  await expect(sideButton(page, 'Sell')).toContainText('1.10')
  const { page: desk, close } = await deskPage(browser)
  await openDesk(desk, server, dealing, '/waiting')
  await expect(desk.getByText('No open cases')).toBeVisible()

  await test.step('the waiting list shows it with its deviation', async () => {
    await send(2.2, 2.20012)
    await desk.getByRole('row', { name: /EURUSD price/ }).click()
    await expect(desk.getByText('Held by the tick guard').first()).toBeVisible()
    await expect(desk.getByText('2.2 / 2.20012').first()).toBeVisible()
    await expect(sideButton(page, 'Sell')).toContainText('1.10')
  })
  await test.step('a dealer requests its admission with a reason, and another operator decides', async () => {
    await desk.goto(`${server.url}/desk/#/market/feeds`)
    await desk.getByText('Held 1').click()
    await desk.getByRole('button', { name: 'Admit' }).click()
    await desk.getByLabel('Reason').fill(REASON)
    await desk.getByRole('dialog').getByRole('button', { name: 'Request' }).click()
    await expect(desk.getByRole('dialog')).toHaveCount(0)
    await expect(sideButton(page, 'Sell')).toContainText('1.10')
    // The first approval was for the operator who requests this one.
    await administrator.request(decideApproval, { id: 2, isApproved: true, reason: 'Two banks say so.' })
  })
  await test.step('the next market price is checked against it', async () => {
    await send(2.2001, 2.20022)
    await expect(sideButton(page, 'Sell')).toContainText('2.20')
    await expect(desk.getByText('No price is held')).toBeVisible()
  })
  const { acts } = await administrator.request(listAuditEntries, {
    operatorId: null,
    act: 'admitTick',
    subject: null,
    accountId: null,
    outcome: 'done',
    since: null,
    until: null,
    search: null,
    page: 1,
  })
  expect(acts).toContainEqual(
    expect.objectContaining({ operator: 'D. Dealing', reason: REASON, subject: 'instrument:EURUSD' }),
  )
  await close()
  source.close()
})

import { listActs } from '@fairlot/contract/desk'
import { openPriceSource } from '../testing/price-source.ts'
import { openTradeAsDemo, sideButton } from './support/app.ts'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const REASON = 'The central bank has let it go.'

test('a price that is held moves nothing, until dealing lets it in', async ({ page, browser, start }) => {
  const source = await openPriceSource()
  const say = (bid: number, ask: number) => source.say(JSON.stringify({ symbol: 'EURUSD', bid, ask }))
  const server = await start({
    ...{ FEED: source.url, MARKET_HOURS: 'always', DESK_PASSWORD },
    // Each price is said once, and has to hold for the whole journey.
    SETTING_FRESHNESS_MS: '120000',
  })
  const administrator = await enrolAdministrator(server)
  const dealing = await addOperator(server, administrator, { name: 'D. Dealing', role: 'dealing' })
  await say(1.1, 1.10006)
  await openTradeAsDemo(page, server)
  await expect(sideButton(page, 'Sell')).toContainText('1.10')
  const { page: desk, close } = await deskPage(browser)
  await openDesk(desk, server, dealing, '/waiting')
  await expect(desk.getByText('Nothing waits')).toBeVisible()

  await test.step('it is on the list of what waits, with how far it is off', async () => {
    await say(2.2, 2.20012)
    await desk.getByRole('row', { name: /EURUSD price/ }).click()
    await expect(desk.getByText('Refused by the guard').first()).toBeVisible()
    await expect(desk.getByText('2.2 / 2.20012').first()).toBeVisible()
    await expect(sideButton(page, 'Sell')).toContainText('1.10')
  })
  await test.step('by a word and a reason it counts, for everybody', async () => {
    await desk.goto(`${server.url}/desk/#/market/feeds`)
    await desk.getByText('Held 1').click()
    await desk.getByRole('button', { name: 'Admit' }).click()
    await desk.getByLabel('Reason').fill(REASON)
    await desk.getByRole('dialog').getByRole('button', { name: 'Admit' }).click()
    await expect(sideButton(page, 'Sell')).toContainText('2.20')
    await expect(desk.getByText('No price is held')).toBeVisible()
  })
  const { acts } = await administrator.ask(listActs, {
    ...{ operatorId: null, act: 'admitTick', subject: null, accountId: null, outcome: 'done' },
    ...{ since: null, until: null, search: null, page: 1 },
  })
  expect(acts).toMatchObject([{ operator: 'D. Dealing', reason: REASON, subject: 'instrument:EURUSD' }])
  await close()
  source.close()
})

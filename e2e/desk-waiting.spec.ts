import { listInstruments } from '@fairlot/contract'
import {
  askHalt,
  askPersonAdjustment,
  decideAdjustment,
  decideApproval,
  listActs,
  listWaiting,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { openOwn } from './support/accounts.ts'
import { apiOf } from './support/api.ts'
import { instrumentRow, openTradeAsDemo, sideButton, tab, ticket } from './support/app.ts'
import {
  addOperator,
  DESK_PASSWORD,
  deskPage,
  enrolAdministrator,
  logInAtDesk,
  openDesk,
} from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const AMOUNT = money(15_000_000_000n)
const EVERYTHING = { kind: null, held: null, search: null, page: 1 } as const
const ACTS = {
  ...{ operatorId: null, act: null, subject: null, accountId: null, outcome: null },
  ...{ since: null, until: null, search: null, page: 1 },
} as const

test('an adjustment goes from asking over a second person to the trader', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const checker = await enrolAdministrator(server)
  const maker = await addOperator(server, checker, { name: 'M. Maker', role: 'finance' })
  await openOwn(page, server, 'history')

  await test.step('whoever asked cannot approve, and the attempt is written down', async () => {
    await maker.ask(askPersonAdjustment, { id: 1, amount: AMOUNT, reason: 'Paid in by cheque.' })
    const desk = await deskPage(browser)
    await logInAtDesk(desk.page, server, maker)
    await desk.page.getByRole('row', { name: /Adjustment 1/ }).click()
    await expect(desk.page.getByText('You asked for this: somebody else decides.')).toBeVisible()
    await expect(desk.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
    const tried = maker.ask(decideAdjustment, { id: 1, isApproved: true, reason: 'mine' })
    await expect(tried).rejects.toThrow(/second person/)
    await desk.close()
  })

  await test.step('a second person takes it and approves it, by keys alone', async () => {
    const desk = await deskPage(browser)
    await openDesk(desk.page, server, checker)
    await expect(desk.page.getByRole('link', { name: /Waiting/ })).toHaveText(/1$/)
    await expect(desk.page.getByRole('row', { name: /Adjustment 1/ })).toBeVisible()
    await desk.page.keyboard.press('ArrowDown')
    await desk.page.keyboard.press('Enter')
    await expect(desk.page.getByText('above 10,000 USD: needs a second person')).toBeVisible()
    await desk.page.keyboard.press('t')
    await expect(desk.page.getByText(/Held by you for/)).toBeVisible()
    await desk.page.keyboard.press('a')
    await desk.page.getByLabel('Reason').fill('The receipt of the bank is here.')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(desk.page.getByText('Nothing waits')).toBeVisible()
    await desk.close()
  })

  await test.step('the money is on the screen of the trader', async () => {
    await expect(page.getByText(/15.?000\.00/).first()).toBeVisible()
  })

  await test.step('and in their own list, with the reason', async () => {
    await page.goto(`${server.url}/#/mine/activity`)
    await expect(page.getByText('Correction of the balance booked')).toBeVisible()
    await expect(page.getByText(/The receipt of the bank is here/)).toBeVisible()
  })

  const { acts } = await checker.ask(listActs, { ...ACTS, search: 'adjustment:1' })
  expect(acts.map(({ operator, act, outcome }) => [operator, act, outcome])).toEqual([
    ['admin', 'decideAdjustment', 'done'],
    ['admin', 'takeCase', 'done'],
    ['M. Maker', 'decideAdjustment', 'sameOperator'],
  ])
})

test('a halt that support asks for is decided by dealing, and told to the trader at once', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const reason = 'The source sends a wrong price.'
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const dealing = await addOperator(server, administrator, { name: 'D. Dealing', role: 'dealing' })
  const second = await addOperator(server, administrator, { name: 'C. Compliance', role: 'compliance' })
  await openTradeAsDemo(page, server)
  const [euro] = await apiOf(server.url, null).ask(listInstruments, { search: 'EURUSD' })
  const { approvalId } = await second.ask(askHalt, { instrumentId: euro?.id ?? 0, reason })

  const desk = await deskPage(browser)
  await openDesk(desk.page, server, dealing, `/waiting/approval:${approvalId}`)
  await desk.page.getByRole('button', { name: 'Approve' }).click()
  await desk.page.getByLabel('Reason').fill('Seen on the chart too.')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(ticket(page).getByText(`Trading is halted: ${reason}`)).toBeVisible()
  await expect(sideButton(page, 'Buy')).toBeDisabled()
  await tab(page, 'Markets').click()
  await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${reason}`)
  await expect(instrumentRow(page, 'GBP/USD')).not.toContainText('Halted')
  await desk.close()
  await expect(
    second.ask(decideApproval, { id: approvalId, isApproved: true, reason: 'late' }),
  ).rejects.toThrow(/already ended/)
  expect((await second.ask(listWaiting, EVERYTHING)).all).toBe(0)
})

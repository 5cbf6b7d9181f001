import { listInstruments } from '@fairlot/contract'
import {
  requestHalt,
  requestAdjustment,
  decideAdjustment,
  decideApproval,
  listAuditEntries,
  listWaiting,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { openAsRealUser } from './support/accounts.ts'
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
const EVERYTHING = { kind: null, held: null, search: null, page: 1, before: null } as const
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

test('an adjustment is requested, approved by a second operator and shown to the trader', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const checker = await enrolAdministrator(server)
  const second = await addOperator(server, checker, { name: 'C. Compliance', role: 'compliance' })
  const maker = await addOperator(server, checker, { name: 'M. Maker', role: 'finance', second })
  await openAsRealUser(page, server, 'history')

  await test.step('the requester cannot approve it, and the attempt is audited', async () => {
    await maker.request(requestAdjustment, { id: 1, amount: AMOUNT, reason: 'Paid in by cheque.' })
    const desk = await deskPage(browser)
    await logInAtDesk(desk.page, server, maker)
    await desk.page.getByRole('row', { name: /Adjustment 1/ }).click()
    await expect(desk.page.getByText('You requested this, so another operator must decide.')).toBeVisible()
    await expect(desk.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
    const tried = maker.request(decideAdjustment, { id: 1, isApproved: true, reason: 'mine' })
    await expect(tried).rejects.toThrow(/second operator/)
    await desk.close()
  })

  await test.step('a second operator takes and approves it with the keyboard alone', async () => {
    const desk = await deskPage(browser)
    await openDesk(desk.page, server, checker)
    await expect(desk.page.getByRole('link', { name: /Waiting/ })).toHaveText(/1$/)
    await expect(desk.page.getByRole('row', { name: /Adjustment 1/ })).toBeVisible()
    await desk.page.keyboard.press('ArrowDown')
    await desk.page.keyboard.press('Enter')
    await expect(desk.page.getByText(/above 10,000(\.00)? USD: needs a second operator/)).toBeVisible()
    await desk.page.keyboard.press('t')
    await expect(desk.page.getByText(/Assigned to you for/)).toBeVisible()
    await desk.page.keyboard.press('a')
    await desk.page.getByLabel('Reason').fill('The receipt of the bank is here.')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(desk.page.getByText('No open cases')).toBeVisible()
    await desk.close()
  })

  await test.step("the trader's screen shows the money", async () => {
    await expect(page.getByText(/15.?000\.00/).first()).toBeVisible()
  })

  await test.step("the trader's activity list shows the reason", async () => {
    await page.goto(`${server.url}/#/mine/activity`)
    await expect(page.getByText('Balance adjustment booked')).toBeVisible()
    await expect(page.getByText(/The receipt of the bank is here/)).toBeVisible()
  })

  const { acts } = await checker.request(listAuditEntries, { ...ACTS, search: 'adjustment:1' })
  expect(acts.map(({ operator, act, outcome }) => [operator, act, outcome])).toEqual([
    ['admin', 'decideAdjustment', 'done'],
    ['admin', 'takeCase', 'done'],
    ['M. Maker', 'decideAdjustment', 'sameOperator'],
  ])
})

test('a halt requested by support is approved by dealing and shown to the trader at once', async ({
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
  const [euro] = await apiOf(server.url, null).request(listInstruments, { search: 'EURUSD' })
  const { approvalId } = await second.request(requestHalt, { instrumentId: euro?.id ?? 0, reason })

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
    second.request(decideApproval, { id: approvalId, isApproved: true, reason: 'late' }),
  ).rejects.toThrow(/already closed/)
  expect((await second.request(listWaiting, EVERYTHING)).all).toBe(0)
})

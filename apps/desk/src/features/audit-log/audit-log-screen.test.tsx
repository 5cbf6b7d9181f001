import { getAuditEntry, getChainHeads, listAuditEntries, type AuditEntryRow } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf } from '../../testing/fake-server.ts'

withFakeServer()

const entry = (changes: Partial<AuditEntryRow> = {}): AuditEntryRow => ({
  id: 31,
  at: Date.UTC(2026, 10, 22, 9, 11),
  operatorId: 2,
  operator: 'M. Compliance',
  role: 'compliance',
  second: null,
  act: 'restrictPerson',
  subject: 'person:77',
  about: 'User 100077',
  accountId: 77,
  reason: 'by order of the court',
  caseKey: null,
  outcome: 'done',
  journalAt: null,
  ...changes,
})

async function openAuditLog(options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  const rejected = entry({ id: 30, act: 'decideAdjustment', outcome: 'sameOperator', reason: '' })
  answer(listAuditEntries, { acts: [entry(), rejected], total: 2 })
  await openDesk('/acts', options)
  await expect.element(page.getByText('Restrict user').first()).toBeVisible()
}

test('entries show who did what with which outcome, and the last hashes of the chains', async () => {
  await openAuditLog()
  await expect
    .element(page.getByRole('row', { name: /Decide adjustment.*rejected: same operator/ }))
    .toBeVisible()
  await expect.element(page.getByText('2 entries')).toBeVisible()
  await expect.element(page.getByText('row 812')).toBeVisible()
  await expect.element(page.getByText('ab'.repeat(32))).toBeVisible()
  await expect.element(page.getByText('no recipient is set')).toBeVisible()
})

test('entries are filtered by operator, action, user, time, outcome and search', async () => {
  await openAuditLog()
  await page.getByRole('button', { name: 'Rejected' }).click()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabelText('Operator').selectOptions('M. Compliance')
  await page.getByLabelText('Action', { exact: true }).selectOptions('Halt')
  await page.getByLabelText('User number').fill('100077')
  await page.getByLabelText('From').fill('2026-11-01')
  await page.getByLabelText('Until').fill('2026-11-02')
  await page.getByRole('searchbox').fill('court')
  await expect
    .poll(() => inputsOf(listAuditEntries).at(-1))
    .toMatchObject({
      operatorId: 2,
      act: 'halt',
      accountId: 77,
      outcome: 'refused',
      search: 'court',
      page: 1,
      since: Date.UTC(2026, 10, 1),
      until: Date.UTC(2026, 10, 3),
    })
})

test('an entry shows what it changed and its link in the chain', async () => {
  await openAuditLog({ size: PHONE })
  const changes = [{ field: 'asked.currencyCode', before: 'active', after: 'frozen' }]
  answer(getAuditEntry, { act: entry(), changes, previousHash: '12'.repeat(32), hash: '34'.repeat(32) })
  await page.getByRole('button', { name: /Restrict user/ }).click()
  await expect.element(page.getByRole('insertion')).toHaveTextContent('frozen')
  await expect.element(page.getByText('Requested: Currency', { exact: true })).toBeVisible()
  await expect.element(page.getByText('User 100077').last()).toBeVisible()
  await expect.element(page.getByText('34'.repeat(32))).toBeVisible()
  expect(location.hash).toBe('#/acts/31')
})

test('only roles that may export can export, and the time of the last hash mail is shown', async () => {
  const lastMailed = {
    day: '2026-11-22',
    at: Date.UTC(2026, 10, 22, 0, 5),
    journalRow: 800,
    actId: 30,
    recipients: 'a@b.example',
  }
  const head = { number: 812, hash: 'ab'.repeat(32), at: null }
  answer(getChainHeads, { journal: head, acts: head, lastMailed })
  await openAuditLog({ as: self({ role: 'support' }) })
  await expect.element(page.getByText(/row 800 and entry 30, to a@b.example/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Export' }).query()).toBe(null)
})

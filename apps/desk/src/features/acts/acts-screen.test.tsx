import { getAct, getChainEnds, listActs, type DeskActRow } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked } from '../../testing/fake-server.ts'

withFakeServer()

const act = (changes: Partial<DeskActRow> = {}): DeskActRow => ({
  ...{
    id: 31,
    at: Date.UTC(2026, 10, 22, 9, 11),
    operatorId: 2,
    operator: 'M. Compliance',
    role: 'compliance',
  },
  ...{
    second: null,
    act: 'restrictPerson',
    subject: 'person:77',
    about: 'Person 77',
    accountId: 77,
    reason: 'as the court asked',
  },
  ...{ caseKey: null, outcome: 'done', journalAt: null },
  ...changes,
})

async function openActs(options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  const refused = act({ id: 30, act: 'decideAdjustment', outcome: 'sameOperator', reason: '' })
  answer(listActs, { acts: [act(), refused], total: 2 })
  await openDesk('/acts', options)
  await expect.element(page.getByText('Restrict person').first()).toBeVisible()
}

test('acts say who did what and what came of it, and where the chains end', async () => {
  await openActs()
  await expect
    .element(page.getByRole('row', { name: /Decide adjustment.*refused: same operator/ }))
    .toBeVisible()
  await expect.element(page.getByText('2 acts')).toBeVisible()
  await expect.element(page.getByText('row 812')).toBeVisible()
  await expect.element(page.getByText('ab'.repeat(32))).toBeVisible()
  await expect.element(page.getByText('nobody is named in the settings')).toBeVisible()
})

test('acts are narrowed by who, what, whom, when, what came of it, and a word', async () => {
  await openActs()
  await page.getByRole('button', { name: 'Refused' }).click()
  await page.getByRole('button', { name: 'Narrow' }).click()
  await page.getByLabelText('Operator').selectOptions('M. Compliance')
  await page.getByLabelText('Act', { exact: true }).selectOptions('Halt')
  await page.getByLabelText('Account').fill('77')
  await page.getByLabelText('From').fill('2026-11-01')
  await page.getByLabelText('Until').fill('2026-11-02')
  await page.getByRole('searchbox').fill('court')
  await expect
    .poll(() => asked(listActs).at(-1))
    .toMatchObject({
      ...{ operatorId: 2, act: 'halt', accountId: 77, outcome: 'refused', search: 'court', page: 1 },
      ...{ since: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 3) },
    })
})

test('one act shows what it changed and its link in the chain', async () => {
  await openActs({ size: PHONE })
  const changes = [{ field: 'asked.currencyCode', before: 'active', after: 'frozen' }]
  answer(getAct, { act: act(), changes, previousHash: '12'.repeat(32), hash: '34'.repeat(32) })
  await page.getByRole('button', { name: /Restrict person/ }).click()
  await expect.element(page.getByRole('insertion')).toHaveTextContent('frozen')
  await expect.element(page.getByText('Asked for: Currency', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Person 77').last()).toBeVisible()
  await expect.element(page.getByText('34'.repeat(32))).toBeVisible()
  expect(location.hash).toBe('#/acts/31')
})

test('a copy is for those who may have one, and when the hashes went out is shown', async () => {
  const lastMailed = {
    day: '2026-11-22',
    at: Date.UTC(2026, 10, 22, 0, 5),
    journalRow: 800,
    actId: 30,
    recipients: 'a@b.example',
  }
  const end = { number: 812, hash: 'ab'.repeat(32), at: null }
  answer(getChainEnds, { journal: end, acts: end, lastMailed })
  await openActs({ as: self({ role: 'support' }) })
  await expect.element(page.getByText(/row 800 and act 30, to a@b.example/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Export' }).query()).toBe(null)
})

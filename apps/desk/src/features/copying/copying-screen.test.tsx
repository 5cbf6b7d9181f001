import {
  answerStrategyReports,
  hideStrategy,
  listDeskStrategies,
  listStrategyReports,
  showStrategy,
  type DeskStrategy,
} from '@fairlot/contract/desk'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { LONG, openDesk, overflowing, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, failConnection, inputsOf, reject } from '../../testing/fake-server.ts'
import { strategySample } from '../../testing/samples.ts'

withFakeServer()

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const button = (name: string) => page.getByRole('button', { name, exact: true }).last()
const panel = () => page.getByRole('complementary')

const REPORTS = [
  { id: 4, at: Date.UTC(2026, 0, 9), userId: 18, reason: 'promises a profit', answeredAt: null },
  {
    id: 2,
    at: Date.UTC(2026, 0, 8),
    userId: 17,
    reason: 'a wrong name',
    answeredAt: Date.UTC(2026, 0, 8, 9),
  },
]

const list = (...strategies: readonly DeskStrategy[]) =>
  answer(listDeskStrategies, { strategies, total: strategies.length })

beforeEach(() => {
  list(strategySample())
  answer(listStrategyReports, { reports: REPORTS })
})

describe('the list of strategies', () => {
  test('shows owner, fee, copiers, their money and open reports, and marks what is hidden, ended or demo', async () => {
    const other = { id: 13, name: 'Night shift', ledger: 'demo', openReports: 0 } as const
    list(strategySample(), strategySample({ ...other, isHidden: true, endedAt: Date.UTC(2026, 1, 1) }))
    await openDesk('/copying')
    await expect
      .element(row('Calm water'))
      .toMatchTextContent(/Calm water\s*No. 12 · real money\s*100031\s*12.5 %\s*1,204\s*4,300,000.50\s*1$/)
    await expect.element(row('Night shift')).toMatchTextContent(/hidden\s*No. 13 · demo · ended.*none$/)
    await expect.element(page.getByText('2 strategies')).toBeVisible()
  })

  test('is filtered, and searched by what the address says', async () => {
    await openDesk('/copying?find=12')
    await expect.element(page.getByRole('searchbox')).toHaveValue('12')
    await button('Reported').click()
    await page.getByRole('searchbox').fill(' calm ')
    await expect
      .poll(() => inputsOf(listDeskStrategies))
      .toEqual([
        { search: '12', show: 'all', page: 1 },
        { search: '12', show: 'reported', page: 1 },
        { search: 'calm', show: 'reported', page: 1 },
      ])
    expect(location.hash).toBe('#/copying?find=calm')
  })

  test('loads the next page once one is full', async () => {
    answer(listDeskStrategies, ({ page: number }) => ({
      strategies:
        number === 1
          ? Array.from({ length: 50 }, (_, index) => strategySample({ id: 100 + index }))
          : [strategySample({ id: 7, name: 'The last' })],
      total: 51,
    }))
    await openDesk('/copying')
    await button('More').click()
    await expect.element(row('The last')).toBeVisible()
    expect(inputsOf(listDeskStrategies).map((input) => input.page)).toEqual([1, 2])
  })

  test('says when there is nothing, and when it could not be loaded', async () => {
    list()
    await openDesk('/copying')
    await expect.element(page.getByText('No strategies yet')).toBeVisible()
    failConnection(listDeskStrategies)
    await button('Reported').click()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    list()
    await button('Try again').click()
    await expect.element(page.getByText('No open reports')).toBeVisible()
  })

  test('Enter on the owner of a row leads to the user', async () => {
    await openDesk('/copying')
    // The cursor is on the row, which Enter would open.
    await row('Calm water').click()
    await expect.element(panel()).toBeVisible()
    const link = row('Calm water').getByRole('link', { name: '100031' }).element()
    if (link instanceof HTMLElement) link.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => location.hash).toBe('#/people/31')
  })

  test('fits a phone with a long name, and opens a strategy over it', async () => {
    list(strategySample({ name: LONG, description: LONG, isHidden: true, hiddenFor: LONG }))
    answer(listStrategyReports, { reports: [{ id: 4, at: 0, userId: 18, reason: LONG, answeredAt: null }] })
    await openDesk('/copying', { size: PHONE })
    await expect.element(page.getByRole('listitem')).toMatchTextContent(/1 report/)
    await page.getByRole('listitem').getByRole('button').click()
    await expect.element(panel()).toHaveFocus()
    await expect.element(panel().getByRole('listitem')).toBeVisible()
    expect(overflowing()).toEqual([])
  })
})

describe('a strategy', () => {
  const open = async (strategy: DeskStrategy, role: 'compliance' | 'support' = 'compliance') => {
    list(strategy)
    await openDesk('/copying', { as: self({ role }) })
    await row('Calm water').click()
    await expect.element(panel().getByRole('listitem').first()).toBeVisible()
  }

  test('is shown with its description, its end and the reports, of which the open ones are marked', async () => {
    await open(strategySample({ endedAt: Date.UTC(2026, 1, 1), endedAs: 'providerFrozen' }))
    await expect.element(panel().getByText('Majors only, one position at a time.')).toBeVisible()
    await expect.element(panel()).toMatchTextContent(/Ended.*the account stayed frozen/)
    const reports = panel().getByRole('listitem')
    await expect.element(reports.nth(0)).toMatchTextContent(/100018.*open.*promises a profit/)
    await expect.element(reports.nth(1)).toMatchTextContent(/100017.*answered.*a wrong name/)
    expect(inputsOf(listStrategyReports)).toEqual([{ id: 12 }])
  })

  test('is hidden with a reason that its owner reads, and then says so', async () => {
    await open(strategySample())
    await button('Hide').click()
    await button('Hide').click()
    await expect.element(page.getByText(/Enter a reason/)).toBeVisible()
    expect(inputsOf(hideStrategy)).toEqual([])
    answer(hideStrategy, { id: 12 })
    list(strategySample({ isHidden: true, hiddenFor: 'it promises a profit', openReports: 0 }))
    await page.getByLabelText('Reason', { exact: true }).fill('it promises a profit')
    await button('Hide').click()
    await expect.element(page.getByText('Strategy hidden.').first()).toBeVisible()
    expect(inputsOf(hideStrategy)).toEqual([{ id: 12, reason: 'it promises a profit' }])
    await expect.element(panel()).toMatchTextContent(/reason shown to its owner\s*it promises a profit/)
    await expect.element(button('Show again')).toBeVisible()
    expect(page.getByRole('button', { name: 'Answer reports' }).query()).toBe(null)
  })

  test('is shown again with a reason', async () => {
    await open(strategySample({ isHidden: true, hiddenFor: 'a wrong name', openReports: 0 }))
    await button('Show again').click()
    answer(showStrategy, { id: 12 })
    await page.getByLabelText('Reason', { exact: true }).fill('the name was corrected')
    await button('Show again').click()
    await expect.element(page.getByText('Strategy shown again.').first()).toBeVisible()
    expect(inputsOf(showStrategy)).toEqual([{ id: 12, reason: 'the name was corrected' }])
  })

  test('has its reports answered with a reason; a rejection is shown in the dialog', async () => {
    await open(strategySample({ openReports: 2 }))
    await button('Answer reports').click()
    await expect.element(page.getByRole('dialog', { name: 'Answer 2 reports' })).toBeVisible()
    reject(answerStrategyReports, 'nothingChanged', 'Nothing would change.')
    await page.getByLabelText('Reason', { exact: true }).fill('nothing wrong was found')
    await button('Answer reports').click()
    await expect.element(page.getByText('Nothing would change.')).toBeVisible()
    answer(answerStrategyReports, { id: 12 })
    await button('Answer reports').click()
    await expect.element(page.getByText('Reports answered.').first()).toBeVisible()
    expect(inputsOf(answerStrategyReports).at(-1)).toEqual({ id: 12, reason: 'nothing wrong was found' })
  })

  test('has no buttons for a role that may only look', async () => {
    await open(strategySample(), 'support')
    expect(page.getByRole('button', { name: /Hide|Answer/ }).query()).toBe(null)
  })
})

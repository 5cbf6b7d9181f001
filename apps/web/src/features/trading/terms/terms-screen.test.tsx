import { listTermsChanges, type TermsChange } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sticksOut } from '../../../../../../testing/sticks-out.ts'
import { answerInstruments, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, cut, hold, push } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const HOUR_MS = 3_600_000

const dearer = (changes: Partial<TermsChange> = {}): TermsChange => ({
  ...{ id: 7, kind: 'instrument', instrumentIds: [sample.eurusd().id], isUrgent: false },
  ...{ announcedAt: Date.now() - HOUR_MS, effectiveAt: Date.now() + HOUR_MS, reason: 'Prices cost more.' },
  fields: [{ field: 'feeRate', before: '0.001', after: '0.002' }],
  ...changes,
})

const line = () => page.getByRole('link', { name: /Its terms change from/ })

describe('a change of terms that is announced', () => {
  test('stands over the order buttons of its instrument, and leads to what changes', async () => {
    answer(listTermsChanges, [dearer()])
    await openApp('/trade', { as: 'demo' })
    await line().click()
    await expect.element(page.getByRole('deletion')).toHaveTextContent('0.1 %')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('0.2 %')
    await expect.element(page.getByText('“Prices cost more.”')).toBeVisible()
  })

  test('names a mark-up as a part of the price on each side', async () => {
    const fields = [{ field: 'markUp', before: '0', after: '0.0001' }]
    answer(listTermsChanges, [dearer({ fields })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('Mark-up in the price')).toBeVisible()
    await expect.element(page.getByRole('insertion')).toHaveTextContent('0.01 % on each side')
  })

  test('names a fixed margin as money, and how the margin is set', async () => {
    const fields = [
      { field: 'marginMode', before: 'leveraged', after: 'fixed' },
      { field: 'contractSize', before: '100000', after: '1000' },
    ]
    answer(listTermsChanges, [dearer({ fields })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('Margin of a lot')).toBeVisible()
    await expect.element(page.getByRole('insertion').first()).toHaveTextContent('fixed a lot')
  })

  test('of another instrument does not', async () => {
    answer(listTermsChanges, [dearer({ instrumentIds: [999] })])
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByRole('button', { name: /^Buy / })).toBeVisible()
    expect(line().query()).toBe(null)
  })

  test('comes and goes with a push', async () => {
    await openApp('/trade', { as: 'demo' })
    const told = { type: 'marketState', mode: 'normal', halts: [], changedTerms: [1] } as const
    answer(listTermsChanges, [dearer()])
    await expect.element(page.getByRole('button', { name: /^Buy / })).toBeEnabled()
    push(told)
    await expect.element(line()).toBeVisible()
    answer(listTermsChanges, [])
    push(told)
    await expect.element(line()).not.toBeInTheDocument()
  })

  test('of a setting concerns every instrument, and short notice is said', async () => {
    const fields = [{ field: 'stopOutLevel', before: '50', after: '60' }]
    answer(listTermsChanges, [dearer({ kind: 'settings', instrumentIds: [], fields, isUrgent: true })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('All instruments')).toBeVisible()
    await expect.element(page.getByText('short notice')).toBeVisible()
    await expect.element(page.getByText('Stop-out level')).toBeVisible()
  })

  test('where there is none, the list says so', async () => {
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('Nothing is announced')).toBeVisible()
  })

  test('on its way is neither none nor failed; what could not be had is asked for again', async () => {
    cut(listTermsChanges)
    const release = hold(listTermsChanges)
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText(/^What is going to change/)).toBeVisible()
    const again = page.getByRole('button', { name: 'Try again' })
    await expect.element(page.getByText('Nothing is announced')).not.toBeInTheDocument()
    await expect.element(again).not.toBeInTheDocument()
    release()
    await expect.element(again).toBeVisible()
    answer(listTermsChanges, [dearer()])
    await again.click()
    await expect.element(page.getByText('“Prices cost more.”')).toBeVisible()
    await expect.element(again).not.toBeInTheDocument()
  })

  test('with long words fits a small phone, read from either side', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(3)
    answerInstruments(sample.eurusd({ showCode: 'AVERYLONGCODE.OFANEXCHANGE.SOMEWHERE' }))
    answer(listTermsChanges, [dearer({ reason: long })])
    await openApp('/mine/terms', { as: 'visitor', size: [320, 640] })
    await expect.element(page.getByText(`“${long}”`)).toBeVisible()
    for (const dir of ['ltr', 'rtl']) {
      document.documentElement.dir = dir
      expect(sticksOut()).toEqual([])
    }
  })
})

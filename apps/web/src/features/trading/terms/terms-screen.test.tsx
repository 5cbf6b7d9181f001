import { listTermsChanges, listTermsVersions, type TermsChange } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { answerInstruments, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, failConnection, hold, push } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const HOUR_MS = 3_600_000

const higherFee = (changes: Partial<TermsChange> = {}): TermsChange => ({
  id: 7,
  kind: 'instrument',
  instrumentIds: [sample.eurusd().id],
  about: '',
  isUrgent: false,
  isInForce: false,
  withdrawnAt: null,
  announcedAt: Date.now() - HOUR_MS,
  effectiveAt: Date.now() + HOUR_MS,
  reason: 'Prices cost more.',
  fields: [{ field: 'feeRate', before: '0.001', after: '0.002' }],
  ...changes,
})

const line = () => page.getByRole('link', { name: /Its terms change from/ })

describe('a change of terms that is announced', () => {
  test('is shown above the order buttons of its instrument, and links to the details', async () => {
    answer(listTermsChanges, [higherFee()])
    await openApp('/trade', { as: 'demo' })
    await line().click()
    await expect.element(page.getByRole('deletion')).toHaveTextContent('0.1 %')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('0.2 %')
    await expect.element(page.getByText('“Prices cost more.”')).toBeVisible()
  })

  test('shows a mark-up as a percentage on each side', async () => {
    const fields = [{ field: 'markUp', before: '0', after: '0.0001' }]
    answer(listTermsChanges, [higherFee({ fields })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('Mark-up in the price')).toBeVisible()
    await expect.element(page.getByRole('insertion')).toHaveTextContent('0.01 % per side')
  })

  test('shows a fixed margin as an amount, and the margin mode', async () => {
    const fields = [
      { field: 'marginMode', before: 'leveraged', after: 'fixed' },
      { field: 'contractSize', before: '100000', after: '1000' },
    ]
    answer(listTermsChanges, [higherFee({ fields })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('Margin per lot')).toBeVisible()
    await expect.element(page.getByRole('insertion').first()).toHaveTextContent('fixed amount per lot')
  })

  test('of another instrument is not shown', async () => {
    answer(listTermsChanges, [higherFee({ instrumentIds: [999] })])
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByRole('button', { name: /^Buy / })).toBeVisible()
    expect(line().query()).toBe(null)
  })

  test('appears and disappears with a push', async () => {
    await openApp('/trade', { as: 'demo' })
    const state = { type: 'marketState', mode: 'normal', reason: '', halts: [], changedTerms: [1] } as const
    answer(listTermsChanges, [higherFee()])
    await expect.element(page.getByRole('button', { name: /^Buy / })).toBeEnabled()
    push(state)
    await expect.element(line()).toBeVisible()
    answer(listTermsChanges, [])
    push(state)
    await expect.element(line()).not.toBeInTheDocument()
  })

  test('of a setting concerns every instrument, and shows short notice', async () => {
    const fields = [{ field: 'stopOutLevel', before: '50', after: '60' }]
    answer(listTermsChanges, [higherFee({ kind: 'settings', instrumentIds: [], fields, isUrgent: true })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('All instruments')).toBeVisible()
    await expect.element(page.getByText('short notice')).toBeVisible()
    await expect.element(page.getByText('Stop-out level')).toBeVisible()
  })

  test('of payments is listed with its labels', async () => {
    const fields = [{ field: 'payout_wait_hours', before: '24', after: '48' }]
    const wait = higherFee({ kind: 'payments', instrumentIds: [], fields })
    const limits = [{ field: 'personDayLimit', before: '5000', after: '' }]
    const limit = higherFee({ kind: 'payments', instrumentIds: [], about: 'USDT · TRC20', fields: limits })
    answer(listTermsChanges, [wait, { ...limit, id: 8 }])
    await openApp('/mine/terms', { as: 'demo' })
    await expect.element(page.getByText('Deposits and withdrawals', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('insertion').first()).toHaveTextContent('48 hours')
    await expect.element(page.getByText('Deposits and withdrawals · USDT · TRC20')).toBeVisible()
    await expect.element(page.getByRole('deletion').last()).toHaveTextContent('5,000')
  })

  test('of the ranking’s method names both versions', async () => {
    const fields = [{ field: 'rankingMethod', before: '2', after: '3' }]
    answer(listTermsChanges, [higherFee({ kind: 'ranking', instrumentIds: [], fields })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect
      .element(page.getByRole('article'))
      .toMatchTextContent(/^Ranking.*Version of the method.*2.*3/)
  })

  test('of payments is shown on no instrument', async () => {
    answer(listTermsChanges, [higherFee({ kind: 'payments', instrumentIds: [] })])
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByRole('button', { name: /^Buy / })).toBeVisible()
    expect(line().query()).toBe(null)
  })

  test('in force at short notice is shown on its instrument, and listed with its time', async () => {
    answer(listTermsChanges, [
      higherFee({ isInForce: true, isUrgent: true, effectiveAt: Date.now() - HOUR_MS }),
    ])
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('link', { name: /Its terms changed at short notice/ }).click()
    await expect.element(page.getByText(/^Effective since/)).toBeVisible()
  })

  test('and withdrawn is listed with its time, and no longer shown on its instrument', async () => {
    answer(listTermsChanges, [higherFee({ withdrawnAt: Date.now() - HOUR_MS })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText(/^Withdrawn /)).toBeVisible()
    expect(page.getByText(/^Effective from/).query()).toBe(null)
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByRole('button', { name: /^Buy / }).first()).toBeVisible()
    expect(line().query()).toBe(null)
  })

  test('by the settings of the server shows that', async () => {
    answer(listTermsChanges, [higherFee({ kind: 'settings', instrumentIds: [], reason: '' })])
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('Set in the server’s configuration')).toBeVisible()
  })

  test('the list shows a notice when there is none', async () => {
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText('No announced changes')).toBeVisible()
  })

  test('shows neither emptiness nor failure while loading, and can be loaded again after a failure', async () => {
    failConnection(listTermsChanges)
    const release = hold(listTermsChanges)
    await openApp('/mine/terms', { as: 'visitor' })
    await expect.element(page.getByText(/^What will change/)).toBeVisible()
    const again = page.getByRole('button', { name: 'Try again' })
    await expect.element(page.getByText('No announced changes')).not.toBeInTheDocument()
    await expect.element(again).not.toBeInTheDocument()
    release()
    await expect.element(again).toBeVisible()
    answer(listTermsChanges, [higherFee()])
    await again.click()
    await expect.element(page.getByText('“Prices cost more.”')).toBeVisible()
    await expect.element(again).not.toBeInTheDocument()
  })

  test('with long texts fits a small phone, in both reading directions', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(3)
    answerInstruments(sample.eurusd({ showCode: 'AVERYLONGCODE.OFANEXCHANGE.SOMEWHERE' }))
    answer(listTermsChanges, [higherFee({ reason: long })])
    await openApp('/mine/terms', { as: 'visitor', size: [320, 640] })
    await expect.element(page.getByText(`“${long}”`)).toBeVisible()
    for (const dir of ['ltr', 'rtl']) {
      document.documentElement.dir = dir
      expect(overflowing()).toEqual([])
    }
  })
})

test('the terms named by a receipt are shown with all values, author and time', async () => {
  const at = Date.now() - HOUR_MS
  answer(listTermsVersions, {
    versions: [
      {
        id: 9,
        version: 124,
        kind: 'instrument',
        status: 'inForce',
        decidedAt: at,
        effectiveAt: at,
        inForceAt: at,
        withdrawnAt: null,
        author: 'operator',
        isUrgent: true,
        reason: 'The exchange moves.',
        changed: ['session'],
        values: [
          { field: 'feeRate', value: '0.002' },
          { field: 'session', value: 'metal' },
        ],
      },
    ],
    total: 1,
  })
  await openApp('/mine/terms?instrument=1&version=124', { as: 'visitor' })
  await expect.element(page.getByText(/apply to receipts with no\. 124/)).toBeVisible()
  await expect.element(page.getByText('0.2 %')).toBeVisible()
  await expect.element(page.getByText('“The exchange moves.”')).toBeVisible()
  await expect.element(page.getByText('short notice')).toBeVisible()
})

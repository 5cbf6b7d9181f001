import {
  approveIdentity,
  getIdentity,
  getWaitingCase,
  listWaiting,
  refuseIdentity,
  revealIdentityNumber,
  type IdentityDetail,
} from '@fairlot/contract/desk'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf } from '../../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../../testing/waiting-case.ts'

withFakeServer()

let barrier: string | null = null
beforeEach(() => void (barrier = null))

const NOON = Date.UTC(2026, 0, 7, 12)
const detail = (change: Partial<IdentityDetail> = {}): IdentityDetail => ({
  accountId: 17,
  name: 'Ann Heron',
  number: '••••••4567',
  front: 'f'.repeat(32),
  reverse: 'r'.repeat(32),
  sentAt: NOON,
  timesSent: 1,
  isWaiting: true,
  sameNumber: [],
  samePictures: [],
  opened: ['front', 'reverse'],
  ...change,
})

const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()

async function openCase(change: Partial<IdentityDetail> = {}, options: Parameters<typeof openDesk>[1] = {}) {
  const shown = waitingCase({
    caseKey: 'identity:17',
    kind: 'identity',
    title: 'Identity 17',
    what: 'first submission',
    accountId: 17,
    amount: null,
    needsSecond: false,
    askedBy: null,
    riskReasons: [],
  })
  answer(listWaiting, { cases: [shown], total: 1, all: 1, kinds: [], next: null })
  answer(getWaitingCase, waitingDetail({ case: shown, decision: 'identity', barrier }))
  answer(getIdentity, detail(change))
  await openDesk('/waiting/identity:17', { as: self({ role: 'compliance' }), ...options })
}

describe('an identity', () => {
  test('shows the name, the number on request, and other users with the same number', async () => {
    answer(revealIdentityNumber, { number: 'P 1234567' })
    await openCase({ sameNumber: [23] })
    await expect.element(page.getByText('Ann Heron')).toBeVisible()
    await expect.element(page.getByText('same number as user 100023')).toBeVisible()
    await press(/^Show the number/)
    await expect.element(page.getByText('P 1234567')).toBeVisible()
    await press('Compare with the pictures')
    await expect.element(page.getByRole('dialog').getByRole('region', { name: 'Front' })).toBeVisible()
    await expect.element(page.getByRole('dialog').getByRole('region', { name: 'Back' })).toBeVisible()
  })

  test('is rejected field by field', async () => {
    answer(refuseIdentity, null)
    await openCase({}, { as: self({ role: 'compliance' }), size: PHONE })
    await press('Reject…')
    await page.getByLabelText('Back', { exact: true }).selectOptions('cannot be read')
    await page.getByLabelText('Name', { exact: true }).selectOptions('something else (describe it)')
    await page.getByLabelText('Name: your text').fill(' family name first ')
    await press('Request these again')
    await expect
      .poll(() => inputsOf(refuseIdentity))
      .toEqual([
        {
          accountId: 17,
          sentAt: NOON,
          faults: [
            { field: 'name', fault: 'other', words: 'family name first' },
            { field: 'reverse', fault: 'unreadable', words: '' },
          ],
        },
      ])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
  })

  test('is approved only by an operator who has opened both pictures', async () => {
    await openCase({ opened: ['front'] })
    await expect.element(page.getByText('To verify, first open the back of the document.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Verify…' })).toBeDisabled()
  })

  test('is approved with a reason', async () => {
    answer(approveIdentity, null)
    await openCase()
    await press('Verify…')
    await page.getByLabelText('Reason').fill('as on the passport')
    await press('Verify')
    await expect
      .poll(() => inputsOf(approveIdentity))
      .toEqual([{ accountId: 17, sentAt: NOON, reason: 'as on the passport' }])
  })

  test('is shown to compliance only', async () => {
    barrier = 'roleRefused'
    await openCase({}, { as: self({ role: 'finance' }) })
    await expect
      .element(page.getByText('Only Compliance can see the name, number and pictures.'))
      .toBeVisible()
    expect(inputsOf(getIdentity)).toEqual([])
  })
})

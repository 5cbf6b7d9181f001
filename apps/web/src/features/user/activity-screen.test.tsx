import { type Activity, getUser, listActivity } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, push } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const NOON = Date.UTC(2026, 0, 7, 12)
const own: Activity = {
  by: 'user',
  at: NOON,
  text: 'Logged in',
  role: null,
  reason: null,
  device: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  address: '192.0.2.7',
}
const frozen: Activity = {
  by: 'operator',
  at: NOON,
  text: 'Account frozen',
  role: 'compliance',
  reason: '<b>papers</b> are missing',
  device: null,
  address: null,
}

const main = () => page.getByRole('main')
const rows = () => main().getByRole('listitem')
const open = () => openApp('/mine/activity', { as: 'real' })

describe('the activity log', () => {
  test('shows an operator action with role, time and the reason as it was typed', async () => {
    answer(listActivity, { activities: [frozen], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/Account frozen\s*Compliance/)
    await expect.element(rows()).toMatchTextContent(/Reason: <b>papers<\/b> are missing/)
    await expect.element(rows()).toMatchTextContent(/Jan 7, 2026, 12:00:00/)
  })

  test('shows a log-in with browser, system and address', async () => {
    answer(listActivity, { activities: [own], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/Logged in.*· Firefox · Linux · 192\.0\.2\.7/)
  })

  test('is loaded page by page', async () => {
    const ten = Array.from({ length: 10 }, () => own)
    answer(listActivity, ({ page: wanted }) => ({ activities: wanted === 1 ? ten : [frozen], total: 11 }))
    await open()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(page.getByText('Account frozen')).toBeVisible()
    expect(inputsOf(listActivity).map((input) => input.page)).toEqual([1, 2])
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  })

  test('shows that it is empty', async () => {
    await open()
    await expect.element(page.getByText('No activity yet')).toBeVisible()
  })

  test('can be loaded again after a failure', async () => {
    failConnection(listActivity)
    await open()
    await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
    answer(listActivity, { activities: [own], total: 1 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(rows()).toBeVisible()
  })
})

describe('an account restriction', () => {
  test('appears on every screen with its reason as soon as it is pushed', async () => {
    await openApp('/', { as: 'real' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    await expect.element(page.getByText(/Your account is frozen/)).not.toBeInTheDocument()
    answer(getUser, sample.realUser({ restriction: { status: 'frozen', reason: 'papers are missing' } }))
    push({
      type: 'notice',
      userId: 7,
      seq: 1,
      notice: { id: 1, kind: 'accountStatus', title: 'Frozen', text: 'By compliance.', time: NOON },
    })
    await expect.element(page.getByText(/Your account is frozen:.*papers are missing/)).toBeVisible()
    await expect.element(notice(/Frozen/)).toBeVisible()
  })
})

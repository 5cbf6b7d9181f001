import { callOffRecovery, getDeskSelf, getOperatorMode, listOperators } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, operator, PHONE, self, settled, withFakeServer } from '../testing/app.tsx'
import {
  acceptLogins,
  answer,
  failConnection,
  endSockets,
  inputsOf,
  pushChanged,
  reject,
} from '../testing/fake-server.ts'

withFakeServer()

const sectionLinks = () => page.getByRole('navigation').getByRole('link')

test('the side bar shows the sections that the role may see', async () => {
  await openDesk('/settings', { as: self({ role: 'support' }) })
  await expect.element(sectionLinks().first()).toBeVisible()
  expect(
    sectionLinks()
      .elements()
      .map((link) => link.textContent),
  ).toEqual(['Waiting', 'Users', 'Market', 'Copying', 'Content', 'Audit log', 'Settings'])
})

test('a screen that the role may not see cannot be opened by its address', async () => {
  await openDesk('/risk', { as: self({ role: 'support' }) })
  await expect.element(page.getByText('Page not found')).toBeVisible()
})

test('an unknown page of a section redirects to its first page', async () => {
  await openDesk('/settings/nowhere')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
})

test('the operator menu shows the role and the remaining session time', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('Administrator · 15 min left')).toBeVisible()
})

test('a session without activity ends', async () => {
  await openDesk('/settings', { as: self({ idleEndsAt: Date.now() + 1500 }) })
  await expect.element(page.getByText(/You were logged out because you were inactive/)).toBeVisible()
})

test('a session that the server ends removes its data from the screen', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
  await settled()
  reject(getDeskSelf, 'sessionGone', 'Log in again.')
  endSockets()
  await expect.element(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect.element(page.getByText('M. Compliance')).not.toBeInTheDocument()
})

test('on a phone the side bar is a menu', async () => {
  await openDesk('/settings', { size: PHONE })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Users' }).click()
  await expect.poll(() => location.hash).toBe('#/people')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('fetches data again when the server reports a change', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
  await settled()
  answer(listOperators, { operators: [operator({ name: 'N. New' })] })
  pushChanged('operators')
  await expect.element(page.getByText('N. New')).toBeVisible()
})

test('a lost connection is shown above every screen until it is back', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
  await settled()
  acceptLogins(false)
  endSockets()
  await expect.element(page.getByText(/Connection lost/)).toBeVisible()
  acceptLogins(true)
  endSockets()
  await expect.element(page.getByText(/Connection lost/)).not.toBeInTheDocument()
})

test('a desk that could not be opened says why and can be retried', async () => {
  failConnection(getDeskSelf)
  await openDesk('/settings', { as: self(), isCut: true })
  await expect.element(page.getByText('The desk could not be opened')).toBeVisible()
  answer(getDeskSelf, self())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('with a single operator every screen shows a warning, with a link to invite a second one', async () => {
  answer(getOperatorMode, { isSingleOperator: true, recovery: null })
  await openDesk('/waiting', { as: self() })
  await expect.element(page.getByText(/Only one operator can approve requests/)).toBeVisible()
  const link = page.getByRole('link', { name: /Invite a second operator/ })
  await expect.element(link).toHaveAttribute('href', '#/settings/operators')
})

test('a recovery is shown above every screen, and any operator may cancel it', async () => {
  const recovery = {
    name: 'M. Compliance',
    role: 'compliance',
    isNew: false,
    effectiveAt: Date.now() + 3_600_000,
    reason: 'the phone is lost',
  } as const
  answer(getOperatorMode, { isSingleOperator: false, recovery })
  await openDesk('/waiting', { as: self({ role: 'support' }) })
  await expect
    .element(page.getByText(/M. Compliance can log in with new keys .*: the phone is lost/))
    .toBeVisible()
  await page.getByRole('button', { name: 'Cancel the recovery' }).click()
  answer(callOffRecovery, null)
  answer(getOperatorMode, { isSingleOperator: false, recovery: null })
  await page.getByLabelText('Reason').fill('we found it')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the recovery' }).click()
  await expect.element(page.getByText(/can log in with new keys/)).not.toBeInTheDocument()
  expect(inputsOf(callOffRecovery)).toEqual([{ reason: 'we found it' }])
})

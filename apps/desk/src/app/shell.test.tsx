import { getDeskSelf, listOperators } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, operator, PHONE, self, settled, withFakeServer } from '../testing/app.tsx'
import { answer, cut, endSockets, refuse, tellChanged } from '../testing/fake-server.ts'

withFakeServer()

const parts = () => page.getByRole('navigation').getByRole('link')

test('the rail shows what the role may see', async () => {
  await openDesk('/settings', { as: self({ role: 'support' }) })
  await expect.element(parts().first()).toBeVisible()
  expect(
    parts()
      .elements()
      .map((link) => link.textContent),
  ).toEqual(['Waiting', 'People', 'Market', 'Content', 'Acts', 'Settings'])
})

test('a screen that the role does not see is not there by its address either', async () => {
  await openDesk('/risk', { as: self({ role: 'support' }) })
  await expect.element(page.getByText('There is nothing here')).toBeVisible()
})

test('an address of no page of a section leads to its first one', async () => {
  await openDesk('/settings/nowhere')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
})

test('its foot says who is here and how long yet', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('administrator · 15 min left')).toBeVisible()
})

test('a session without a hand on the desk ends', async () => {
  await openDesk('/settings', { as: self({ idleEndsAt: Date.now() + 1500 }) })
  await expect.element(page.getByText(/You were logged out after a while/)).toBeVisible()
})

test('a session that is ended from elsewhere takes what it showed off the screen', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
  await settled()
  refuse(getDeskSelf, 'sessionGone', 'Log in again.')
  endSockets()
  await expect.element(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect.element(page.getByText('M. Compliance')).not.toBeInTheDocument()
})

test('on a phone the rail is a menu', async () => {
  await openDesk('/settings', { size: PHONE })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'People' }).click()
  await expect.poll(() => location.hash).toBe('#/people')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('what the server says has changed is fetched again', async () => {
  await openDesk('/settings')
  await expect.element(page.getByText('M. Compliance')).toBeVisible()
  await settled()
  answer(listOperators, { operators: [operator({ name: 'N. New' })] })
  tellChanged('operators')
  await expect.element(page.getByText('N. New')).toBeVisible()
})

test('a desk that cannot be opened says why, and can be tried again', async () => {
  cut(getDeskSelf)
  await openDesk('/settings', { as: self(), isCut: true })
  await expect.element(page.getByText('The desk could not be opened')).toBeVisible()
  answer(getDeskSelf, self())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

import { listInvited } from '@fairlot/contract'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, cut } from '../../testing/fake-server.ts'
import { PUBLISHED } from '../../testing/news-samples.ts'

withFakeServer()

const LINK = `${location.origin}/#/register?invite_code=ADA1`

test('the link stands as text and as a code, to be copied and shared, and pays nobody', async () => {
  const share = vi.fn(() => Promise.resolve())
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  Object.defineProperty(navigator, 'canShare', { value: () => true, configurable: true })
  await openApp('/mine/invite', { as: 'real' })
  await expect.element(page.getByText(LINK).first()).toBeVisible()
  const code = page.getByRole('img', { name: 'QR code of your invitation link' })
  expect(code.element().getBoundingClientRect().width).toBe(160)
  await page.getByRole('button', { name: 'Share' }).click()
  expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: LINK }))
  await expect.element(page.getByText(/Nobody is paid/)).toBeVisible()
  await expect.element(page.getByText('Nobody has joined yet')).toBeVisible()
  Reflect.deleteProperty(navigator, 'share')
  Reflect.deleteProperty(navigator, 'canShare')
})

test('friends stand there masked, with the day; a list that could not be had is asked for again', async () => {
  cut(listInvited)
  await openApp('/mine/invite', { as: 'real' })
  await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
  answer(listInvited, { invited: [{ name: 'a•••@m•••.example', joinedAt: PUBLISHED }], total: 1 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('listitem')).toMatchTextContent(/^a•••@m•••\.example.*2026/)
  await expect.element(page.getByText('1 person has joined')).toBeVisible()
})

import { listInvited } from '@fairlot/contract'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { QrCode } from '@fairlot/ui/graphics/qr-code.tsx'
import { overflowing } from '../../../../../testing/overflow.ts'
import { notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, reject } from '../../testing/fake-server.ts'
import { PUBLISHED } from '../../testing/samples.ts'

withFakeServer()

const LINK = `${location.origin}/#/register?invite_code=ADA1`

test('the link is shown as text and as a QR code, can be copied and shared, and promises no reward', async () => {
  const share = vi.fn(() => Promise.resolve())
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  Object.defineProperty(navigator, 'canShare', { value: () => true, configurable: true })
  await openApp('/mine/invite', { as: 'real' })
  await expect.element(page.getByText(LINK).first()).toBeVisible()
  const code = page.getByRole('img', { name: 'QR code of your invitation link' })
  expect(code.element().getBoundingClientRect().width).toBe(160)
  await page.getByRole('button', { name: 'Share' }).click()
  expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: LINK }))
  await expect.element(page.getByText(/There is no reward/)).toBeVisible()
  await expect.element(page.getByText('No one has joined yet')).toBeVisible()
  Reflect.deleteProperty(navigator, 'share')
  Reflect.deleteProperty(navigator, 'canShare')
})

test('the QR code of the link tolerates the most damage, level H', async () => {
  await openApp('/mine/invite', { as: 'real' })
  const code = page.getByRole('img', { name: 'QR code of your invitation link' })
  await expect.element(code).toBeVisible()
  const drawn = code.element().querySelector('path')?.getAttribute('d')
  const drawnAt = async (level: 'M' | 'H') => {
    const { container } = await render(<QrCode text={LINK} label={level} level={level} />)
    return container.querySelector('path')?.getAttribute('d')
  }
  expect(drawn).toBe(await drawnAt('H'))
  expect(drawn).not.toBe(await drawnAt('M'))
})

test('friends are listed masked, with the date; a list that failed to load can be loaded again', async () => {
  failConnection(listInvited)
  await openApp('/mine/invite', { as: 'real' })
  await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
  answer(listInvited, { invited: [{ name: 'a•••@m•••.example', joinedAt: PUBLISHED }], total: 1 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('listitem')).toMatchTextContent(/^a•••@m•••\.example.*2026/)
  await expect.element(page.getByText('1 person has joined')).toBeVisible()
})

test('a link that cannot be copied is selected; without sharing in the browser there is no button', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied'))
  const command = vi.spyOn(document, 'execCommand').mockReturnValue(false)
  await openApp('/mine/invite', { as: 'real' })
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await expect.element(notice(/could not be copied/)).toBeVisible()
  expect(document.querySelector<HTMLTextAreaElement>('textarea:focus')?.value).toBe(LINK)
  await expect.element(page.getByRole('button', { name: 'Share' })).not.toBeInTheDocument()
  command.mockReturnValue(true)
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  for (const spy of [write, command]) spy.mockRestore()
})

test('the list shows neither emptiness nor failure while loading, and the server’s message when rejected', async () => {
  const release = hold(listInvited)
  reject(listInvited, 'tooManyRequests', 'Too many requests. Wait a minute.')
  await openApp('/mine/invite', { as: 'real' })
  await expect.element(page.getByText(LINK).first()).toBeVisible()
  expect(page.getByRole('main').element().textContent).not.toMatch(/No one has joined|could not/)
  release()
  await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
  await expect.element(page.getByText(LINK).first()).toBeVisible()
})

test('friends are loaded page by page, and fit a small phone with very long names', async () => {
  const all = Array.from({ length: 11 }, (_, at) => ({
    name: `${at}${'long•••name'.repeat(12)}`,
    joinedAt: PUBLISHED - at,
  }))
  answer(listInvited, ({ page: wanted }) => ({
    invited: all.slice((wanted - 1) * 10, wanted * 10),
    total: all.length,
  }))
  await openApp('/mine/invite', { as: 'real', size: [320, 640] })
  await expect.element(page.getByText('11 people have joined')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => page.getByRole('listitem').elements().length).toBe(11)
  expect(inputsOf(listInvited).map(({ page: wanted }) => wanted)).toEqual([1, 2])
  expect(overflowing()).toEqual([])
})

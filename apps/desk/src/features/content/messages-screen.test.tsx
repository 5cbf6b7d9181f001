import {
  getMessage,
  listMessages,
  resendMessage,
  type Message,
  type MessageDetail,
} from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, overflowing, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, leaveUnanswered, reject } from '../../testing/fake-server.ts'

withFakeServer()

const message = (change: Partial<Message> = {}): Message => ({
  id: 'm1',
  channel: 'email',
  recipient: 'ann@mail.example',
  subject: 'New log-in',
  state: 'failed',
  name: 'newLogin',
  createdAt: Date.UTC(2026, 10, 21, 8),
  tries: 3,
  error: '550 no such mailbox',
  hasSecret: false,
  ...change,
})
const detail = (change: Partial<MessageDetail> = {}): MessageDetail => ({
  ...message(),
  text: 'New log-in to your account.',
  sentAt: null,
  nextTryAt: null,
  againOf: null,
  ...change,
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

test('shows the loading, empty and failed states', async () => {
  leaveUnanswered(listMessages)
  const { unmount } = await openDesk('/content/messages')
  await expect.element(page.getByRole('status', { name: 'Messages: loading' })).toBeVisible()
  await unmount()
  reject(listMessages, 'engineUnavailable', 'The database is not available.')
  await openDesk('/content/messages')
  await expect.element(page.getByText('The database is not available.')).toBeVisible()
  answer(listMessages, { messages: [], total: 0 })
  await press('Try again')
  await expect.element(page.getByText('No messages')).toBeVisible()
  await press('Failed')
  await expect.poll(() => inputsOf(listMessages).at(-1)?.state).toBe('failed')
})

test('a message shows its text and why it failed, and is sent again with a reason', async () => {
  answer(listMessages, {
    messages: [message(), message({ id: 'm2', recipient: LONG, subject: LONG })],
    total: 2,
  })
  answer(getMessage, ({ id }) => detail(id === 'm1' ? {} : { id, text: LONG, error: LONG, recipient: LONG }))
  await openDesk('/content/messages')
  await page.getByRole('row', { name: /ann@mail/ }).click()
  await expect.element(page.getByText('New log-in to your account.')).toBeVisible()
  await expect.element(page.getByText('550 no such mailbox')).toBeVisible()
  await press('Send again')
  await page.getByLabelText('Reason').fill('the mailbox is back')
  reject(resendMessage, 'notUnderstood', 'This one cannot be sent again.')
  await press('Send again')
  await expect.element(page.getByText('This one cannot be sent again.')).toBeVisible()
  answer(resendMessage, { id: 'm3' })
  await press('Send again')
  await expect.element(page.getByText('Message sent again.').first()).toBeVisible()
  expect(inputsOf(resendMessage).at(-1)).toEqual({ id: 'm1', reason: 'the mailbox is back' })
  await page.getByRole('row', { name: new RegExp(LONG.slice(0, 30)) }).click()
  await settled()
  expect(overflowing()).toEqual([])
})

test('a message that cannot be sent again has no button, and says that its codes are masked', async () => {
  const code = { hasSecret: true, state: 'kept', text: 'Your code is ••••••.' } as const
  answer(listMessages, { messages: [message({ hasSecret: true, state: 'kept' })], total: 1 })
  answer(getMessage, detail(code))
  const { unmount } = await openDesk('/content/messages', { size: PHONE })
  await page.getByText('ann@mail.example').click()
  await expect.element(page.getByText(/Codes are masked/)).toBeVisible()
  await expect.element(page.getByText(/no mail or SMS gateway is set up/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Send again' }).query()).toBe(null)
  expect(overflowing()).toEqual([])
  await unmount()
  answer(listMessages, { messages: [message()], total: 1 })
  reject(getMessage, 'contentNotFound', 'It has been removed.')
  await openDesk('/content/messages', { as: self({ role: 'compliance' }) })
  await page.getByRole('row', { name: /ann@mail/ }).click()
  await expect.element(page.getByText('It has been removed.')).toBeVisible()
  expect(page.getByRole('button', { name: 'Send again' }).query()).toBe(null)
})

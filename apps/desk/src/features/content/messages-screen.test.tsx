import {
  getMessage,
  listMessages,
  resendMessage,
  type Message,
  type MessageDetail,
} from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, runsOut, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, hold, refuse } from '../../testing/fake-server.ts'

withFakeServer()

const message = (change: Partial<Message> = {}): Message => ({
  ...{ id: 'm1', channel: 'email', recipient: 'ann@mail.example', subject: 'New log-in', state: 'failed' },
  ...{ name: 'newLogin', createdAt: Date.UTC(2026, 10, 21, 8), tries: 3, error: '550 no such mailbox' },
  ...{ hasSecret: false },
  ...change,
})
const detail = (change: Partial<MessageDetail> = {}): MessageDetail => ({
  ...{ ...message(), text: 'Somebody has logged in.', sentAt: null, nextTryAt: null, againOf: null },
  ...change,
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

test('the list says that it loads, that nothing is there, and why it could not be had', async () => {
  hold(listMessages)
  const { unmount } = await openDesk('/content/messages')
  await expect.element(page.getByRole('status', { name: 'Messages: loading' })).toBeVisible()
  await unmount()
  refuse(listMessages, 'engineUnavailable', 'The database is away.')
  await openDesk('/content/messages')
  await expect.element(page.getByText('The database is away.')).toBeVisible()
  answer(listMessages, { messages: [], total: 0 })
  await press('Try again')
  await expect.element(page.getByText('No message is here')).toBeVisible()
  await press('Failed')
  await expect.poll(() => asked(listMessages).at(-1)?.state).toBe('failed')
})

test('a message opens with its words and why it failed, and is sent again with a reason', async () => {
  answer(listMessages, {
    messages: [message(), message({ id: 'm2', recipient: LONG, subject: LONG })],
    total: 2,
  })
  answer(getMessage, ({ id }) => detail(id === 'm1' ? {} : { id, text: LONG, error: LONG, recipient: LONG }))
  await openDesk('/content/messages')
  await page.getByRole('row', { name: /ann@mail/ }).click()
  await expect.element(page.getByText('Somebody has logged in.')).toBeVisible()
  await expect.element(page.getByText('550 no such mailbox')).toBeVisible()
  await press('Send again')
  await page.getByLabelText('Reason').fill('the mailbox is back')
  refuse(resendMessage, 'notUnderstood', 'This one cannot be sent again.')
  await press('Send again')
  await expect.element(page.getByText('This one cannot be sent again.')).toBeVisible()
  answer(resendMessage, { id: 'm3' })
  await press('Send again')
  await expect.element(page.getByText('It is on its way again.').first()).toBeVisible()
  expect(asked(resendMessage).at(-1)).toEqual({ id: 'm1', reason: 'the mailbox is back' })
  await page.getByRole('row', { name: new RegExp(LONG.slice(0, 30)) }).click()
  await settled()
  expect(runsOut()).toEqual([])
})

test('what nobody may send again has no button, and says why its words are not whole', async () => {
  const code = { hasSecret: true, state: 'kept', text: 'Your code is ••••••.' } as const
  answer(listMessages, { messages: [message({ hasSecret: true, state: 'kept' })], total: 1 })
  answer(getMessage, detail(code))
  const { unmount } = await openDesk('/content/messages', { size: PHONE })
  await page.getByText('ann@mail.example').click()
  await expect.element(page.getByText(/Codes are masked/)).toBeVisible()
  await expect.element(page.getByText(/Nothing is set up here/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Send again' }).query()).toBe(null)
  expect(runsOut()).toEqual([])
  await unmount()
  answer(listMessages, { messages: [message()], total: 1 })
  refuse(getMessage, 'contentNotFound', 'It has been removed.')
  await openDesk('/content/messages', { as: self({ role: 'compliance' }) })
  await page.getByRole('row', { name: /ann@mail/ }).click()
  await expect.element(page.getByText('It has been removed.')).toBeVisible()
  expect(page.getByRole('button', { name: 'Send again' }).query()).toBe(null)
})

import {
  type ChatMessage,
  getBasicInfo,
  getChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  sendChatMessage,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, push, refuse } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const NOON = Date.UTC(2026, 0, 7, 12)
const message = (id: number, changes: Partial<ChatMessage> = {}): ChatMessage => ({
  ...{ id, from: 'user', text: `message ${id}`, picture: null, time: NOON },
  ...changes,
})
const field = () => page.getByLabelText('Your message')
const send = () => page.getByRole('button', { name: 'Send' }).click()
const open = () => openApp('/mine/chat', { as: 'real' })

beforeEach(() => {
  answer(listChat, { messages: [], hasMore: false })
  answer(markChatSeen, null)
})

describe('the chat with the support', () => {
  test('is empty at first, and says how soon it usually answers', async () => {
    answer(getChatState, { unread: 0, seenTo: 0, usualMinutes: 120 })
    await open()
    await expect.element(page.getByText('How can we help?')).toBeVisible()
    await expect.element(page.getByText('Usually answered within 2 hours')).toBeVisible()
  })

  test('keeps what was typed when it is refused or cut off, and sends it again as the same message', async () => {
    cut(sendChatMessage)
    await open()
    await field().fill('Where is <b>it</b>?')
    await send()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    refuse(sendChatMessage, 'tooManyMessages', 'Please wait a little.')
    await send()
    await expect.element(page.getByText('Please wait a little.')).toBeVisible()
    await expect.element(field()).toHaveValue('Where is <b>it</b>?')
    answer(sendChatMessage, message(1))
    answer(listChat, { messages: [message(1, { text: 'Where is <b>it</b>?' })], hasMore: false })
    await send()
    await expect.element(page.getByRole('log').getByText('Where is <b>it</b>?')).toBeVisible()
    await expect.element(field()).toHaveValue('')
    expect(asked(sendChatMessage).at(-1)).toEqual({ text: 'Where is <b>it</b>?', picture: null })
  })

  test('shows an answer as soon as it is told, and says that it was seen', async () => {
    await open()
    await expect.element(page.getByText('How can we help?')).toBeVisible()
    answer(listChat, { messages: [message(2, { from: 'support', text: 'It is here.' })], hasMore: false })
    answer(getChatState, { unread: 1, seenTo: 0, usualMinutes: null })
    push({ type: 'chat', userId: 7, seq: 1, unread: 1 })
    await expect.element(page.getByRole('log').getByText('It is here.')).toBeVisible()
    await expect.poll(() => asked(markChatSeen)).toContainEqual({ id: 2 })
  })

  test('brings older messages page by page', async () => {
    answer(listChat, ({ before }) =>
      before === null
        ? { messages: [message(9), message(8)], hasMore: true }
        : { messages: [message(7)], hasMore: false },
    )
    await open()
    await page.getByRole('button', { name: 'Older messages' }).click()
    await expect.element(page.getByText('message 7')).toBeVisible()
    expect(asked(listChat).map(({ before }) => before)).toEqual([null, 8])
  })

  test('that could not be loaded is asked for again', async () => {
    cut(listChat)
    await open()
    await expect.element(page.getByText('Support could not be loaded')).toBeVisible()
    answer(listChat, { messages: [message(1)], hasMore: false })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('message 1')).toBeVisible()
  })

  test('sends visitors to the log-in, a demo or an e-mail', async () => {
    await openApp('/mine/chat')
    const main = page.getByRole('main')
    await expect
      .element(main.getByRole('link', { name: 'Log in' }))
      .toHaveAttribute('href', '#/login?from=/mine/chat')
    await expect.element(main.getByRole('button', { name: /demo/i })).toBeVisible()
    await expect.element(main.getByRole('link', { name: 'By e-mail' })).toBeVisible()
  })

  test('of another service is a dialog with its link where the setting says so', async () => {
    answer(getBasicInfo, {
      ...sample.basicInfo(),
      ...{ serviceLink: 'https://help.example/', serviceOpensIn: 'dialog' },
    })
    await openApp('/mine/chat')
    await expect
      .element(page.getByRole('dialog').getByRole('link'))
      .toHaveAttribute('href', 'https://help.example/')
  })
})

describe('the address for complaints', () => {
  test('can be copied and written to, and says where to turn without one', async () => {
    answer(getSupportEmail, { email: 'care@house.example' })
    await openApp('/mine/email')
    await expect
      .element(page.getByRole('link', { name: 'Write an e-mail' }))
      .toHaveAttribute('href', 'mailto:care@house.example')
    await expect.element(page.getByRole('button', { name: 'Copy address' })).toBeVisible()
  })

  test('that is not set leads to the chat', async () => {
    answer(getSupportEmail, { email: '' })
    await openApp('/mine/email')
    await expect.element(page.getByRole('link', { name: 'To support' })).toBeVisible()
  })
})

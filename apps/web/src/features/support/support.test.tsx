import {
  type ChatMessage,
  getBasicInfo,
  getChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  reportText,
  sendChatMessage,
  uploadPicture,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { openApp, settled, withFakeServer } from '../../testing/app.tsx'
import {
  answer,
  inputsOf,
  headersOf,
  acceptConnections,
  failConnection,
  file,
  fileRequestsOf,
  loseConnections,
  hold,
  push,
  reject,
} from '../../testing/fake-server.ts'
import { answerPictures, choosePicture, PICTURE_URL, pictureField } from '../../testing/pictures.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const NOON = Date.UTC(2026, 0, 7, 12)
const message = (id: number, changes: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  from: 'user',
  text: `message ${id}`,
  picture: null,
  time: NOON,
  ...changes,
})
const PICTURE = `/api/common/image/${'k'.repeat(32)}`
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="480"/>'
const field = () => page.getByLabelText('Your message')
const send = () => page.getByRole('button', { name: 'Send' }).click()
const open = () => openApp('/mine/chat', { as: 'real' })

beforeEach(() => {
  answer(listChat, { messages: [], hasMore: false })
  answer(markChatSeen, null)
})

describe('the support chat', () => {
  test('is empty at first, and shows the usual response time', async () => {
    answer(getChatState, { unread: 0, lastSeenId: 0, p75ResponseMinutes: 120 })
    await open()
    await expect.element(page.getByText('How can we help?')).toBeVisible()
    await expect.element(page.getByText('Usually answered within 2 hours')).toBeVisible()
  })

  test('keeps the text when it is rejected or the connection is cut, and sends it again as the same message', async () => {
    failConnection(sendChatMessage)
    await open()
    await field().fill('Where is <b>it</b>?')
    await send()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    reject(sendChatMessage, 'tooManyMessages', 'Please wait a little.')
    await send()
    await expect.element(page.getByText('Please wait a little.')).toBeVisible()
    await expect.element(field()).toHaveValue('Where is <b>it</b>?')
    answer(sendChatMessage, message(1))
    answer(listChat, { messages: [message(1, { text: 'Where is <b>it</b>?' })], hasMore: false })
    await send()
    await expect.element(page.getByRole('log').getByText('Where is <b>it</b>?')).toBeVisible()
    await expect.element(field()).toHaveValue('')
    expect(inputsOf(sendChatMessage).at(-1)).toEqual({ text: 'Where is <b>it</b>?', picture: null })
  })

  test('shows an answer as soon as it is pushed, and reports that it was seen', async () => {
    await open()
    await expect.element(page.getByText('How can we help?')).toBeVisible()
    answer(listChat, { messages: [message(2, { from: 'support', text: 'It is here.' })], hasMore: false })
    answer(getChatState, { unread: 1, lastSeenId: 0, p75ResponseMinutes: null })
    push({ type: 'chat', userId: 7, seq: 1, unread: 1 })
    await expect.element(page.getByRole('log').getByText('It is here.')).toBeVisible()
    await expect.poll(() => inputsOf(markChatSeen)).toContainEqual({ id: 2 })
  })

  test('shows a picture from support, loads it once, and opens it', async () => {
    await open()
    await expect.element(page.getByText('How can we help?')).toBeVisible()
    file(PICTURE, null)
    const answered = message(2, { from: 'support', text: '', picture: PICTURE })
    answer(listChat, { messages: [answered], hasMore: false })
    push({ type: 'chat', userId: 7, seq: 1, unread: 1 })
    const failed = page.getByRole('button', { name: /could not be loaded/ })
    await expect.element(failed).toBeVisible()
    file(PICTURE, new Blob([DRAWING], { type: 'image/svg+xml' }))
    await failed.click()
    const shown = page.getByRole('log').getByRole('link', { name: 'Picture' })
    await expect.element(shown).toHaveAttribute('target', '_blank')
    // As every request, those of pictures carry language, token and time.
    for (const { url, headers } of fileRequestsOf(PICTURE)) {
      expect(url.searchParams.get('t')).toMatch(/^\d{13}$/)
      expect([headers.get('lang'), headers.get('authorization')]).toEqual(['en', 'token-of-a-session'])
    }
    const src = shown.element().getAttribute('href')
    // A picture never changes: later messages do not fetch it again.
    file(PICTURE, null)
    answer(listChat, { messages: [message(3), answered], hasMore: false })
    push({ type: 'chat', userId: 7, seq: 2, unread: 1 })
    await expect.element(page.getByText('message 3')).toBeVisible()
    await expect.element(shown).toHaveAttribute('href', src ?? '')
  })

  test('stays at its end while a picture of it is loaded', async () => {
    const gate = Promise.withResolvers<void>()
    const long = Array.from({ length: 20 }, (_, index) => message(30 - index))
    file(PICTURE, new Blob([DRAWING], { type: 'image/svg+xml' }), gate.promise)
    answer(listChat, {
      messages: [message(40, { from: 'support', text: '', picture: PICTURE }), ...long],
      hasMore: false,
    })
    await open()
    const end = page.getByRole('button', { name: 'Send' })
    await expect.element(page.getByText('message 30')).toBeVisible()
    await expect.element(end).toBeInViewport()
    gate.resolve()
    const shown = page.getByRole('log').getByRole('img', { name: 'Picture' })
    await expect.element(shown).toBeInViewport({ ratio: 0.9 })
  })

  test('loads older messages page by page', async () => {
    answer(listChat, ({ before }) =>
      before === null
        ? { messages: [message(9), message(8)], hasMore: true }
        : { messages: [message(7)], hasMore: false },
    )
    await open()
    await page.getByRole('button', { name: 'Older messages' }).click()
    await expect.element(page.getByText('message 7')).toBeVisible()
    expect(inputsOf(listChat).map(({ before }) => before)).toEqual([null, 8])
  })

  test('can be loaded again after a failure', async () => {
    failConnection(listChat)
    await open()
    await expect.element(page.getByText('Support could not be loaded')).toBeVisible()
    answer(listChat, { messages: [message(1)], hasMore: false })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('message 1')).toBeVisible()
  })

  test('offers visitors the log-in, a demo or an e-mail', async () => {
    await openApp('/mine/chat')
    const main = page.getByRole('main')
    await expect
      .element(main.getByRole('link', { name: 'Log in' }))
      .toHaveAttribute('href', '#/login?from=/mine/chat')
    await expect.element(main.getByRole('button', { name: /demo/i })).toBeVisible()
    await expect.element(main.getByRole('link', { name: 'By e-mail' })).toBeVisible()
  })

  test('of an external service is a dialog with its link where the setting demands it', async () => {
    answer(getBasicInfo, {
      ...sample.basicInfo(),
      serviceLink: 'https://help.example/',
      serviceOpensIn: 'dialog',
    })
    await openApp('/mine/chat')
    await expect
      .element(page.getByRole('dialog').getByRole('link'))
      .toHaveAttribute('href', 'https://help.example/')
  })
})

describe('writing to support', () => {
  const sendButton = () => page.getByRole('button', { name: 'Send' })

  test('sends a message once by key or button, and keeps what is typed meanwhile', async () => {
    answer(sendChatMessage, message(1))
    await open()
    await expect.element(sendButton()).toBeDisabled()
    await field().fill('  ')
    await expect.element(sendButton()).toBeDisabled()
    await field().fill('Where is it?')
    const release = hold(sendChatMessage)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.element(sendButton()).toBeDisabled()
    await userEvent.keyboard('{Control>}{Enter}{/Control} The deposit, I mean.')
    answer(listChat, { messages: [message(1, { text: 'Where is it?' })], hasMore: false })
    release()
    await expect.element(page.getByRole('log').getByText('Where is it?')).toBeVisible()
    await expect.element(field()).toHaveValue('The deposit, I mean.')
    expect(inputsOf(sendChatMessage)).toEqual([{ text: 'Where is it?', picture: null }])
  })

  test('repeats a message without a response under the same request id, so that it is sent once', async () => {
    failConnection(sendChatMessage)
    await open()
    await field().fill('Where is it?')
    await send()
    await expect.element(field()).toHaveAccessibleDescription(/could not be reached/)
    answer(sendChatMessage, message(1))
    await send()
    await expect.element(field()).toHaveValue('')
    const [first, second] = headersOf(sendChatMessage).map((headers) => headers.get('idempotency-key'))
    expect(second).toBe(first)
  })

  test('waits for the picture to be uploaded, and sends one without text too', async () => {
    answerPictures()
    answer(sendChatMessage, message(1))
    await open()
    await field().fill('Look:')
    await page.getByRole('button', { name: 'Add a picture' }).click()
    const release = hold(uploadPicture)
    await choosePicture('Picture')
    await expect.element(sendButton()).toBeDisabled()
    release()
    await expect.element(pictureField('Picture')).toMatchTextContent('Will be sent with your message')
    await field().fill('')
    await send()
    await expect.poll(() => inputsOf(sendChatMessage)).toEqual([{ text: '', picture: PICTURE_URL }])
    await expect.element(pictureField('Picture')).not.toBeInTheDocument()
  })

  test('offers no picture to a demo user', async () => {
    await openApp('/mine/chat', { as: 'demo' })
    await expect.element(field()).toBeVisible()
    await settled()
    await expect.element(page.getByRole('button', { name: 'Add a picture' })).not.toBeInTheDocument()
  })

  test('shows that the connection is lost, and keeps the text, here and on other screens', async () => {
    await open()
    await field().fill('Where is it?')
    loseConnections()
    await expect.element(field()).toHaveAccessibleDescription(/What you have written stays here/)
    acceptConnections()
    window.dispatchEvent(new Event('online'))
    await expect.element(field()).not.toHaveAccessibleDescription(/stays here/)
    location.hash = '#/mine/email'
    await expect.element(page.getByText('No address for complaints yet')).toBeVisible()
    location.hash = '#/mine/chat'
    await expect.element(field()).toHaveValue('Where is it?')
  })

  test.each([
    [1, 'Usually answered within 1 minute'],
    [45, 'Usually answered within 45 minutes'],
    [60, 'Usually answered within 1 hour'],
    [2880, 'Usually answered within 2 days'],
  ])('names a usual wait of %i minutes in the largest unit', async (p75ResponseMinutes, text) => {
    answer(getChatState, { unread: 0, lastSeenId: 0, p75ResponseMinutes })
    await open()
    await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  })
})

describe('the conversation', () => {
  test('shows neither emptiness nor failure while loading, and the server’s message when rejected', async () => {
    reject(listChat, 'tooManyRequests', 'Too many requests. Wait a minute.')
    const release = hold(listChat)
    await open()
    await expect.element(field()).toBeVisible()
    expect(page.getByRole('main').element().textContent).not.toMatch(/How can we help|could not/)
    release()
    await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
  })

  test('keeps its messages when older ones fail to load, and loads them again', async () => {
    answer(listChat, { messages: [message(9), message(8)], hasMore: true })
    await open()
    await expect.element(page.getByText('message 9')).toBeVisible()
    failConnection(listChat)
    await page.getByRole('button', { name: 'Older messages' }).click()
    await expect.element(page.getByText('More entries could not be loaded.')).toBeVisible()
    await expect.element(page.getByText('message 9')).toBeVisible()
    answer(listChat, { messages: [message(7)], hasMore: false })
    await page.getByRole('button', { name: 'Older messages' }).click()
    await expect.element(page.getByText('message 7')).toBeVisible()
  })

  test('marks only the last own message as seen', async () => {
    answer(getChatState, { unread: 0, lastSeenId: 3, p75ResponseMinutes: null })
    answer(listChat, { messages: [message(3), message(2, { from: 'support' }), message(1)], hasMore: false })
    await open()
    const rows = page.getByRole('log').getByRole('listitem')
    await expect.element(rows.filter({ hasText: 'message 3' })).toMatchTextContent(/Seen/)
    await expect.element(rows.filter({ hasText: 'message 1' })).not.toMatchTextContent(/Seen/)
  })

  test('fits a small phone with very long words, left to right and right to left', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(6)
    answer(listChat, {
      messages: [message(2, { from: 'support', text: long }), message(1, { text: long })],
      hasMore: false,
    })
    await openApp('/mine/chat', { as: 'real', size: [320, 640] })
    await expect.element(page.getByText(long).first()).toBeVisible()
    expect(overflowing()).toEqual([])
    document.documentElement.dir = 'rtl'
    expect(overflowing()).toEqual([])
  })

  test('with an external service is in a frame that cannot affect our page', async () => {
    answer(getBasicInfo, sample.basicInfo({ serviceLink: 'about:blank', serviceOpensIn: 'chat' }))
    await openApp('/mine/chat', { as: 'real' })
    const frame = page.getByTitle('Support')
    await expect.element(frame).toHaveAttribute('referrerpolicy', 'no-referrer')
    expect(frame.element().getAttribute('sandbox')).not.toMatch(/top-navigation/)
    await expect
      .element(page.getByRole('link', { name: /in a new window/ }))
      .toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('does not start before the support settings are loaded', async () => {
    failConnection(getBasicInfo)
    await open()
    await expect.element(page.getByText('Support could not be loaded')).toBeVisible()
    await expect.element(field()).not.toBeInTheDocument()
    answer(getBasicInfo, sample.basicInfo())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(field()).toBeVisible()
  })
})

describe('the address for complaints', () => {
  test('can be loaded again after a failure', async () => {
    failConnection(getSupportEmail)
    await openApp('/mine/email', { size: [320, 640] })
    await expect.element(page.getByText('Support could not be loaded')).toBeVisible()
    const email = `${'care'.repeat(20)}@broker.example`
    answer(getSupportEmail, { email })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText(email).first()).toBeVisible()
    expect(overflowing()).toEqual([])
  })

  test('can be copied and written to', async () => {
    answer(getSupportEmail, { email: 'care@broker.example' })
    await openApp('/mine/email')
    await expect
      .element(page.getByRole('link', { name: 'Write an e-mail' }))
      .toHaveAttribute('href', 'mailto:care@broker.example')
    await expect.element(page.getByRole('button', { name: 'Copy address' })).toBeVisible()
  })

  test('is written to with the user’s number as the subject', async () => {
    answer(getSupportEmail, { email: 'care+eu@broker.example' })
    await openApp('/mine/email', { as: 'real' })
    await expect
      .element(page.getByRole('link', { name: 'Write an e-mail' }))
      .toHaveAttribute('href', 'mailto:care%2Beu@broker.example?subject=Complaint%2C%20user%20800008')
  })

  test('may be a page of the broker, which opens in a new window', async () => {
    answer(getSupportEmail, { email: 'https://broker.example/complaints?lang=en' })
    await openApp('/mine/email', { size: [320, 640] })
    const link = page.getByRole('link', { name: 'Open the page' })
    await expect.element(link).toHaveAttribute('href', 'https://broker.example/complaints?lang=en')
    await expect.element(link).toHaveAttribute('rel', 'noreferrer')
    await expect.element(page.getByRole('link', { name: 'Write an e-mail' })).not.toBeInTheDocument()
    expect(overflowing()).toEqual([])
  })

  test('leads to the chat where it is not set', async () => {
    answer(getSupportEmail, { email: '' })
    await openApp('/mine/email')
    await expect.element(page.getByRole('link', { name: 'To support' })).toBeVisible()
  })
})

describe('a text that reads wrongly', () => {
  const report = () => page.getByRole('link', { name: 'Report a text' })

  test('is reported with the language and the screen it was read on, from the languages', async () => {
    answer(reportText, message(1))
    await openApp('/mine/terms', { as: 'demo' })
    await settled()
    location.hash = '#/language'
    await report().click()
    await expect
      .element(page.getByText('the language, English, and the screen “Announced changes”', { exact: false }))
      .toBeVisible()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.element(page.getByText('Enter the text that reads wrongly.')).toBeVisible()
    await page.getByLabelText('What reads wrongly').fill('Free margin is for free')
    await page.getByLabelText('What would be better (optional)').fill('Free margin')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.element(page.getByText('Sent to support. Thank you.')).toBeVisible()
    expect(inputsOf(reportText)).toEqual([
      { language: 'en', screen: '/mine/terms', wrong: 'Free margin is for free', better: 'Free margin' },
    ])
  })

  test('stays in the form when it is refused', async () => {
    reject(reportText, 'tooManyMessages', 'Please wait a little.')
    await openApp('/mine/text', { as: 'real' })
    await page.getByLabelText('What reads wrongly').fill('Stop buying')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.element(page.getByText('Please wait a little.')).toBeVisible()
    await expect.element(page.getByLabelText('What reads wrongly')).toHaveValue('Stop buying')
  })

  test('needs a log-in or a demo account, and is reached from the account and the feedback', async () => {
    const visitor = await openApp('/mine/text')
    await expect
      .element(page.getByRole('link', { name: 'Log in' }))
      .toHaveAttribute('href', '#/login?from=/mine/text')
    await visitor.unmount()
    await openApp('/user', { as: 'demo' })
    await expect.element(report()).toHaveAttribute('href', '#/mine/text')
    location.hash = '#/feedback'
    await expect.element(page.getByRole('link', { name: 'Write to support' })).toBeVisible()
    await expect.element(report()).toBeVisible()
  })
})

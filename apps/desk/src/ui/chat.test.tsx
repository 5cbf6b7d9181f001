import {
  answerChat,
  CHAT_PICTURE_PATH,
  getWaitingCase,
  listUserChat,
  listWaiting,
  markUserChatSeen,
  settleChat,
  uploadChatPicture,
  type DeskChatMessage,
} from '@fairlot/contract/desk'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../testing/app.tsx'
import { answer, inputsOf, file, leaveUnanswered, reject } from '../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../testing/waiting-case.ts'

withFakeServer()

const QUESTION: DeskChatMessage = {
  id: 5,
  operator: null,
  text: '<b>Where</b> is it?',
  picture: null,
  time: Date.UTC(2026, 0, 7),
}
const open = async (options: Parameters<typeof openDesk>[1] = {}) => {
  const shown = waitingCase({
    caseKey: 'chat:17',
    kind: 'chat',
    title: 'Chat with 17',
    accountId: 17,
    amount: null,
    needsSecond: false,
    askedBy: null,
    what: '1 unanswered message',
  })
  answer(listWaiting, { cases: [shown], total: 1, all: 1, kinds: [], next: null })
  answer(getWaitingCase, waitingDetail({ case: shown, decision: 'chat', facts: [], words: [] }))
  await openDesk('/waiting/chat:17', { as: self({ role: 'support' }), ...options })
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

beforeEach(() => {
  answer(listUserChat, { messages: [QUESTION], hasMore: false, unanswered: 1, lastSeenId: 0 })
  answer(markUserChatSeen, null)
})

test('shows messages as plain text, marks them as seen, and answers up to the last one shown', async () => {
  answer(answerChat, { ...QUESTION, id: 6, operator: 'S. Support' })
  await open({ size: PHONE })
  await expect.element(page.getByRole('log').getByText('<b>Where</b> is it?')).toBeVisible()
  await expect.poll(() => inputsOf(markUserChatSeen)).toEqual([{ id: 17, to: 5 }])
  await page.getByLabelText('Answer').fill('Here.')
  await press('Answer')
  await expect.poll(() => inputsOf(answerChat)).toEqual([{ id: 17, text: 'Here.', picture: null, seen: 5 }])
  await expect.element(page.getByLabelText('Answer')).toHaveValue('')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
})

test('keeps a rejected answer in its field, and removes a conversation that needs none with a reason', async () => {
  reject(answerChat, 'caseHeld', 'Ben has this case.')
  answer(settleChat, null)
  await open()
  await page.getByLabelText('Answer').fill('Here.')
  await press('Answer')
  await expect.element(page.getByText('Ben has this case.')).toBeVisible()
  await expect.element(page.getByLabelText('Answer')).toHaveValue('Here.')
  await press('No answer needed…')
  await page.getByLabelText('Reason').fill('only thanks')
  await press('Remove from the list')
  await expect.poll(() => inputsOf(settleChat)).toEqual([{ id: 17, seen: 5, reason: 'only thanks' }])
})

const attach = async () => {
  await press('Add a picture')
  const picker = document.querySelector<HTMLInputElement>('input[type=file]:not([capture])')
  if (!picker) throw new Error('no file input is shown')
  await userEvent.upload(picker, new File(['x'], 'where.png', { type: 'image/png' }))
}
const KEY = 'k'.repeat(32)

test('sends a picture with an answer, or alone', async () => {
  answer(uploadChatPicture, { key: KEY })
  answer(answerChat, { ...QUESTION, id: 6, operator: 'S. Support', text: '', picture: KEY })
  await open({ size: PHONE })
  await attach()
  await expect.element(page.getByText('Attached to the answer')).toBeVisible()
  await press('Answer')
  await expect.poll(() => inputsOf(answerChat)).toEqual([{ id: 17, text: '', picture: KEY, seen: 5 }])
  await expect.element(page.getByText('Attached to the answer')).not.toBeInTheDocument()
  await attach()
  await page.getByLabelText('Answer').fill('Look:')
  await press('Remove the picture')
  await press('Answer')
  await expect
    .poll(() => inputsOf(answerChat).at(-1))
    .toEqual({ id: 17, text: 'Look:', picture: null, seen: 5 })
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
})

test('waits for the upload of a picture, and says why one is rejected', async () => {
  leaveUnanswered(uploadChatPicture)
  await open()
  await page.getByLabelText('Answer').fill('Look:')
  await attach()
  await expect.element(page.getByRole('button', { name: 'Answer', exact: true })).toBeDisabled()
  await press('Remove the picture')
  await expect.element(page.getByRole('button', { name: 'Answer', exact: true })).toBeEnabled()
  reject(uploadChatPicture, 'pictureBroken', 'This picture cannot be read.')
  await attach()
  await expect.element(page.getByText('This picture cannot be read.')).toBeVisible()
  expect(inputsOf(answerChat)).toEqual([])
})

test('fetches pictures of both sides only when an operator opens them', async () => {
  const [theirs, ours] = ['t'.repeat(32), 'o'.repeat(32)]
  answer(listUserChat, {
    messages: [
      { ...QUESTION, id: 6, operator: 'S. Support', text: '', picture: ours },
      { ...QUESTION, picture: theirs },
    ],
    hasMore: false,
    unanswered: 0,
    lastSeenId: 0,
  })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"/>'
  await open()
  const openButtons = page.getByRole('button', { name: /Open the image/ })
  await openButtons.first().click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  for (const key of [theirs, ours]) file(`${CHAT_PICTURE_PATH}${key}`, svg, 'image/svg+xml')
  await openButtons.first().click()
  await expect.element(page.getByRole('img', { name: 'Sent by the user' })).toBeVisible()
  await openButtons.first().click()
  await expect.element(page.getByRole('img', { name: 'Sent by S. Support' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Sent by S. Support' }))
    .toHaveAttribute('target', '_blank')
})

test('shows the newest message of a long conversation, also when the window shrinks', async () => {
  const messages = Array.from({ length: 20 }, (_, index) => ({
    ...QUESTION,
    id: 40 - index,
    text: `no ${40 - index}`,
  }))
  answer(listUserChat, { messages, hasMore: false, unanswered: 1, lastSeenId: 0 })
  await open()
  await expect.element(page.getByText('no 40')).toBeInViewport()
  await page.viewport(1024, 500)
  await expect.element(page.getByText('no 40')).toBeInViewport()
})

test('shows no messages to other roles', async () => {
  await open({ as: self({ role: 'finance' }) })
  await expect.element(page.getByText(/Only the Support role can read/)).toBeVisible()
  expect(inputsOf(listUserChat)).toEqual([])
})

import {
  answerChat,
  CHAT_PICTURE_PATH,
  getWaitingCase,
  listPersonChat,
  listWaiting,
  noteChatSeen,
  settleChat,
  uploadChatPicture,
  type DeskChatMessage,
} from '@fairlot/contract/desk'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, file, hold, refuse } from '../../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../../testing/waiting-case.ts'

withFakeServer()

const asks: DeskChatMessage = {
  ...{ id: 5, operator: null, text: '<b>Where</b> is it?', picture: null, time: Date.UTC(2026, 0, 7) },
}
const open = async (options: Parameters<typeof openDesk>[1] = {}) => {
  const shown = waitingCase({
    ...{ caseKey: 'chat:17', kind: 'chat', title: 'Messages of 17', accountId: 17, amount: null },
    ...{ needsSecond: false, askedBy: null, what: '1 message without an answer' },
  })
  answer(listWaiting, { cases: [shown], total: 1, all: 1, kinds: [] })
  answer(getWaitingCase, waitingDetail({ case: shown, decision: 'chat', facts: [], words: [] }))
  await openDesk('/waiting/chat:17', { as: self({ role: 'support' }), ...options })
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

beforeEach(() => {
  answer(listPersonChat, { messages: [asks], hasMore: false, unanswered: 1, seenTo: 0 })
  answer(noteChatSeen, null)
})

test('a conversation is read as text, noted as seen and answered up to what was read', async () => {
  answer(answerChat, { ...asks, id: 6, operator: 'S. Support' })
  await open({ size: PHONE })
  await expect.element(page.getByRole('log').getByText('<b>Where</b> is it?')).toBeVisible()
  await expect.poll(() => asked(noteChatSeen)).toEqual([{ id: 17, to: 5 }])
  await page.getByLabelText('Answer').fill('Here.')
  await press('Answer')
  await expect.poll(() => asked(answerChat)).toEqual([{ id: 17, text: 'Here.', picture: null, seen: 5 }])
  await expect.element(page.getByLabelText('Answer')).toHaveValue('')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
})

test('a refused answer stays in its field, and what needs none is taken off with a reason', async () => {
  refuse(answerChat, 'caseHeld', 'Ben has this case.')
  answer(settleChat, null)
  await open()
  await page.getByLabelText('Answer').fill('Here.')
  await press('Answer')
  await expect.element(page.getByText('Ben has this case.')).toBeVisible()
  await expect.element(page.getByLabelText('Answer')).toHaveValue('Here.')
  await press('No answer needed…')
  await page.getByLabelText('Reason').fill('only thanks')
  await press('Take it off')
  await expect.poll(() => asked(settleChat)).toEqual([{ id: 17, seen: 5, reason: 'only thanks' }])
})

const attach = async () => {
  await press('Add a picture')
  const picker = document.querySelector<HTMLInputElement>('input[type=file]:not([capture])')
  if (!picker) throw new Error('there is nothing to choose by')
  await userEvent.upload(picker, new File(['x'], 'where.png', { type: 'image/png' }))
}
const KEY = 'k'.repeat(32)

test('a picture goes along with an answer, or is one', async () => {
  answer(uploadChatPicture, { key: KEY })
  answer(answerChat, { ...asks, id: 6, operator: 'S. Support', text: '', picture: KEY })
  await open({ size: PHONE })
  await attach()
  await expect.element(page.getByText('Goes along with the answer')).toBeVisible()
  await press('Answer')
  await expect.poll(() => asked(answerChat)).toEqual([{ id: 17, text: '', picture: KEY, seen: 5 }])
  await expect.element(page.getByText('Goes along with the answer')).not.toBeInTheDocument()
  await attach()
  await page.getByLabelText('Answer').fill('Look:')
  await press('Without a picture')
  await press('Answer')
  await expect.poll(() => asked(answerChat).at(-1)).toEqual({ id: 17, text: 'Look:', picture: null, seen: 5 })
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
})

test('an answer waits for its picture, and says why one is refused', async () => {
  hold(uploadChatPicture)
  await open()
  await page.getByLabelText('Answer').fill('Look:')
  await attach()
  await expect.element(page.getByRole('button', { name: 'Answer', exact: true })).toBeDisabled()
  await press('Without a picture')
  await expect.element(page.getByRole('button', { name: 'Answer', exact: true })).toBeEnabled()
  refuse(uploadChatPicture, 'pictureBroken', 'This picture cannot be read.')
  await attach()
  await expect.element(page.getByText('This picture cannot be read.')).toBeVisible()
  expect(asked(answerChat)).toEqual([])
})

test('pictures of both sides are fetched when somebody asks to see them', async () => {
  const [theirs, ours] = ['t'.repeat(32), 'o'.repeat(32)]
  answer(listPersonChat, {
    messages: [
      { ...asks, id: 6, operator: 'S. Support', text: '', picture: ours },
      { ...asks, picture: theirs },
    ],
    ...{ hasMore: false, unanswered: 0, seenTo: 0 },
  })
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"/>'
  await open()
  const looks = page.getByRole('button', { name: /Look at the picture/ })
  await looks.first().click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  for (const key of [theirs, ours]) file(`${CHAT_PICTURE_PATH}${key}`, drawing, 'image/svg+xml')
  await looks.first().click()
  await expect.element(page.getByRole('img', { name: 'Sent by the person' })).toBeVisible()
  await looks.first().click()
  await expect.element(page.getByRole('img', { name: 'Sent by S. Support' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Sent by S. Support' }))
    .toHaveAttribute('target', '_blank')
})

test('a long conversation stands at its newest message, and stays there when the window shrinks', async () => {
  const messages = Array.from({ length: 20 }, (_, index) => ({
    ...asks,
    id: 40 - index,
    text: `no ${40 - index}`,
  }))
  answer(listPersonChat, { messages, hasMore: false, unanswered: 1, seenTo: 0 })
  await open()
  await expect.element(page.getByText('no 40')).toBeInViewport()
  await page.viewport(1024, 500)
  await expect.element(page.getByText('no 40')).toBeInViewport()
})

test('no other role is shown what was written', async () => {
  await open({ as: self({ role: 'finance' }) })
  await expect.element(page.getByText(/is for the support alone/)).toBeVisible()
  expect(asked(listPersonChat)).toEqual([])
})

import {
  answerChat,
  getWaitingCase,
  listPersonChat,
  listWaiting,
  noteChatSeen,
  settleChat,
  type DeskChatMessage,
} from '@fairlot/contract/desk'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, refuse } from '../../testing/fake-server.ts'
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
  await expect.poll(() => asked(answerChat)).toEqual([{ id: 17, text: 'Here.', seen: 5 }])
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

test('no other role is shown what was written', async () => {
  await open({ as: self({ role: 'finance' }) })
  await expect.element(page.getByText(/is for the support alone/)).toBeVisible()
  expect(asked(listPersonChat)).toEqual([])
})

import { listChat, reportText, sendChatMessage, valueOf } from '@fairlot/contract'
import { answerChat } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { post } from '../testing/accounts.ts'
import { type BadCase, badCases, expectOutcome } from '../testing/bad-forms.ts'
import { all } from '../testing/bad-values.ts'
import { atDesk, type AtDesk } from '../testing/desk.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const BLANK = { empty: 'messageBlank', 'only spaces': 'messageBlank' } as const
const MESSAGES = all('taken', { ...BLANK, '10,000 characters': 'messageTooLong' })
const PICTURES = all('chatPictureUnknown', { '10,000 characters': 'chatPictureUnknown', empty: 'taken' })

describe.each(DATABASES)('a field of the support chat, %s', (kind) => {
  const env = { FEED: 'ws://127.0.0.1:9', SETTING_CHAT_MESSAGES_PER_MINUTE: '600' }
  const server = serverOn(kind, { env })
  let trader: Trader
  let support: AtDesk
  beforeAll(async () => {
    trader = await newTrader(server())
    support = await atDesk(server(), 'support')
  })
  const send = async (path: string, form: object, { language, ...bad }: BadCase, token = trader.token) => {
    const body = { ...form, [bad.field]: bad.value }
    expectOutcome(await post(server(), path, body, token, { lang: language }), { ...bad, language }, null)
  }
  const last = async () => valueOf(await trader.client.call(listChat, { before: null })).messages[0]

  test.each(
    badCases([
      ['text', 'Where is it?', '/api/x', MESSAGES],
      ['image', '/api/x', 'Where is it?', PICTURES],
    ]),
  )('a message: $field with $bad: $outcome', async (bad) => {
    await send(sendChatMessage.path, { text: 'Hello' }, bad)
    expect((await last())?.text ?? '').not.toMatch(/[\0\p{Bidi_Control}]/u)
  })

  test.each(
    badCases([
      ['wrong', 'Отзыв', '/trade', all('taken', BLANK)],
      ['better', 'Вывод', '/trade', all('taken')],
    ]),
  )('a report of a text: $field with $bad: $outcome', async (bad) => {
    const report = { language: 'ru', path: '/trade', wrong: 'Отзыв средств', better: '' }
    await send(reportText.path, report, bad)
    expect((await last())?.text ?? '').not.toMatch(/[\0\p{Bidi_Control}]/u)
  })

  test.each(badCases([['text', 'It is booked.', 'x', MESSAGES]]))(
    'an answer: $field with $bad: $outcome',
    async (bad) => {
      const { id } = trader.user
      await send(answerChat.path, { id, seen: 0 }, bad, support.token)
      expect((await last())?.text ?? '').not.toMatch(/[\0\p{Bidi_Control}]/u)
    },
  )
})

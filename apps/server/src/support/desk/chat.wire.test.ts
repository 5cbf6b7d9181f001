import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CHAT_TEXT_LENGTH,
  getChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  reportText,
  sendChatMessage,
  valueOf,
  type Client,
} from '@fairlot/contract'
import {
  answerChat,
  getWaitingCase,
  listUserChat,
  listWaiting,
  markUserChatSeen,
  ROLES,
  settleChat,
  takeCase,
} from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { movablePace, newUser, post, reasonOf, sentTo } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
import { mailUnseenAnswers } from '../chat.ts'

const MINUTE_MS = 60_000

describe.each(DATABASES)('the support chat, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-chat-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: {
      FEED: 'ws://127.0.0.1:9',
      DATA_DIR: dataDir,
      SETTING_SUPPORT_EMAIL: 'care@broker.example',
      SETTING_CHAT_MESSAGES_PER_MINUTE: '4',
      SETTING_SERVICE_LINK: 'https://help.example/chat?a=1',
    },
  })
  const queries = () => server().deployment.database.queries
  let support: AtDesk
  let demo: Trader
  beforeAll(async () => {
    support = await atDesk(server(), 'support')
    demo = await newTrader(server())
  })
  const openUser = async () => {
    const made = await newUser(server())
    return { ...made, id: made.user.id, client: clientOf(server().url, made.token) }
  }
  const say = async (client: Client<AbortSignal>, text: string, picture: string | null = null) =>
    valueOf(await client.call(sendChatMessage, { text, picture }))
  const stateOf = async (client: Client<AbortSignal>) => valueOf(await client.call(getChatState, null))
  const mail = (isConnected = false) =>
    mailUnseenAnswers({
      queries: queries(),
      messageWriter: {
        write: async (name, { recipient }) => void mailed.push(`${name} ${recipient}`),
        send: () => undefined,
      },
      contactOf: async (id) => ({ channel: 'email', recipient: `user ${id}`, language: 'en' }),
      isOnline: () => isConnected,
      now: server().deployment.wallClock,
    })
  const mailed: string[] = []

  test('needs a log-in; the address for complaints is public', async () => {
    const visitor = clientOf(server().url)
    expect(valueOf(await visitor.call(getSupportEmail, null))).toEqual({ email: 'care@broker.example' })
    for (const [endpoint, input] of [
      [listChat, { before: null }],
      [getChatState, null],
      [sendChatMessage, { text: 'hello', picture: null }],
      [markChatSeen, { id: 1 }],
      [reportText, { language: 'ru', screen: '/trade', wrong: 'a', better: '' }],
    ] as const) {
      const { method, path } = endpoint
      const answer = await call(server(), path, { method, ...(method === 'POST' && { body: input ?? {} }) })
      expect([endpoint.name, answer.body?.code]).toEqual([endpoint.name, 999])
    }
  })

  test('a text that reads wrongly is reported to support, with its language and screen', async () => {
    const { id, client } = await openUser()
    const report = {
      language: 'ru',
      screen: '/trade',
      wrong: 'Отзыв средств',
      better: 'Вывод средств',
    } as const
    expect(valueOf(await client.call(reportText, report))).toMatchObject({ from: 'user' })
    const { messages } = await support.request(listUserChat, { id, before: null })
    expect(messages.map(({ text }) => text)).toEqual([
      '#translation ru /trade\n− Отзыв средств\n+ Вывод средств',
    ])
    expect(await client.call(reportText, { ...report, wrong: ' \n ' })).toMatchObject({
      reason: 'messageBlank',
      details: { field: 'wrong' },
    })
  })

  test('delivers messages in both directions at once and counts unread ones on both sides', async () => {
    const { id, client, token } = await openUser()
    const socket = await openSocket(server(), {}, '?lang=en')
    socket.send({ type: 'login', params: token })
    socket.send({ type: 'sub', params: ['NOTICE', 'CHAT'] })
    await socket.settled()
    const written = await say(client, '  My <b>order</b>\r\n‮is gone ')
    expect(written).toMatchObject({ from: 'user', text: 'My <b>order</b>\nis gone', picture: null })
    expect(await socket.next('CHAT')).toMatchObject({ To: id, unread: 0 })

    const { cases, kinds } = await support.request(listWaiting, {
      kind: 'chat',
      held: null,
      search: null,
      before: null,
      page: 1,
    })
    expect(kinds).toContainEqual({ kind: 'chat', name: 'Messages', count: cases.length })
    const shown = cases.find(({ accountId }) => accountId === id)
    expect(shown).toMatchObject({ caseKey: `chat:${id}`, what: '1 unanswered message' })
    // Every role sees the list, only the support role the messages.
    expect(JSON.stringify(cases)).not.toContain('order')
    expect(await support.request(getWaitingCase, { caseKey: `chat:${id}` })).toMatchObject({
      decision: 'chat',
      barrier: null,
    })
    await support.request(markUserChatSeen, { id, to: written.id })
    expect(await socket.next('CHAT')).toMatchObject({ unread: 0 })
    expect(await stateOf(client)).toMatchObject({ unread: 0, lastSeenId: written.id })

    const answered = await support.request(answerChat, {
      id,
      text: 'It is <i>not</i>.',
      picture: null,
      seen: written.id,
    })
    expect((await socket.next('NOTICE'))['notice']).toMatchObject({
      kind: 'supportAnswered',
      title: 'Support has replied',
      text: 'It is <i>not</i>.',
    })
    expect(await socket.next('CHAT')).toMatchObject({ unread: 1 })
    const { messages } = valueOf(await client.call(listChat, { before: null }))
    expect(messages.map(({ from, text }) => [from, text])).toEqual([
      ['support', 'It is <i>not</i>.'],
      ['user', 'My <b>order</b>\nis gone'],
    ])
    // The name of the operator stays internal.
    expect(JSON.stringify(messages)).not.toContain(support.name)
    expect(await support.refusalOf(getWaitingCase, { caseKey: `chat:${id}` })).toBe('caseEnded')
    expect((await support.request(listUserChat, { id, before: null })).lastSeenId).toBe(0)
    await client.call(markChatSeen, { id: answered.id + 1_000 })
    expect(await stateOf(client)).toMatchObject({ unread: 0 })
    expect((await support.request(listUserChat, { id, before: null })).lastSeenId).toBe(answered.id)
    socket.socket.close()
  })

  test('is visible to its user and the support role only', async () => {
    const [owner, other] = [await openUser(), await openUser()]
    await say(owner.client, 'canary of the owner')
    await say(demo.client, 'a question of a demo user')
    for (const client of [other.client, demo.client]) {
      const { messages } = valueOf(await client.call(listChat, { before: null }))
      expect(JSON.stringify(messages)).not.toContain('canary')
    }
    for (const role of ROLES.filter((each) => each !== 'support')) {
      const operator = await atDesk(server(), role)
      const page = { id: owner.id, before: null }
      expect([role, await operator.refusalOf(listUserChat, page)]).toEqual([role, 'roleRefused'])
      const answer = { id: owner.id, text: 'x', picture: null, seen: 0 }
      expect([role, await operator.refusalOf(answerChat, answer)]).toEqual([role, 'roleRefused'])
    }
    expect(await support.refusalOf(answerChat, { id: 999_999, text: 'x', picture: null, seen: 0 })).toBe(
      'accountNotFound',
    )
    expect(await support.refusalOf(settleChat, { id: other.id, seen: 0, reason: 'x' })).toBe('chatNotFound')
  })

  test('is assigned like any other case, and settled only when no message is newer than the ones seen', async () => {
    const { id, client } = await openUser()
    const first = await say(client, 'thanks')
    const colleague = await atDesk(server(), 'support')
    await colleague.request(takeCase, { caseKey: `chat:${id}`, from: null })
    expect(await support.refusalOf(answerChat, { id, text: 'mine', picture: null, seen: first.id })).toBe(
      'caseHeld',
    )
    const second = await say(client, 'and one more thing')
    const settled = { id, seen: first.id, reason: 'only thanks' }
    expect(await colleague.refusalOf(settleChat, settled)).toBe('formOutdated')
    // The message sent while the answer was written still waits.
    await colleague.request(answerChat, { id, text: 'welcome', picture: null, seen: first.id })
    expect((await colleague.request(listUserChat, { id, before: null })).unanswered).toBe(1)
    expect(await colleague.refusalOf(settleChat, { ...settled, seen: second.id, reason: ' ' })).toBe(
      'reasonMissing',
    )
    await colleague.request(settleChat, { ...settled, seen: second.id })
    expect(await support.refusalOf(getWaitingCase, { caseKey: `chat:${id}` })).toBe('caseEnded')
    expect(await colleague.refusalOf(answerChat, { id, text: ' \n ', picture: null, seen: 0 })).toBe(
      'messageBlank',
    )
  })

  test('accepts a request once, limits length and rate, and gives the reason for a rejection', async () => {
    const { token } = await openUser()
    const send = (text: string, name: string) =>
      post(server(), sendChatMessage.path, { text }, token, { 'idempotency-key': name })
    const once = await send('once', 'a')
    expect(dataOf(await send('once', 'a'))).toEqual(dataOf(once))
    expect(reasonOf(await send('another', 'a'))).toBe('requestIdReused')
    const duplicates = await Promise.all(['b', 'b', 'b'].map((name) => send('at once', name)))
    expect(new Set(duplicates.map((answer) => dataOf<{ id: number }>(answer).id)).size).toBe(1)
    for (const [text, reason] of [
      ['', 'messageBlank'],
      ['\u0000\u202e \n', 'messageBlank'],
      ['x'.repeat(CHAT_TEXT_LENGTH + 1), 'messageTooLong'],
    ] as const)
      expect([text.slice(0, 3), reasonOf(await send(text, ''))]).toEqual([text.slice(0, 3), reason])
    let last = null
    for (let index = 0; index < 6 && last === null; index += 1) last = reasonOf(await send(`m ${index}`, ''))
    expect(last).toBe('tooManyMessages')
  })

  test('is read by page when a user has ten thousand messages', async () => {
    const { id, client } = await openUser()
    await say(client, 'the first')
    const last = await queries()
      .selectFrom('chat_message')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    for (let from = 0; from < 10_000; from += 500)
      await queries()
        .insertInto('chat_message')
        .values(
          Array.from({ length: 500 }, (_, index) => ({
            id: (last.id ?? 0n) + BigInt(from + index + 1),
            user_id: BigInt(id),
            sent_at: 1n,
            operator_id: null,
            operator_name: null,
            text: `no ${from + index}`,
            picture: null,
            request_id: null,
            digest: null,
          })),
        )
        .execute()
    const first = valueOf(await client.call(listChat, { before: null }))
    expect([first.messages.length, first.messages[0]?.text, first.hasMore]).toEqual([30, 'no 9999', true])
    const next = valueOf(await client.call(listChat, { before: first.messages.at(-1)?.id ?? null }))
    expect(next.messages[0]?.text).toBe('no 9969')
    const atDeskToo = await support.request(listUserChat, { id, before: null })
    expect([atDeskToo.messages.length, atDeskToo.hasMore]).toEqual([30, true])
  })

  test('mails about an answer once, and only a user who has not seen it and is offline', async () => {
    const [offline, connected, quick] = [await openUser(), await openUser(), await openUser()]
    for (const { id, client } of [offline, connected, quick]) {
      const { id: seen } = await say(client, 'a question')
      await support.request(answerChat, { id, text: 'an answer', picture: null, seen })
    }
    const { messages } = valueOf(await quick.client.call(listChat, { before: null }))
    await quick.client.call(markChatSeen, { id: messages[0]?.id ?? 0 })
    await mail()
    const ofThese = () =>
      mailed.filter((each) => [offline, connected, quick].some(({ id }) => each.endsWith(`user ${id}`)))
    expect(ofThese()).toEqual([])
    pass(6 * MINUTE_MS)
    await mail(true)
    expect(ofThese()).toEqual([])
    pass(2 * MINUTE_MS)
    await mail()
    await mail()
    expect(ofThese().toSorted()).toEqual(
      [offline, connected].map(({ id }) => `supportAnswered user ${id}`).toSorted(),
    )
    expect(await sentTo(server(), offline.email)).not.toContainEqual(
      expect.objectContaining({ body: expect.stringContaining('an answer') as unknown }),
    )
  })

  test('shows the usual waiting time once five answers were measured', async () => {
    await queries().deleteFrom('chat_answer').execute()
    for (let index = 0; index < 5; index += 1) {
      const { id, client } = await openUser()
      const { id: seen } = await say(client, 'a question')
      expect((await stateOf(client)).p75ResponseMinutes).toBeNull()
      pass(8 * MINUTE_MS)
      await support.request(answerChat, { id, text: 'an answer', picture: null, seen })
    }
    expect((await stateOf(demo.client)).p75ResponseMinutes).toBe(10)
  })

  test('allows only the origin of the service link in a frame', async () => {
    const policy = async () => String((await call(server(), '/')).headers['content-security-policy'])
    expect(await policy()).toMatch(/frame-src https:\/\/help\.example(;|$)/)
    const { liveSettings } = server().deployment
    for (const link of [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://a;b.example',
      'help',
      'ftp://a.example',
    ])
      expect([link, liveSettings.problemOf('service_link', link)]).toEqual([
        link,
        'must be an http(s) address',
      ])
  })
})

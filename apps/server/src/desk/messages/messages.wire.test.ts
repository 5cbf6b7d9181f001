import { getMessage, listMessages, resendMessage } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const ALL = { state: null, channel: null, search: '', page: 1 } as const

describe.each(DATABASES)('messages, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  let support: AtDesk
  beforeAll(async () => {
    support = await atDesk(server(), 'support')
  })
  /** Has a code sent, which stays in the outbox: nothing here could send it. */
  const askForCode = async (to: string, type = 1) => {
    await call(server(), '/api/notify/send_email', { method: 'POST', body: { to, type } })
    const { messages } = await support.ask(listMessages, { ...ALL, search: to })
    const [message] = messages
    if (!message) throw new Error('no message')
    return message
  }
  const bodyOf = async (id: string) => {
    const rows = server().deployment.database.queries.selectFrom('outbox').selectAll()
    return (await rows.where('id', '=', id).executeTakeFirstOrThrow()).body
  }

  test('show what went out to whom, and never a code', async () => {
    const { id, ...row } = await askForCode('reader@mail.example')
    expect(row).toMatchObject({ name: 'registerCode', recipient: 'reader@mail.example', hasSecret: true })
    const code = /\d{6}/.exec(await bodyOf(id))?.[0] ?? 'none'
    const detail = await support.ask(getMessage, { id })
    expect(detail.text).toContain('••••••')
    expect(JSON.stringify([row, detail])).not.toContain(code)
    expect(detail.text).not.toMatch(/\d{6}/)
  })

  test('with a code are never sent again', async () => {
    const { id } = await askForCode('codes@mail.example')
    expect(await support.refusalOf(resendMessage, { id, reason: 'asked by phone' })).toBe('messageHasSecret')
  })

  test('without one are sent again as a message of their own, once while it waits', async () => {
    // Nobody has an account here: the mail says so, and holds no code.
    const { id, hasSecret } = await askForCode('stranger@mail.example', 2)
    expect(hasSecret).toBe(false)
    const { text } = await support.ask(getMessage, { id })
    const outcomes = await Promise.all(
      [0, 1].map(() => support.try(resendMessage, { id, reason: 'the mail server was away' })),
    )
    const again = outcomes.find(({ ok }) => ok)
    const sent = again?.ok ? again.value.id : ''
    expect(await support.ask(getMessage, { id: sent })).toMatchObject({ text, againOf: id })
    expect(await bodyOf(sent)).toBe(text)
  })

  test('are found by state, channel and recipient', async () => {
    await askForCode('findme@mail.example')
    const found = async (search: string) => (await support.ask(listMessages, { ...ALL, search })).total
    expect([await found('FINDME'), await found('findme%'), await found('nobody at all')]).toEqual([1, 1, 0])
    const sms = await support.ask(listMessages, { ...ALL, channel: 'sms' })
    expect(sms).toEqual({ messages: [], total: 0 })
  })

  test('are saved as a file, without a code', async () => {
    const { id } = await askForCode('filed@mail.example')
    const code = /\d{6}/.exec(await bodyOf(id))?.[0] ?? 'none'
    const headers = { authorization: support.token }
    const { text } = await call(server(), '/desk/api/messages.csv?search=filed', { headers })
    expect(text).toContain('filed@mail.example')
    expect(text).not.toContain(code)
  })

  test('a message of nobody is refused', async () => {
    expect(await support.refusalOf(getMessage, { id: 'x' })).toBe('messageNotFound')
    expect(await support.refusalOf(resendMessage, { id: 'x', reason: 'why' })).toBe('messageNotFound')
  })
})

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
  /** Requests a code, which stays in the outbox: this server has no mail server. */
  const requestCode = async (to: string, type = 1) => {
    await call(server(), '/api/notify/send_email', { method: 'POST', body: { to, type } })
    const { messages } = await support.request(listMessages, { ...ALL, search: to })
    const [message] = messages
    if (!message) throw new Error('no message')
    return message
  }
  const bodyOf = async (id: string) => {
    const rows = server().deployment.database.queries.selectFrom('outbox').selectAll()
    return (await rows.where('id', '=', id).executeTakeFirstOrThrow()).body
  }

  test('show recipient and text, and never a code', async () => {
    const { id, ...row } = await requestCode('reader@mail.example')
    expect(row).toMatchObject({ name: 'registerCode', recipient: 'reader@mail.example', hasSecret: true })
    const code = /\d{6}/.exec(await bodyOf(id))?.[0] ?? 'none'
    const detail = await support.request(getMessage, { id })
    expect(detail.text).toContain('••••••')
    expect(JSON.stringify([row, detail])).not.toContain(code)
    expect(detail.text).not.toMatch(/\d{6}/)
  })

  test('with a code cannot be resent', async () => {
    const { id } = await requestCode('codes@mail.example')
    expect(await support.refusalOf(resendMessage, { id, reason: 'requested by phone' })).toBe(
      'messageHasSecret',
    )
  })

  test('without one are resent as a new message, once while it waits', async () => {
    // There is no such account: the mail says so, without a code.
    const { id, hasSecret } = await requestCode('stranger@mail.example', 2)
    expect(hasSecret).toBe(false)
    const { text } = await support.request(getMessage, { id })
    const outcomes = await Promise.all(
      [0, 1].map(() => support.try(resendMessage, { id, reason: 'the mail server was down' })),
    )
    const again = outcomes.find(({ ok }) => ok)
    const sent = again?.ok ? again.value.id : ''
    expect(await support.request(getMessage, { id: sent })).toMatchObject({ text, againOf: id })
    expect(await bodyOf(sent)).toBe(text)
  })

  test('are found by state, channel and recipient', async () => {
    await requestCode('findme@mail.example')
    const found = async (search: string) => (await support.request(listMessages, { ...ALL, search })).total
    expect([await found('FINDME'), await found('findme%'), await found('nobody at all')]).toEqual([1, 1, 0])
    const sms = await support.request(listMessages, { ...ALL, channel: 'sms' })
    expect(sms).toEqual({ messages: [], total: 0 })
  })

  test('are exported without codes', async () => {
    const { id } = await requestCode('filed@mail.example')
    const code = /\d{6}/.exec(await bodyOf(id))?.[0] ?? 'none'
    const headers = { authorization: support.token }
    const { text } = await call(server(), '/desk/api/messages.csv?search=filed', { headers })
    expect(text).toContain('filed@mail.example')
    expect(text).not.toContain(code)
  })

  test('that do not exist are rejected', async () => {
    expect(await support.refusalOf(getMessage, { id: 'x' })).toBe('messageNotFound')
    expect(await support.refusalOf(resendMessage, { id: 'x', reason: 'why' })).toBe('messageNotFound')
  })
})

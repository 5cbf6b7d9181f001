import { describe, expect, test } from 'vitest'
import {
  codeSentTo,
  HONG_KONG,
  logInAs,
  movablePace,
  newEmail,
  newMember,
  PASSWORD,
  post,
  reasonOf,
  sentTo,
} from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/socket-reader.ts'

const MINUTE_MS = 60_000
const NEXT = 'brisk heron 52 tide'

describe.each(DATABASES)('a new password, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })
  const isIn = async (token: string) =>
    (await call(server(), '/api/user/info', { headers: { authorization: token } })).body?.code === 1
  const amend = (token: string, given: object = {}) =>
    post(
      server(),
      '/api/user/amend_password',
      { old_password: PASSWORD, new_password: NEXT, ...given },
      token,
    )
  const askFor = (to: string) => post(server(), '/api/notify/send_email', { to, type: 2 })
  const forgot = (account: string, auth_code: string, given: object = {}) =>
    post(server(), '/api/user/forget_password', {
      ...{ type: 'email', account, new_password: NEXT, secondary_password: NEXT, auth_code, ...given },
    })

  test('by the old one: a fresh token, every other session ends, the user is told', async () => {
    const { email, token } = await newMember(server())
    const other = dataOf<{ token: string }>(await logInAs(server(), email)).token
    const { token: fresh } = dataOf<{ token: string }>(await amend(token))
    expect([await isIn(token), await isIn(other), await isIn(fresh)]).toEqual([false, false, true])
    expect(reasonOf(await logInAs(server(), email))).toBe('credentialsWrong')
    expect(reasonOf(await logInAs(server(), email, { password: NEXT }))).toBeNull()
    expect((await sentTo(server(), email))[0]?.subject).toBe('Your password was changed')
  })

  test('is told in the language that the user has chosen last, whoever asks', async () => {
    const { email, token } = await newMember(server())
    const choose = (lang: string) => post(server(), '/api/user/language', { lang }, token)
    expect(reasonOf(await choose('hk'))).toBeNull()
    expect(reasonOf(await choose('xx'))).toBe('notUnderstood')
    await amend(token)
    expect((await sentTo(server(), email))[0]?.subject).toBe('您的密碼已更改')
  })

  test('closes the sockets of every session it ends, and nobody else loses theirs', async () => {
    const [{ email, token }, neighbour] = [await newMember(server()), await newMember(server())]
    const other = dataOf<{ token: string }>(await logInAs(server(), email)).token
    const [own, stolen, foreign, visitor] = [
      await openSocket(server()),
      await openSocket(server()),
      await openSocket(server()),
      await openSocket(server()),
    ]
    const logIns = [
      [own, token],
      [stolen, other],
      [foreign, neighbour.token],
    ] as const
    for (const [socket, params] of logIns) {
      socket.send({ type: 'login', params })
      await socket.next('login_result')
    }
    expect(reasonOf(await amend(token))).toBeNull()
    expect(await Promise.all([own.closed, stolen.closed])).toEqual([4001, 4001])
    await Promise.all([foreign.settled(), visitor.settled()])
    expect([foreign, visitor].map(({ socket }) => socket.readyState)).toEqual([1, 1])
  })

  test.each([
    [{ old_password: 'wrong' }, 'passwordWrong'],
    [{ old_password: '' }, 'passwordWrong'],
    [{ old_password: undefined }, 'notUnderstood'],
    [{ new_password: 'short' }, 'passwordTooShort'],
    [{ new_password: 'qwertyuiop' }, 'passwordCommon'],
    [{ new_password: ['x'] }, 'notUnderstood'],
  ])('is refused for %j: %s, and nothing changes', async (given, reason) => {
    const { email, token } = await newMember(server())
    expect(reasonOf(await amend(token, given))).toBe(reason)
    expect([await isIn(token), reasonOf(await logInAs(server(), email))]).toEqual([true, null])
  })

  test('by a code for who forgot theirs: every session ends, the code works once', async () => {
    const { email, token } = await newMember(server())
    pass(MINUTE_MS)
    await askFor(email)
    const code = await codeSentTo(server(), email)
    expect((await forgot(email, code)).body).toEqual({
      code: 1,
      msg: 'Your new password is set. Log in with it.',
      data: null,
    })
    expect(await isIn(token)).toBe(false)
    expect(reasonOf(await logInAs(server(), email, { password: NEXT }))).toBeNull()
    expect(reasonOf(await forgot(email, code))).toBe('codeWrong')
  })

  test('by a code to a phone, with or without its area', async () => {
    const target = { area_id: HONG_KONG, to: '62345678' }
    await post(server(), '/api/notify/send_sms', { ...target, type: 1 })
    const given = {
      type: 'mobile',
      account: '62345678',
      sms_code: await codeSentTo(server(), '+85262345678'),
    }
    const consent = { consent: 1, password: PASSWORD, re_password: PASSWORD, area_id: HONG_KONG }
    expect(reasonOf(await post(server(), '/api/user/register', { ...consent, ...given }))).toBeNull()
    for (const area of [{}, { area_id: HONG_KONG }]) {
      pass(MINUTE_MS)
      await post(server(), '/api/notify/send_sms', { ...target, type: 2 })
      const code = await codeSentTo(server(), '+85262345678')
      expect(reasonOf(await forgot('62345678', code, { type: 'mobile', ...area }))).toBeNull()
    }
  })

  test('an unknown account answers what a known one does, and only the address is told', async () => {
    const { email } = await newMember(server())
    const unknown = newEmail()
    pass(MINUTE_MS)
    expect((await askFor(unknown)).text).toBe((await askFor(email)).text)
    expect((await forgot(unknown, '000000')).text).toBe((await forgot(email, 'x')).text)
    expect((await sentTo(server(), unknown))[0]?.body).toContain('has no account here')
  })

  test('is taken once, however often a code is sent at once', async () => {
    const { email } = await newMember(server())
    pass(MINUTE_MS)
    await askFor(email)
    const code = await codeSentTo(server(), email)
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => forgot(email, code)))
    expect(outcomes.map(reasonOf).filter((reason) => reason === null)).toHaveLength(1)
  })

  test('by the old one does not undo one by a code that was set at the same time', async () => {
    const { email, token } = await newMember(server())
    pass(MINUTE_MS)
    await askFor(email)
    const code = await codeSentTo(server(), email)
    const recovered = { new_password: 'amber fox 63 quay', secondary_password: 'amber fox 63 quay' }
    const [byCode] = await Promise.all([forgot(email, code, recovered), amend(token)])
    expect(reasonOf(byCode)).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { password: recovered.new_password }))).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { password: NEXT }))).toBe('credentialsWrong')
  })

  test('by the old one is set once, however often it is asked for at once', async () => {
    const { token } = await newMember(server())
    const outcomes = await Promise.all(
      ['amber fox 63 quay', 'brisk heron 52 tide', 'cedar wren 41 lane'].map((new_password) =>
        amend(token, { new_password }),
      ),
    )
    const fresh = outcomes.flatMap((answer) => (reasonOf(answer) === null ? [answer] : []))
    expect(fresh).toHaveLength(1)
    expect(await isIn(dataOf<{ token: string }>(fresh[0] ?? { body: null }).token)).toBe(true)
  })

  test('refuses two that differ, and a common one, without using up the code', async () => {
    const { email } = await newMember(server())
    pass(MINUTE_MS)
    await askFor(email)
    const code = await codeSentTo(server(), email)
    expect(reasonOf(await forgot(email, code, { secondary_password: 'other' }))).toBe('passwordsDiffer')
    const common = { new_password: 'iloveyou1', secondary_password: 'iloveyou1' }
    expect(reasonOf(await forgot(email, code, common))).toBe('passwordCommon')
    expect(reasonOf(await forgot(email, code))).toBeNull()
  })
})

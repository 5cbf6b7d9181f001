import { describe, expect, onTestFinished, test } from 'vitest'
import {
  codeSentTo,
  HONG_KONG,
  logInAs,
  movablePace,
  newEmail,
  newUser,
  PASSWORD,
  post,
  reasonOf,
  sentTo,
} from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, makePlace, serverOn, startServer, type RunningServer } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
const MINUTE_MS = 60_000
const NEXT = 'brisk heron 52 tide'

describe.each(DATABASES)('a new password, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', TRUST_PROXY: 'loopback' } })
  const isIn = async (token: string) =>
    (await call(server(), '/api/user/info', { headers: { authorization: token } })).body?.code === 1
  const amend = (token: string, given: object = {}) =>
    post(
      server(),
      '/api/user/amend_password',
      { old_password: PASSWORD, new_password: NEXT, ...given },
      token,
    )
  const requestCode = (to: string) => post(server(), '/api/notify/send_email', { to, type: 2 })
  const forgot = (account: string, auth_code: string, given: object = {}) =>
    post(server(), '/api/user/forget_password', {
      type: 'email',
      account,
      new_password: NEXT,
      secondary_password: NEXT,
      auth_code,
      ...given,
    })

  test('set with the old one gives a new token, ends every other session and is announced by mail', async () => {
    const { email, token } = await newUser(server())
    const other = dataOf<{ token: string }>(await logInAs(server(), email)).token
    const { token: fresh } = dataOf<{ token: string }>(await amend(token))
    expect([await isIn(token), await isIn(other), await isIn(fresh)]).toEqual([false, false, true])
    expect(reasonOf(await logInAs(server(), email))).toBe('credentialsWrong')
    expect(reasonOf(await logInAs(server(), email, { password: NEXT }))).toBeNull()
    expect((await sentTo(server(), email))[0]?.subject).toBe('Your password was changed')
  })

  test('is announced in the language that the user chose last', async () => {
    const { email, token } = await newUser(server())
    const choose = (lang: string) => post(server(), '/api/user/language', { lang }, token)
    expect(reasonOf(await choose('hk'))).toBeNull()
    expect(reasonOf(await choose('xx'))).toBe('notUnderstood')
    await amend(token)
    expect((await sentTo(server(), email))[0]?.subject).toBe('您的密碼已更改')
  })

  test('closes the sockets of every session that it ends, and no others', async () => {
    const [{ email, token }, neighbour] = [await newUser(server()), await newUser(server())]
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
    const { email, token } = await newUser(server())
    expect(reasonOf(await amend(token, given))).toBe(reason)
    expect([await isIn(token), reasonOf(await logInAs(server(), email))]).toEqual([true, null])
  })

  test('set with a code ends every session, and the code works once', async () => {
    const { email, token } = await newUser(server())
    pass(MINUTE_MS)
    await requestCode(email)
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

  test('can be set with a code sent to a phone, with or without its country', async () => {
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

  test('is requested with the same answer for unknown accounts; only the message differs', async () => {
    const { email } = await newUser(server())
    const unknown = newEmail()
    pass(MINUTE_MS)
    expect((await requestCode(unknown)).text).toBe((await requestCode(email)).text)
    expect((await forgot(unknown, '000000')).text).toBe((await forgot(email, 'x')).text)
    expect((await sentTo(server(), unknown))[0]?.body).toContain('has no account here')
  })

  test('is set once by concurrent requests with one code', async () => {
    const { email } = await newUser(server())
    pass(MINUTE_MS)
    await requestCode(email)
    const code = await codeSentTo(server(), email)
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => forgot(email, code)))
    expect(outcomes.map(reasonOf).filter((reason) => reason === null)).toHaveLength(1)
  })

  test('set with the old one does not replace one set with a code at the same time', async () => {
    const { email, token } = await newUser(server())
    pass(MINUTE_MS)
    await requestCode(email)
    const code = await codeSentTo(server(), email)
    const recovered = { new_password: 'amber fox 63 quay', secondary_password: 'amber fox 63 quay' }
    const [byCode] = await Promise.all([forgot(email, code, recovered), amend(token)])
    expect(reasonOf(byCode)).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { password: recovered.new_password }))).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { password: NEXT }))).toBe('credentialsWrong')
  })

  test('is set once by concurrent requests with the old one', async () => {
    const { token } = await newUser(server())
    const outcomes = await Promise.all(
      ['amber fox 63 quay', 'brisk heron 52 tide', 'cedar wren 41 lane'].map((new_password) =>
        amend(token, { new_password }),
      ),
    )
    const fresh = outcomes.flatMap((answer) => (reasonOf(answer) === null ? [answer] : []))
    expect(fresh).toHaveLength(1)
    expect(await isIn(dataOf<{ token: string }>(fresh[0] ?? { body: null }).token)).toBe(true)
  })

  test('can be set with a code in a known browser, however often strangers request and guess', async () => {
    const { email } = await newUser(server())
    const stranger = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Strange/1' }
    const home = { 'x-forwarded-for': '192.0.2.1', 'user-agent': 'Own/1' }
    const from = (headers: Record<string, string>, path: string, body: object) =>
      post(server(), path, body, undefined, headers)
    const logIn = { login_type: 'email', account: email, password: PASSWORD }
    expect(reasonOf(await from(home, '/api/user/loginForU', logIn))).toBeNull()
    const request = { to: email, type: 2 }
    const reset = (auth_code: string) => ({
      type: 'email',
      account: email,
      new_password: NEXT,
      secondary_password: NEXT,
      auth_code,
    })
    // The owner requests a code first, which stays valid whatever strangers do.
    expect(reasonOf(await from(home, '/api/notify/send_email', request))).toBeNull()
    const own = await codeSentTo(server(), email)
    const reasons: (string | null)[] = []
    for (let minute = 0; minute < 9; minute += 1) {
      pass(MINUTE_MS)
      reasons.push(reasonOf(await from(stranger, '/api/notify/send_email', request)))
      for (let guess = 0; guess < 6; guess += 1)
        await from(stranger, '/api/user/forget_password', reset(`${guess}00000`))
    }
    expect(reasons.filter((reason) => reason === null)).toHaveLength(4)
    expect(reasons.at(-1)).toBe('tooManyRequests')
    // The code is valid only where it was requested.
    expect(reasonOf(await from(stranger, '/api/user/forget_password', reset(own)))).toBe('codeWrong')
    expect(reasonOf(await from(home, '/api/user/forget_password', reset(own)))).toBeNull()
    // Another browser in the owner's network is a known place too.
    const phone = { ...home, 'user-agent': 'Phone/1' }
    expect(reasonOf(await from(phone, '/api/notify/send_email', request))).toBeNull()
  })

  test('is refused without using up the code if it is too common or its repetition differs', async () => {
    const { email } = await newUser(server())
    pass(MINUTE_MS)
    await requestCode(email)
    const code = await codeSentTo(server(), email)
    expect(reasonOf(await forgot(email, code, { secondary_password: 'other' }))).toBe('passwordsDiffer')
    const common = { new_password: 'iloveyou1', secondary_password: 'iloveyou1' }
    expect(reasonOf(await forgot(email, code, common))).toBe('passwordCommon')
    expect(reasonOf(await forgot(email, code))).toBeNull()
  })
})

/** The answer to a request for a code to reset a password, from a network. */
const codeFrom = async (server: Pick<RunningServer, 'url'>, to: string, network: string) =>
  reasonOf(
    await post(server, '/api/notify/send_email', { to, type: 2 }, undefined, { 'x-forwarded-for': network }),
  )

describe('codes to reset passwords', () => {
  const LIMITS = {
    FEED: 'ws://127.0.0.1:9',
    TRUST_PROXY: 'loopback',
    SETTING_CODES_PER_ADDRESS: '10',
    SETTING_FAILED_LOGINS_PER_ADDRESS: '3',
  }

  test('are limited per network and day, also after a restart, and a network at its limit uses up no others', async () => {
    const place = await makePlace('sqlite')
    onTestFinished(place.remove)
    const { pace, pass } = movablePace()
    const start = () => startServer(place, { pace, env: LIMITS })
    const [stranger, owner] = ['198.51.100.7', '203.0.113.5']
    const first = await start()
    const { email } = await newUser(first)
    const others = Array.from({ length: 10 }, () => newEmail())
    for (const other of others) expect(await codeFrom(first, other, stranger)).toBeNull()
    await first.stop()
    // The limit per hour begins again, the daily one does not.
    const second = await start()
    for (let count = 0; count < 6; count += 1, pass(30 * MINUTE_MS))
      expect(await codeFrom(second, email, stranger)).toBe('tooManyRequests')
    expect(await codeFrom(second, email, owner)).toBeNull()
    pass(1_440 * MINUTE_MS)
    expect(await codeFrom(second, newEmail(), stranger)).toBeNull()
    await second.stop()
  })

  test('work for the owner however often others behind the same address guess', async () => {
    const place = await makePlace('sqlite')
    onTestFinished(place.remove)
    const server = await startServer(place, { env: LIMITS })
    const { email } = await newUser(server)
    const from = (device: string) => ({ 'x-forwarded-for': '192.0.2.1', 'user-agent': device })
    const logIn = { login_type: 'email', account: email, password: PASSWORD }
    await post(server, '/api/user/loginForU', logIn, undefined, from('Own/1'))
    await post(server, '/api/notify/send_email', { to: email, type: 2 }, undefined, from('Own/1'))
    const code = await codeSentTo(server, email)
    const reset = async (account: string, auth_code: string, device: string) => {
      const form = { type: 'email', account, new_password: NEXT, secondary_password: NEXT, auth_code }
      return reasonOf(await post(server, '/api/user/forget_password', form, undefined, from(device)))
    }
    for (const account of [newEmail(), email])
      for (let count = 0; count < 4; count += 1)
        expect(await reset(account, '000000', 'Strange/1')).toBe(count < 3 ? 'codeWrong' : 'tooManyRequests')
    expect(await reset(email, code, 'Own/1')).toBeNull()
    await server.stop()
  })
})

describe('a new password where few failed log-ins are allowed', () => {
  const server = serverOn('sqlite', {
    env: { FEED: 'ws://127.0.0.1:9', TRUST_PROXY: 'loopback', SETTING_FAILED_LOGINS_PER_ACCOUNT: '2' },
  })

  test('set by a code in a new browser can be used there, however much strangers guess', async () => {
    const { email } = await newUser(server())
    const from = (address: string, device: string, path: string, body: object) =>
      post(server(), path, body, undefined, { 'x-forwarded-for': address, 'user-agent': device })
    const own = ['192.0.2.66', 'Borrowed/1'] as const
    expect(reasonOf(await from(...own, '/api/notify/send_email', { to: email, type: 2 }))).toBeNull()
    const reset = {
      type: 'email',
      account: email,
      new_password: NEXT,
      secondary_password: NEXT,
      auth_code: await codeSentTo(server(), email),
    }
    expect(reasonOf(await from(...own, '/api/user/forget_password', reset))).toBeNull()
    const logIn = (password: string) => ({ login_type: 'email', account: email, password })
    for (let guess = 0; guess < 25; guess += 1)
      await from(`203.0.113.${guess}`, 'Strange/1', '/api/user/loginForU', logIn('wrong'))
    const elsewhere = await from('192.0.2.67', 'Borrowed/1', '/api/user/loginForU', logIn(NEXT))
    expect(reasonOf(elsewhere)).toBe('tooManyRequests')
    expect(reasonOf(await from(...own, '/api/user/loginForU', logIn(NEXT)))).toBeNull()
  })
})

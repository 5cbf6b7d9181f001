import { describe, expect, test } from 'vitest'
import {
  logInAs,
  movablePace,
  newEmail,
  newMember,
  post,
  postForm,
  reasonOf,
  sentTo,
  PASSWORD,
} from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/socket-reader.ts'

const HOUR_MS = 3_600_000
type Session = { id: string; is_current: number; device: string; address: string }

describe.each(DATABASES)('logging in, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })
  const isIn = async (token: string) =>
    (await call(server(), '/api/user/info', { headers: { authorization: token } })).body?.code === 1
  const tokenOf = async (email: string, headers = {}) => {
    const body = { login_type: 'email', account: email, password: PASSWORD }
    return dataOf<{ token: string }>(await post(server(), '/api/user/loginForU', body, undefined, headers))
      .token
  }
  const sessionsOf = async (token: string) =>
    dataOf<Session[]>(await call(server(), '/api/user/sessions', { headers: { authorization: token } }))

  test('takes a form with what is left empty, the address in any case and with spaces around it', async () => {
    const { email, user } = await newMember(server())
    const account = `  ${email.toUpperCase()} `
    const fields = { account, password: PASSWORD, login_type: 'email', demo_id: '', auth_code: '' }
    const answer = await postForm(server(), '/api/user/loginForU', fields)
    expect(dataOf<{ user: object }>(answer).user).toEqual(user)
  })

  test('a wrong password and an unknown account get the same answer to the letter', async () => {
    const { email } = await newMember(server())
    const answers = [
      await logInAs(server(), email, { password: `${PASSWORD}!` }),
      await logInAs(server(), newEmail()),
      await logInAs(server(), 'nobody'),
      await logInAs(server(), '91230000', { login_type: 'mobile' }),
    ]
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body?.msg).toBe('The account or the password is wrong.')
  })

  test('and they take the same time: both check a password', async () => {
    const { email } = await newMember(server())
    const time = async (account: string) => {
      const before = performance.now()
      await logInAs(server(), account, { password: 'another otter 71' })
      return performance.now() - before
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 15; round++) {
      known.push(await time(email))
      unknown.push(await time(newEmail()))
    }
    const median = (times: number[]) => times.toSorted((one, other) => one - other)[7] ?? 0
    // Without the work for nobody the answer would come in a fraction of the time.
    expect(median(unknown)).toBeGreaterThan(median(known) * 0.5)
  })

  test('a session can be seen and ended by its user', async () => {
    const { email, token } = await newMember(server())
    const other = await tokenOf(email, { 'user-agent': 'Browser/9 <script>alert(1)</script>' })
    const list = await sessionsOf(token)
    expect(list).toHaveLength(2)
    const theirs = list.find(({ is_current }) => is_current === 0)
    expect(theirs).toMatchObject({ device: 'Browser/9 scriptalert(1)/script', address: '127.0.0.1' })
    const end = { id: theirs?.id }
    expect((await post(server(), '/api/user/session_end', end, token)).body?.code).toBe(1)
    expect([await isIn(token), await isIn(other)]).toEqual([true, false])
    expect(reasonOf(await post(server(), '/api/user/session_end', end, token))).toBe('sessionUnknown')
  })

  test('a log-out everywhere ends every session of this user, on sockets too, and of nobody else', async () => {
    const [{ email, token }, neighbour] = [await newMember(server()), await newMember(server())]
    const other = await tokenOf(email)
    const socket = await openSocket(server())
    socket.send({ type: 'login', params: other })
    await socket.next('login_result')
    expect((await post(server(), '/api/user/logout_all', {}, token)).body?.code).toBe(1)
    expect([await isIn(token), await isIn(other), await isIn(neighbour.token)]).toEqual([false, false, true])
    socket.send({ type: 'sub', params: 'FOREX_TRADE' })
    expect(await socket.next('refused')).toMatchObject({ code: 999 })
  })

  test('a session that nobody uses for a week ends, and any after thirty days', async () => {
    const { email, token } = await newMember(server())
    pass(100 * HOUR_MS)
    expect(await isIn(token)).toBe(true)
    pass(168 * HOUR_MS)
    expect(await isIn(token)).toBe(false)
    const used = await tokenOf(email)
    for (let hours = 100; hours < 720; hours += 100) {
      pass(100 * HOUR_MS)
      expect(await isIn(used)).toBe(true)
    }
    pass(120 * HOUR_MS)
    expect(await isIn(used)).toBe(false)
  })

  test('a browser or network that is new is told to the user once, in their language', async () => {
    const { email } = await newMember(server())
    await tokenOf(email)
    expect(await sentTo(server(), email)).toHaveLength(1)
    await tokenOf(email, { 'user-agent': 'Other/1', lang: 'hk' })
    await tokenOf(email, { 'user-agent': 'Other/1' })
    const [latest, ...before] = await sentTo(server(), email)
    expect(before).toHaveLength(1)
    expect(latest).toMatchObject({ subject: 'A new log-in to your account' })
    expect(latest?.body).toContain('Other/1, 127.0.0.1')
  })

  test('no password is kept as it is', async () => {
    const { user } = await newMember(server())
    const { queries } = server().deployment.database
    const row = await queries
      .selectFrom('member')
      .select('password_hash')
      .where('user_id', '=', BigInt(user.id))
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })
})

describe('failed log-ins', () => {
  const server = serverOn('sqlite', {
    env: { SETTING_FAILED_LOGINS_PER_ACCOUNT: '5', TRUST_PROXY: 'loopback' },
  })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const guess = async (account: string, password: string, address: string) =>
    (await post(server(), '/api/user/loginForU', { account, password }, undefined, from(address))).status

  test('are counted for an account, known or not, also when they come at once', async () => {
    const { email } = await newMember(server())
    for (const account of [email, newEmail()]) {
      const statuses = await Promise.all(
        Array.from({ length: 12 }, () => guess(account, 'wrong', '192.0.2.1')),
      )
      expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    }
    expect(await guess(email, PASSWORD, '192.0.2.1')).toBe(429)
    expect(await guess(email.toUpperCase(), PASSWORD, '192.0.2.1')).toBe(429)
  })

  test.each(['＠', '@MAIL.', ' @ '])(
    'are counted together however %j is written, known or not',
    async (at) => {
      const { email } = await newMember(server())
      const outcomes: number[][] = []
      for (const account of [email, newEmail()]) {
        const address = `203.0.113.${outcomes.length}`
        for (let count = 0; count < 5; count++) await guess(account, 'wrong', address)
        const written = [account.replace('@mail.', at), account.replace('mail', 'ｍail'), `${account}/1`]
        outcomes.push(await Promise.all(written.map((other) => guess(other, 'wrong', address))))
      }
      expect(outcomes[0]).toEqual(outcomes[1])
    },
  )

  test('of one network do not lock the owner out of another; guesses from many networks end too', async () => {
    const { email } = await newMember(server())
    for (let count = 0; count < 60; count++) await guess(email, 'wrong', '192.0.2.2')
    expect(await guess(email, PASSWORD, '192.0.2.3')).toBe(200)
    const statuses: number[] = []
    for (let count = 0; count < 60; count++) statuses.push(await guess(email, 'wrong', `198.51.100.${count}`))
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(50)
  })
})

describe('failed log-ins from many networks', () => {
  // Twenty of an account from everywhere.
  const server = serverOn('sqlite', {
    env: { SETTING_FAILED_LOGINS_PER_ACCOUNT: '2', TRUST_PROXY: 'loopback' },
  })
  const logIn = async (account: string, password: string, address: string, device = '') => {
    const headers = { 'x-forwarded-for': address, 'user-agent': device }
    return (await post(server(), '/api/user/loginForU', { account, password }, undefined, headers)).status
  }

  test('do not lock the owner out where they have logged in before', async () => {
    const { email } = await newMember(server())
    const home = '192.0.2.4'
    expect(await logIn(email, PASSWORD, home, 'Own/1')).toBe(200)
    const statuses: number[][] = []
    for (const account of [email, newEmail()]) {
      const guesses: number[] = []
      for (let count = 0; count < 25; count++)
        guesses.push(await logIn(account, 'wrong', `198.51.100.${count}`))
      // In the owner's own network, but with another browser.
      guesses.push(await logIn(account, 'wrong', home, 'Other/1'))
      statuses.push(guesses)
    }
    // Nobody learns by it whether there is such an account.
    expect(statuses[0]).toEqual(statuses[1])
    expect(statuses[0]?.filter((status) => status === 200)).toHaveLength(20)
    expect(await logIn(email, PASSWORD, home, 'Other/1')).toBe(429)
    expect(await logIn(email, PASSWORD, home, 'Own/1')).toBe(200)
    for (let count = 0; count < 2; count++) expect(await logIn(email, 'wrong', home, 'Own/1')).toBe(200)
    expect(await logIn(email, PASSWORD, home, 'Own/1')).toBe(429)
  })
})

describe('failed log-ins where no proxy is trusted', () => {
  const server = serverOn('sqlite', {
    env: { SETTING_FAILED_LOGINS_PER_ADDRESS: '5', SETTING_FAILED_LOGINS_PER_ACCOUNT: '3' },
  })
  let count = 0
  /** As somebody who writes another address into each call. */
  const logIn = async (body: object) => {
    const headers = { 'x-forwarded-for': `203.0.113.${(count += 1)}` }
    return (await post(server(), '/api/user/loginForU', body, undefined, headers)).status
  }

  test('count for the address they come from, whatever X-Forwarded-For says', async () => {
    const { email } = await newMember(server())
    const guesses: number[] = []
    for (let guess = 0; guess < 4; guess++) guesses.push(await logIn({ account: email, password: 'wrong' }))
    expect(guesses).toEqual([200, 200, 200, 429])
    expect(await logIn({ demo_id: 'guess' })).toBe(200)
    expect(await logIn({ demo_id: 'guess' })).toBe(429)
    expect(await logIn({ account: newEmail(), password: 'wrong' })).toBe(429)
  })
})

describe('codes and captchas', () => {
  const LOW = {
    SETTING_CODES_PER_TARGET: '3',
    SETTING_CODES_PER_ADDRESS: '8',
    SETTING_CAPTCHAS_PER_ADDRESS: '4',
  }
  const server = serverOn('sqlite', { env: LOW })
  const send = async (to: string) => (await post(server(), '/api/notify/send_email', { to, type: 2 })).status

  test('are so many an hour for a target, an address, and pictures for an address', async () => {
    const target = newEmail()
    const forTarget: number[] = []
    for (let count = 0; count < 5; count++) forTarget.push(await send(target))
    expect(forTarget).toEqual([200, 200, 200, 429, 429])
    const forAddress: number[] = []
    for (let count = 0; count < 5; count++) forAddress.push(await send(newEmail()))
    expect(forAddress).toEqual([200, 200, 200, 429, 429])
    const pictures: number[] = []
    for (let count = 0; count < 5; count++)
      pictures.push((await call(server(), '/api/notify/captcha')).status)
    expect(pictures).toEqual([200, 200, 200, 200, 429])
  })
})

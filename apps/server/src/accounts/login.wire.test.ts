import { describe, expect, test } from 'vitest'
import {
  logInAs,
  movablePace,
  newEmail,
  newUser,
  post,
  postForm,
  reasonOf,
  PASSWORD,
  sentTo,
  type TestUser,
} from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
import { totpCode } from '../platform/security/second-factor.ts'
import { recordFailedLogin } from './login.ts'

const HOUR_MS = 3_600_000
type Session = { id: string; is_current: number; device: string; address: string }

describe.each(DATABASES)('logging in, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, hashCost: undefined, env: { FEED: 'ws://127.0.0.1:9' } })
  const isIn = async (token: string) =>
    (await call(server(), '/api/user/info', { headers: { authorization: token } })).body?.code === 1
  const tokenOf = async (email: string, headers = {}) => {
    const body = { login_type: 'email', account: email, password: PASSWORD }
    return dataOf<{ token: string }>(await post(server(), '/api/user/loginForU', body, undefined, headers))
      .token
  }
  const sessionsOf = async (token: string) =>
    dataOf<Session[]>(await call(server(), '/api/user/sessions', { headers: { authorization: token } }))

  test('accepts a form with empty fields, and the address in any case and with spaces around it', async () => {
    const { email, user } = await newUser(server())
    const account = `  ${email.toUpperCase()} `
    const fields = { account, password: PASSWORD, login_type: 'email', demo_id: '', auth_code: '' }
    const answer = await postForm(server(), '/api/user/loginForU', fields)
    expect(dataOf<{ user: object }>(answer).user).toEqual(user)
  })

  test('a wrong password and an unknown account get exactly the same answer', async () => {
    const { email } = await newUser(server())
    const answers = [
      await logInAs(server(), email, { password: `${PASSWORD}!` }),
      await logInAs(server(), newEmail()),
      await logInAs(server(), '91230000', { login_type: 'mobile' }),
    ]
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body?.msg).toBe('The account or the password is wrong.')
  })

  test.each([
    [{ account: 'nobody' }, 'emailInvalid', 'account'],
    [{ login_type: 'mobile', account: 'nobody' }, 'phoneInvalid', 'account'],
    [{ account: ' ' }, 'fieldMissing', 'account'],
    [{ password: '' }, 'fieldMissing', 'password'],
  ])('what can be no account is refused by its field, and is no guess: %j', async (given, reason, field) => {
    const answer = await logInAs(server(), newEmail(), given)
    expect(answer.body?.data).toMatchObject({ reason, field })
  })

  test('a wrong password and an unknown account take the same time', async () => {
    const { email } = await newUser(server())
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
    // Without checking a password for an unknown account, its answer would take a fraction of the time.
    expect(median(unknown)).toBeGreaterThan(median(known) * 0.5)
  })

  test('a session is listed for its user, who can end it', async () => {
    const { email, token } = await newUser(server())
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

  test('a log-out everywhere ends every session of its user, on sockets too, and of no other user', async () => {
    const [{ email, token }, neighbour] = [await newUser(server()), await newUser(server())]
    const other = await tokenOf(email)
    const socket = await openSocket(server())
    socket.send({ type: 'login', params: other })
    await socket.next('login_result')
    expect((await post(server(), '/api/user/logout_all', {}, token)).body?.code).toBe(1)
    expect([await isIn(token), await isIn(other), await isIn(neighbour.token)]).toEqual([false, false, true])
    socket.send({ type: 'sub', params: 'FOREX_TRADE' })
    expect(await socket.next('refused')).toMatchObject({ code: 999 })
  })

  test('a session ends after a week without use, and after thirty days', async () => {
    const { email, token } = await newUser(server())
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

  test('a new browser or network is announced to the user once, in their language', async () => {
    const { email } = await newUser(server())
    await tokenOf(email)
    expect(await sentTo(server(), email)).toHaveLength(1)
    await tokenOf(email, { 'user-agent': 'Other/1', lang: 'hk' })
    await tokenOf(email, { 'user-agent': 'Other/1' })
    const [latest, ...before] = await sentTo(server(), email)
    expect(before).toHaveLength(1)
    expect(latest).toMatchObject({ subject: 'A new log-in to your account' })
    expect(latest?.body).toContain('Other/1, 127.0.0.1')
  })

  test('no password is stored in plain text', async () => {
    const { user } = await newUser(server())
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

  test('are counted per account, known or not, also concurrent ones', async () => {
    const { email } = await newUser(server())
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
    'are counted together however the address is written (%j), known or not',
    async (at) => {
      const { email } = await newUser(server())
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

  test('from one network do not lock out the owner in another; guesses from many networks are limited too', async () => {
    const { email } = await newUser(server())
    for (let count = 0; count < 60; count++) await guess(email, 'wrong', '192.0.2.2')
    expect(await guess(email, PASSWORD, '192.0.2.3')).toBe(200)
    const statuses: number[] = []
    for (let count = 0; count < 60; count++) statuses.push(await guess(email, 'wrong', `198.51.100.${count}`))
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(50)
  })
})

describe('failed log-ins from many networks', () => {
  // Ten times the limit of one network: twenty for each account from all networks.
  const server = serverOn('sqlite', {
    env: { SETTING_FAILED_LOGINS_PER_ACCOUNT: '2', TRUST_PROXY: 'loopback' },
  })
  const logIn = async (account: string, password: string, address: string, device = '') => {
    const headers = { 'x-forwarded-for': address, 'user-agent': device }
    return (await post(server(), '/api/user/loginForU', { account, password }, undefined, headers)).status
  }

  test('do not lock out the owner in a browser that has logged in before', async () => {
    const { email } = await newUser(server())
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
    // The answers do not reveal whether the account exists.
    expect(statuses[0]).toEqual(statuses[1])
    expect(statuses[0]?.filter((status) => status === 200)).toHaveLength(20)
    expect(await logIn(email, PASSWORD, home, 'Other/1')).toBe(429)
    expect(await logIn(email, PASSWORD, home, 'Own/1')).toBe(200)
    for (let count = 0; count < 2; count++) expect(await logIn(email, 'wrong', home, 'Own/1')).toBe(200)
    expect(await logIn(email, PASSWORD, home, 'Own/1')).toBe(429)
  })
})

describe('failed log-ins through a proxy that TRUST_PROXY does not name', () => {
  const server = serverOn('sqlite', {
    env: { SETTING_FAILED_LOGINS_PER_ADDRESS: '5', SETTING_FAILED_LOGINS_PER_ACCOUNT: '3' },
  })
  const logIn = async (body: object, client: string, device = 'Any/1') => {
    // A proxy appends its client to what the client has sent.
    const headers = { 'x-forwarded-for': `8.8.8.8, ${client}`, 'user-agent': device }
    return (await post(server(), '/api/user/loginForU', body, undefined, headers)).status
  }

  test('of unknown accounts do not block others behind the same proxy', async () => {
    const { email } = await newUser(server())
    const strangers: number[] = []
    for (let count = 0; count < 100; count++)
      strangers.push(await logIn({ account: newEmail(), password: 'wrong' }, '198.51.100.7'))
    expect(strangers.filter((status) => status === 200)).toHaveLength(5)
    expect(await logIn({ account: email, password: PASSWORD }, '192.0.2.1')).toBe(200)
  })

  test('of an account are limited as from all networks, whatever client the proxy names', async () => {
    const { email } = await newUser(server())
    expect(await logIn({ account: email, password: PASSWORD }, '192.0.2.9', 'Own/1')).toBe(200)
    const guesses: number[] = []
    for (let count = 0; count < 40; count++)
      guesses.push(await logIn({ account: email, password: 'wrong' }, `203.0.113.${count}`))
    expect(guesses.filter((status) => status === 200)).toHaveLength(30)
    expect(await logIn({ account: email, password: PASSWORD }, '192.0.2.9', 'Own/1')).toBe(200)
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

  test('are limited per hour: codes per target and address, captchas per address', async () => {
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

const CHROME = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
type ActivityRow = { Text: string; Device: string; Address: string }

describe.each(DATABASES)('a failed log-in, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', TRUST_PROXY: 'loopback' } })
  const logIn = ({ email }: Pick<TestUser, 'email'>, address: string, given: object) => {
    const headers = { 'x-forwarded-for': address, 'user-agent': CHROME }
    const body = { login_type: 'email', account: email, ...given }
    return post(server(), '/api/user/loginForU', body, undefined, headers)
  }
  const guess = (registered: Pick<TestUser, 'email'>, address: string) =>
    logIn(registered, address, { password: 'another otter 71' })
  const activity = async ({ token }: Pick<TestUser, 'token'>, lang = 'en') => {
    const answer = await call(server(), '/api/user/activity', { headers: { authorization: token, lang } })
    return dataOf<{ data: ActivityRow[] }>(answer).data
  }

  test('is listed in the activity of the account, with the type of device and a masked address', async () => {
    const registered = await newUser(server())
    await guess(registered, '203.0.113.7')
    await expect.poll(() => activity(registered)).toHaveLength(2)
    expect((await activity(registered))[0]).toMatchObject({
      Text: 'Log-in failed: wrong password',
      Device: 'Chrome · Android',
      Address: '203.0.113.*',
    })
    await guess(registered, '203.0.113.7')
    await guess(registered, '2001:db8:1:2::9')
    await expect
      .poll(async () => (await activity(registered)).map(({ Text, Address }) => [Text, Address]))
      .toEqual([
        ['Log-in failed: wrong password', '2001:db8:1:*'],
        ['Log-in failed 2 times within an hour: wrong password', '203.0.113.*'],
        ['Registered', expect.any(String)],
      ])
    expect((await activity(registered, 'hk'))[1]?.Text).toBe('一小時內登入失敗 2 次：密碼錯誤')
  })

  test('with a wrong code shows that the password was right; a log-in that only lacks its code is not listed', async () => {
    const registered = await newUser(server())
    const prepared = await post(
      server(),
      '/api/user/second_factor/prepare',
      { password: PASSWORD },
      registered.token,
    )
    const { secret } = dataOf<{ secret: string }>(prepared)
    const auth_code = totpCode(secret, pace.wall())
    await post(server(), '/api/user/second_factor/confirm', { auth_code }, registered.token)
    await logIn(registered, '203.0.113.7', { password: PASSWORD })
    await logIn(registered, '203.0.113.7', { password: PASSWORD, auth_code: '000000' })
    await expect
      .poll(async () => (await activity(registered)).map(({ Text }) => Text))
      .toEqual(['Log-in failed: correct password, wrong code', 'Authenticator app set up', 'Registered'])
  })

  test('adds few rows an hour from any number of networks, which are deleted after 90 days', async () => {
    const { user } = await newUser(server())
    const { queries } = server().deployment.database
    const origin = { device: CHROME, userId: user.id, kind: 'logInFailed' } as const
    const at = Math.floor(server().deployment.wallClock() / HOUR_MS) * HOUR_MS
    const rows = () =>
      queries
        .selectFrom('user_activity')
        .select(['address', 'times'])
        .where('user_id', '=', BigInt(user.id))
        .where('kind', '=', 'logInFailed')
        .execute()
    for (let network = 0; network < 40; network += 1)
      await recordFailedLogin(queries, { ...origin, at, address: `198.51.${network}.1` })
    expect(await rows()).toHaveLength(11)
    expect(await rows()).toContainEqual({ address: '', times: 30n })
    await recordFailedLogin(queries, { ...origin, at: at + HOUR_MS, address: '198.51.0.1' })
    expect(await rows()).toHaveLength(12)
    pass(91 * 24 * HOUR_MS)
    await recordFailedLogin(queries, { ...origin, at: at + 91 * 24 * HOUR_MS, address: '198.51.0.1' })
    expect(await rows()).toEqual([{ address: '198.51.0.*', times: 1n }])
  })
})

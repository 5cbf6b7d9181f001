import { describe, expect, test } from 'vitest'
import {
  application,
  codeSentTo,
  HONG_KONG,
  logInAs,
  movablePace,
  newEmail,
  newUser,
  PASSWORD,
  post,
  postForm,
  reasonOf,
  sentTo,
} from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const MINUTE_MS = 60_000
const JAPAN = 250
const BRITAIN = 158
type Area = { id: number; code: string; global_code: string; name: string; blocked: number }
type LoggedIn = { token: string; user: Record<string, unknown> }

describe.each(DATABASES)('registering, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })
  const send = (to: string, type = 1) => post(server(), '/api/notify/send_email', { to, type })
  const register = (email: string, given: object) =>
    post(server(), '/api/user/register', application(email, given))

  test('opens a real account with an empty balance, with a code sent to the address', async () => {
    const email = newEmail()
    expect((await send(email)).body).toEqual({ code: 1, msg: 'Done', data: null })
    const code = await codeSentTo(server(), email)
    const { account, ...fields } = application(email, { sms_code: code })
    const form = Object.fromEntries(
      Object.entries({ ...fields, account, key: '', mobile: '' }).map(([k, v]) => [k, String(v)]),
    )
    const { token, user } = dataOf<LoggedIn>(await postForm(server(), '/api/user/register', form))
    expect(user).toMatchObject({
      email,
      phone: null,
      area_code: null,
      is_demo: 0,
      review_status: 0,
      invite_code: expect.stringMatching(/^[0-9A-F]{16}$/),
    })
    const balance = await call(server(), '/v1/api/main/wallet/getBalance', {
      headers: { authorization: token },
    })
    expect(balance.body?.data).toEqual({ balance: 0 })
    expect(reasonOf(await logInAs(server(), email.toUpperCase()))).toBeNull()
  })

  test('by mobile phone needs the country, and the log-in works with or without it', async () => {
    const number = { area_id: HONG_KONG, to: '9123 4567' }
    await post(server(), '/api/notify/send_sms', { ...number, type: 1 })
    const [sms] = await sentTo(server(), '+85291234567')
    expect(sms).toMatchObject({ channel: 'sms', subject: '' })
    const code = await codeSentTo(server(), '+85291234567')
    const given = { type: 'mobile', account: '91234567', mobile: '91234567', sms_code: code }
    const { user } = dataOf<LoggedIn>(await register('', given))
    expect(user).toMatchObject({ email: null, phone: '91234567', area_code: '852' })
    const login = { login_type: 'mobile', account: '91234567' }
    expect(reasonOf(await logInAs(server(), '', login))).toBeNull()
    expect(reasonOf(await logInAs(server(), '', { ...login, area_id: HONG_KONG }))).toBeNull()
    expect(reasonOf(await logInAs(server(), '', { ...login, area_id: JAPAN }))).toBe('phoneInvalid')
    expect(reasonOf(await logInAs(server(), '', { ...login, area_id: 1 }))).toBe('areaInvalid')
  })

  test('by mobile phone reads a number alike in the code, the registration and every log-in', async () => {
    await post(server(), '/api/notify/send_sms', { area_id: BRITAIN, to: '+44 (0)7911 710003', type: 1 })
    const code = await codeSentTo(server(), '+447911710003')
    const given = { type: 'mobile', area_id: BRITAIN, account: '07911\u00a0710\u2011003', sms_code: code }
    const { user } = dataOf<LoggedIn>(await register('', given))
    expect(user).toMatchObject({ phone: '7911710003', area_code: '44' })
    const login = (account: string, area = {}) =>
      logInAs(server(), '', { login_type: 'mobile', account, ...area })
    for (const account of ['+44 7911710003', '+44 (0)7911 710003', '0044 7911.710003'])
      for (const area of [{}, { area_id: BRITAIN }])
        expect([account, reasonOf(await login(account, area))]).toEqual([account, null])
    for (const account of ['07911-710-003', '44 7911 710003', '7911\u202f710003'])
      expect([account, reasonOf(await login(account, { area_id: BRITAIN }))]).toEqual([account, null])
    // Without a country, as it is dialled at home: nobody else has these digits.
    for (const account of ['07911-710-003', '7911 710003'])
      expect([account, reasonOf(await login(account))]).toEqual([account, null])
    // With its calling code it is the same number whichever country is chosen.
    expect(reasonOf(await login('+44 7911710003', { area_id: HONG_KONG }))).toBeNull()
    expect(reasonOf(await login('07911710003', { area_id: HONG_KONG }))).toBe('phoneInvalid')
    pass(MINUTE_MS)
    await post(server(), '/api/notify/send_sms', { area_id: BRITAIN, to: '07911.710.003', type: 2 })
    const reset = {
      type: 'mobile',
      account: '+44 7911 710003',
      auth_code: await codeSentTo(server(), '+447911710003'),
      new_password: PASSWORD,
      secondary_password: PASSWORD,
    }
    expect(reasonOf(await post(server(), '/api/user/forget_password', reset))).toBeNull()
  })

  test.each([
    ['nothing', ''],
    ['spaces', ' \u00a0\u3000'],
    ['a number of another country', '+447911710003'],
    ['two digits', '12'],
    ['Arabic digits of another country', '+٤٤٧٩١١٧١٠٠٠٣'],
    ['NUL', '9123\u00004567'],
    ['marks of direction', '\u202d91234567\u202c'],
    ['an address', 'a@b.example'],
    ['10,000 digits', '9'.repeat(10_000)],
  ])('by mobile phone refuses %s in place of a number, naming the field', async (_what, number) => {
    const sms = await post(server(), '/api/notify/send_sms', { area_id: HONG_KONG, to: number, type: 1 })
    expect(sms.body?.data).toMatchObject({ reason: 'phoneInvalid', field: 'to' })
    const answer = await register('', { type: 'mobile', account: number })
    expect(answer.body?.data).toMatchObject({ reason: 'phoneInvalid', field: 'account' })
  })

  test('records the version of the accepted documents, with time and language', async () => {
    const { user } = await newUser(server())
    const { version } = dataOf<{ version: string }>(await call(server(), '/api/default/consent'))
    const rows = await server()
      .deployment.database.queries.selectFrom('consent')
      .selectAll()
      .where('user_id', '=', BigInt(user.id))
      .execute()
    expect(rows).toMatchObject([{ version, language: 'en', address: '127.0.0.1' }])
  })

  test('records the inviter; refuses unknown codes and those of demo accounts', async () => {
    const inviter = await newUser(server())
    const invited = await newUser(server(), { invite_code: inviter.user.invite_code.toLowerCase() })
    const { queries } = server().deployment.database
    const row = await queries
      .selectFrom('member')
      .select('invited_by')
      .where('user_id', '=', BigInt(invited.user.id))
      .executeTakeFirst()
    expect(row?.invited_by).toBe(BigInt(inviter.user.id))
    await post(server(), '/api/user/createAccountDemoForU', {})
    const demo = await queries
      .selectFrom('app_user')
      .selectAll()
      .where('is_demo', '=', 1n)
      .executeTakeFirstOrThrow()
    for (const invite_code of [demo.invite_code, 'x', "' or 1=1", 'x\u0000', 'F'.repeat(16)])
      expect(reasonOf(await register(newEmail(), { invite_code }))).toBe('inviteCodeUnknown')
  })

  test('does not change a demo account', async () => {
    const demo = dataOf<{ demo_id: string }>(await post(server(), '/api/user/createAccountDemoForU', {}))
    const first = dataOf<LoggedIn>(await post(server(), '/api/user/loginForU', demo))
    await newUser(server())
    expect(dataOf<LoggedIn>(await post(server(), '/api/user/loginForU', demo)).user).toEqual(first.user)
  })

  test.each([
    [{ type: 'fax' }, 'notUnderstood'],
    [{ area_id: '' }, 'areaInvalid'],
    [{ area_id: 9_999 }, 'areaInvalid'],
    [{ account: 'nobody' }, 'emailInvalid'],
    [{ account: 'a@b' }, 'emailInvalid'],
    [{ account: 'a\r\nbcc: b@c.example' }, 'emailInvalid'],
    [{ account: 'аlice@mail.example' }, 'emailInvalid'],
    [{ account: `${'x'.repeat(60_000)}@mail.example` }, 'emailInvalid'],
    [{ type: 'mobile', account: '12' }, 'phoneInvalid'],
    [{ type: 'mobile', account: '９１２３４５' }, 'phoneInvalid'],
    [{ re_password: `${PASSWORD}!` }, 'passwordsDiffer'],
    [{ password: 'short', re_password: 'short' }, 'passwordTooShort'],
    [{ password: 'x'.repeat(129), re_password: 'x'.repeat(129) }, 'passwordTooLong'],
    [{ password: 'Password123', re_password: 'Password123' }, 'passwordCommon'],
    [{ consent: 0 }, 'consentMissing'],
    [{ consent: undefined }, 'consentMissing'],
    [{ consent_version: '1999-01-01' }, 'consentOutdated'],
    [{ sms_code: '' }, 'codeWrong'],
    [{ sms_code: '１２３４５６' }, 'codeWrong'],
    [{ sms_code: 123_456 }, 'notUnderstood'],
  ])('is refused for %j: %s', async (given, reason) => {
    const before = server().deployment.engine.state().accounts.size
    expect(reasonOf(await register(newEmail(), given))).toBe(reason)
    expect(server().deployment.engine.state().accounts.size).toBe(before)
  })

  test('lists all countries, the preselected one second, with the blocked ones flagged', async () => {
    const answer = await call(server(), '/api/default/area_list', { headers: { lang: 'en' } })
    const areas = dataOf<Area[]>(answer)
    expect(areas.length).toBeGreaterThan(200)
    expect(areas[1]).toEqual({
      id: HONG_KONG,
      code: 'HK',
      global_code: '852',
      name: 'Hong Kong SAR China',
      blocked: 0,
    })
    const blocked = areas.filter((area) => area.blocked === 1).map(({ code }) => code)
    expect(blocked.toSorted()).toEqual(['CN', 'CU', 'IL', 'KP', 'VU'])
    const inFrench = dataOf<Area[]>(
      await call(server(), '/api/default/area_list', { headers: { lang: 'fr' } }),
    )
    expect(inFrench.find(({ code }) => code === 'DE')?.name).toBe('Allemagne')
  })

  test.each(['CN', 'CU', 'IL', 'KP', 'VU'])('refuses users from %s with the policy', async (code) => {
    const areas = dataOf<Area[]>(await call(server(), '/api/default/area_list', { headers: { lang: 'en' } }))
    const area = areas.find((one) => one.code === code)
    const answer = await register(newEmail(), { area_id: area?.id })
    expect([reasonOf(answer), answer.body?.msg]).toEqual([
      'areaBlocked',
      `For policy reasons we do not provide services to people in ${area?.name}.`,
    ])
    const sms = { area_id: area?.id, to: '13812345678', type: 1 }
    expect(reasonOf(await post(server(), '/api/notify/send_sms', sms))).toBe('areaBlocked')
  })

  test('with an address that has an account gets the same answers; only the message differs', async () => {
    const { email } = await newUser(server())
    const unknown = newEmail()
    pass(MINUTE_MS)
    expect((await send(email)).text).toBe((await send(unknown)).text)
    const [toOwner] = await sentTo(server(), email)
    expect(toOwner?.body).toContain('already has an account')
    expect(toOwner?.body).not.toMatch(/\d{6}/)
    const tried = [
      await register(email, { sms_code: '000000' }),
      await register(unknown, { sms_code: '000000' }),
    ]
    expect(tried[0]?.text).toBe(tried[1]?.text)
  })
})

describe.each(DATABASES)('a code, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })
  const send = (to: string, type = 1) => post(server(), '/api/notify/send_email', { to, type })
  const register = async (email: string, sms_code: string, given: object = {}) =>
    reasonOf(await post(server(), '/api/user/register', application(email, { sms_code, ...given })))

  test('is sent once in 60 seconds: a second request gets the same answer, and the first code stays valid', async () => {
    const email = newEmail()
    const answers = [await send(email), await send(email)]
    const code = await codeSentTo(server(), email)
    pass(MINUTE_MS - 5_000)
    answers.push(await send(email))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await sentTo(server(), email)).toHaveLength(1)
    expect(await register(email, code)).toBeNull()
  })

  test('requested many times at once is sent once', async () => {
    const email = newEmail()
    await Promise.all(Array.from({ length: 20 }, () => send(email)))
    expect(await sentTo(server(), email)).toHaveLength(1)
  })

  test('is replaced by the next, after 60 seconds', async () => {
    const email = newEmail()
    await send(email)
    const first = await codeSentTo(server(), email)
    pass(MINUTE_MS)
    await send(email)
    const second = await codeSentTo(server(), email)
    expect(await sentTo(server(), email)).toHaveLength(2)
    if (first !== second) expect(await register(email, first)).toBe('codeWrong')
    expect(await register(email, second)).toBeNull()
  })

  test('is valid for ten minutes', async () => {
    const [early, late] = [newEmail(), newEmail()]
    await send(early)
    await send(late)
    pass(9.9 * MINUTE_MS)
    expect(await register(early, await codeSentTo(server(), early))).toBeNull()
    pass(0.2 * MINUTE_MS)
    expect(await register(late, await codeSentTo(server(), late))).toBe('codeWrong')
  })

  test('is valid for five attempts, also concurrent ones', async () => {
    const email = newEmail()
    await send(email)
    const code = await codeSentTo(server(), email)
    const wrong = (index: number) => String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0')
    await Promise.all(Array.from({ length: 5 }, (_, index) => register(email, wrong(index))))
    expect(await register(email, code)).toBe('codeWrong')
  })

  test('stays valid after four wrong attempts and other refusals, and is used up by success', async () => {
    const email = newEmail()
    await send(email)
    const code = await codeSentTo(server(), email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 4; tries++) expect(await register(email, wrong)).toBe('codeWrong')
    expect(await register(email, code, { consent: 0 })).toBe('consentMissing')
    expect(await register(email, code)).toBeNull()
    expect(await register(email, code)).toBe('codeWrong')
  })

  test('registers one account, also if sent several times at once', async () => {
    const email = newEmail()
    await send(email)
    const code = await codeSentTo(server(), email)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => register(email, code)))
    expect(outcomes.filter((reason) => reason === null)).toHaveLength(1)
  })

  test('is bound to its target and its purpose', async () => {
    const [one, other] = [newEmail(), newEmail()]
    await send(one)
    const code = await codeSentTo(server(), one)
    await send(other)
    // One in a million is the other's own code.
    if (code !== (await codeSentTo(server(), other))) expect(await register(other, code)).toBe('codeWrong')
    const { email } = await newUser(server())
    pass(MINUTE_MS)
    await send(email, 2)
    const reset = await codeSentTo(server(), email)
    expect(await register(email, reset)).toBe('codeWrong')
  })
})

describe('registration modes', () => {
  describe('e-mail only', () => {
    const server = serverOn('sqlite', { env: { SETTING_REGISTRATION_MODE: 'email' } })
    test('refuses a mobile number', async () => {
      const body = application('', { type: 'mobile', account: '91234567' })
      const answer = await post(server(), '/api/user/register', body)
      expect([reasonOf(answer), answer.body?.msg]).toEqual([
        'registrationModeRefused',
        'You can register by e-mail only.',
      ])
    })
  })

  describe('with a captcha', () => {
    const server = serverOn('sqlite', { env: { SETTING_REGISTRATION_CHECK: 'captcha' } })
    test('needs the digits of a picture', async () => {
      const picture = await call(server(), '/api/notify/captcha')
      const { id, b64s } = dataOf<{ id: string; b64s: string }>(picture)
      expect(b64s).toMatch(/^data:image\/png;base64,/)
      const tried = application(newEmail(), { key: id, sms_code: 'wrong' })
      expect(reasonOf(await post(server(), '/api/user/register', tried))).toBe('captchaWrong')
      const unknown = application(newEmail(), { key: 'made up', sms_code: '12345' })
      expect(reasonOf(await post(server(), '/api/user/register', unknown))).toBe('captchaWrong')
    })
  })
})

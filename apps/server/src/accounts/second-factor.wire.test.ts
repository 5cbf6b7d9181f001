import { describe, expect, onTestFinished, test } from 'vitest'
import {
  codeSentTo,
  logInAs,
  movablePace,
  newUser,
  PASSWORD,
  post,
  reasonOf,
  sentTo,
} from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, makePlace, serverOn, startServer } from '../testing/running-server.ts'
import { newTotpSecret, totpCode } from '../platform/security/second-factor.ts'

const STEP_MS = 30_000

describe.each(DATABASES)('the second factor, %s', (kind) => {
  const { pace, pass, step } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: { FEED: 'ws://127.0.0.1:9', SETTING_FAILED_LOGINS_PER_ACCOUNT: '8' },
  })
  const path = (name: string) => `/api/user/second_factor${name}`
  const codeNow = (secret: string) => totpCode(secret, pace.wall())
  const status = async (token: string) =>
    dataOf<object>(await call(server(), path(''), { headers: { authorization: token } }))

  const withSecondFactor = async () => {
    const registered = await newUser(server())
    const prepared = await post(server(), path('/prepare'), { password: PASSWORD }, registered.token)
    const { secret, uri } = dataOf<{ secret: string; uri: string }>(prepared)
    const confirmed = await post(server(), path('/confirm'), { auth_code: codeNow(secret) }, registered.token)
    const { recovery_codes: codes } = dataOf<{ recovery_codes: string[] }>(confirmed)
    pass(STEP_MS)
    return { ...registered, secret, uri, codes }
  }

  test('is off until a code of the prepared secret is confirmed', async () => {
    const { token, email } = await newUser(server())
    expect(await status(token)).toEqual({ is_on: 0, has_app: 0, passkeys: 0, recovery_codes_left: 0 })
    expect(reasonOf(await post(server(), path('/prepare'), { password: 'wrong' }, token))).toBe(
      'passwordWrong',
    )
    const prepared = await post(server(), path('/prepare'), { password: PASSWORD }, token)
    const { secret, uri } = dataOf<{ secret: string; uri: string }>(prepared)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toContain(`secret=${secret}`)
    expect(reasonOf(await logInAs(server(), email))).toBeNull()
    expect(reasonOf(await post(server(), path('/confirm'), { auth_code: '000000' }, token))).toBe(
      'secondFactorWrong',
    )
    expect(await status(token)).toEqual({ is_on: 0, has_app: 0, passkeys: 0, recovery_codes_left: 0 })
  })

  test('needs a code at the log-in, after the password, and accepts each once', async () => {
    const { email, secret, token } = await withSecondFactor()
    expect(await status(token)).toEqual({ is_on: 1, has_app: 1, passkeys: 0, recovery_codes_left: 10 })
    expect(reasonOf(await logInAs(server(), email))).toBe('secondFactorNeeded')
    const auth_code = codeNow(secret)
    expect(reasonOf(await logInAs(server(), email, { auth_code, password: 'wrong' }))).toBe(
      'credentialsWrong',
    )
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => logInAs(server(), email, { auth_code })),
    )
    expect(outcomes.map(reasonOf).filter((reason) => reason === null)).toHaveLength(1)
    pass(STEP_MS)
    expect(reasonOf(await logInAs(server(), email, { auth_code }))).toBe('secondFactorWrong')
  })

  test.each([
    ['with the space that apps show', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['with a hyphen and spaces around', (code: string) => ` ${code.slice(0, 3)}\u2011${code.slice(3)}\u00a0`],
    ['in Arabic digits', (code: string) => code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')],
    [
      'in full-width digits',
      (code: string) => code.replace(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)] ?? ''),
    ],
  ])('accepts a code %s', async (_how, written) => {
    const { email, secret } = await withSecondFactor()
    expect(reasonOf(await logInAs(server(), email, { auth_code: written(codeNow(secret)) }))).toBeNull()
  })

  test('does not count what can be no code: a slip locks nobody out', async () => {
    const { email, secret } = await withSecondFactor()
    for (const slip of ['12345', '1234567', 'abc', '12.456', '–', 'x'.repeat(200), '٣٤', 'ABCD-EF012'])
      for (let round = 0; round < 2; round += 1)
        expect(reasonOf(await logInAs(server(), email, { auth_code: slip }))).toBe('secondFactorWrong')
    expect(reasonOf(await logInAs(server(), email, { auth_code: codeNow(secret) }))).toBeNull()
  })

  test('counts wrong codes at its set-up apart from those at the log-in, and slips at neither', async () => {
    const { token, email } = await newUser(server())
    const prepared = await post(server(), path('/prepare'), { password: PASSWORD }, token)
    const { secret } = dataOf<{ secret: string }>(prepared)
    for (const slip of ['1', '22', 'x', '4444', '55555', '', ' ', '7 7', '8'])
      await post(server(), path('/confirm'), { auth_code: slip }, token)
    // One less than the limit, which one more wrong code at the log-in would reach.
    for (let count = 0; count < 7; count += 1)
      expect(reasonOf(await post(server(), path('/confirm'), { auth_code: '000000' }, token))).toBe(
        'secondFactorWrong',
      )
    const spaced = codeNow(secret).replace(/(?<=^...)/, ' ')
    expect(reasonOf(await post(server(), path('/confirm'), { auth_code: spaced }, token))).toBeNull()
    pass(STEP_MS)
    expect(reasonOf(await logInAs(server(), email, { auth_code: '000000' }))).toBe('secondFactorWrong')
    expect(reasonOf(await logInAs(server(), email, { auth_code: codeNow(secret) }))).toBeNull()
  })

  test('accepts a recovery code once, however it is written', async () => {
    const { email, codes, token } = await withSecondFactor()
    expect(new Set(codes).size).toBe(10)
    const auth_code = ` ${(codes[0] ?? '').toLowerCase().replaceAll('-', ' ')} `
    expect(reasonOf(await logInAs(server(), email, { auth_code }))).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { auth_code }))).toBe('secondFactorWrong')
    expect(await status(token)).toEqual({ is_on: 1, has_app: 1, passkeys: 0, recovery_codes_left: 9 })
  })

  test('refuses recovery codes of other users', async () => {
    const [one, other] = [await withSecondFactor(), await withSecondFactor()]
    expect(reasonOf(await logInAs(server(), one.email, { auth_code: other.codes[0] }))).toBe(
      'secondFactorWrong',
    )
  })

  test('is refused after too many wrong codes', async () => {
    const { email, secret } = await withSecondFactor()
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => logInAs(server(), email, { auth_code: '123456' })),
    )
    expect(guesses.filter(({ status: given }) => given === 429).length).toBeGreaterThanOrEqual(12)
    expect((await logInAs(server(), email, { auth_code: codeNow(secret) })).status).toBe(429)
  })

  test('is needed to change the password and to switch it off, and changes are announced by mail', async () => {
    const { email, token, secret } = await withSecondFactor()
    const change = { old_password: PASSWORD, new_password: 'brisk heron 52 tide' }
    expect(reasonOf(await post(server(), '/api/user/amend_password', change, token))).toBe(
      'secondFactorNeeded',
    )
    const off = { password: PASSWORD, auth_code: '999999' }
    expect(reasonOf(await post(server(), path('/remove'), off, token))).toBe('secondFactorWrong')
    const right = { ...off, auth_code: codeNow(secret) }
    expect(reasonOf(await post(server(), path('/remove'), right, token))).toBeNull()
    expect(reasonOf(await post(server(), path('/remove'), right, token))).toBe('secondFactorOff')
    expect(reasonOf(await logInAs(server(), email))).toBeNull()
    expect((await sentTo(server(), email)).map(({ subject }) => subject).slice(0, 2)).toEqual([
      'Your authenticator app was removed',
      'Your second factor is on',
    ])
  })

  test('does not use up a code for a new password that is refused', async () => {
    const { token, codes } = await withSecondFactor()
    const change = (new_password: string) =>
      post(
        server(),
        '/api/user/amend_password',
        {
          old_password: PASSWORD,
          new_password,
          auth_code: codes[0],
        },
        token,
      )
    expect(reasonOf(await change('password1'))).toBe('passwordCommon')
    expect(await status(token)).toEqual({ is_on: 1, has_app: 1, passkeys: 0, recovery_codes_left: 10 })
    expect(reasonOf(await change('brisk heron 52 tide'))).toBeNull()
  })

  test('cannot be replaced without switching it off first', async () => {
    const { token, secret } = await withSecondFactor()
    expect(reasonOf(await post(server(), path('/prepare'), { password: PASSWORD }, token))).toBe(
      'secondFactorOn',
    )
    const again = { auth_code: codeNow(secret) }
    expect(reasonOf(await post(server(), path('/confirm'), again, token))).toBe('secondFactorOn')
  })

  test('follows the clock of the machine, forward and back, and accepts each code once', async () => {
    const { email, secret } = await withSecondFactor()
    for (const ms of [3_600_000, -7_200_000, 3_600_000]) {
      step(ms)
      pass(2 * STEP_MS)
      const auth_code = codeNow(secret)
      expect(reasonOf(await logInAs(server(), email, { auth_code }))).toBeNull()
      expect(reasonOf(await logInAs(server(), email, { auth_code }))).toBe('secondFactorWrong')
    }
  })

  test('stays on after the password is reset with a code', async () => {
    const { email, secret } = await withSecondFactor()
    pass(2 * STEP_MS)
    await post(server(), '/api/notify/send_email', { to: email, type: 2 })
    const next = 'brisk heron 52 tide'
    const reset = { type: 'email', account: email, new_password: next, secondary_password: next }
    const auth_code = await codeSentTo(server(), email)
    expect(reasonOf(await post(server(), '/api/user/forget_password', { ...reset, auth_code }))).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { password: next }))).toBe('secondFactorNeeded')
    const both = { password: next, auth_code: codeNow(secret) }
    expect(reasonOf(await logInAs(server(), email, both))).toBeNull()
  })

  test('stores no recovery code in plain text', async () => {
    const { codes } = await withSecondFactor()
    const rows = await server().deployment.database.queries.selectFrom('recovery_code').selectAll().execute()
    const kept = rows.map(({ code_hash: hash }) => hash).join(' ')
    expect(codes.every((code) => !kept.includes(code.replaceAll('-', '').toLowerCase()))).toBe(true)
    expect(rows.every(({ code_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  test('stores no secret in plain text', async () => {
    const { secret, user } = await withSecondFactor()
    const { queries } = server().deployment.database
    const row = await queries
      .selectFrom('second_factor')
      .select('secret')
      .where('user_id', '=', BigInt(user.id))
      .executeTakeFirstOrThrow()
    expect(row.secret).toMatch(/^v1\./)
    expect(row.secret).not.toContain(secret)
  })
})

test.each(DATABASES)(
  'a secret in plain text is encrypted at the next start and stays valid, %s',
  async (kind) => {
    const place = await makePlace(kind)
    onTestFinished(place.remove)
    const env = { FEED: 'ws://127.0.0.1:9' }
    const before = await startServer(place, { env })
    const { user, email } = await newUser(before)
    const secret = newTotpSecret()
    await before.deployment.database.queries
      .insertInto('second_factor')
      .values({ user_id: BigInt(user.id), secret, confirmed_at: 1n, last_step: 0n })
      .execute()
    await before.stop()
    const after = await startServer(place, { env })
    onTestFinished(() => after.stop())
    const { secret: kept } = await after.deployment.database.queries
      .selectFrom('second_factor')
      .select('secret')
      .executeTakeFirstOrThrow()
    expect(kept).toMatch(/^v1\./)
    const auth_code = totpCode(secret, after.deployment.wallClock())
    expect(reasonOf(await logInAs(after, email, { auth_code }))).toBeNull()
  },
)

import {
  addPasskey,
  bindReceivingMethod,
  changePassword,
  confirmSecondFactor,
  getSecondFactor,
  listActivity,
  listNotices,
  listPasskeys,
  logInByPasskey,
  passkeyCode,
  type PasskeyPurpose,
  type PasskeySignature,
  preparePasskey,
  preparePasskeyLogin,
  preparePasskeyProof,
  prepareSecondFactor,
  removePasskey,
  removeSecondFactor,
  renewRecoveryCodes,
  requestWithdrawal,
  valueOf,
  type Client,
} from '@fairlot/contract'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import {
  createPasskeyDevice,
  PASSKEY_ORIGIN,
  type PasskeyDevice,
} from '../../../../testing/passkey-device.ts'
import { totpCode } from '../platform/security/second-factor.ts'
import { logInAs, movablePace, newUser, PASSWORD, post, reasonOf, sentTo } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
import { methodForm, NO_QUOTE, setUpPayments, units } from '../testing/payments.ts'
import { DATABASES, makePlace, serverOn, startServer } from '../testing/running-server.ts'

const NO_PROOF = { password: null, authCode: null }
const BY_PASSWORD = { password: PASSWORD, authCode: null }
const MINUTE_MS = 60_000

type Api = Client<AbortSignal>

/** Adds a passkey of a device; the answer's recovery codes. */
async function add(client: Api, device: PasskeyDevice, proof: object = {}, name = 'Phone') {
  const challenge = valueOf(await client.call(preparePasskey, { ...BY_PASSWORD, ...proof }))
  return valueOf(await client.call(addPasskey, { name, passkey: device.make(challenge) })).recoveryCodes
}

/** A signature for one call of a purpose, as its code. */
const signFor = async (
  client: Api,
  device: PasskeyDevice,
  purpose: PasskeyPurpose,
  change: Parameters<PasskeyDevice['sign']>[1] = {},
) => passkeyCode(device.sign(valueOf(await client.call(preparePasskeyProof, { purpose })), change))

describe.each(DATABASES)('passkeys, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: {
      FEED: 'ws://127.0.0.1:9',
      PASSKEY_ORIGINS: PASSKEY_ORIGIN,
      SETTING_UNVERIFIED_MAY_WITHDRAW: '1',
      SETTING_FAILED_LOGINS_PER_ADDRESS: '1000',
    },
  })
  beforeAll(() => setUpPayments(server()))
  const owner = async (device = createPasskeyDevice()) => {
    const user = await newUser(server())
    const client = clientOf(server().url, user.token)
    const codes = await add(client, device)
    return { ...user, client, device, codes: codes ?? [] }
  }
  const visitor = () => clientOf(server().url)
  const logIn = async (
    device: PasskeyDevice,
    change: Parameters<PasskeyDevice['sign']>[1] = {},
    besides: Partial<PasskeySignature> = {},
  ) => {
    const challenge = valueOf(await visitor().call(preparePasskeyLogin, null))
    const passkey = { ...device.sign(challenge, change), ...besides }
    return visitor().call(logInByPasskey, { passkey })
  }

  test('log in without a password, on an account that keeps its session and its place', async () => {
    const { device, email, client } = await owner()
    const outcome = await logIn(device)
    expect(outcome).toMatchObject({ ok: true, value: { user: { email } } })
    const [seen] = valueOf(await client.call(listPasskeys, null)).passkeys
    expect(seen).toMatchObject({ id: device.id, name: 'Phone', isSynced: false, isOfOtherDomain: false })
    expect(seen?.usedAt).toBeGreaterThan(0)
    const { activities } = valueOf(await client.call(listActivity, { page: 1 }))
    expect(activities.map(({ text }) => text)).toEqual(expect.arrayContaining(['Logged in', 'Passkey added']))
  })

  test('the first one comes with recovery codes, a mail and a notice, and a password needs it or a code from then on', async () => {
    const { email, client, codes } = await owner()
    expect(codes).toHaveLength(10)
    expect(await sentTo(server(), email)).toContainEqual(
      expect.objectContaining({
        subject: 'A passkey was added to your account',
        body: expect.stringContaining('Phone'),
      }),
    )
    expect(valueOf(await client.call(listNotices, { page: 1, before: null })).notices[0]).toMatchObject({
      kind: 'passkeyAdded',
      group: 'security',
    })
    expect(valueOf(await client.call(getSecondFactor, null))).toEqual({
      isOn: true,
      hasApp: false,
      passkeys: 1,
      recoveryCodesLeft: 10,
    })
    expect(reasonOf(await logInAs(server(), email))).toBe('secondFactorNeeded')
    expect(reasonOf(await logInAs(server(), email, { auth_code: codes[0] }))).toBeNull()
    expect(reasonOf(await logInAs(server(), email, { auth_code: codes[0] }))).toBe('secondFactorWrong')
  })

  test('sign for a payout method, a withdrawal and a new password in place of a code', async () => {
    const user = await owner()
    const { client, device } = user
    expect(await client.call(bindReceivingMethod, methodForm())).toMatchObject({
      reason: 'secondFactorNeeded',
    })
    const authCode = await signFor(client, device, 'payoutMethod')
    const form = methodForm({ password: null, authCode })
    expect(await client.call(bindReceivingMethod, form)).toMatchObject({ ok: true })
    const methodId = await oldMethodOf(user)
    const withdraw = async (code: string | null) => {
      const asked = { currencyId: 1, amount: units(20), memo: '', methodId, authCode: code, ...NO_QUOTE }
      const outcome = await client.call(requestWithdrawal, asked)
      return outcome.ok ? null : outcome.reason
    }
    expect(await withdraw(null)).toBe('secondFactorNeeded')
    // The account is empty, which is found after the second factor.
    expect(await withdraw(await signFor(client, device, 'withdrawal'))).toBe('notEnoughMoney')
    const change = {
      contact: 'email',
      oldPassword: PASSWORD,
      newPassword: 'seven grey herons 8',
      authCode: await signFor(client, device, 'password'),
    } as const
    expect(await client.call(changePassword, change)).toMatchObject({ ok: true })
  })
  const oldMethodOf = async (user: Awaited<ReturnType<typeof owner>>) => {
    await server()
      .deployment.database.queries.updateTable('receiving_method')
      .set({ bound_at: 0n })
      .where('user_id', '=', BigInt(user.user.id))
      .execute()
    const row = await server()
      .deployment.database.queries.selectFrom('receiving_method')
      .select('id')
      .where('user_id', '=', BigInt(user.user.id))
      .executeTakeFirstOrThrow()
    return Number(row.id)
  }

  test('a signature counts for its purpose, its user and one call, within five minutes', async () => {
    const { client, device, email } = await owner()
    const bind = async (authCode: string) => {
      const outcome = await client.call(bindReceivingMethod, methodForm({ password: null, authCode }))
      return outcome.ok ? null : outcome.reason
    }
    // Another purpose, among them a log-in.
    expect(await bind(await signFor(client, device, 'withdrawal'))).toBe('passkeyExpired')
    const forLogin = valueOf(await visitor().call(preparePasskeyLogin, null))
    expect(await bind(passkeyCode(device.sign(forLogin)))).toBe('passkeyExpired')
    const forPayout = valueOf(await client.call(preparePasskeyProof, { purpose: 'payoutMethod' }))
    expect(await visitor().call(logInByPasskey, { passkey: device.sign(forPayout) })).toMatchObject({
      reason: 'passkeyExpired',
    })
    expect(reasonOf(await logInAs(server(), email, { auth_code: passkeyCode(device.sign(forPayout)) }))).toBe(
      'passkeyExpired',
    )
    // Another user's challenge and another user's key.
    const other = await owner()
    expect(await bind(await signFor(other.client, other.device, 'payoutMethod'))).toBe('passkeyExpired')
    expect(await bind(passkeyCode(other.device.sign(forPayout)))).toBe('passkeyUnknown')
    // Used, superseded, too old.
    const once = await signFor(client, device, 'payoutMethod')
    expect(await bind(once)).toBeNull()
    expect(await bind(once)).toBe('passkeyExpired')
    const earlier = await signFor(client, device, 'payoutMethod')
    await signFor(client, device, 'payoutMethod')
    expect(await bind(earlier)).toBe('passkeyExpired')
    const late = await signFor(client, device, 'payoutMethod')
    pass(5 * MINUTE_MS)
    expect(await bind(late)).toBe('passkeyExpired')
  })

  test('two log-ins with one challenge: one succeeds', async () => {
    const { device } = await owner()
    const challenge = valueOf(await visitor().call(preparePasskeyLogin, null))
    const passkey = device.sign(challenge)
    const outcomes = await Promise.all([1, 2, 3].map(() => visitor().call(logInByPasskey, { passkey })))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('a signature for another site, by another owner or of a device that did not check its user is refused', async () => {
    const { device } = await owner()
    const stranger = await owner()
    expect(await logIn(device, { origin: 'https://localhost.evil.example' })).toMatchObject({
      reason: 'passkeyWrong',
    })
    expect(await logIn(device, { origin: 'http://localhost:8081' })).toMatchObject({ reason: 'passkeyWrong' })
    expect(await logIn(device, { domain: 'evil.example' })).toMatchObject({ reason: 'passkeyWrong' })
    expect(await logIn(device, { isUserVerified: false })).toMatchObject({ reason: 'passkeyUnverified' })
    expect(await logIn(device, {}, { id: stranger.device.id })).toMatchObject({ reason: 'passkeyWrong' })
    expect(await logIn(device, {}, { handle: stranger.device.handle })).toMatchObject({
      reason: 'passkeyWrong',
    })
    expect(await logIn(createPasskeyDevice())).toMatchObject({ reason: 'passkeyUnknown' })
    expect(await logIn(device)).toMatchObject({ ok: true })
  })

  test('a counter that goes back is accepted from synced passkeys only', async () => {
    const back = async (device: PasskeyDevice) => {
      await owner(device)
      device.counter = 9
      expect(await logIn(device)).toMatchObject({ ok: true })
      device.counter = 4
      return logIn(device)
    }
    expect(await back(createPasskeyDevice({ isSynced: true }))).toMatchObject({ ok: true })
    expect(await back(createPasskeyDevice())).toMatchObject({ reason: 'passkeyWrong' })
    const uncounted = createPasskeyDevice({ counter: null })
    await owner(uncounted)
    expect(await logIn(uncounted)).toMatchObject({ ok: true })
    expect(await logIn(uncounted)).toMatchObject({ ok: true })
  })

  test('adding one needs a fresh proof, a device that checks its user, and a key that is not in use', async () => {
    const { client, device, codes } = await owner()
    const second = createPasskeyDevice()
    expect(await client.call(preparePasskey, BY_PASSWORD)).toMatchObject({ reason: 'secondFactorNeeded' })
    // The first passkey or a recovery code is the proof; there are codes already.
    const authCode = await signFor(client, device, 'passkeys')
    expect(await add(client, second, { password: null, authCode }, 'Key')).toBeNull()
    const prepare = async (index: number) =>
      valueOf(await client.call(preparePasskey, { ...NO_PROOF, authCode: codes[index] ?? '' }))
    const addAs = async (passkey: ReturnType<PasskeyDevice['make']>) =>
      client.call(addPasskey, { name: '', passkey })
    expect(await addAs(createPasskeyDevice({ isUserVerified: false }).make(await prepare(0)))).toMatchObject({
      reason: 'passkeyUnverified',
    })
    expect(await addAs(createPasskeyDevice({ domain: 'evil.example' }).make(await prepare(1)))).toMatchObject(
      { reason: 'passkeyWrong' },
    )
    expect(await addAs(second.make(await prepare(2)))).toMatchObject({ reason: 'passkeyTaken' })
    const challenge = await prepare(3)
    const other = await owner()
    const made = createPasskeyDevice().make(challenge)
    expect(await other.client.call(addPasskey, { name: '', passkey: made })).toMatchObject({
      reason: 'passkeyExpired',
    })
    expect(await addAs(made)).toMatchObject({ ok: true })
    expect(await addAs(made)).toMatchObject({ reason: 'passkeyExpired' })
    const names = valueOf(await client.call(listPasskeys, null)).passkeys.map(({ name }) => name)
    expect(names).toHaveLength(3)
    expect(names).not.toContain('')
  })

  test('a lost one is removed with another passkey, or with a recovery code after the password', async () => {
    const { client, email, device: lost, codes } = await owner()
    const second = createPasskeyDevice()
    await add(client, second, { password: null, authCode: await signFor(client, lost, 'passkeys') }, 'Key')
    const remove = async (id: string, authCode: string | null) => {
      const outcome = await client.call(removePasskey, { id, password: PASSWORD, authCode })
      return outcome.ok ? null : outcome.reason
    }
    expect(await remove(lost.id, null)).toBe('secondFactorNeeded')
    expect(await remove(lost.id, await signFor(client, second, 'passkeys'))).toBeNull()
    expect(await logIn(lost)).toMatchObject({ reason: 'passkeyUnknown' })
    const later = valueOf(
      await visitor().call(logInByPasskey, {
        passkey: second.sign(valueOf(await visitor().call(preparePasskeyLogin, null))),
      }),
    )
    expect(later.user.email).toBe(email)
    // The last one: the second factor is off, and its codes end.
    expect(await remove(second.id, codes[0] ?? '')).toBeNull()
    expect(valueOf(await client.call(getSecondFactor, null))).toMatchObject({
      isOn: false,
      recoveryCodesLeft: 0,
    })
    expect(reasonOf(await logInAs(server(), email))).toBeNull()
    expect((await sentTo(server(), email)).map(({ subject }) => subject)).toContain(
      'A passkey was removed from your account',
    )
    expect(await remove(second.id, null)).toBe('passkeyUnknown')
  })

  test('a single passkey without recovery codes does not remain: first new codes, or another passkey', async () => {
    const { client, device, user } = await owner()
    const second = createPasskeyDevice()
    await add(client, second, { password: null, authCode: await signFor(client, device, 'passkeys') }, 'Key')
    // As if all had been used.
    await server()
      .deployment.database.queries.deleteFrom('recovery_code')
      .where('user_id', '=', BigInt(user.id))
      .execute()
    const remove = async () =>
      client.call(removePasskey, {
        ...NO_PROOF,
        id: second.id,
        authCode: await signFor(client, device, 'passkeys'),
      })
    expect(await remove()).toMatchObject({ reason: 'passkeyReserveNeeded' })
    const proof = { ...NO_PROOF, authCode: await signFor(client, device, 'secondFactor') }
    const { recoveryCodes } = valueOf(await client.call(renewRecoveryCodes, proof))
    expect(recoveryCodes).toHaveLength(10)
    expect(await remove()).toMatchObject({ ok: true })
  })

  test('an authenticator app and passkeys stand beside each other', async () => {
    const { client, device } = await owner()
    expect(await client.call(prepareSecondFactor, BY_PASSWORD)).toMatchObject({
      reason: 'secondFactorNeeded',
    })
    const sign = () => signFor(client, device, 'secondFactor')
    const { secret } = valueOf(
      await client.call(prepareSecondFactor, { password: PASSWORD, authCode: await sign() }),
    )
    valueOf(await client.call(confirmSecondFactor, { authCode: totpCode(secret, pace.wall()) }))
    expect(valueOf(await client.call(getSecondFactor, null))).toMatchObject({ hasApp: true, passkeys: 1 })
    const removal = { password: PASSWORD, authCode: await sign() }
    expect(await client.call(removeSecondFactor, removal)).toMatchObject({ ok: true })
    expect(valueOf(await client.call(getSecondFactor, null))).toEqual({
      isOn: true,
      hasApp: false,
      passkeys: 1,
      recoveryCodesLeft: 10,
    })
  })

  test('what a maker states about its device is not read: its certificate could name any address', async () => {
    const device = createPasskeyDevice({ certificate: Buffer.from('http://127.0.0.1:9/revoked') })
    await owner(device)
    expect(await logIn(device)).toMatchObject({ ok: true })
  })

  test('more than twenty are refused', async () => {
    const { client, device } = await owner()
    for (let count = 1; count < 20; count += 1)
      await add(client, createPasskeyDevice(), {
        password: null,
        authCode: await signFor(client, device, 'passkeys'),
      })
    const proof = { ...NO_PROOF, authCode: await signFor(client, device, 'passkeys') }
    const challenge = valueOf(await client.call(preparePasskey, proof))
    const passkey = createPasskeyDevice().make(challenge)
    expect(await client.call(addPasskey, { name: 'One more', passkey })).toMatchObject({
      reason: 'tooManyPasskeys',
    })
  })

  test.each([
    ['no bytes', { client_data: '!' }],
    ['bytes that are no JSON', { client_data: 'AAAA' }],
    ['JSON without a challenge', { client_data: Buffer.from('{"challenge":7}').toString('base64url') }],
    ['JSON that is no object', { client_data: Buffer.from('null').toString('base64url') }],
    ['no data of an authenticator', { authenticator_data: 'AA' }],
    ['a signature that is none', { signature: 'AAAA' }],
    ['nothing', { id: undefined }],
    ['an endless id', { id: 'a'.repeat(5_000) }],
  ])('a log-in with %s is refused', async (_name, change) => {
    const { device } = await owner()
    const { clientData, authenticatorData, handle, ...rest } = device.sign(
      valueOf(await visitor().call(preparePasskeyLogin, null)),
    )
    const passkey = {
      ...rest,
      client_data: clientData,
      authenticator_data: authenticatorData,
      user_handle: handle,
      ...change,
    }
    const answer = await post(server(), '/api/user/passkey/login', { passkey })
    expect(answer.status).toBe(200)
    expect(reasonOf(answer)).toMatch(/^(passkey|notUnderstood)/)
  })

  test.each(['AAAA', 'o2NmbXRkbm9uZQ', '_'.repeat(15_000), 'gICAgICAgICA', 'v_____'])(
    'a new passkey with the attestation %.12s… is refused',
    async (attestation) => {
      const { client, codes } = await owner()
      const challenge = valueOf(await client.call(preparePasskey, { ...NO_PROOF, authCode: codes[0] ?? '' }))
      const passkey = { ...createPasskeyDevice().make(challenge), attestation }
      expect(await client.call(addPasskey, { name: '', passkey })).toMatchObject({ reason: 'passkeyWrong' })
    },
  )

  test('a body of a megabyte is refused before it is read', async () => {
    const { token } = await owner()
    const body = { name: 'x'.repeat(1_000_000) }
    for (const path of ['/api/user/passkey/add', '/api/user/passkey/login']) {
      const answer = await call(server(), path, { headers: { authorization: token }, body })
      expect([path, answer.status]).toEqual([path, 413])
    }
  })
})

describe('the domain of passkeys', () => {
  test('is that of the setting; keys of another one remain, marked, and the start says so', async () => {
    const place = await makePlace('sqlite')
    onTestFinished(place.remove)
    const env = { FEED: 'ws://127.0.0.1:9' }
    const first = await startServer(place, { env: { ...env, PASSKEY_ORIGINS: PASSKEY_ORIGIN } })
    const user = await newUser(first)
    const device = createPasskeyDevice()
    const codes = await add(clientOf(first.url, user.token), device)
    await first.stop()

    const moved = await startServer(place, { env: { ...env, PASSKEY_DOMAIN: 'trade.example' } })
    onTestFinished(moved.stop)
    expect(moved.deployment.notices).toContainEqual(
      expect.stringMatching(/^passkeys that do not work at trade\.example: 1 of localhost\./),
    )
    const client = clientOf(moved.url, user.token)
    expect(valueOf(await client.call(listPasskeys, null)).passkeys).toMatchObject([{ isOfOtherDomain: true }])
    const challenge = valueOf(await clientOf(moved.url).call(preparePasskeyLogin, null))
    expect(challenge.domain).toBe('trade.example')
    const passkey = device.sign(challenge)
    expect(await clientOf(moved.url).call(logInByPasskey, { passkey })).toMatchObject({
      reason: 'passkeyUnknown',
    })
    expect(await client.call(preparePasskeyProof, { purpose: 'withdrawal' })).toMatchObject({
      reason: 'passkeyUnknown',
    })
    // The way back in.
    expect(reasonOf(await logInAs(moved, user.email, { auth_code: codes?.[0] }))).toBeNull()
  })

  test('without one, passkeys are refused and the rest works', async () => {
    const place = await makePlace('sqlite')
    onTestFinished(place.remove)
    const server = await startServer(place, {
      env: { FEED: 'ws://127.0.0.1:9', PUBLIC_URL: 'https://203.0.113.7' },
    })
    onTestFinished(server.stop)
    const { token } = await newUser(server)
    expect(await clientOf(server.url).call(preparePasskeyLogin, null)).toMatchObject({
      reason: 'passkeysOff',
    })
    expect(await clientOf(server.url, token).call(preparePasskey, BY_PASSWORD)).toMatchObject({
      reason: 'passkeysOff',
    })
  })
})

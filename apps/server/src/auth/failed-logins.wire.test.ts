import { describe, expect, test } from 'vitest'
import { movablePace, newMember, PASSWORD, post, type Member } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { totpCode } from './totp.ts'
import { noteFailedLogin } from './failed-logins.ts'

const HOUR_MS = 3_600_000
const CHROME = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
type Row = { Text: string; Device: string; Address: string }

describe.each(DATABASES)('a log-in that fails, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', TRUST_PROXY: 'loopback' } })
  const logIn = ({ email }: Pick<Member, 'email'>, address: string, given: object) => {
    const headers = { 'x-forwarded-for': address, 'user-agent': CHROME }
    const body = { login_type: 'email', account: email, ...given }
    return post(server(), '/api/user/loginForU', body, undefined, headers)
  }
  const guess = (member: Pick<Member, 'email'>, address: string) =>
    logIn(member, address, { password: 'another otter 71' })
  const activity = async ({ token }: Pick<Member, 'token'>, lang = 'en') => {
    const answer = await call(server(), '/api/user/activity', { headers: { authorization: token, lang } })
    return dataOf<{ data: Row[] }>(answer).data
  }

  test('stands in the list of the account, with the kind of device and a masked address', async () => {
    const member = await newMember(server())
    await guess(member, '203.0.113.7')
    await expect.poll(() => activity(member)).toHaveLength(2)
    expect((await activity(member))[0]).toMatchObject({
      ...{ Text: 'Log-in failed: wrong password', Device: 'Chrome · Android', Address: '203.0.113.*' },
    })
    await guess(member, '203.0.113.7')
    await guess(member, '2001:db8:1:2::9')
    await expect
      .poll(async () => (await activity(member)).map(({ Text, Address }) => [Text, Address]))
      .toEqual([
        ['Log-in failed: wrong password', '2001:db8:1:*'],
        ['Log-in failed 2 times within an hour: wrong password', '203.0.113.*'],
        ['Registered', expect.any(String)],
      ])
    expect((await activity(member, 'hk'))[1]?.Text).toBe('一小時內登入失敗 2 次：密碼錯誤')
  })

  test('by a wrong code says that the password was right; a log-in that only has to be completed is none', async () => {
    const member = await newMember(server())
    const prepared = await post(
      server(),
      '/api/user/second_factor/prepare',
      { password: PASSWORD },
      member.token,
    )
    const { secret } = dataOf<{ secret: string }>(prepared)
    const auth_code = totpCode(secret, pace.wall())
    await post(server(), '/api/user/second_factor/confirm', { auth_code }, member.token)
    await logIn(member, '203.0.113.7', { password: PASSWORD })
    await logIn(member, '203.0.113.7', { password: PASSWORD, auth_code: '000000' })
    await expect
      .poll(async () => (await activity(member)).map(({ Text }) => Text))
      .toEqual(['Log-in failed: right password, wrong code', 'Second factor switched on', 'Registered'])
  })

  test('fills no database: rows of an hour are few from however many networks, and they go', async () => {
    const { user } = await newMember(server())
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
      await noteFailedLogin(queries, { ...origin, at, address: `198.51.${network}.1` })
    expect(await rows()).toHaveLength(11)
    expect(await rows()).toContainEqual({ address: '', times: 30n })
    await noteFailedLogin(queries, { ...origin, at: at + HOUR_MS, address: '198.51.0.1' })
    expect(await rows()).toHaveLength(12)
    pass(91 * 24 * HOUR_MS)
    await noteFailedLogin(queries, { ...origin, at: at + 91 * 24 * HOUR_MS, address: '198.51.0.1' })
    expect(await rows()).toEqual([{ address: '198.51.0.*', times: 1n }])
  })
})

import { describe, expect, test } from 'vitest'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
describe.each(DATABASES)('sessions over the wire, %s', (kind) => {
  const server = serverOn(kind)
  const send = async (path: string, body: object | undefined, token?: string) =>
    call(server(), path, {
      headers: { lang: 'en', ...(token !== undefined && { authorization: token }) },
      ...(body && { body }),
    })
  const createDemo = async () =>
    dataOf<{ demo_id: string }>(await send('/api/user/createAccountDemoForU', {})).demo_id
  const logIn = (demoId: unknown) => send('/api/user/loginForU', { demo_id: demoId })
  const newToken = async () => dataOf<{ token: string }>(await logIn(await createDemo())).token

  test('a demo account has a secret of at least 128 bits, which logs in to it repeatedly', async () => {
    const created = await send('/api/user/createAccountDemoForU', {})
    expect(created.body).toEqual({
      code: 1,
      msg: 'Done',
      data: { demo_id: expect.stringMatching(/^[\w-]{22,}$/) },
    })
    const demoId = dataOf<{ demo_id: string }>(created).demo_id
    const [first, second] = [await logIn(demoId), await logIn(demoId)]
    const { token, user } = dataOf<{ token: string; user: Record<string, unknown> }>(first)
    expect(first.body).toEqual({
      code: 1,
      msg: 'Done',
      data: {
        token: expect.stringMatching(/^[\w-]{32}$/),
        user: {
          id: expect.any(Number),
          uid: String(100_000 + Number(user['id'])),
          email: null,
          phone: null,
          area_code: null,
          is_demo: 1,
          invite_code: null,
          credit_score: 100,
          review_status: 0,
        },
      },
    })
    expect(second.body?.data).toEqual({ token: expect.not.stringMatching(token), user })
    expect(dataOf(await send('/api/user/info', undefined, token))).toEqual(user)
  })

  test('each demo account is a new one, with the starting balance', async () => {
    const [one, other] = [await newToken(), await newToken()]
    const idOf = async (token: string) =>
      dataOf<{ id: number }>(await send('/api/user/info', undefined, token)).id
    expect(await idOf(one)).not.toBe(await idOf(other))
    const balance = await send('/v1/api/main/wallet/getBalance', undefined, one)
    expect(balance.body?.data).toEqual({ balance: 100000 })
  })

  test.each(['x', "' or 1=1 --", 'x'.repeat(10_000), '\u0000', '模擬'])(
    'an unknown demo id is refused: %j',
    async (demoId) => {
      const answer = await logIn(demoId)
      expect(answer).toMatchObject({ status: 200, body: { code: 0, data: { reason: 'demoIdUnknown' } } })
      expect(answer.body?.msg).toBe('There is no demo account with this id.')
    },
  )

  test.each([null, 1, true, [], {}])('a demo id that is not a string is refused: %j', async (demoId) => {
    expect((await logIn(demoId)).body).toMatchObject({
      code: 0,
      data: { reason: 'notUnderstood', field: 'demo_id' },
    })
  })

  test('a log-out ends its session at once, and no other', async () => {
    const demoId = await createDemo()
    const tokenOf = async () => dataOf<{ token: string }>(await logIn(demoId)).token
    const [leaving, staying] = [await tokenOf(), await tokenOf()]
    const isIn = async (token: string) => (await send('/api/user/info', undefined, token)).body?.code
    expect([await isIn(leaving), await isIn(staying)]).toEqual([1, 1])
    expect((await send('/api/user/logout', {}, leaving)).body).toEqual({ code: 1, msg: 'Done', data: null })
    expect([await isIn(leaving), await isIn(staying)]).toEqual([999, 1])
    expect((await send('/api/user/logout', {}, leaving)).body?.code).toBe(999)
  })

  test('a log-out ends the subscriptions of every socket of its session, and of no other', async () => {
    const demoId = await createDemo()
    const tokenOf = async () => dataOf<{ token: string }>(await logIn(demoId)).token
    const [leaving, staying] = [await tokenOf(), await tokenOf()]
    const sockets = await Promise.all(
      [leaving, leaving, leaving, staying].map(async (params) => {
        const socket = await openSocket(server())
        socket.send({ type: 'login', params })
        await socket.next('login_result')
        return socket
      }),
    )
    await send('/api/user/logout', {}, leaving)
    const refusals = await Promise.all(
      sockets.map(async (socket) => {
        socket.send({ type: 'sub', params: 'FOREX_TRADE' })
        await socket.settled()
        return socket.messages.find(({ type }) => type === 'refused')?.['code']
      }),
    )
    expect(refusals).toEqual([999, 999, 999, undefined])
  })

  test('a log-out during many calls still ends the session', async () => {
    const token = await newToken()
    const calls = Array.from({ length: 40 }, (_, index) =>
      index === 20 ? send('/api/user/logout', {}, token) : send('/api/user/info', undefined, token),
    )
    await Promise.all(calls)
    expect((await send('/api/user/info', undefined, token)).body?.code).toBe(999)
  })

  test('no secret is stored in plain text', async () => {
    const demoId = await createDemo()
    const { token } = dataOf<{ token: string }>(await logIn(demoId))
    const { queries } = server().deployment.database
    const rows = [
      await queries.selectFrom('app_user').selectAll().execute(),
      await queries.selectFrom('session').selectAll().execute(),
      await queries.selectFrom('journal').selectAll().execute(),
    ]
    const text = JSON.stringify(rows, (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(text).not.toContain(demoId)
    expect(text).not.toContain(token)
  })
})

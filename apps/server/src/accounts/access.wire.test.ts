import { ACCESS, ENDPOINTS, REFUSAL_REASONS, type Caller } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, post, reasonOf, type TestUser } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

const CALLERS: readonly Caller[] = ['visitor', 'demo', 'real']
/** Older clients make some changes by GET: that route needs the same checks. */
const WAYS = ENDPOINTS.flatMap((endpoint) => [
  endpoint,
  ...(endpoint.alsoGet ? [{ ...endpoint, method: 'GET' as const }] : []),
])
const CELLS = WAYS.flatMap((way) => CALLERS.map((caller) => ({ ...way, caller })))
/** These calls end their own session, so each gets a new one. */
const ENDING = new Set(['logOut', 'logOutEverywhere', 'closeAccount'])

/** The expected refusal by access and caller, written by hand independently of the guard. */
const GUARD: Record<string, Record<Caller, string | null>> = {
  visitor: { visitor: null, demo: null, real: null },
  user: { visitor: 'sessionGone', demo: null, real: null },
  real: { visitor: 'sessionGone', demo: 'realOnly', real: null },
}

describe.each(DATABASES)('access of every caller to every endpoint, %s', (kind) => {
  const server = serverOn(kind)
  const newToken: Record<Caller, () => Promise<string | null>> = {
    visitor: () => Promise.resolve(null),
    demo: async () => (await newTrader(server())).token,
    real: async () => (await newUser(server())).token,
  }
  const kept = new Map<Caller, string | null>()
  beforeAll(async () => {
    for (const caller of CALLERS) kept.set(caller, await newToken[caller]())
  })

  test.each(CELLS)('$method $name by caller $caller', async ({ path, method, access, caller, name }) => {
    const token = ENDING.has(name) ? await newToken[caller]() : (kept.get(caller) ?? null)
    const headers = { lang: 'en', ...(token !== null && { authorization: token }) }
    const answer = await call(server(), path, { method, headers, ...(method === 'POST' && { body: {} }) })
    const reason = reasonOf(answer)
    const expected = GUARD[access]?.[caller] ?? null
    if (expected === null) expect(['sessionGone', 'realOnly']).not.toContain(reason)
    else expect([name, reason, answer.status]).toEqual([name, expected, 200])
    if (expected === 'realOnly')
      expect(answer.body?.msg).toBe(
        'This is for real accounts. Register or log in to a real account to use it.',
      )
  })

  test('the table refuses demo accounts what the specification reserves for real ones', () => {
    expect(ACCESS).toMatchObject({
      password: 'real',
      identity: 'real',
      invite: 'real',
      charge: 'real',
      withdraw: 'real',
      wallet: 'real',
      trading: 'user',
      market: 'visitor',
      signUp: 'visitor',
    })
    expect(REFUSAL_REASONS).toContain('realOnly')
  })
})

describe.each(DATABASES)("another user's data, %s", (kind) => {
  const server = serverOn(kind)
  let owner: Trader
  let stranger: TestUser
  let orderId: number
  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    owner = await newTrader(server())
    stranger = await newUser(server())
    orderId = (await owner.order()).id
  })

  test.each(['close', 'cancel_trade', 'set_stop_price', 'reverse', 'set_trailing'])(
    'an order is refused for %s like an unknown one',
    async (path) => {
      const body = (id: number) => ({
        id,
        target_profit_price: 2,
        stop_loss_price: 1,
        trailing_distance: 0.01,
        distance: 0.01,
      })
      const send = (id: number) => post(server(), `/v1/api/forex/${path}`, body(id), stranger.token)
      const [others, unknown] = [await send(orderId), await send(9_999_999)]
      expect(others.body?.code).toBe(0)
      expect(others.body?.msg).toBe(unknown.body?.msg)
    },
  )

  test('a session cannot be ended and is not listed', async () => {
    const own = await call(server(), '/api/user/sessions', { headers: { authorization: owner.token } })
    const [session] = dataOf<{ id: string }[]>(own)
    const end = await post(server(), '/api/user/session_end', { id: session?.id }, stranger.token)
    expect(reasonOf(end)).toBe('sessionUnknown')
    const list = await call(server(), '/api/user/sessions', { headers: { authorization: stranger.token } })
    expect(list.text).not.toContain(session?.id)
  })
})

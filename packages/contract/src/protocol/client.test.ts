import { describe, expect, it } from 'vitest'
import { CallError, createClient, valueOf, type ClientSetup, type Failure, type Fetch } from './client.ts'
import { getWalletBalance } from '../funds/funds.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { logIn } from '../accounts/login.ts'
import { getUser } from '../accounts/user.ts'
import { listInstruments } from '../market/market.ts'
import { cancelOrder, resetDemo } from '../trading/trading.ts'

type Sent = { url: string; request: Parameters<Fetch<AbortSignal>>[1] }

function setUp(answer: () => unknown, changes: Partial<ClientSetup<AbortSignal>> = {}) {
  const sent: Sent[] = []
  const gone: { isInitial: boolean }[] = []
  const shown: Failure[] = []
  const client = createClient<AbortSignal>({
    fetch: async (url, request) => {
      sent.push({ url, request })
      const body = answer()
      return { status: 200, text: async () => (typeof body === 'string' ? body : JSON.stringify(body)) }
    },
    baseUrl: 'https://fairlot.test',
    language: () => 'hk',
    token: () => 'a-token',
    now: () => 1_700_000_000_000,
    onSessionGone: (call) => gone.push(call),
    onFailure: (failure) => shown.push(failure),
    ...changes,
  })
  return { client, sent, gone, shown }
}

const balance = { code: 1, msg: 'done', data: { balance: 100000.5 } }
const refusal = { code: 0, msg: 'Not found', data: { reason: 'orderNotFound' } }

describe('a call that reads', () => {
  it('uses GET with language, token and time', async () => {
    const { client, sent } = setUp(() => balance)
    const outcome = await client.call(getWalletBalance, null)
    expect(outcome).toEqual({ ok: true, value: { balance: 100_000_500_000n }, message: 'done' })
    expect(sent).toEqual([
      {
        url: 'https://fairlot.test/v1/api/main/wallet/getBalance?t=1700000000000',
        request: { method: 'GET', headers: { lang: 'hk', authorization: 'a-token' } },
      },
    ])
  })

  it('escapes its parameters, and sends no token without one', async () => {
    const { client, sent } = setUp(() => ({ code: 1, data: [] }), { token: () => null })
    await client.call(listInstruments, { search: 'a&b=歐元' })
    expect(sent[0]?.url).toContain('trade_list?searchCurrency=a%26b%3D%E6%AD%90%E5%85%83&t=')
    expect(sent[0]?.request.headers).toEqual({ lang: 'hk' })
  })

  it('omits parameters without a value', async () => {
    const { client, sent } = setUp(() => ({ code: 1, data: [] }))
    await client.call(listInstruments, { search: null })
    expect(sent[0]?.url).toMatch(/trade_list\?t=\d+$/)
  })
})

describe('a call that changes something', () => {
  it('uses POST with a JSON body and its request id, without the time', async () => {
    const { client, sent } = setUp(() => refusal)
    await client.call(cancelOrder, { orderId: 7 }, { requestId: 'once' })
    expect(sent[0]).toEqual({
      url: 'https://fairlot.test/v1/api/forex/cancel_trade',
      request: {
        method: 'POST',
        headers: {
          lang: 'hk',
          authorization: 'a-token',
          'idempotency-key': 'once',
          'content-type': 'application/json',
        },
        body: '{"id":7}',
      },
    })
  })

  it('has an empty body without parameters', async () => {
    const { client, sent } = setUp(() => balance)
    await client.call(resetDemo, { start: null })
    expect(sent[0]?.request.body).toBe('{}')
  })
})

describe('a call that is form-encoded in the spec', () => {
  it('sends a form, without null fields', async () => {
    const { client, sent } = setUp(() => refusal, { token: () => null })
    await client.call(logIn, { contact: 'email', account: 'a b@c.example', password: 'p&q=+1' })
    expect(sent[0]?.request).toEqual({
      method: 'POST',
      headers: { lang: 'hk', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'login_type=email&account=a%20b%40c.example&password=p%26q%3D%2B1',
    })
    await client.call(logIn, { demoId: 'secret' })
    expect(new URLSearchParams(sent[1]?.request.body).get('demo_id')).toBe('secret')
  })

  it('is log-in, registration or a payout, and no other', () => {
    expect(ENDPOINTS.filter(({ isForm }) => isForm).map(({ path }) => path)).toEqual([
      '/api/user/loginForU',
      '/api/user/register',
      '/api/account/draw',
      '/api/wallet/bind_draw_method',
      '/api/wallet/del_draw_method',
    ])
  })
})

describe('a refusal', () => {
  it('is a value with its reason, and is shown', async () => {
    const { client, shown } = setUp(() => refusal)
    const outcome = await client.call(cancelOrder, { orderId: 7 })
    expect(outcome).toMatchObject({ ok: false, code: 0, reason: 'orderNotFound', message: 'Not found' })
    expect(shown).toEqual([outcome])
  })

  it('is not shown when the caller shows it itself', async () => {
    const { client, shown } = setUp(() => refusal)
    await client.call(cancelOrder, { orderId: 7 }, { silent: true })
    expect(shown).toEqual([])
  })

  it('is thrown for callers that use promises', async () => {
    const { client } = setUp(() => refusal)
    const outcome = await client.call(cancelOrder, { orderId: 7 })
    expect(() => valueOf(outcome)).toThrow(CallError)
    expect(() => valueOf(outcome)).toThrow('Not found')
  })
})

describe('an ended session', () => {
  const answer = () => ({ code: 999, msg: 'Please log in', data: null })

  it('is reported and shown', async () => {
    const { client, gone, shown } = setUp(answer)
    await client.call(getUser, null)
    expect(gone).toEqual([{ isInitial: false }])
    expect(shown).toMatchObject([{ reason: 'sessionGone', message: 'Please log in' }])
  })

  it('is not shown at the start of the app', async () => {
    const { client, gone, shown } = setUp(answer)
    await client.call(getUser, null, { initial: true })
    expect(gone).toEqual([{ isInitial: true }])
    expect(shown).toEqual([])
  })
})

describe('a call without an answer', () => {
  it('is a network failure without a response', async () => {
    const { client, shown } = setUp(() => balance, {
      fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    })
    expect(await client.call(getWalletBalance, null)).toMatchObject({
      reason: 'network',
      message: 'ERR_NETWORK',
    })
    expect(shown).toHaveLength(1)
  })

  it('is distinguished when the caller cancelled it, and never shown', async () => {
    const controller = new AbortController()
    const { client, shown } = setUp(() => balance, {
      fetch: async (_url, { signal }) => {
        controller.abort()
        signal?.throwIfAborted()
        throw new Error('was not cancelled')
      },
    })
    const outcome = await client.call(getWalletBalance, null, { signal: controller.signal })
    expect(outcome).toMatchObject({ ok: false, reason: 'cancelled' })
    expect(shown).toEqual([])
  })

  it.each(['<html>502</html>', '', 'null', '[]', '{"code":1,"msg":"","data":{"balance":"0x10"}}'])(
    'is unreadable when the body is %j',
    async (body) => {
      const { client } = setUp(() => body)
      expect(await client.call(getWalletBalance, null)).toMatchObject({
        reason: 'unreadable',
        message: 'HTTP 200',
      })
    },
  )
})

import { copyingOf, lots, type CopyingSettings } from '@fairlot/core'
import { getExposure, setUserStatus } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { newUser } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { setTerms } from '../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { verify } from '../verify/verify.ts'

type Row = Record<string, unknown>
type Answer = { code: number; msg: string; data: Row & { reason?: string } }

const COPY = { amount: 1_000, multiplier: 1, exposure: 30, stop_percent: 40 }

describe.each(DATABASES)('limits and ends of copying over the wire, %s', (kind) => {
  const server = serverOn(kind)
  const request = async (path: string, token: string | null, body?: object) => {
    const answer = await call(server(), path.startsWith('/') ? path : `/api/follow/${path}`, {
      headers: { lang: 'en', ...(token !== null && { authorization: token }) },
      ...(body && { body }),
    })
    expect(answer.status).toBeLessThan(500)
    return answer.body as Answer
  }
  const ok = async (path: string, token: string | null, body?: object) => {
    const answer = await request(path, token, body)
    if (answer.code !== 1) throw new Error(`${path}: ${answer.data?.reason} ${answer.msg}`)
    return answer.data
  }
  const reason = async (path: string, token: string | null, body?: object) =>
    (await request(path, token, body)).data?.reason
  const state = () => server().deployment.engine.state()

  let published = 0
  const newProvider = async () => {
    const trader = await newTrader(server())
    await ok('own_demo', (await newUser(server())).token, { demo_id: trader.demoId })
    const name = `Long way ${'abcdefghijklmnopqrstu'[(published += 1)]}`
    const own = await ok('publish', trader.token, { name, description: '', fee: 0 })
    return { ...trader, strategyId: (own['strategy'] as { id: number }).id }
  }
  const start = async ({ token }: Trader, strategyId: number, fields: object = {}) =>
    (await ok('start', token, { ...COPY, strategy_id: strategyId, ...fields }))['id'] as number
  const newCopiers = async (strategyId: number, count: number) => {
    const copiers: (Trader & { copyId: number })[] = []
    for (let index = 0; index < count; index += 1) {
      const trader = await newTrader(server())
      copiers.push({ ...trader, copyId: await start(trader, strategyId) })
    }
    return copiers
  }
  const withSettings = async (change: Partial<CopyingSettings>) => {
    const { settings } = state()
    const copying = { ...copyingOf(settings), ...change }
    await setTerms(server().deployment.engine, { kind: 'settings', settings: { ...settings, copying } })
  }
  const endsOf = (copiers: readonly (Trader & { copyId: number })[]) =>
    Promise.all(
      copiers.map(async ({ token, copyId }) => {
        const { copy } = (await ok(`copy?copy_id=${copyId}`, token)) as { copy: Row }
        return [copy['state'], copy['end_reason'], copy['positions'], copy['equity']]
      }),
    )

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await server().price('GBPUSD', [1.3, 1.30009])
  })

  test('a user has as many copies as the setting says, a provider as many copiers', async () => {
    expect(await ok('terms', null)).toMatchObject({ max_copies: 20 })
    expect(copyingOf(state().settings).maxCopiesPerProvider).toBe(2_000)
    await withSettings({ maxCopiesPerUser: 2, maxCopiesPerProvider: 3 })
    const providers = [await newProvider(), await newProvider(), await newProvider()] as const
    const copier = await newTrader(server())
    await start(copier, providers[0].strategyId)
    await start(copier, providers[1].strategyId)
    const third = { ...COPY, strategy_id: providers[2].strategyId }
    expect(await reason('start', copier.token, third)).toBe('tooManyCopies')
    await newCopiers(providers[0].strategyId, 2)
    const late = await newTrader(server())
    const full = { ...COPY, strategy_id: providers[0].strategyId }
    expect(await reason('start', late.token, full)).toBe('strategyFull')
    expect(await ok('copies', late.token)).toEqual({ data: [] })
    await withSettings({ maxCopiesPerUser: 20, maxCopiesPerProvider: 2_000 })
    await start(late, providers[0].strategyId)
  })

  test('stopping from two devices at once stops once, and tells the other', async () => {
    const { strategyId } = await newProvider()
    const [copier] = await newCopiers(strategyId, 1)
    const again = await ok('/api/user/loginForU', null, { demo_id: copier?.demoId })
    const body = { copy_id: copier?.copyId }
    const answers = await Promise.all([
      request('stop', copier?.token ?? '', body),
      request('stop', String(again['token']), body),
    ])
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1)
    const refused = answers.find(({ code }) => code !== 1)
    expect(['copyEnding', 'copyEnded']).toContain(refused?.data.reason)
    await expect.poll(() => endsOf([copier].flatMap((one) => one ?? []))).toEqual([['ended', 'owner', 0, 0]])
  })

  test('a provider who resets the demo ends all copies at the market', async () => {
    const provider = await newProvider()
    const copiers = await newCopiers(provider.strategyId, 4)
    await provider.order({ lots: lots(200_000) })
    expect(await endsOf(copiers)).toEqual(copiers.map(() => ['running', null, 1, expect.any(Number)]))
    await ok('/v1/api/main/user/resetForexDemoAccount', provider.token, {})
    await expect.poll(() => endsOf(copiers)).toEqual(copiers.map(() => ['ended', 'strategy_ended', 0, 0]))
    expect(await ok('mine', provider.token)).toMatchObject({ strategy: null, barrier: 'too_soon' })
    await expect
      .poll(() => ok(`strategy?id=${provider.strategyId}`, null), { timeout: 5_000 })
      .toMatchObject({ ended_as: 'demo_reset' })
  })

  test('a copier who resets the demo ends the copies first, and has the starting balance and no more', async () => {
    const provider = await newProvider()
    const copiers = await newCopiers(provider.strategyId, 2)
    await provider.order({ lots: lots(200_000) })
    const [copier] = copiers
    await ok('/v1/api/main/user/resetForexDemoAccount', copier?.token ?? null, {})
    const ends = [
      ['ended', 'owner_reset', 0, 0],
      ['running', null, 1, expect.any(Number)],
    ]
    expect(await endsOf(copiers)).toEqual(ends)
    const account = state().accounts.get(copier?.user.id ?? 0)
    expect(account?.available.balance).toBe(state().settings.demoBalance)
  })

  test('a provider who closes the account ends all copies', async () => {
    const provider = await newProvider()
    const copiers = await newCopiers(provider.strategyId, 3)
    const { id } = await provider.order({ lots: lots(200_000) })
    await ok('/v1/api/forex/close', provider.token, { id })
    await ok('/api/user/close', provider.token, {})
    await expect.poll(() => endsOf(copiers)).toEqual(copiers.map(() => ['ended', 'strategy_ended', 0, 0]))
  })

  test('a provider who is frozen opens nothing; what is open still closes in the copies', async () => {
    const provider = await newProvider()
    const copiers = await newCopiers(provider.strategyId, 3)
    const { id } = await provider.order({ lots: lots(200_000) })
    const compliance = await atDesk(server(), 'compliance')
    const freeze = { id: provider.user.id, before: 'active', status: 'frozen', reason: 'a check' } as const
    await compliance.request(setUserStatus, freeze)
    expect(await ok('mine', provider.token)).toMatchObject({ strategy: { copiers: 3 } })
    const ticket = { type: 1, cont: 1, forex_id: 1, status: 1, multiple: 30 }
    expect(await reason('/v1/api/forex/submit', provider.token, ticket)).toBe('accountFrozen')
    expect(await endsOf(copiers)).toEqual(copiers.map(() => ['running', null, 1, expect.any(Number)]))
    const { copy } = (await ok(`copy?copy_id=${copiers[0]?.copyId}`, copiers[0]?.token ?? null)) as {
      copy: Row
    }
    expect(copy['frozen_until']).toEqual(expect.any(Number))
    await ok('/v1/api/forex/close', provider.token, { id })
    expect(await endsOf(copiers)).toEqual(copiers.map(() => ['running', null, 0, expect.any(Number)]))
  })

  test('the exposure of the desk counts the positions of copies', async () => {
    const provider = await newProvider()
    await newCopiers(provider.strategyId, 2)
    const risk = await atDesk(server(), 'dealing')
    const positions = async () => {
      const { instruments } = await risk.request(getExposure, { ledger: 'demo' })
      return instruments.find(({ code }) => code === 'EURUSD')?.positions ?? 0
    }
    const before = await positions()
    const { id } = await provider.order({ lots: lots(200_000) })
    await expect.poll(positions, { timeout: 10_000 }).toBe(before + 3)
    await ok('/v1/api/forex/close', provider.token, { id })
    await expect.poll(positions, { timeout: 10_000 }).toBe(before)
  })

  test('the journal verifies', async () => {
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})

import { copyingOf, lots } from '@fairlot/core'
import { listStrategyOrders, valueOf } from '@fairlot/contract'
import {
  closeUserOrder,
  decideApproval,
  hideStrategy,
  listDeskStrategies,
  listStrategyReports,
  listUserCopies,
  setStaff,
  showStrategy,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { decimal, newTrader, type Trader } from '../../../../testing/traders.ts'
import { totpCode } from '../platform/security/second-factor.ts'
import { newUser, PASSWORD, post } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { setTerms } from '../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
import { verify } from '../verify/verify.ts'

type Row = Record<string, unknown>
type Answer = { code: number; msg: string; data: Row & { reason?: string } }
type Fields = Readonly<Record<string, unknown>>

const COPY = { amount: 1_000, multiplier: 1, exposure: 30, stop_percent: 40 }

describe.each(DATABASES)('copying over the wire, %s', (kind) => {
  const server = serverOn(kind)
  const request = async (path: string, token: string | null, body?: object, headers: object = {}) => {
    const answer = await call(server(), `/api/follow/${path}`, {
      headers: { lang: 'en', ...(token !== null && { authorization: token }), ...headers },
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
  const rowsOf = (data: Row) => data['data'] as Row[]

  const noticesOf = async (token: string) => {
    const answer = await call(server(), '/api/notice/list', {
      headers: { lang: 'en', authorization: token },
    })
    return (answer.body as Answer).data['data']
  }

  let published = 0
  /** A demo account with a registered person behind it. */
  const newOwnDemo = async (owner?: { readonly token: string }) => {
    const trader = await newTrader(server())
    await ok('own_demo', (owner ?? (await newUser(server()))).token, { demo_id: trader.demoId })
    return trader
  }
  /** A provider with a published strategy. */
  const newProvider = async (fields: Fields = {}) => {
    const trader = await newOwnDemo()
    published += 1
    const name = `Steady hands ${'abcdefghjkmnprstwxyz'[published]}`
    const form = { name, description: 'Few orders, small ones.', fee: 20, ...fields }
    const own = await ok('publish', trader.token, form)
    const strategy = own['strategy'] as Row & { id: number; name: string }
    return { ...trader, strategy }
  }
  const startCopy = async (trader: Trader, strategyId: number, fields: Fields = {}) =>
    (await ok('start', trader.token, { ...COPY, strategy_id: strategyId, ...fields })) as Row & { id: number }

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await server().price('GBPUSD', [1.3, 1.30009])
  })

  describe('publishing', () => {
    test('shows the strategy to its owner and to visitors, without the number of the account', async () => {
      const provider = await newProvider({ name: 'Plain sailing', fee: 12.5 })
      expect(await ok('mine', provider.token)).toMatchObject({
        strategy: { name: 'Plain sailing', kind: 'demo', fee: 12.5, copiers: 0, hidden_for: null },
        barrier: null,
        max_fee: 30,
      })
      await expect
        .poll(async () => rowsOf(await ok('strategies?kind=demo', null)), { timeout: 5_000 })
        .toMatchObject([{ name: 'Plain sailing', too_short: 1, orders: 0, ended_at: null, fee: 12.5 }])
      expect(await ok(`strategy?id=${provider.strategy.id}`, null)).not.toHaveProperty('UserId')
      expect(rowsOf(await ok('strategies', null))).toEqual([])
    })

    test.each([
      ['a script', '<script>alert(1)</script>', 'strategyNameInvalid'],
      ['a mark that changes the direction', 'abc\u202Edef', 'strategyNameInvalid'],
      ['letters of two scripts', 'Stеady hands', 'strategyNameInvalid'],
      ['the name of the operator', 'FairIot Pro', 'strategyNameOfOperator'],
    ])('refuses a name with %s', async (_, name, refused) => {
      const { token } = await newOwnDemo()
      expect(await reason('publish', token, { name, description: '', fee: 0 })).toBe(refused)
      expect((await ok('mine', token))['strategy']).toBeNull()
    })

    test('refuses a name that looks like that of somebody else, and lets its owner keep it', async () => {
      const provider = await newProvider({ name: 'Quiet river' })
      const { token } = await newOwnDemo()
      expect(await reason('publish', token, { name: 'Qu1et RIVER', description: '', fee: 0 })).toBe(
        'strategyNameTaken',
      )
      const again = { name: 'Quiet River', description: 'New words.', fee: 20 }
      expect((await ok('publish', provider.token, again))['strategy']).toMatchObject({
        id: provider.strategy.id,
        name: 'Quiet River',
        description: 'New words.',
      })
    })

    test('changes the fee for copies that start afterwards; running ones keep theirs', async () => {
      const provider = await newProvider()
      const { id, name } = provider.strategy
      const setFee = (fee: number) => ok('publish', provider.token, { name, description: '', fee })
      const first = await newTrader(server())
      const kept = await startCopy(first, id, { fee: 20 })
      expect(await setFee(25)).toMatchObject({ strategy: { id, fee: 25, copiers: 1 } })
      const second = await newTrader(server())
      const form = { ...COPY, strategy_id: id }
      expect(await reason('start', second.token, { ...form, fee: 20 })).toBe('copyFeeRaised')
      const query = (fee: string) => `dry_run?strategy_id=${id}&amount=1000${fee}`
      expect(await reason(query('&fee=20'), second.token)).toBe('copyFeeRaised')
      await ok(query('&fee=25'), second.token)
      await ok(query(''), second.token)
      expect(await ok('copies', second.token)).toMatchObject({ data: [] })
      expect(await startCopy(second, id, { fee: 25 })).toMatchObject({ fee: 25 })
      expect(await startCopy(await newTrader(server()), id)).toMatchObject({ fee: 25 })
      await setFee(10)
      expect(await startCopy(await newTrader(server()), id, { fee: 25 })).toMatchObject({ fee: 10 })
      expect(await ok(`copy?copy_id=${kept.id}`, first.token)).toMatchObject({ copy: { fee: 20 } })
      await expect
        .poll(async () => (await request(`strategy?id=${id}`, null)).data, { timeout: 5_000 })
        .toMatchObject({ fee: 10 })
      expect(await reason('publish', provider.token, { name, description: '', fee: 30.1 })).toBe(
        'feeShareInvalid',
      )
      expect(await ok('mine', provider.token)).toMatchObject({ strategy: { fee: 10 } })
    })

    test('refuses a fee above the highest, and a long description', async () => {
      const { token } = await newOwnDemo()
      const other = { name: 'High price', description: '', fee: 31 }
      expect(await reason('publish', token, other)).toBe('feeShareInvalid')
      expect(await reason('publish', token, { ...other, fee: -1 })).toBe('feeShareInvalid')
      const long = { ...other, fee: 0, description: 'x'.repeat(1_001) }
      expect(await reason('publish', token, long)).toBe('textTooLong')
    })

    test('needs a verified identity where real money is traded', async () => {
      const { token } = await newUser(server())
      expect(await ok('mine', token)).toMatchObject({ barrier: 'copying_off' })
      const { engine } = server().deployment
      const { settings } = engine.state()
      const copying = { ...copyingOf(settings), isRealOn: true, legalBasis: 'A law.' }
      await setTerms(engine, { kind: 'settings', settings: { ...settings, copying } })
      expect(await ok('mine', token)).toMatchObject({ barrier: 'identity' })
      expect(await reason('publish', token, { name: 'Real thing', description: '', fee: 0 })).toBe(
        'strategyNeedsIdentity',
      )
      expect(await ok('terms', null)).toMatchObject({ real: 1, legal_basis: 'A law.', ranked_after_days: 21 })
    })

    describe('of a demo account', () => {
      const FORM = { name: 'Paper boats', description: '', fee: 0 }

      test('needs a registered person, who has named the account as theirs by its secret', async () => {
        const demo = await newTrader(server())
        expect(await ok('mine', demo.token)).toMatchObject({ barrier: 'registration' })
        expect(await reason('publish', demo.token, FORM)).toBe('strategyNeedsRegistration')
        const owner = await newUser(server())
        expect(await reason('own_demo', demo.token, { demo_id: demo.demoId })).toBe('realOnly')
        expect(await reason('own_demo', owner.token, { demo_id: `${demo.demoId}x` })).toBe('demoIdUnknown')
        expect(await ok('own_demo', owner.token, { demo_id: demo.demoId })).toBeNull()
        expect(await ok('own_demo', owner.token, { demo_id: demo.demoId })).toBeNull()
        const other = await newUser(server())
        expect(await reason('own_demo', other.token, { demo_id: demo.demoId })).toBe('demoOfAnother')
        expect(await ok('publish', demo.token, FORM)).toMatchObject({ strategy: { name: 'Paper boats' } })
      })

      test('cannot be named as one’s own while it copies one’s own strategy', async () => {
        const owner = await newUser(server())
        const provider = await newOwnDemo(owner)
        const form = { ...FORM, name: 'Nobody but me' }
        const { strategy } = (await ok('publish', provider.token, form)) as { strategy: Row & { id: number } }
        const unknown = await newTrader(server())
        const copy = await startCopy(unknown, strategy.id)
        const claim = { demo_id: unknown.demoId }
        expect(await reason('own_demo', owner.token, claim)).toBe('demoCopiesOwnStrategy')
        await ok('stop', unknown.token, { copy_id: copy.id })
        expect(await ok('own_demo', owner.token, claim)).toBeNull()
      })

      test('is for one account of a person at a time, and nobody copies or reports the own one', async () => {
        const owner = await newUser(server())
        const [first, second] = [await newOwnDemo(owner), await newOwnDemo(owner)]
        const form = { ...FORM, name: 'First of mine' }
        const { strategy } = (await ok('publish', first.token, form)) as { strategy: Row & { id: number } }
        expect(await ok('mine', second.token)).toMatchObject({ barrier: 'other_strategy' })
        expect(await reason('publish', second.token, FORM)).toBe('strategyRunning')
        expect(await reason('start', second.token, { ...COPY, strategy_id: strategy.id })).toBe('ownStrategy')
        expect(await reason('report', second.token, { id: strategy.id, reason: 'No.' })).toBe('ownStrategy')
        await ok('unpublish', first.token, {})
        const later = await ok('mine', second.token)
        expect(later).toMatchObject({ barrier: 'too_soon' })
        expect(Number(later['publishable_at'])).toBeGreaterThan(Date.now() + 29 * 86_400_000)
        expect(await reason('publish', second.token, FORM)).toBe('strategyTooSoon')
      })
    })

    describe('by people who work for the broker', () => {
      const FORM = { name: 'House money', description: '', fee: 0 }

      test('is refused once the desk has recorded it, and a running strategy is hidden', async () => {
        const owner = await newUser(server())
        const demo = await newOwnDemo(owner)
        const { strategy } = (await ok('publish', demo.token, FORM)) as { strategy: Row & { id: number } }
        const desk = await atDesk(server(), 'compliance')
        const reasonText = 'Answers the phone here.'
        const recorded = { id: owner.user.id, isStaff: true, reason: reasonText }
        expect(await desk.request(setStaff, recorded)).toEqual({ isStaff: true })
        expect(await reason(`strategy?id=${strategy.id}`, null)).toBe('strategyNotFound')
        expect(await ok('mine', demo.token)).toMatchObject({ strategy: { hidden_for: reasonText } })
        const copies = await desk.request(listUserCopies, { id: demo.user.id, page: 1 })
        expect(copies).toMatchObject({ isStaff: true, otherAccounts: [owner.user.id] })
        const another = await newOwnDemo(owner)
        expect(await ok('mine', another.token)).toMatchObject({ barrier: 'staff' })
        expect(await reason('publish', another.token, FORM)).toBe('strategyOfStaff')
        await desk.request(setStaff, { ...recorded, isStaff: false, reason: 'Has left.' })
        expect(await ok('mine', another.token)).toMatchObject({ barrier: 'other_strategy' })
      })

      test('is refused to a user whose e-mail address is the log-in name of an operator', async () => {
        const owner = await newUser(server())
        const demo = await newOwnDemo(owner)
        await atDesk(server(), 'support', owner.email)
        expect(await reason('publish', demo.token, FORM)).toBe('strategyOfStaff')
      })
    })

    test('ends once, and another strategy waits for 30 days', async () => {
      const provider = await newProvider()
      expect(await ok('unpublish', provider.token, {})).toBeNull()
      expect(await reason('unpublish', provider.token, {})).toBe('strategyNotFound')
      const again = { name: 'Second life', description: '', fee: 0 }
      expect(await reason('publish', provider.token, again)).toBe('strategyTooSoon')
      const mine = await ok('mine', provider.token)
      expect(mine).toMatchObject({ strategy: null, barrier: 'too_soon' })
      expect(Number(mine['publishable_at'])).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    })
  })

  describe('a report about a strategy', () => {
    test('is kept once for each user while it waits', async () => {
      const provider = await newProvider()
      const { id } = provider.strategy
      const { token } = await newTrader(server())
      await ok('report', token, { id, reason: 'It imitates somebody.' })
      await ok('report', token, { id, reason: 'It imitates somebody!' })
      const rows = await server()
        .deployment.database.queries.selectFrom('strategy_report')
        .select('reason')
        .where('strategy_id', '=', BigInt(id))
        .execute()
      expect(rows).toEqual([{ reason: 'It imitates somebody.' }])
      expect(await reason('report', token, { id, reason: ' ' })).toBe('reasonMissing')
      expect(await reason('report', token, { id: 999_999, reason: 'No.' })).toBe('strategyNotFound')
      expect(await reason('report', provider.token, { id, reason: 'Mine.' })).toBe('ownStrategy')
    })
  })

  describe('the ranking by open loss', () => {
    test('begins with strategies that have none, and ends with the largest', async () => {
      const losers = [await newProvider(), await newProvider(), await newProvider()] as const
      const [large, none, small] = losers
      await large.order({ lots: lots(200_000) })
      await small.order({ lots: lots(10_000) })
      const ids = losers.map(({ strategy }) => strategy.id)
      const listed = async () =>
        rowsOf(await ok('strategies?kind=demo&sort=open_loss', null)).filter(({ id }) =>
          ids.includes(id as number),
        )
      await expect
        .poll(async () => (await listed()).map(({ id }) => id), { timeout: 5_000 })
        .toEqual([none, small, large].map(({ strategy }) => strategy.id))
      const losses = (await listed()).map(({ open_loss: loss }) => Number(loss))
      expect(losses[0]).toBe(0)
      expect(losses[1]).toBeLessThan(0)
      expect(losses[2]).toBeLessThan(losses[1] ?? 0)
    })
  })

  describe('a copy', () => {
    test('follows the provider, shows each step with its reason, and returns its money', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const { id: copyId } = await startCopy(copier, provider.strategy.id)
      const small = await newTrader(server())
      const { id: smallId } = await startCopy(small, provider.strategy.id, { amount: 100 })
      const order = await provider.order({ lots: lots(200_000) })
      await server().price('EURUSD', [1.101, 1.10106])
      const copy = await ok(`copy?copy_id=${copyId}`, copier.token)
      expect(copy).toMatchObject({
        copy: { state: 'running', put_in: 1_000, positions: 1, kind: 'demo', fee: 20 },
        orders: [{ Quantity: 0.2, UserId: copyId }],
      })
      expect((copy['copy'] as Row)['equity']).not.toBe(1_000)
      const log = await ok(`log?copy_id=${copyId}`, copier.token)
      expect(log).toMatchObject({
        total: 1,
        data: [{ provider_order_id: order.id, action: 'copied', lots: 0.2, provider_lots: 20, side: 1 }],
      })
      expect(rowsOf(await ok(`log?copy_id=${smallId}`, small.token))).toMatchObject([{ lots: 0.02 }])

      const positions = await call(server(), '/v1/api/forex/my_deal?status=1', {
        headers: { authorization: copier.token },
      })
      expect((positions.body as Answer).data['total']).toBe(0)

      await call(server(), '/v1/api/forex/close', {
        headers: { authorization: provider.token },
        body: { id: order.id, cont: 10 },
      })
      expect(rowsOf(await ok(`log?copy_id=${copyId}`, copier.token))).toMatchObject([
        { action: 'reduced', lots: 0.1, provider_lots: 10, provider_price: 1.101 },
        { action: 'copied' },
      ])
      const stopped = await ok('stop', copier.token, { copy_id: copyId })
      expect(['ending', 'ended']).toContain(stopped['state'])
      await expect
        .poll(async () => (await ok('copies', copier.token))['data'])
        .toMatchObject([{ id: copyId, state: 'ended', end_reason: 'owner', equity: 0 }])
      expect(await reason('stop', copier.token, { copy_id: copyId })).toBe('copyEnded')
      const [first] = rowsOf(await ok(`log?copy_id=${copyId}`, copier.token))
      expect(first).toMatchObject({ action: 'closed', lots: 0.1 })
    })

    test('is in the list of followed traders, with their three weeks, all time and instruments', async () => {
      const provider = await newProvider({ name: 'Followed hands' })
      const copier = await newTrader(server())
      expect(await ok('list', copier.token)).toEqual({ data: [], total: 0 })
      const { id: copy_id } = await startCopy(copier, provider.strategy.id, { multiplier: 2 })
      await server().price('EURUSD', [1.1, 1.10006])
      const order = await provider.order({ lots: lots(200_000) })
      await server().price('EURUSD', [1.101, 1.10106])
      const headers = { authorization: provider.token }
      await call(server(), '/v1/api/forex/close', { headers, body: { id: order.id } })
      await server().price('EURUSD', [1.1, 1.10006])
      const rate = expect.toSatisfy((percent: number) => percent > 1 && percent < 2)
      await expect
        .poll(async () => ok('list?page=1', copier.token))
        .toEqual({
          data: [
            {
              id: provider.strategy.id,
              copy_id,
              kind: 'demo',
              user: 'Followed hands',
              multiple: 2,
              three_week_rate: rate,
              three_week_win: 100,
              // 9.4 pips of 20 lots, less the fee.
              three_week_profit: expect.closeTo(1_880 - 73.337333, 5),
              total_rate: rate,
              total_trade_num: 1,
              code: 'EUR/USD',
            },
          ],
          total: 1,
        })
      expect(await ok('list?page=2', copier.token)).toEqual({ data: [], total: 1 })
      expect(await reason('list?page=0', copier.token)).toBe('pageInvalid')
    })

    test('tells its owner of changes, apart from the own orders', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const reader = await openSocket({ url: server().url })
      reader.send({ type: 'login', params: copier.token })
      reader.send({ type: 'sub', params: ['COPY', 'FOREX_ORDER', 'FOREX_FUNDS'] })
      await reader.next('FOREX_FUNDS')
      const { id } = await startCopy(copier, provider.strategy.id)
      const started = await reader.next('COPY')
      expect(started).toMatchObject({ To: copier.user.id, copies: [id] })
      await reader.next('FOREX_FUNDS', ({ balance }) => balance === 99_000)
      await provider.order({ lots: lots(200_000) })
      await reader.next('COPY', ({ seq }) => Number(seq) > Number(started['seq']) + 1)
      await reader.settled()
      const orders = reader.messages.filter(({ type }) => type === 'FOREX_ORDER')
      expect(orders.flatMap(({ Orders }) => Orders as Row[])).toEqual([])
    })

    test('skips what is too small for it, and says so', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const { id: copyId } = await startCopy(copier, provider.strategy.id)
      const order = await provider.order()
      expect(await ok(`log?copy_id=${copyId}`, copier.token)).toMatchObject({
        total: 1,
        data: [
          {
            provider_order_id: order.id,
            action: 'skipped',
            reason: 'belowMinimumLot',
            order_id: null,
            lots: null,
            provider_lots: 0.1,
            // A hundredth of the provider's equity makes a hundredth of the lots.
            too_small: { lots: 0.001, least: 0.01 },
          },
        ],
      })
    })

    test('says in its log how each size came about', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const { id: copyId } = await startCopy(copier, provider.strategy.id)
      await provider.order({ lots: lots(200_000) })
      const [row] = rowsOf(await ok(`log?copy_id=${copyId}`, copier.token))
      const sizing = row?.['sizing'] as { multiplier: number; equity: number; provider_equity: number }
      expect(sizing).toMatchObject({ multiplier: 1, equity: 1_000 })
      const exact = (sizing.multiplier * 20 * sizing.equity) / sizing.provider_equity
      expect(row).toMatchObject({ lots: Math.floor(exact * 100) / 100, provider_lots: 20 })
    })

    test('is copied otherwise from the next order on', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const { id: copy_id } = await startCopy(copier, provider.strategy.id)
      const change = (terms: object) => ok('change', copier.token, { copy_id, ...terms })
      expect(await change({ multiplier: 2 })).toMatchObject({ multiplier: 2, exposure: 30, excluded: [] })
      expect(await change({ exposure: 5, excluded: [1] })).toMatchObject({
        multiplier: 2,
        exposure: 5,
        excluded: [1],
      })
      await provider.order({ lots: lots(200_000) })
      expect(rowsOf(await ok(`log?copy_id=${copy_id}`, copier.token))).toMatchObject([
        { action: 'skipped', reason: 'instrumentExcluded', sizing: { multiplier: 2 } },
      ])
      for (const wrong of [{ multiplier: 11 }, { exposure: 31 }, { excluded: [99_999] }])
        expect(await reason('change', copier.token, { copy_id, ...wrong })).toBe('copyTermsInvalid')
      expect(await reason('change', provider.token, { copy_id, multiplier: 1 })).toBe('copyNotFound')
    })

    test('lists its orders in my_deal by its number, for its owner only', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const { id: copyId } = await startCopy(copier, provider.strategy.id)
      const order = await provider.order({ lots: lots(200_000) })
      const list = (token: string, status: number, id = copyId) =>
        call(server(), `/v1/api/forex/my_deal?status=${status}&copy_id=${id}`, {
          headers: { authorization: token },
        })
      expect((await list(copier.token, 1)).body).toMatchObject({
        data: { total: 1, data: [{ UserId: copyId, Quantity: 0.2 }] },
      })
      await call(server(), '/v1/api/forex/close', {
        headers: { authorization: provider.token },
        body: { id: order.id },
      })
      await ok('stop', copier.token, { copy_id: copyId })
      expect((await list(copier.token, 3)).body).toMatchObject({ data: { total: 1 } })
      expect((await list(provider.token, 1)).body).toMatchObject({ data: { reason: 'copyNotFound' } })
      expect((await list(copier.token, 1, copier.user.id)).body).toMatchObject({
        data: { reason: 'copyNotFound' },
      })
    })

    test('that has lost: the next dry run shows the loss that is made up for before a fee is due', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const terms = `strategy_id=${provider.strategy.id}&amount=1000&multiplier=1&exposure=30&stop_percent=40`
      expect(await ok(`dry_run?${terms}`, copier.token)).toMatchObject({ carried_loss: 0 })
      const { id: copy_id } = await startCopy(copier, provider.strategy.id)
      // The spread and the fee are the loss.
      await provider.order({ lots: lots(200_000) })
      await ok('stop', copier.token, { copy_id })
      const [ended] = (await ok('copies', copier.token))['data'] as Row[]
      const lost = Number(ended?.['put_in']) - Number(ended?.['taken_out'])
      expect(lost).toBeGreaterThan(0)
      const tried = await ok(`dry_run?${terms}`, copier.token)
      expect(Number(tried['carried_loss'])).toBeCloseTo(lost, 6)
      expect(tried).toMatchObject({ fee: 0 })
    })

    test('pauses, resumes, takes money and gives it back', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const { id: copy_id } = await startCopy(copier, provider.strategy.id)
      expect(await ok('pause', copier.token, { copy_id })).toMatchObject({ state: 'paused' })
      expect(await reason('pause', copier.token, { copy_id })).toBe('copyPaused')
      expect(await ok('resume', copier.token, { copy_id })).toMatchObject({ state: 'running' })
      expect(await ok('add', copier.token, { copy_id, amount: 500 })).toMatchObject({
        put_in: 1_500,
        free: 1_400,
      })
      expect(await ok('take_out', copier.token, { copy_id, amount: 300 })).toMatchObject({
        taken_out: 300,
        equity: 1_200,
        result: 0,
        stop_equity: 480,
      })
      expect(await ok('stop_loss', copier.token, { copy_id, stop_percent: 50 })).toMatchObject({
        stop_equity: 600,
      })
      expect(await reason('take_out', copier.token, { copy_id, amount: 1_300 })).toBe('notEnoughMoney')
      expect(await reason('take_out', copier.token, { copy_id, amount: 1_100.01 })).toBe('copyLeftTooSmall')
      expect(await reason('take_out', copier.token, { copy_id, amount: -1 })).toBe('amountInvalid')
      expect(await reason('add', copier.token, { copy_id, amount: 1_000_000 })).toBe('notEnoughMoney')
      expect(await reason('add', copier.token, { copy_id, amount: '1.0000001' })).toBe('amountMalformed')
      expect(await reason('stop_loss', copier.token, { copy_id, stop_percent: 96 })).toBe('copyTermsInvalid')
    })

    test('starts with the usual terms where none are given, and by either name of its stop loss', async () => {
      const provider = await newProvider({ name: 'Usual terms' })
      const usual = { strategy_id: provider.strategy.id, amount: 1_000 }
      for (const [given, stop_equity] of [
        [{}, 600],
        [{ exposure: '', stop_at_percent: '' }, 600],
        [{ stop_at_percent: 40 }, 400],
        [{ stop_percent: 30 }, 300],
      ] as const) {
        const copier = await newTrader(server())
        const terms = { multiplier: 1, exposure: 10, stop_percent: stop_equity / 10 }
        const query = Object.entries({ ...usual, ...given }).map(([name, value]) => `${name}=${value}`)
        expect(await ok(`dry_run?${query.join('&')}`, copier.token)).toMatchObject({ stop_equity })
        expect(await ok('start', copier.token, { ...usual, ...given })).toMatchObject({
          ...terms,
          stop_equity,
        })
      }
    })

    test('starts once for a repeated request', async () => {
      const provider = await newProvider()
      const copier = await newTrader(server())
      const body = { ...COPY, strategy_id: provider.strategy.id }
      const key = { 'idempotency-key': 'start' }
      const [first, second] = await Promise.all([
        request('start', copier.token, body, key),
        request('start', copier.token, body, key),
      ])
      expect(second.data['id']).toBe(first.data['id'])
      expect(rowsOf(await ok('copies', copier.token))).toHaveLength(1)
      expect(await reason('start', copier.token, body)).toBe('copyRunning')
    })

    test.each([
      ['below the minimum', { amount: 99 }, 'copyAmountTooSmall'],
      ['above the free money', { amount: 200_000 }, 'notEnoughMoney'],
      ['negative', { amount: -100 }, 'copyAmountTooSmall'],
      ['with too many digits', { amount: '100.0000001' }, 'amountMalformed'],
      ['with a multiplier below a tenth', { multiplier: 0.09 }, 'copyTermsInvalid'],
      ['with a multiplier above ten', { multiplier: 10.1 }, 'copyTermsInvalid'],
      ['with an exposure above the highest', { exposure: 31 }, 'copyTermsInvalid'],
      ['with a stop loss below the least', { stop_percent: 4 }, 'copyTermsInvalid'],
      ['of an unknown strategy', { strategy_id: 999_999 }, 'strategyNotFound'],
    ])('is refused %s, and nothing changes', async (_, fields, refused) => {
      const provider = await newProvider({
        name: `Bad input ${'abcdefghijk'[published % 11]} ${'xyzuvw'[published % 6]}`,
      })
      const copier = await newTrader(server())
      const body = { ...COPY, strategy_id: provider.strategy.id, ...fields }
      expect(await reason('start', copier.token, body)).toBe(refused)
      expect(await ok('copies', copier.token)).toEqual({ data: [] })
    })

    test('of oneself, of a hidden strategy and of an ended one is refused', async () => {
      const provider = await newProvider({ name: 'Hidden gem' })
      const { id } = provider.strategy
      const body = { ...COPY, strategy_id: id }
      expect(await reason('start', provider.token, body)).toBe('ownStrategy')
      const copier = await newTrader(server())
      await server()
        .deployment.database.queries.updateTable('strategy_text')
        .set({ hidden_for: 'A wrong name.' })
        .where('strategy_id', '=', BigInt(id))
        .execute()
      expect(await reason('start', copier.token, body)).toBe('strategyNotFound')
      expect(await reason(`strategy?id=${id}`, copier.token)).toBe('strategyNotFound')
      expect((await ok('mine', provider.token))['strategy']).toMatchObject({ hidden_for: 'A wrong name.' })
      await ok('unpublish', provider.token, {})
      expect(await reason('start', copier.token, body)).toBe('strategyNotFound')
    })

    test('of demo money is refused to a real account', async () => {
      const provider = await newProvider({ name: 'Only demo' })
      const { token } = await newUser(server())
      const body = { ...COPY, strategy_id: provider.strategy.id }
      expect(await reason('start', token, body)).toBe('strategyIsDemo')
    })

    test('needs a code of the second factor where it is on', async () => {
      const provider = await newProvider({ name: 'Second factor' })
      const { token } = await newUser(server())
      const factor = '/api/user/second_factor'
      const prepared = await post(server(), `${factor}/prepare`, { password: PASSWORD }, token)
      const { secret } = dataOf<{ secret: string }>(prepared)
      const auth_code = totpCode(secret, Date.now())
      const confirmed = await post(server(), `${factor}/confirm`, { auth_code }, token)
      const { recovery_codes } = dataOf<{ recovery_codes: string[] }>(confirmed)
      const body = { ...COPY, strategy_id: provider.strategy.id }
      expect(await reason('start', token, body)).toBe('secondFactorNeeded')
      expect(await reason('start', token, { ...body, code: '000000' })).toBe('secondFactorWrong')
      // Everything else about this copy is checked afterwards.
      expect(await reason('start', token, { ...body, code: recovery_codes[0] })).toBe('strategyIsDemo')
    })

    test('of somebody else is not found', async () => {
      const provider = await newProvider({ name: 'Somebody else' })
      const copier = await newTrader(server())
      const { id: copy_id } = await startCopy(copier, provider.strategy.id)
      for (const { token } of [provider, await newTrader(server())]) {
        for (const path of ['pause', 'resume', 'stop'])
          expect(await reason(path, token, { copy_id })).toBe('copyNotFound')
        expect(await reason('add', token, { copy_id, amount: 1 })).toBe('copyNotFound')
        expect(await reason('take_out', token, { copy_id, amount: 1 })).toBe('copyNotFound')
        expect(await reason('stop_loss', token, { copy_id, stop_percent: 10 })).toBe('copyNotFound')
        expect(await reason('close', token, { copy_id, id: 1 })).toBe('copyNotFound')
        expect(await reason(`copy?copy_id=${copy_id}`, token)).toBe('copyNotFound')
        expect(await reason(`log?copy_id=${copy_id}`, token)).toBe('copyNotFound')
      }
      expect(await reason('copies', null)).toBe('sessionGone')
    })
  })

  describe('a dry run', () => {
    test('says what would have been copied, rounded and skipped, and the least that copies all', async () => {
      const provider = await newProvider()
      const query = (fields: Fields) =>
        new URLSearchParams(
          Object.entries({ ...COPY, strategy_id: provider.strategy.id, ...fields }).map(
            ([name, value]): [string, string] => [name, String(value)],
          ),
        ).toString()
      const sizes = [20, 0.1]
      for (const size of sizes) {
        await server().price('EURUSD', [1.1, 1.10006])
        const { id } = await provider.order({ lots: lots(size * 10_000) })
        await server().price('EURUSD', [1.101, 1.10106])
        await call(server(), '/v1/api/forex/close', {
          headers: { authorization: provider.token },
          body: { id },
        })
      }
      const copier = await newTrader(server())
      const tried = await ok(`dry_run?${query({ amount: 1_000 })}`, copier.token)
      expect(tried).toMatchObject({
        copied: 1,
        rounded: 0,
        skipped: 1,
        too_short: 1,
        would_stop: 0,
        stop_equity: 400,
      })
      expect(tried['orders']).toMatchObject([
        { result: 'copied', lots: 0.2, provider_lots: 20, reason: null },
        { result: 'skipped', lots: 0, provider_lots: 0.1, reason: 'belowMinimumLot', profit: 0 },
      ])
      // 9.4 pips of 0.2 lots, less a fee of a thousandth of the margin, less a fifth for the provider.
      const [first] = tried['orders'] as Row[]
      expect(Number(first?.['profit'])).toBeCloseTo(18.8 - 0.733373, 5)
      // The provider's two orders: 9.4 pips of 20.1 lots, less the fees.
      expect(tried['provider_result']).toBeCloseTo(1_889.4 - 73.337333 - 0.366687, 5)
      expect(tried['result']).toBeCloseTo((18.8 - 0.733373) * 0.8, 4)
      // A tenth of the provider's equity makes a tenth of 0.1 lots.
      expect(tried['amount_for_all']).toBe(10_000)
      expect(await ok(`dry_run?${query({ amount: 10_000 })}`, copier.token)).toMatchObject({ skipped: 0 })
      expect(await ok(`dry_run?${query({ amount: 9_999 })}`, copier.token)).toMatchObject({ skipped: 1 })
      expect(await reason(`dry_run?${query({ amount: 99 })}`, copier.token)).toBe('copyAmountTooSmall')
      expect(await reason(`dry_run?${query({ multiplier: 11 })}`, copier.token)).toBe('copyTermsInvalid')
      expect(await reason(`dry_run?${query({ strategy_id: 999_999 })}`, copier.token)).toBe(
        'strategyNotFound',
      )
    })

    test('shows open positions without what tells their levels: no price, no lots, no exact result', async () => {
      const provider = await newProvider({ name: 'Nothing to run' })
      const copier = await newTrader(server())
      await server().price('EURUSD', [1.1, 1.10006])
      // A margin of 36,668.67, at leverage 30; then 94 pips up: 2,820, before an hour is over.
      const ticket = { lots: lots(100_000), takeProfit: decimal('1.17771'), stopLoss: decimal('1.01117') }
      await provider.order(ticket)
      await server().price('EURUSD', [1.1094, 1.10946])
      const terms = `strategy_id=${provider.strategy.id}&amount=1000&multiplier=1&exposure=30&stop_percent=40`
      const tried = await ok(`dry_run?${terms}`, copier.token)
      expect(tried).toMatchObject({ copied: 1, orders: [] })
      expect(tried['open_orders']).toEqual([{ code: 'EUR/USD', side: 1, share: 34, result: 25 }])
      expect(JSON.stringify(tried)).not.toMatch(/1\.17771|1\.01117|1\.10006/)
      await server().price('EURUSD', [1.1, 1.10006])
    })

    test('ends at the copy stop loss, as a real copy does, whatever the provider wins afterwards', async () => {
      const provider = await newProvider({ name: 'Down and then up' })
      const copier = await newTrader(server())
      const { id: copy_id } = await startCopy(copier, provider.strategy.id, { stop_percent: 95 })
      const close = (id: number, cont?: number) =>
        call(server(), '/v1/api/forex/close', {
          headers: { authorization: provider.token },
          body: { id, ...(cont !== undefined && { cont }) },
        })
      await server().price('EURUSD', [1.1, 1.10006])
      const { id } = await provider.order({ lots: lots(200_000) })
      await server().price('EURUSD', [1.097, 1.09706])
      await close(id, 1)
      for (const bid of [1.104, 1.11]) await server().price('EURUSD', [bid, bid + 0.00006])
      await close(id)
      const { copy } = (await ok(`copy?copy_id=${copy_id}`, copier.token)) as { copy: Row }
      expect(copy).toMatchObject({ state: 'ended', end_reason: 'stop_loss' })
      const terms = `strategy_id=${provider.strategy.id}&amount=1000&multiplier=1&exposure=30&stop_percent=95`
      const tried = await ok(`dry_run?${terms}`, copier.token)
      await server().price('EURUSD', [1.1, 1.10006])
      expect(tried).toMatchObject({ would_stop: 1, stop_equity: 950, fee: 0 })
      expect(Number(tried['worst'])).toBeLessThan(-50)
      expect(tried['result']).toBeCloseTo(Number(copy['result']), 6)
    })

    test('does what a real copy then does', async () => {
      const provider = await newProvider({ name: 'Twin of a copy' })
      const copier = await newTrader(server())
      const { id: copyId } = await startCopy(copier, provider.strategy.id)
      for (const [size, part] of [
        [23.4, 7.7],
        [11.1, 3.3],
      ] as const) {
        const { id } = await provider.order({ lots: lots(size * 10_000) })
        await server().price('EURUSD', [1.1012, 1.10126])
        for (const cont of [part, null])
          await call(server(), '/v1/api/forex/close', {
            headers: { authorization: provider.token },
            body: { id, ...(cont !== null && { cont }) },
          })
        await server().price('EURUSD', [1.1, 1.10006])
      }
      const { copy } = await ok(`copy?copy_id=${copyId}`, copier.token)
      const query = new URLSearchParams({ strategy_id: String(provider.strategy.id), amount: '1000' })
      const terms = 'multiplier=1&exposure=30&stop_percent=40'
      const tried = await ok(`dry_run?${query.toString()}&${terms}`, copier.token)
      const made = Number((copy as Row)['equity']) - 1_000
      expect(Number(tried['result']) + Number(tried['fee'])).toBeCloseTo(made, 6)
      expect(tried).toMatchObject({ copied: 0, rounded: 2, skipped: 0 })
    })
  })

  describe('operators', () => {
    test('see reports, hide a strategy with a reason its owner reads, and show it again', async () => {
      const provider = await newProvider({ name: 'Reported name' })
      const { id } = provider.strategy
      const reporter = await newTrader(server())
      await ok('report', reporter.token, { id, reason: 'Misleading.' })
      const desk = await atDesk(server(), 'compliance')
      const list = { search: 'reported', show: 'reported', page: 1 } as const
      expect(await desk.request(listDeskStrategies, list)).toMatchObject({
        total: 1,
        strategies: [{ id, userId: provider.user.id, openReports: 1, isHidden: false }],
      })
      expect(await desk.request(listStrategyReports, { id })).toMatchObject({
        reports: [{ userId: reporter.user.id, reason: 'Misleading.', answeredAt: null }],
      })
      expect(await desk.refusalOf(hideStrategy, { id, reason: ' ' })).toBe('reasonMissing')
      expect(await desk.refusalOf(hideStrategy, { id: 999_999, reason: 'No.' })).toBe('strategyNotFound')
      await desk.request(hideStrategy, { id, reason: 'Misleading name.' })
      expect((await ok('mine', provider.token))['strategy']).toMatchObject({ hidden_for: 'Misleading name.' })
      expect(await noticesOf(provider.token)).toMatchObject([
        { kind: 'strategyHidden', text: expect.stringContaining('Misleading name.') },
      ])
      expect(await desk.request(listDeskStrategies, { ...list, show: 'hidden' })).toMatchObject({
        strategies: [{ id, openReports: 0, hiddenFor: 'Misleading name.' }],
      })
      await desk.request(showStrategy, { id, reason: 'It was renamed.' })
      expect((await ok('mine', provider.token))['strategy']).toMatchObject({ hidden_for: null })
    })

    test('close an order of a provider: everybody sees the published ground, and nobody else the reason', async () => {
      const provider = await newProvider({ name: 'Closed by order' })
      const order = await provider.order()
      const dealing = await atDesk(server(), 'dealing')
      const compliance = await atDesk(server(), 'compliance')
      const close = {
        id: provider.user.id,
        orderId: order.id,
        ground: 'authorityOrder',
        reason: 'A private word.',
      } as const
      const { approvalId } = await dealing.request(closeUserOrder, close)
      await compliance.request(decideApproval, { id: approvalId, isApproved: true, reason: 'Agreed.' })
      await server().deployment.engine.caughtUp()
      const { client } = await newTrader(server())
      const listed = () => client.call(listStrategyOrders, { id: provider.strategy.id, page: 1 })
      // The strategy is listed within a second of its publication.
      await expect.poll(async () => (await listed()).ok).toBe(true)
      const first = async () => valueOf(await listed()).orders[0]
      await expect.poll(async () => (await first())?.id, { timeout: 5_000 }).toBe(order.id)
      const orders = [await first()]
      expect(orders[0]?.receipts.at(-1)).toMatchObject({ action: 'close', ground: 'authorityOrder' })
      expect(
        JSON.stringify(orders, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toContain('A private word')
    })

    test('see the copies of a user', async () => {
      const provider = await newProvider({ name: 'Seen by the desk' })
      const copier = await newTrader(server())
      const { id } = await startCopy(copier, provider.strategy.id)
      const desk = await atDesk(server(), 'support')
      expect(await desk.request(listUserCopies, { id: copier.user.id, page: 1 })).toMatchObject({
        total: 1,
        strategy: null,
        copies: [
          {
            id,
            name: 'Seen by the desk',
            providerId: provider.user.id,
            state: 'running',
            putIn: 1_000_000_000n,
          },
        ],
      })
      expect(await desk.request(listUserCopies, { id: provider.user.id, page: 1 })).toMatchObject({
        total: 0,
        strategy: { id: provider.strategy.id, copiers: 1 },
      })
    })
  })

  describe('the closed orders of a strategy', () => {
    const close = async (provider: Trader, id: number, cont?: number): Promise<number> => {
      const answer = await call(server(), '/v1/api/forex/close', {
        headers: { authorization: provider.token },
        body: { id, ...(cont !== undefined && { cont }) },
      })
      return (answer.body as unknown as { data: { Id: number } }).data.Id
    }

    test('are public with tick, price, lots and result of every fill, and with nothing else', async () => {
      const early = await newOwnDemo()
      const before = await early.order()
      // The parts of a position and its opening fee are in what it brought.
      await close(early, before.id, 0.01)
      await close(early, before.id)
      const { strategy } = (await ok('publish', early.token, {
        name: 'Open books',
        description: '',
        fee: 0,
      })) as { strategy: Row & { id: number } }
      const ticket = { lots: lots(30_000), takeProfit: decimal('1.17771'), stopLoss: decimal('1.01117') }
      const [closed, open] = [await early.order(), await early.order(ticket)]
      await close(early, closed.id)
      const part = await close(early, open.id, 1)
      const listed = async () => {
        const answer = await request(`orders?id=${strategy.id}`, null)
        return answer.code === 1 ? rowsOf(answer.data as Row) : []
      }
      const numbers = (rows: readonly Row[]) => rows.map((row) => row['id'])
      await expect.poll(async () => numbers(await listed()), { timeout: 5_000 }).toEqual([closed.id])
      const booked = (await server()
        .deployment.database.queries.selectFrom('transfer')
        .select(['debit', 'amount', 'kind'])
        .where('account_id', '=', BigInt(early.user.id))
        .where('kind', 'in', ['result', 'fee'])
        .where('order_id', '<', BigInt(closed.id))
        .execute()) as { debit: string; amount: bigint }[]
      const own = `available:${early.user.id}`
      const total = booked.reduce((sum, { debit, amount }) => sum + (debit === own ? -amount : amount), 0n)
      expect(await ok(`strategy?id=${strategy.id}`, null)).toMatchObject({
        orders_before: 1,
        profit_before: Number(total) / 1_000_000,
      })
      const [shown] = await listed()
      const keys = (row: unknown) => Object.keys(row as object).toSorted()
      expect(keys(shown)).toEqual([
        'code',
        'digits',
        'ended_at',
        'forex_id',
        'id',
        'lots',
        'opened_at',
        'receipts',
        'result',
        'side',
      ])
      const receipts = shown?.['receipts'] as Row[]
      expect(receipts.map((receipt) => receipt['action'])).toEqual(['open', 'close'])
      for (const receipt of receipts) {
        expect(keys(receipt)).toEqual(['action', 'at', 'lots', 'price', 'result', 'tick'])
        expect(keys(receipt['tick'])).toEqual([
          'Ask',
          'Bid',
          'ForexId',
          'MarkUp',
          'ReceivedTime',
          'Seq',
          'Source',
          'TickTime',
        ])
      }
      // The parts of a position are one order, which is public once its last part has closed.
      await close(early, open.id)
      await expect.poll(async () => numbers(await listed()), { timeout: 5_000 }).toEqual([open.id, closed.id])
      const all = JSON.stringify(await listed())
      expect(all).not.toMatch(/1\.17771|1\.01117|117771|101117/)
      const [parts] = await listed()
      expect(parts).toMatchObject({
        lots: 3,
        receipts: [
          { action: 'open', lots: 3 },
          { action: 'close', lots: 1 },
          { action: 'close', lots: 2 },
        ],
      })
      expect(all).not.toContain(`"id":${part}`)
      // Nobody gets what was hashed.
      expect((await request(`receipts?id=${strategy.id}&order_id=${closed.id}`, null)).code).not.toBe(1)
    })
  })

  test('the list of followed traders has the fields of the spec, for the caller’s copies and for visitors', async () => {
    const provider = await newProvider({ name: 'On the list' })
    const copier = await newTrader(server())
    const { id: copyId } = await startCopy(copier, provider.strategy.id, { multiplier: 2.5 })
    const { id } = await provider.order()
    await call(server(), '/v1/api/forex/close', { headers: { authorization: provider.token }, body: { id } })
    const rows = async (token: string | null) => rowsOf(await ok('list?page=1', token))
    await expect
      .poll(() => rows(copier.token), { timeout: 5_000 })
      .toEqual([
        {
          id: provider.strategy.id,
          copy_id: copyId,
          kind: 'demo',
          user: 'On the list',
          multiple: 2.5,
          three_week_rate: expect.any(Number),
          three_week_win: 0,
          three_week_profit: expect.any(Number),
          total_rate: expect.any(Number),
          total_trade_num: 1,
          code: 'EUR/USD',
        },
      ])
    const [row] = await rows(copier.token)
    expect(Number(row?.['three_week_profit'])).toBeLessThan(0)
    expect(row?.['total_rate']).toBe(row?.['three_week_rate'])
    // Somebody who copies nobody has an empty list; a visitor sees the first of the ranking, as nobody's copies.
    expect(await rows((await newTrader(server())).token)).toEqual([])
    const shown = await rows(null)
    expect(shown.length).toBeGreaterThan(0)
    for (const one of shown) expect(one).toMatchObject({ multiple: 1, user: expect.any(String) })
    expect(shown.filter((one) => 'copy_id' in one)).toEqual([])
  })

  test('what goes into a copy and comes back is among the movements, less the fee', async () => {
    const provider = await newProvider({ name: 'Money there and back' })
    const copier = await newTrader(server())
    await server().price('EURUSD', [1.1, 1.10006])
    const { id: copy_id } = await startCopy(copier, provider.strategy.id)
    await provider.order({ lots: lots(200_000) })
    await server().price('EURUSD', [1.101, 1.10106])
    await ok('stop', copier.token, { copy_id })
    await server().deployment.engine.caughtUp()
    const funds = async (path: string) =>
      (await call(server(), `/v1/api/main/${path}`, { headers: { lang: 'en', authorization: copier.token } }))
        .body as Answer
    const [back, there] = rowsOf((await funds('accountLog/forexChange?page=1')).data)
    // 9.4 pips of 0.2 lots less a fee of a thousandth of the margin; a fifth of that is the provider's.
    const gain = 18.8 - 0.733373
    expect(there).toMatchObject({ Kind: 'copyIn', Value: -1_000, MemoTran: expect.stringMatching(/\w/) })
    expect(back).toMatchObject({ Kind: 'copyOut', MemoTran: expect.stringMatching(/\w/) })
    expect(back?.['Value']).toBeCloseTo(1_000 + gain * 0.8, 5)
    expect((await funds('wallet/getBalance')).data['balance']).toBe(back?.['Balance'])
    const [copy] = (await ok('copies', copier.token))['data'] as Row[]
    expect(copy?.['fee_paid']).toBeCloseTo(gain * 0.2, 5)
    expect(copy?.['taken_out']).toBe(back?.['Value'])
    // Demo money pays the demo broker.
    expect(await ok('mine', provider.token)).toMatchObject({ strategy: { fees_earned: 0 } })
    await server().price('EURUSD', [1.1, 1.10006])
  })

  test('a provider is told when copiers come, move money and go, and not who they are', async () => {
    const provider = await newProvider({ name: 'Told at once' })
    const reader = await openSocket({ url: server().url })
    reader.send({ type: 'login', params: provider.token })
    reader.send({ type: 'sub', params: ['COPY'] })
    await reader.settled()
    const copier = await newTrader(server())
    const { id } = await startCopy(copier, provider.strategy.id)
    for (const change of [
      async () => undefined,
      () => ok('add', copier.token, { copy_id: id, amount: 100 }),
      () => ok('stop', copier.token, { copy_id: id }),
    ]) {
      await change()
      expect(await reader.next('COPY')).toMatchObject({ To: provider.user.id, copies: [], copiers: 1 })
    }
    reader.socket.close()
  })

  test('copiers read in one notice what happened within a minute', async () => {
    const [one, two] = [
      await newProvider({ name: 'First of two' }),
      await newProvider({ name: 'Second of two' }),
    ]
    const copier = await newTrader(server())
    await startCopy(copier, one.strategy.id)
    await startCopy(copier, two.strategy.id)
    await expect
      .poll(() => noticesOf(copier.token), { timeout: 5_000 })
      .toMatchObject([{ kind: 'copiesChanged', text: expect.stringContaining('First of two') }])
  })

  test('the journal verifies', async () => {
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})

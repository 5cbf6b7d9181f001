import {
  closeOrder,
  getOrder,
  getUser,
  listActivity,
  listOrders,
  setStops,
  submitOrder,
  valueOf,
} from '@fairlot/contract'
import {
  closeUserOrder,
  decideApproval,
  getUserProfile,
  listWaiting,
  logUserOut,
  resetUserSecondFactor,
  setUserStatus,
} from '@fairlot/contract/desk'
import { fromUnits } from '@fairlot/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { MARKET_BUY, newTrader, type Trader } from '../../../../../testing/traders.ts'
import { newTotpSecret } from '../../platform/security/second-factor.ts'
import { logInAs, newUser, sentTo } from '../../testing/accounts.ts'
import { dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
import { verify } from '../../verify/verify.ts'

const NO_FILTER = { kind: null, held: null, search: null, page: 1, before: null, copyId: null }
const AGREED = { isApproved: true, reason: 'I have seen the papers' }

describe.each(DATABASES)('actions of operators on users, %s', (kind) => {
  const server = serverOn(kind)
  let trader: Trader
  let compliance: AtDesk
  let dealing: AtDesk

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    trader = await newTrader(server())
    compliance = await atDesk(server(), 'compliance')
    dealing = await atDesk(server(), 'dealing')
  })

  const activities = async (token = trader.token, language = 'en') =>
    valueOf(await clientOf(server().url, token, { language }).call(listActivity, { page: 1 })).activities

  const device = async () => {
    const reader = await openSocket({ url: server().url }, {}, '?lang=en')
    reader.send({ type: 'login', params: trader.token })
    reader.send({ type: 'sub', params: ['FOREX_FUNDS', 'NOTICE', 'FOREX_ORDER'] })
    await reader.next('FOREX_FUNDS')
    await reader.settled()
    return reader
  }

  describe('a freeze', () => {
    const freeze = (reason = 'papers are missing') =>
      ({
        id: trader.user.id,
        before: 'active',
        status: 'frozen',
        reason,
      }) as const

    test('is shown to the user with its reason, at once on every device and in their activity', async () => {
      const phone = await device()
      await compliance.request(setUserStatus, freeze())
      expect(await phone.next('NOTICE')).toMatchObject({
        notice: {
          kind: 'accountStatus',
          title: 'Your account is frozen',
          text: expect.stringContaining('papers'),
        },
      })
      expect(await trader.client.call(submitOrder, MARKET_BUY)).toMatchObject({ reason: 'accountFrozen' })
      expect(valueOf(await trader.client.call(getUser, null))).toMatchObject({
        restriction: { status: 'frozen', reason: 'papers are missing' },
      })
      const [latest] = await activities()
      expect(latest).toMatchObject({
        by: 'operator',
        text: 'Account frozen',
        role: 'compliance',
        reason: 'papers are missing',
      })
      expect((await activities(trader.token, 'hk'))[0]?.text).toBe('帳戶已被凍結')
      expect(JSON.stringify(await activities())).not.toContain(compliance.name)
    })

    test('is refused from an outdated form', async () => {
      const both = await Promise.all([
        compliance.refusalOf(setUserStatus, freeze('one')),
        compliance.refusalOf(setUserStatus, freeze('other')),
      ])
      expect(both.filter((refusal) => refusal === 'formOutdated')).toHaveLength(1)
      expect(both).toContain(null)
      expect(await compliance.refusalOf(setUserStatus, freeze('later'))).toBe('formOutdated')
      expect((await activities()).filter(({ by }) => by === 'operator')).toHaveLength(1)
    })

    test('lets the user close positions and tighten stops, but not loosen them', async () => {
      const order = await trader.order({ stopLoss: fromUnits(105, 2) })
      await compliance.request(setUserStatus, freeze())
      const stops = { orderId: order.id, takeProfit: null }
      expect(await trader.client.call(setStops, { ...stops, stopLoss: null })).toMatchObject({
        reason: 'stopsOnlyTightened',
      })
      expect(await trader.client.call(setStops, { ...stops, stopLoss: fromUnits(106, 2) })).toMatchObject({
        ok: true,
      })
      expect(await trader.client.call(closeOrder, { orderId: order.id, lots: null })).toMatchObject({
        ok: true,
      })
    })

    test('lapses after 72 hours unless a second operator confirms it', async () => {
      await compliance.request(setUserStatus, freeze())
      const lapsesAt = async () =>
        (await compliance.request(getUserProfile, { id: trader.user.id })).freezeLapsesAt
      const { now } = server().deployment.market
      const left = ((await lapsesAt()) ?? 0) - now()
      expect(left).toBeGreaterThan(71.9 * 3_600_000)
      expect(left).toBeLessThanOrEqual(72 * 3_600_000)
      const { cases } = await compliance.request(listWaiting, { ...NO_FILTER, kind: 'freeze' })
      const [waiting] = cases.filter(({ accountId }) => accountId === trader.user.id)
      const id = Number(waiting?.caseKey.split(':')[1])
      expect(await compliance.refusalOf(decideApproval, { id, ...AGREED })).toBe('sameOperator')
      expect(await dealing.refusalOf(decideApproval, { id, ...AGREED })).toBe('roleRefused')
      const administrator = await atDesk(server(), 'administrator')
      expect(await administrator.refusalOf(decideApproval, { id, ...AGREED })).toBeNull()
      expect(await lapsesAt()).toBeNull()
      expect(valueOf(await trader.client.call(getUser, null)).restriction).toMatchObject({ status: 'frozen' })
      await server().deployment.engine.caughtUp()
      expect((await verify(server().deployment.database)).difference).toBeNull()
    })

    test('within 30 days of another one takes effect once a second operator confirms it', async () => {
      const status = async () =>
        valueOf(await trader.client.call(getUser, null)).restriction?.status ?? 'active'
      await compliance.request(setUserStatus, freeze())
      const lift = { ...freeze('papers have come'), before: 'frozen', status: 'active' } as const
      await compliance.request(setUserStatus, lift)
      const { status: now, approvalId: id } = await compliance.request(setUserStatus, freeze('once more'))
      expect([now, await status()]).toEqual(['active', 'active'])
      expect(id).not.toBeNull()
      expect(await compliance.refusalOf(setUserStatus, freeze('and again'))).toBe('formOutdated')
      const administrator = await atDesk(server(), 'administrator')
      expect(await administrator.refusalOf(decideApproval, { id: id ?? 0, ...AGREED })).toBeNull()
      expect(await status()).toBe('frozen')
      const { freezeLapsesAt } = await compliance.request(getUserProfile, { id: trader.user.id })
      expect(freezeLapsesAt).toBeNull()
      await server().deployment.engine.caughtUp()
      expect((await verify(server().deployment.database)).difference).toBeNull()
    })

    test('needs a reason and a role that may', async () => {
      expect(await compliance.refusalOf(setUserStatus, freeze(' '))).toBe('reasonMissing')
      expect(await compliance.refusalOf(setUserStatus, freeze('x'.repeat(501)))).toBe('reasonTooLong')
      expect(await dealing.refusalOf(setUserStatus, freeze())).toBe('roleRefused')
      const nobody = { ...freeze(), id: 999_999 }
      expect(await compliance.refusalOf(setUserStatus, nobody)).toBe('accountNotFound')
      expect(valueOf(await trader.client.call(getUser, null)).restriction).toBeNull()
    })

    test('is lifted by the same call, with a reason', async () => {
      await compliance.request(setUserStatus, freeze())
      const again = { ...freeze('papers have come'), before: 'frozen', status: 'active' } as const
      expect(await compliance.request(setUserStatus, again)).toEqual({ status: 'active', approvalId: null })
      expect(await trader.client.call(submitOrder, MARKET_BUY)).toMatchObject({ ok: true })
    })
  })

  describe('a close by an operator', () => {
    test('is filled at the market price, and shows the user role, time and reason', async () => {
      const order = await trader.order()
      const phone = await device()
      await server().price('EURUSD', [1.101, 1.10106])
      const request = {
        id: trader.user.id,
        orderId: order.id,
        ground: 'authorityOrder' as const,
        reason: 'no papers for this instrument',
      }
      const { approvalId } = await dealing.request(closeUserOrder, request)
      // Only requested: the position is closed at the price of the approval.
      expect(valueOf(await trader.client.call(getOrder, { orderId: order.id }))).toMatchObject({
        status: 'holding',
      })
      expect(await dealing.refusalOf(decideApproval, { id: approvalId, ...AGREED })).toBe('sameOperator')
      expect(await compliance.refusalOf(decideApproval, { id: approvalId, ...AGREED })).toBeNull()
      expect(await phone.next('NOTICE')).toMatchObject({
        notice: {
          kind: 'orderClosedByOperator',
          text: expect.stringMatching(
            /1\.10100 by the dealing desk\. A court or an authority ordered it\. Reason: no papers/,
          ),
        },
      })
      const shown = valueOf(await trader.client.call(getOrder, { orderId: order.id }))
      expect(shown).toMatchObject({ endedBy: { role: 'dealing', reason: request.reason } })
      expect(shown.receipts.at(-1)).toMatchObject({
        action: 'close',
        trigger: 'operator',
        tick: { bid: 1.101 },
        hash: expect.any(String),
        ground: 'authorityOrder',
      })
      const { orders } = valueOf(
        await trader.client.call(listOrders, { list: 'history', page: 1, before: null, copyId: null }),
      )
      expect(orders[0]).toMatchObject({ id: order.id, endedBy: { role: 'dealing' } })
      expect((await activities())[0]).toMatchObject({
        text: `Position ${order.id} closed at the market price`,
        at: shown.endedAt,
        reason: request.reason,
      })
    })

    test('shows each of two concurrent closes with its own order', async () => {
      const ids = [(await trader.order()).id, (await trader.order()).id]
      const cases = await Promise.all(
        ids.map((orderId) =>
          dealing.request(closeUserOrder, {
            id: trader.user.id,
            orderId,
            ground: 'accountEnds' as const,
            reason: `reason ${orderId}`,
          }),
        ),
      )
      await Promise.all(
        cases.map(({ approvalId: id }) => compliance.refusalOf(decideApproval, { id, ...AGREED })),
      )
      for (const orderId of ids)
        expect(valueOf(await trader.client.call(getOrder, { orderId })).endedBy?.reason).toBe(
          `reason ${orderId}`,
        )
      const shown = (await activities()).slice(0, 2)
      expect(shown.map(({ text, reason }) => `${text}: ${reason}`).toSorted()).toEqual(
        ids.map((id) => `Position ${id} closed at the market price: reason ${id}`),
      )
    })

    test("is refused for another user's order, a closed one, and without a role or a reason", async () => {
      const order = await trader.order()
      const other = await newTrader(server())
      const request = {
        id: trader.user.id,
        orderId: order.id,
        ground: 'accountEnds' as const,
        reason: 'a reason',
      }
      expect(await dealing.refusalOf(closeUserOrder, { ...request, id: other.user.id })).toBe('orderNotFound')
      expect(await dealing.refusalOf(closeUserOrder, { ...request, reason: '' })).toBe('reasonMissing')
      expect(await compliance.refusalOf(closeUserOrder, request)).toBe('roleRefused')
      const { approvalId: id } = await dealing.request(closeUserOrder, request)
      // One case for each position, and none for a closed one.
      expect(await dealing.refusalOf(closeUserOrder, request)).toBe('formOutdated')
      expect(await compliance.refusalOf(decideApproval, { id, ...AGREED })).toBeNull()
      expect(await dealing.refusalOf(closeUserOrder, request)).toBe('orderNotFound')
    })
  })

  test('a log-out everywhere takes effect at once, with a reason that the user can read', async () => {
    const support = await atDesk(server(), 'support')
    const registered = await newUser(server())
    const request = { id: registered.user.id, reason: 'a phone was lost' }
    expect(await support.request(logUserOut, request)).toEqual({ ended: 1 })
    const mine = clientOf(server().url, registered.token)
    expect(await mine.call(getUser, null)).toMatchObject({ ok: false, reason: 'sessionGone' })
    const { token } = dataOf<{ token: string }>(await logInAs(server(), registered.email))
    expect(await activities(token)).toMatchObject([
      { by: 'user', text: 'Logged in' },
      { by: 'operator', text: 'Logged out everywhere', role: 'support', reason: 'a phone was lost' },
      { by: 'user', text: 'Registered' },
    ])
  })

  test('a reset of the second factor ends all sessions and is announced by mail', async () => {
    const registered = await newUser(server())
    const request = { id: registered.user.id, reason: 'a lost phone, identity shown' }
    expect(await compliance.refusalOf(resetUserSecondFactor, request)).toBe('secondFactorOff')
    const { queries } = server().deployment.database
    await queries
      .insertInto('second_factor')
      .values({ user_id: BigInt(request.id), secret: newTotpSecret(), confirmed_at: 1n, last_step: 0n })
      .execute()
    expect((await logInAs(server(), registered.email)).body?.code).toBe(0)
    expect(await compliance.request(resetUserSecondFactor, request)).toEqual({ ended: 1 })
    expect((await logInAs(server(), registered.email)).body?.code).toBe(1)
    const mails = await sentTo(server(), registered.email)
    expect(mails.map(({ subject }) => subject)).toContain('Your second factor was reset')
    expect(mails.some(({ body }) => body.includes(request.reason))).toBe(true)
  })
})

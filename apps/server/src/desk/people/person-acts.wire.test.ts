import { getOrder, getUser, listActivity, listOrders, submitOrder, valueOf } from '@fairlot/contract'
import {
  closePersonOrder,
  logPersonOut,
  resetPersonSecondFactor,
  setPersonStatus,
} from '@fairlot/contract/desk'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { MARKET_BUY, newTrader, type Trader } from '../../../../../testing/traders.ts'
import { newTotpSecret } from '../../auth/totp.ts'
import { logInAs, newMember, sentTo } from '../../testing/accounts.ts'
import { dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/socket-reader.ts'

describe.each(DATABASES)('what operators do to a person, %s', (kind) => {
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
        ...{ id: trader.user.id, before: 'active', status: 'frozen', reason },
      }) as const

    test('is refused to the trader with its reason, on every device at once, and in their own list', async () => {
      const phone = await device()
      await compliance.ask(setPersonStatus, freeze())
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
        ...{ by: 'operator', text: 'Account frozen', role: 'compliance', reason: 'papers are missing' },
      })
      expect((await activities(trader.token, 'hk'))[0]?.text).toBe('帳戶已被凍結')
      expect(JSON.stringify(await activities())).not.toContain(compliance.name)
    })

    test('twice, or from an old form, changes nothing', async () => {
      const both = await Promise.all([
        compliance.refusalOf(setPersonStatus, freeze('one')),
        compliance.refusalOf(setPersonStatus, freeze('other')),
      ])
      expect(both.filter((refusal) => refusal === 'formOutdated')).toHaveLength(1)
      expect(both).toContain(null)
      expect(await compliance.refusalOf(setPersonStatus, freeze('later'))).toBe('formOutdated')
      expect((await activities()).filter(({ by }) => by === 'operator')).toHaveLength(1)
    })

    test('needs a reason, and a role that may', async () => {
      expect(await compliance.refusalOf(setPersonStatus, freeze(' '))).toBe('reasonMissing')
      expect(await compliance.refusalOf(setPersonStatus, freeze('x'.repeat(501)))).toBe('reasonTooLong')
      expect(await dealing.refusalOf(setPersonStatus, freeze())).toBe('roleRefused')
      const nobody = { ...freeze(), id: 999_999 }
      expect(await compliance.refusalOf(setPersonStatus, nobody)).toBe('accountNotFound')
      expect(valueOf(await trader.client.call(getUser, null)).restriction).toBeNull()
    })

    test('ends by the same door, with a reason of its own', async () => {
      await compliance.ask(setPersonStatus, freeze())
      const again = { ...freeze('papers have come'), before: 'frozen', status: 'active' } as const
      expect(await compliance.ask(setPersonStatus, again)).toEqual({ status: 'active' })
      expect(await trader.client.call(submitOrder, MARKET_BUY)).toMatchObject({ ok: true })
    })
  })

  describe('a close by an operator', () => {
    test("is at the market's price, and tells the trader role, time and reason", async () => {
      const order = await trader.order()
      const phone = await device()
      await server().price('EURUSD', [1.101, 1.10106])
      const asked = { id: trader.user.id, orderId: order.id, reason: 'no papers for this instrument' }
      const done = await dealing.ask(closePersonOrder, asked)
      expect(done.order).toMatchObject({ endReason: 'operator', currentPrice: 1.101 })
      expect(await phone.next('NOTICE')).toMatchObject({
        notice: {
          kind: 'orderClosedByOperator',
          text: expect.stringMatching(/1\.10100 by the dealing desk\. Reason: no papers/),
        },
      })
      const told = valueOf(await trader.client.call(getOrder, { orderId: order.id }))
      expect(told).toMatchObject({ endedBy: { role: 'dealing', reason: asked.reason } })
      expect(told.receipts.at(-1)).toMatchObject({
        ...{ action: 'close', trigger: 'operator', tick: { bid: 1.101 }, hash: expect.any(String) },
      })
      const { orders } = valueOf(await trader.client.call(listOrders, { list: 'history', page: 1 }))
      expect(orders[0]).toMatchObject({ id: order.id, endedBy: { role: 'dealing' } })
      expect((await activities())[0]).toMatchObject({
        ...{
          text: `Position ${order.id} closed at the market price`,
          at: told.endedAt,
          reason: asked.reason,
        },
      })
    })

    test('of two at once each is told with its own order', async () => {
      const ids = [(await trader.order()).id, (await trader.order()).id]
      await Promise.all(
        ids.map((orderId) =>
          dealing.ask(closePersonOrder, { id: trader.user.id, orderId, reason: `reason ${orderId}` }),
        ),
      )
      for (const orderId of ids)
        expect(valueOf(await trader.client.call(getOrder, { orderId })).endedBy?.reason).toBe(
          `reason ${orderId}`,
        )
      const told = (await activities()).slice(0, 2)
      expect(told.map(({ text, reason }) => `${text}: ${reason}`).toSorted()).toEqual(
        ids.map((id) => `Position ${id} closed at the market price: reason ${id}`),
      )
    })

    test("is refused for another's order, one that has ended, and without a role or a reason", async () => {
      const order = await trader.order()
      const other = await newTrader(server())
      const asked = { id: trader.user.id, orderId: order.id, reason: 'a reason' }
      expect(await dealing.refusalOf(closePersonOrder, { ...asked, id: other.user.id })).toBe('orderNotFound')
      expect(await dealing.refusalOf(closePersonOrder, { ...asked, reason: '' })).toBe('reasonMissing')
      expect(await compliance.refusalOf(closePersonOrder, asked)).toBe('roleRefused')
      await dealing.ask(closePersonOrder, asked)
      expect(await dealing.refusalOf(closePersonOrder, asked)).toBe('orderNotFound')
    })
  })

  test('whoever is logged out everywhere is out at once, and reads why', async () => {
    const support = await atDesk(server(), 'support')
    const member = await newMember(server())
    const asked = { id: member.user.id, reason: 'a phone was lost' }
    expect(await support.ask(logPersonOut, asked)).toEqual({ ended: 1 })
    const mine = clientOf(server().url, member.token)
    expect(await mine.call(getUser, null)).toMatchObject({ ok: false, reason: 'sessionGone' })
    const { token } = dataOf<{ token: string }>(await logInAs(server(), member.email))
    expect(await activities(token)).toMatchObject([
      { by: 'user', text: 'Logged in' },
      { by: 'operator', text: 'Logged out everywhere', role: 'support', reason: 'a phone was lost' },
      { by: 'user', text: 'Registered' },
    ])
  })

  test('a second factor that is reset is gone with all sessions, and told by mail', async () => {
    const member = await newMember(server())
    const asked = { id: member.user.id, reason: 'a lost phone, identity shown' }
    expect(await compliance.refusalOf(resetPersonSecondFactor, asked)).toBe('secondFactorOff')
    const { queries } = server().deployment.database
    await queries
      .insertInto('second_factor')
      .values({ user_id: BigInt(asked.id), secret: newTotpSecret(), confirmed_at: 1n, last_step: 0n })
      .execute()
    expect((await logInAs(server(), member.email)).body?.code).toBe(0)
    expect(await compliance.ask(resetPersonSecondFactor, asked)).toEqual({ ended: 1 })
    expect((await logInAs(server(), member.email)).body?.code).toBe(1)
    const mails = await sentTo(server(), member.email)
    expect(mails.map(({ subject }) => subject)).toContain('Your second factor was reset')
    expect(mails.some(({ body }) => body.includes(asked.reason))).toBe(true)
  })
})

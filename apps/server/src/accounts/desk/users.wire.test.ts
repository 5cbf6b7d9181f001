import { listActivity, valueOf } from '@fairlot/contract'
import {
  addUserNote,
  requestAdjustment,
  getUserProfile,
  getUserEquity,
  listAuditEntries,
  listUserLogIns,
  listUserMovements,
  listUserNotes,
  listUserOrders,
  NOTE_LENGTH,
  searchUsers,
  setCreditScore,
  type UserSearchRow,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { logInAs, newUser, type TestUser } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const EVERY_ENTRY = {
  operatorId: null,
  act: null,
  subject: null,
  accountId: null,
  outcome: null,
  since: null,
  until: null,
  search: null,
  page: 1,
}

describe.each(DATABASES)('users, %s', (kind) => {
  const server = serverOn(kind)
  let registered: TestUser
  let trader: Trader
  let desk: { support: AtDesk; compliance: AtDesk; finance: AtDesk }

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    registered = await newUser(server())
    trader = await newTrader(server())
    desk = {
      support: await atDesk(server(), 'support'),
      compliance: await atDesk(server(), 'compliance'),
      finance: await atDesk(server(), 'finance'),
    }
  })

  const find = async (query: string): Promise<readonly UserSearchRow[]> =>
    (await desk.support.request(searchUsers, { query, page: 1 })).people
  const foundBy = async (query: string, id: number) =>
    (await find(query)).find((user) => user.id === id)?.foundBy ?? null

  describe('a search', () => {
    test('lists the newest without a query, page by page', async () => {
      const { people, total } = await desk.support.request(searchUsers, { query: ' ', page: 1 })
      expect(people.slice(0, 2).map(({ id }) => id)).toEqual([trader.user.id, registered.user.id])
      expect(total).toBe(people.length)
      expect((await desk.support.request(searchUsers, { query: '', page: 2 })).people).toEqual([])
    })

    test('finds by public number, id and the beginning of an address', async () => {
      const { id } = registered.user
      expect(await foundBy(String(100_000 + id), id)).toBe('number')
      expect(await foundBy(`#${id}`, id)).toBe('id')
      expect(await foundBy(registered.email.slice(0, 6).toUpperCase(), id)).toBe('email')
      expect(await foundBy(registered.email, id)).toBe('email')
      expect(await find(`x${registered.email}`)).toEqual([])
    })

    test('finds by an order, a transfer and a case', async () => {
      const { engine } = server().deployment
      const order = await trader.order()
      const request = { id: registered.user.id, amount: money(5_000_000n), reason: 'a promise kept' }
      const { caseId } = await desk.finance.request(requestAdjustment, request)
      await engine.caughtUp()
      const { records } = await desk.support.request(listUserMovements, { id: trader.user.id, page: 1 })
      const ownersOf = async (n = 0) => (await find(String(n))).map(({ id }) => id)
      expect(await ownersOf(order.id)).toContain(trader.user.id)
      expect(await ownersOf(records[0]?.id)).toContain(trader.user.id)
      expect(await ownersOf(caseId)).toContain(registered.user.id)
    })

    test('finds by a phone number however it is written, and by its beginning', async () => {
      const { queries } = server().deployment.database
      const withPhone = async (phone: string, calling_code: string, national_number: string) => {
        const { user } = await newUser(server())
        await queries
          .updateTable('member')
          .set({ email: null, email_key: null, phone, calling_code, national_number })
          .where('user_id', '=', BigInt(user.id))
          .execute()
        return user.id
      }
      const british = await withPhone('+447911710003', '44', '7911710003')
      for (const query of [
        '07911710003',
        '07911 710003',
        '07911\u00a0710\u2011003',
        '+44 7911 710003',
        '+44 (0)7911 710003',
        '0044 7911.710003',
        '44 7911 710003',
        '7911710003',
        '٠٧٩١١٧١٠٠٠٣',
        '07911',
        '+44 (0)79',
        '004479',
        '447911',
        '7911',
      ])
        expect([query, await foundBy(query, british)]).toEqual([query, 'phone'])
      const russian = await withPhone('+79123456789', '7', '9123456789')
      const italian = await withPhone('+390612345678', '39', '0612345678')
      expect(await foundBy('8 (912) 345-67-89', russian)).toBe('phone')
      expect(await foundBy('06 1234 5678', italian)).toBe('phone')
      expect(await foundBy('+39 06', italian)).toBe('phone')
      for (const query of ['07911710004', '+44 7911 710004', '+1 7911', '0000', '++447911710003'])
        expect([query, await foundBy(query, british)]).toEqual([query, null])
    })

    test('treats wildcards, quotes and very long numbers as plain text', async () => {
      for (const query of ['%', '_', "' or 1=1 --", '\\', '9'.repeat(400), '+', '<script>alert(1)</script>'])
        expect(await find(query)).toEqual([])
    })
  })

  test('a profile shows the user, and the account as its owner sees it', async () => {
    const profile = await desk.support.request(getUserProfile, { id: registered.user.id })
    expect(profile).toMatchObject({
      user: { email: registered.email, uid: String(100_000 + registered.user.id), isDemo: false },
      status: 'active',
      statusReason: '',
      area: 'HK',
      hasSecondFactor: false,
      invitedBy: null,
      deposits: 0n,
      withdrawals: 0n,
      noteCount: 0,
      figures: { balance: 0n, equity: 0n, level: null },
    })
    expect(await desk.support.refusalOf(getUserProfile, { id: 999_999 })).toBe('accountNotFound')
  })

  test('orders, movements, log-ins and equity are those of the requested account', async () => {
    const { id } = trader.user
    const request = { id, list: 'holding', page: 1 } as const
    const { orders } = await desk.support.request(listUserOrders, request)
    expect(orders.length).toBeGreaterThan(0)
    expect(orders.every(({ accountId, receipts }) => accountId === id && receipts.length > 0)).toBe(true)
    expect(
      (await desk.support.request(listUserOrders, { ...request, id: registered.user.id })).orders,
    ).toEqual([])
    const logIns = await desk.support.request(listUserLogIns, { id, page: 1 })
    expect(logIns.sessions).toHaveLength(1)
    expect(logIns.acts).toMatchObject([{ kind: 'loggedIn', address: '127.0.0.1' }])
    expect(await desk.support.request(getUserEquity, { id, from: null, to: null })).toEqual({ points: [] })
  })

  test('failed log-ins are shown with a masked address and a count', async () => {
    const { email, user } = await newUser(server())
    for (const password of ['another otter 71', 'another otter 72'])
      await logInAs(server(), email, { password })
    const failed = { kind: 'logInFailed', address: '127.0.0.*', times: 2 }
    await expect
      .poll(async () => (await desk.support.request(listUserLogIns, { id: user.id, page: 1 })).acts[0])
      .toMatchObject(failed)
  })

  describe('a note', () => {
    test('is shown as typed, to operators only', async () => {
      const { id } = registered.user
      const text = '<img src=x onerror=alert(1)> called twice'
      await desk.support.request(addUserNote, { id, text: ` ${text} ` })
      const { notes, total } = await desk.compliance.request(listUserNotes, { id, page: 1 })
      expect({ notes, total }).toMatchObject({ total: 1, notes: [{ text, operator: desk.support.name }] })
      const own = valueOf(await clientOf(server().url, registered.token).call(listActivity, { page: 1 }))
      expect(JSON.stringify(own)).not.toContain('called twice')
      expect(own.activities.map(({ text: shown }) => shown)).toEqual([
        'Balance adjustment requested',
        'Registered',
      ])
    })

    test('can be neither changed nor deleted, also in the database', async () => {
      const { queries } = server().deployment.database
      await expect(queries.updateTable('person_note').set({ text: 'x' }).execute()).rejects.toThrow()
      await expect(queries.deleteFrom('person_note').execute()).rejects.toThrow()
    })

    test('is refused for an unknown user, and if it is blank or too long', async () => {
      const { id } = registered.user
      expect(await desk.support.refusalOf(addUserNote, { id, text: ' \n' })).toBe('noteBlank')
      const long = 'x'.repeat(NOTE_LENGTH + 1)
      expect(await desk.support.refusalOf(addUserNote, { id, text: long })).toBe('noteTooLong')
      expect(await desk.support.refusalOf(addUserNote, { id: 999_999, text: 'x' })).toBe('accountNotFound')
    })
  })

  test('a credit score is refused from an outdated form, without a reason, or without the role', async () => {
    const { id } = registered.user
    const { creditScore: before } = (await desk.support.request(getUserProfile, { id })).user
    const request = { id, before, score: 70, reason: 'late papers' }
    expect(await desk.support.refusalOf(setCreditScore, request)).toBe('roleRefused')
    expect(await desk.compliance.refusalOf(setCreditScore, { ...request, reason: '' })).toBe('reasonMissing')
    expect(await desk.compliance.refusalOf(setCreditScore, { ...request, before: before + 1 })).toBe(
      'formOutdated',
    )
    expect(await desk.compliance.request(setCreditScore, request)).toEqual({ score: 70 })
    expect(await desk.compliance.refusalOf(setCreditScore, request)).toBe('formOutdated')
    const { acts } = await desk.support.request(listAuditEntries, { ...EVERY_ENTRY, accountId: id })
    expect(acts.slice(0, 2)).toMatchObject([
      { act: 'setCreditScore', outcome: 'formOutdated' },
      { act: 'setCreditScore', outcome: 'done', reason: request.reason },
    ])
  })

  test('an adjustment needs a valid amount and a real account, and is not booked before its approval', async () => {
    const { id } = registered.user
    const request = { id, amount: money(5_000_000n), reason: 'a promise kept' }
    expect(await desk.compliance.refusalOf(requestAdjustment, request)).toBe('roleRefused')
    const endless = { ...request, amount: money(10n ** 24n) }
    expect(await desk.finance.refusalOf(requestAdjustment, endless)).toBe('amountMalformed')
    expect(await desk.finance.refusalOf(requestAdjustment, { ...request, amount: money(0n) })).toBe(
      'amountInvalid',
    )
    expect(await desk.finance.refusalOf(requestAdjustment, { ...request, id: trader.user.id })).toBe(
      'realOnly',
    )
    await desk.finance.request(requestAdjustment, request)
    expect((await desk.support.request(getUserProfile, { id })).figures.balance).toBe(0n)
  })
})

import { listActivity, valueOf } from '@fairlot/contract'
import {
  addPersonNote,
  askPersonAdjustment,
  getPerson,
  getPersonEquity,
  listActs,
  listPersonLogIns,
  listPersonMovements,
  listPersonNotes,
  listPersonOrders,
  NOTE_LENGTH,
  searchPeople,
  setCreditScore,
  type PersonRow,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { logInAs, newMember, type Member } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const EVERY_ACT = {
  ...{ operatorId: null, act: null, subject: null, accountId: null, outcome: null },
  ...{ since: null, until: null, search: null, page: 1 },
}

describe.each(DATABASES)('people, %s', (kind) => {
  const server = serverOn(kind)
  let member: Member
  let trader: Trader
  let desk: { support: AtDesk; compliance: AtDesk; finance: AtDesk }

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    member = await newMember(server())
    trader = await newTrader(server())
    desk = {
      support: await atDesk(server(), 'support'),
      compliance: await atDesk(server(), 'compliance'),
      finance: await atDesk(server(), 'finance'),
    }
  })

  const find = async (query: string): Promise<readonly PersonRow[]> =>
    (await desk.support.ask(searchPeople, { query, page: 1 })).people
  const howFound = async (query: string, id: number) =>
    (await find(query)).find((person) => person.id === id)?.foundBy ?? null

  describe('a search', () => {
    test('shows the newest without a query, page by page', async () => {
      const { people, total } = await desk.support.ask(searchPeople, { query: ' ', page: 1 })
      expect(people.slice(0, 2).map(({ id }) => id)).toEqual([trader.user.id, member.user.id])
      expect(total).toBe(people.length)
      expect((await desk.support.ask(searchPeople, { query: '', page: 2 })).people).toEqual([])
    })

    test('finds by public number, id, and the beginning of an address', async () => {
      const { id } = member.user
      expect(await howFound(String(100_000 + id), id)).toBe('number')
      expect(await howFound(`#${id}`, id)).toBe('id')
      expect(await howFound(member.email.slice(0, 6).toUpperCase(), id)).toBe('email')
      expect(await howFound(member.email, id)).toBe('email')
      expect(await find(`x${member.email}`)).toEqual([])
    })

    test('finds by an order, a transfer and a case', async () => {
      const { engine } = server().deployment
      const order = await trader.order()
      const asked = { id: member.user.id, amount: money(5_000_000n), reason: 'a promise kept' }
      const { caseId } = await desk.finance.ask(askPersonAdjustment, asked)
      await engine.caughtUp()
      const { records } = await desk.support.ask(listPersonMovements, { id: trader.user.id, page: 1 })
      const ownersOf = async (n = 0) => (await find(String(n))).map(({ id }) => id)
      expect(await ownersOf(order.id)).toContain(trader.user.id)
      expect(await ownersOf(records[0]?.id)).toContain(trader.user.id)
      expect(await ownersOf(caseId)).toContain(member.user.id)
    })

    test('takes signs of a pattern, quotes and endless numbers for what they are', async () => {
      for (const query of ['%', '_', "' or 1=1 --", '\\', '9'.repeat(400), '+', '<script>alert(1)</script>'])
        expect(await find(query)).toEqual([])
    })
  })

  test('a profile holds who somebody is and what the account is worth, as its owner sees it', async () => {
    const profile = await desk.support.ask(getPerson, { id: member.user.id })
    expect(profile).toMatchObject({
      user: { email: member.email, uid: String(100_000 + member.user.id), isDemo: false },
      ...{ status: 'active', statusReason: '', area: 'HK', hasSecondFactor: false, invitedBy: null },
      ...{ deposits: 0n, withdrawals: 0n, noteCount: 0 },
      figures: { balance: 0n, equity: 0n, level: null },
    })
    expect(await desk.support.refusalOf(getPerson, { id: 999_999 })).toBe('accountNotFound')
  })

  test('orders, movements, log-ins and the curve are those of the account asked for', async () => {
    const { id } = trader.user
    const asked = { id, list: 'holding', page: 1 } as const
    const { orders } = await desk.support.ask(listPersonOrders, asked)
    expect(orders.length).toBeGreaterThan(0)
    expect(orders.every(({ accountId, receipts }) => accountId === id && receipts.length > 0)).toBe(true)
    expect((await desk.support.ask(listPersonOrders, { ...asked, id: member.user.id })).orders).toEqual([])
    const logIns = await desk.support.ask(listPersonLogIns, { id, page: 1 })
    expect(logIns.sessions).toHaveLength(1)
    expect(logIns.acts).toMatchObject([{ kind: 'loggedIn', address: '127.0.0.1' }])
    expect(await desk.support.ask(getPersonEquity, { id, from: null, to: null })).toEqual({ points: [] })
  })

  test('log-ins that failed are shown, with a masked address and how often', async () => {
    const { email, user } = await newMember(server())
    for (const password of ['another otter 71', 'another otter 72'])
      await logInAs(server(), email, { password })
    const failed = { kind: 'logInFailed', address: '127.0.0.*', times: 2 }
    await expect
      .poll(async () => (await desk.support.ask(listPersonLogIns, { id: user.id, page: 1 })).acts[0])
      .toMatchObject(failed)
  })

  describe('a note', () => {
    test('is shown as it was typed, to operators alone', async () => {
      const { id } = member.user
      const text = '<img src=x onerror=alert(1)> called twice'
      await desk.support.ask(addPersonNote, { id, text: ` ${text} ` })
      const { notes, total } = await desk.compliance.ask(listPersonNotes, { id, page: 1 })
      expect({ notes, total }).toMatchObject({ total: 1, notes: [{ text, operator: desk.support.name }] })
      const own = valueOf(await clientOf(server().url, member.token).call(listActivity, { page: 1 }))
      expect(JSON.stringify(own)).not.toContain('called twice')
      expect(own.activities.map(({ text: shown }) => shown)).toEqual([
        'Correction of the balance asked for',
        'Registered',
      ])
    })

    test('can be neither changed nor deleted, by whatever program', async () => {
      const { queries } = server().deployment.database
      await expect(queries.updateTable('person_note').set({ text: 'x' }).execute()).rejects.toThrow()
      await expect(queries.deleteFrom('person_note').execute()).rejects.toThrow()
    })

    test('is of somebody, and neither blank nor endless', async () => {
      const { id } = member.user
      expect(await desk.support.refusalOf(addPersonNote, { id, text: ' \n' })).toBe('noteBlank')
      const long = 'x'.repeat(NOTE_LENGTH + 1)
      expect(await desk.support.refusalOf(addPersonNote, { id, text: long })).toBe('noteTooLong')
      expect(await desk.support.refusalOf(addPersonNote, { id: 999_999, text: 'x' })).toBe('accountNotFound')
    })
  })

  test('a credit score is set from what the form showed, and within reason', async () => {
    const { id } = member.user
    const { creditScore: before } = (await desk.support.ask(getPerson, { id })).user
    const asked = { id, before, score: 70, reason: 'late papers' }
    expect(await desk.support.refusalOf(setCreditScore, asked)).toBe('roleRefused')
    expect(await desk.compliance.refusalOf(setCreditScore, { ...asked, reason: '' })).toBe('reasonMissing')
    expect(await desk.compliance.refusalOf(setCreditScore, { ...asked, before: before + 1 })).toBe(
      'formOutdated',
    )
    expect(await desk.compliance.ask(setCreditScore, asked)).toEqual({ score: 70 })
    expect(await desk.compliance.refusalOf(setCreditScore, asked)).toBe('formOutdated')
    const { acts } = await desk.support.ask(listActs, { ...EVERY_ACT, accountId: id })
    expect(acts.slice(0, 2)).toMatchObject([
      { act: 'setCreditScore', outcome: 'formOutdated' },
      { act: 'setCreditScore', outcome: 'done', reason: asked.reason },
    ])
  })

  test('an adjustment is asked for, of a sum that exists, and nothing is booked before another one agrees', async () => {
    const { id } = member.user
    const asked = { id, amount: money(5_000_000n), reason: 'a promise kept' }
    expect(await desk.compliance.refusalOf(askPersonAdjustment, asked)).toBe('roleRefused')
    const endless = { ...asked, amount: money(10n ** 24n) }
    expect(await desk.finance.refusalOf(askPersonAdjustment, endless)).toBe('notUnderstood')
    expect(await desk.finance.refusalOf(askPersonAdjustment, { ...asked, amount: money(0n) })).toBe(
      'amountInvalid',
    )
    expect(await desk.finance.refusalOf(askPersonAdjustment, { ...asked, id: trader.user.id })).toBe(
      'realOnly',
    )
    await desk.finance.ask(askPersonAdjustment, asked)
    expect((await desk.support.ask(getPerson, { id })).figures.balance).toBe(0n)
  })
})

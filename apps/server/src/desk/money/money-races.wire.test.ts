import {
  askWithdrawal,
  getFunds,
  getWithdrawal,
  listDeposits,
  listLedgerRecords,
  submitOrder,
  takeBackWithdrawal,
  valueOf,
} from '@fairlot/contract'
import {
  approveWithdrawal,
  decideApproval,
  finishDeposit,
  payWithdrawal,
  refuseDeposit,
  refuseWithdrawal,
} from '@fairlot/contract/desk'
import { figuresOf, violations } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { MARKET_BUY } from '../../../../../testing/traders.ts'
import { reasonOf } from '../../testing/accounts.ts'
import { call } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  newPayer,
  oldMethod,
  openedDeposit,
  setUpPayments,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const REASON = 'as it should be'
const LIMIT = 10_000
const SECOND_MS = 1_000
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

describe.each(DATABASES)('money that many reach for at once, %s', (kind) => {
  const server = serverOn(kind, { env: { MARKET_HOURS: 'always' } })
  let [finance, other]: [AtDesk, AtDesk] = [] as never
  beforeAll(async () => {
    await setUpPayments(server())
    finance = await atDesk(server(), 'finance')
    other = await atDesk(server(), 'administrator')
  })

  const credited = async (whole: number): Promise<Payer> => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(whole))
    await finance.ask(finishDeposit, { id, amount: units(whole), reason: REASON })
    return payer
  }
  const withMethod = async (whole: number) => {
    const payer = await credited(whole)
    const { id: methodId } = await oldMethod(server(), payer)
    const ask = (amount: number) =>
      payer.client.call(askWithdrawal, {
        ...{ currencyId: 1, amount: units(amount), memo: '', methodId, authCode: null },
      })
    return { ...payer, methodId, ask }
  }
  const fundsOf = async ({ client }: Payer) => valueOf(await client.call(getFunds, null))
  const recordsOf = async ({ client }: Payer) =>
    valueOf(await client.call(listLedgerRecords, { page: 1, group: null })).records

  test('a deposit that is finished and refused at once, at many amounts, is credited once or not at all', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(100))
    const outcomes = await Promise.all([
      ...many(10, (at) => finance.try(finishDeposit, { id, amount: units(100 + at), reason: REASON })),
      ...many(10, () => other.try(refuseDeposit, { id, outcome: 'rejected', reason: REASON })),
    ])
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    const won = outcomes.findIndex((outcome) => outcome.ok)
    expect((await fundsOf(payer)).available).toBe(won < 10 ? units(100 + won) : 0n)
    expect(await recordsOf(payer)).toHaveLength(won < 10 ? 1 : 0)
  })

  test('a deposit above the limit, asked for at two amounts and agreed to at once, is credited once', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(LIMIT + 1))
    const asked = await Promise.all(
      many(2, (at) => finance.try(finishDeposit, { id, amount: units(LIMIT + 1 + at), reason: REASON })),
    )
    const approvals = asked.flatMap((outcome) => (outcome.ok ? [outcome.value.approvalId ?? 0] : []))
    await Promise.all(
      approvals.flatMap((approval) =>
        many(5, () => other.try(decideApproval, { id: approval, isApproved: true, reason: REASON })),
      ),
    )
    expect(await recordsOf(payer)).toHaveLength(1)
    expect([units(LIMIT + 1), units(LIMIT + 2)]).toContain((await fundsOf(payer)).available)
  })

  test('an approved withdrawal that is paid, rejected and taken back at once ends once, with its own number', async () => {
    for (let round = 0; round < 3; round += 1) {
      const payer = await withMethod(300)
      const { id } = valueOf(await payer.ask(300))
      await finance.ask(approveWithdrawal, { id, reason: REASON })
      const outcomes = await Promise.all([
        ...many(6, (at) =>
          (at % 2 === 0 ? finance : other).try(payWithdrawal, { id, reference: `tx ${at}`, reason: REASON }),
        ),
        ...many(3, () => other.try(refuseWithdrawal, { id, reason: REASON })),
        ...many(6, () => payer.client.call(takeBackWithdrawal, { id })),
      ])
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
      const won = outcomes.findIndex((outcome) => outcome.ok)
      const seen = valueOf(await payer.client.call(getWithdrawal, { id }))
      expect(seen).toMatchObject(
        won < 6 ? { status: 'paid', reference: `tx ${won}` } : { status: 'rejected', reference: '' },
      )
      expect(await fundsOf(payer)).toEqual({ available: won < 6 ? 0n : units(300), frozen: 0n })
    }
  })

  test('withdrawals of everything and orders at once never leave a position without its margin', async () => {
    const payer = await withMethod(1_000)
    const outcomes = await Promise.all(
      many(20, (at) => (at % 2 === 0 ? payer.ask(1_000) : payer.client.call(submitOrder, MARKET_BUY))),
    )
    expect(outcomes.some((outcome) => outcome.ok)).toBe(true)
    const { engine } = server().deployment
    const account = engine.state().accounts.get(payer.user.id)
    expect(account && figuresOf(engine.state(), account).free >= 0n).toBe(true)
    const { available, frozen } = await fundsOf(payer)
    expect([0n, units(1_000)]).toContain(frozen)
    expect(available + frozen <= units(1_000)).toBe(true)
  })

  test('what somebody began to take back and never did can still be approved', async () => {
    const payer = await withMethod(500)
    const { id } = valueOf(await payer.ask(300))
    const { wallClock, database } = server().deployment
    const mark = (agoMs: number) =>
      database.queries
        .updateTable('withdrawal')
        .set({ taken_back_at: BigInt(wallClock() - agoMs) })
        .where('case_id', '=', BigInt(id))
        .execute()
    await mark(0)
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('caseEnded')
    await mark(60 * SECOND_MS + SECOND_MS)
    await finance.ask(approveWithdrawal, { id, reason: REASON })
    expect(await payer.client.call(takeBackWithdrawal, { id })).toMatchObject({
      reason: 'withdrawalApproved',
    })
  })

  test('decisions about cases of another kind, or of none, are refused', async () => {
    const payer = await withMethod(300)
    const { id: held } = valueOf(await payer.ask(300))
    const told = await openedDeposit(server(), payer.user.id, units(5))
    for (const id of [told, 99_999]) {
      expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toMatch(
        /^case(Ended|NotFound)$/,
      )
      expect(await finance.refusalOf(payWithdrawal, { id, reference: 'x', reason: REASON })).toMatch(/^case/)
      expect(await payer.client.call(takeBackWithdrawal, { id })).toMatchObject({ ok: false })
    }
    expect(await finance.refusalOf(finishDeposit, { id: held, amount: units(1), reason: REASON })).toMatch(
      /^case/,
    )
    expect(await fundsOf(payer)).toEqual({ available: 0n, frozen: units(300) })
  })

  test('a deposit is not credited at an amount that is none, as a text and as a number', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(5))
    const numbers = ['0', '-1', '1e309', '1.0000001', '9'.repeat(40), '1000000000001', '1e-400']
    const texts = [...numbers, '', 'NaN', 'null', '0x10', '5,0'].map((text) => JSON.stringify(text))
    for (const amount of [...numbers, ...texts, 'null', '[5]', '{}']) {
      const answer = await call(server(), finishDeposit.path, {
        body: `{"id":${id},"amount":${amount},"reason":"x"}`,
        headers: { authorization: finance.token, 'content-type': 'application/json', lang: 'en' },
      })
      expect(answer.status, amount).toBeLessThan(500)
      expect(reasonOf(answer), amount).toMatch(/^amount/)
    }
    expect((await fundsOf(payer)).available).toBe(0n)
  })

  test('a withdrawal of no amount is refused, as a text and as a number', async () => {
    const payer = await withMethod(300)
    for (const number of [
      '0',
      '-0',
      '1e309',
      '-1e309',
      '300.0000001',
      '299.99999999999999',
      '1'.repeat(400),
    ]) {
      const answer = await call(server(), askWithdrawal.path, {
        body: `{"draw_currency_id":1,"number":${number},"memo":"","draw_method_id":${payer.methodId}}`,
        headers: { authorization: payer.token, 'content-type': 'application/json', lang: 'en' },
      })
      expect(answer.status).toBeLessThan(500)
      expect(reasonOf(answer)).toMatch(/^amount/)
    }
    expect(await fundsOf(payer)).toEqual({ available: units(300), frozen: 0n })
  })

  test("nobody reads another's deposits", async () => {
    const payer = await credited(5)
    const stranger = await newPayer(server())
    expect(valueOf(await stranger.client.call(listDeposits, { kind: 'coin', page: 1 })).total).toBe(0)
    expect((await recordsOf(payer)).length).toBe(1)
    expect(await recordsOf(stranger)).toEqual([])
  })

  test('leaves a ledger that adds up, and tables that follow from the journal', async () => {
    const { engine, database } = server().deployment
    expect([...violations(engine.core())]).toEqual([])
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })
})

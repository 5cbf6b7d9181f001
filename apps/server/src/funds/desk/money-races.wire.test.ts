import {
  requestWithdrawal,
  getFunds,
  getWithdrawal,
  listDeposits,
  listLedgerRecords,
  submitOrder,
  cancelWithdrawal,
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
  sentUnits,
  units,
  type Payer,
  NO_QUOTE,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const REASON = 'as it should be'
const LIMIT = 10_000
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

describe.each(DATABASES)('concurrent payments, %s', (kind) => {
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
    await finance.request(finishDeposit, { id, amount: sentUnits(whole), arrivedAt: null, reason: REASON })
    return payer
  }
  const withMethod = async (whole: number) => {
    const payer = await credited(whole)
    const { id: methodId } = await oldMethod(server(), payer)
    const request = (amount: number) =>
      payer.client.call(requestWithdrawal, {
        currencyId: 1,
        amount: units(amount),
        memo: '',
        methodId,
        authCode: null,
        ...NO_QUOTE,
      })
    return { ...payer, methodId, request }
  }
  const fundsOf = async ({ client }: Payer) => valueOf(await client.call(getFunds, null))
  const recordsOf = async ({ client }: Payer) =>
    valueOf(await client.call(listLedgerRecords, { before: null, page: 1, group: null })).records

  test('a deposit that is credited at many amounts and refused at once is credited once or not at all', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(100))
    const outcomes = await Promise.all([
      ...many(10, (at) =>
        finance.try(finishDeposit, { id, amount: sentUnits(100 + at), arrivedAt: null, reason: REASON }),
      ),
      ...many(10, () => other.try(refuseDeposit, { id, outcome: 'rejected', reason: REASON })),
    ])
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    const won = outcomes.findIndex((outcome) => outcome.ok)
    expect((await fundsOf(payer)).available).toBe(won < 10 ? units(100 + won) : 0n)
    expect(await recordsOf(payer)).toHaveLength(won < 10 ? 1 : 0)
  })

  test('a deposit above the limit, requested at two amounts and approved at once, is credited once', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(LIMIT + 1))
    const outcomes = await Promise.all(
      many(2, (at) =>
        finance.try(finishDeposit, {
          id,
          amount: sentUnits(LIMIT + 1 + at),
          arrivedAt: null,
          reason: REASON,
        }),
      ),
    )
    const approvals = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.approvalId ?? 0] : []))
    await Promise.all(
      approvals.flatMap((approval) =>
        many(5, () => other.try(decideApproval, { id: approval, isApproved: true, reason: REASON })),
      ),
    )
    expect(await recordsOf(payer)).toHaveLength(1)
    expect([units(LIMIT + 1), units(LIMIT + 2)]).toContain((await fundsOf(payer)).available)
  })

  test('an approved withdrawal that is paid and cancelled at once is paid once, by another than its approver', async () => {
    for (let round = 0; round < 3; round += 1) {
      const payer = await withMethod(300)
      const { id } = valueOf(await payer.request(300))
      await finance.request(approveWithdrawal, { id, reason: REASON })
      const outcomes = await Promise.all([
        ...many(6, (at) =>
          (at % 2 === 0 ? finance : other).try(payWithdrawal, { id, reference: `tx ${at}`, reason: REASON }),
        ),
        ...many(6, () => payer.client.call(cancelWithdrawal, { id })),
      ])
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
      const won = outcomes.findIndex((outcome) => outcome.ok)
      const seen = valueOf(await payer.client.call(getWithdrawal, { id }))
      expect(won % 2).toBe(1)
      expect(seen).toMatchObject({ status: 'paid', reference: `tx ${won}` })
      expect(await fundsOf(payer)).toEqual({ available: 0n, frozen: 0n })
    }
  })

  test('withdrawals of the whole balance and orders at once leave no position without its margin', async () => {
    const payer = await withMethod(1_000)
    const outcomes = await Promise.all(
      many(20, (at) => (at % 2 === 0 ? payer.request(1_000) : payer.client.call(submitOrder, MARKET_BUY))),
    )
    expect(outcomes.some((outcome) => outcome.ok)).toBe(true)
    const { engine } = server().deployment
    const account = engine.state().accounts.get(payer.user.id)
    expect(account && figuresOf(engine.state(), account).free >= 0n).toBe(true)
    const { available, frozen } = await fundsOf(payer)
    expect([0n, units(1_000)]).toContain(frozen)
    expect(available + frozen <= units(1_000)).toBe(true)
  })

  test('rejecting an approved withdrawal needs two operators and happens once, also if requested at once', async () => {
    const payer = await withMethod(500)
    const { id } = valueOf(await payer.request(300))
    await finance.request(approveWithdrawal, { id, reason: REASON })
    const outcomes = await Promise.all(many(3, () => finance.try(refuseWithdrawal, { id, reason: REASON })))
    const [case1] = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.approvalId ?? 0] : []))
    expect(outcomes.filter((outcome) => outcome.ok).length).toBeGreaterThan(0)
    expect(await fundsOf(payer)).toMatchObject({ frozen: units(300) })
    const decide = (desk: AtDesk) =>
      desk.try(decideApproval, { id: case1 ?? 0, isApproved: true, reason: REASON })
    expect(await decide(finance)).toMatchObject({ ok: false, reason: 'sameOperator' })
    const decided = await Promise.all(many(4, () => decide(other)))
    expect(decided.filter((outcome) => outcome.ok)).toHaveLength(1)
    expect(await fundsOf(payer)).toEqual({ available: units(500), frozen: 0n })
  })

  test('a cancellation refused for a reused request id does not block the withdrawal', async () => {
    const payer = await withMethod(500)
    const { id } = valueOf(await payer.request(300))
    const { id: second } = valueOf(await payer.request(100))
    const named = { requestId: 'one tap' }
    valueOf(await payer.client.call(cancelWithdrawal, { id: second }, named))
    expect(await payer.client.call(cancelWithdrawal, { id }, named)).toMatchObject({
      ok: false,
      reason: 'requestIdReused',
    })
    await finance.request(approveWithdrawal, { id, reason: REASON })
    expect(await payer.client.call(cancelWithdrawal, { id })).toMatchObject({
      reason: 'withdrawalApproved',
    })
  })

  test('decisions on cases of another kind, or on unknown cases, are refused', async () => {
    const payer = await withMethod(300)
    const { id: held } = valueOf(await payer.request(300))
    const depositId = await openedDeposit(server(), payer.user.id, units(5))
    for (const id of [depositId, 99_999]) {
      expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toMatch(
        /^case(Ended|NotFound)$/,
      )
      expect(await finance.refusalOf(payWithdrawal, { id, reference: 'x', reason: REASON })).toMatch(/^case/)
      expect(await payer.client.call(cancelWithdrawal, { id })).toMatchObject({ ok: false })
    }
    expect(
      await finance.refusalOf(finishDeposit, {
        id: held,
        amount: sentUnits(1),
        arrivedAt: null,
        reason: REASON,
      }),
    ).toMatch(/^case/)
    expect(await fundsOf(payer)).toEqual({ available: 0n, frozen: units(300) })
  })

  test('a deposit is not credited at an invalid amount, given as text or as number', async () => {
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

  test('a withdrawal of an invalid amount is refused', async () => {
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
      const answer = await call(server(), requestWithdrawal.path, {
        body: `{"draw_currency_id":1,"number":${number},"memo":"","draw_method_id":${payer.methodId}}`,
        headers: { authorization: payer.token, 'content-type': 'application/json', lang: 'en' },
      })
      expect(answer.status).toBeLessThan(500)
      expect(reasonOf(answer)).toMatch(/^amount/)
    }
    expect(await fundsOf(payer)).toEqual({ available: units(300), frozen: 0n })
  })

  test("users cannot read each other's deposits", async () => {
    const payer = await credited(5)
    const stranger = await newPayer(server())
    expect(
      valueOf(await stranger.client.call(listDeposits, { kind: 'coin', before: null, page: 1 })).total,
    ).toBe(0)
    expect((await recordsOf(payer)).length).toBe(1)
    expect(await recordsOf(stranger)).toEqual([])
  })

  test('leave a ledger that adds up, and tables that follow from the journal', async () => {
    const { engine, database } = server().deployment
    expect([...violations(engine.core())]).toEqual([])
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })
})

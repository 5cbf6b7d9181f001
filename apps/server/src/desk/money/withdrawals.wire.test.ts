import {
  askWithdrawal,
  bindReceivingMethod,
  getWithdrawal,
  listActivity,
  listLedgerRecords,
  listPayoutCurrencies,
  listWithdrawals,
  getFunds,
  takeBackWithdrawal,
  valueOf,
  type WithdrawalForm,
} from '@fairlot/contract'
import {
  approveWithdrawal,
  findReference,
  finishDeposit,
  getPayment,
  getWaitingCase,
  listWaiting,
  payWithdrawal,
  refuseDeposit,
  refuseWithdrawal,
  takeCase,
  verifyPerson,
} from '@fairlot/contract/desk'
import { violations } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newMember, post, reasonOf, sentTo } from '../../testing/accounts.ts'
import { dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  methodForm,
  newPayer,
  oldMethod,
  openedDeposit,
  setUpPayments,
  TRON_ADDRESS,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { openSocket } from '../../testing/socket-reader.ts'
import { verify } from '../../verify/verify.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const REASON = 'as it should be'
/** The limit of four eyes, in whole units. */
const ALONE_MOST = 10_000
const EVERYTHING = { kind: null, held: null, search: null, page: 1 }

describe.each(DATABASES)('a withdrawal, %s', (kind) => {
  const server = serverOn(kind)
  let finance: AtDesk
  beforeAll(async () => {
    await setUpPayments(server())
    finance = await atDesk(server(), 'finance')
  })

  /** Credits so many whole units, each time no more than one person may. */
  const fund = async ({ user }: Payer, whole: number) => {
    for (let left = whole; left > 0; left -= ALONE_MOST) {
      const amount = units(Math.min(left, ALONE_MOST))
      const id = await openedDeposit(server(), user.id, amount)
      await finance.ask(finishDeposit, { id, amount, reason: REASON })
    }
  }
  /** Somebody with money and a method that is old enough. */
  const readyPayer = async (whole: number) => {
    const payer = await newPayer(server())
    await fund(payer, whole)
    const { id } = await oldMethod(server(), payer)
    const form = (amount: number, given: Partial<WithdrawalForm> = {}) => ({
      ...{ currencyId: 1, amount: units(amount), memo: '', methodId: id, authCode: null },
      ...given,
    })
    const ask = (amount: number, given: Partial<WithdrawalForm> = {}) =>
      payer.client.call(askWithdrawal, form(amount, given))
    const refusalOf = async (amount: number, given: Partial<WithdrawalForm> = {}) => {
      const outcome = await ask(amount, given)
      return outcome.ok ? null : outcome.reason
    }
    const funds = async () => valueOf(await payer.client.call(getFunds, null))
    return { ...payer, methodId: id, ask, refusalOf, funds }
  }
  const kindsOf = async (payer: Payer) =>
    valueOf(await payer.client.call(listLedgerRecords, { page: 1, group: null })).records.map(
      (record) => record.kind,
    )

  test('shows before it is asked for what it costs', async () => {
    const payer = await newPayer(server())
    expect(valueOf(await payer.client.call(listPayoutCurrencies, { kind: 'coin' }))).toMatchObject([
      { id: 1, code: 'USDT', network: 'TRC20', feeType: 'fixed', feeRate: units(12), price: 1 },
      { id: 2, code: 'BTC', feeType: 'rate', feeRate: 10_000n, price: 0.00001 },
    ])
    expect(valueOf(await payer.client.call(listPayoutCurrencies, { kind: 'bank' }))).toHaveLength(1)
  })

  test('is frozen at once, approved, paid, and told step by step', async () => {
    const payer = await readyPayer(1_000)
    const asked = valueOf(await payer.ask(400, { memo: 'for the rent' }))
    expect(asked).toMatchObject({
      ...{ amount: units(400), fee: units(12), received: 388, status: 'waiting', memo: 'for the rent' },
      ...{ address: TRON_ADDRESS, holder: 'finance', statusName: 'Waiting for approval' },
    })
    expect(await payer.funds()).toEqual({ available: units(600), frozen: units(400) })

    const { id } = asked
    const paid = { id, reference: 'tx 77', reason: REASON }
    expect(await finance.refusalOf(payWithdrawal, paid)).toBe('withdrawalNotApproved')
    await finance.ask(approveWithdrawal, { id, reason: REASON })
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('withdrawalApproved')
    expect(valueOf(await payer.client.call(getWithdrawal, { id }))).toMatchObject({ status: 'approved' })
    expect(await finance.refusalOf(payWithdrawal, { ...paid, reference: ' ' })).toBe('referenceMissing')
    await finance.ask(payWithdrawal, paid)
    expect(await finance.refusalOf(payWithdrawal, paid)).toBe('caseEnded')

    expect(await finance.ask(findReference, { id, reference: 'tx 77' })).toEqual({ cases: [] })
    expect(await finance.ask(findReference, { id: id + 1, reference: 'TX 77' })).toMatchObject({
      cases: [{ caseKey: `withdrawal:${id}`, accountId: payer.user.id, state: 'paid', waits: false }],
    })

    const seen = valueOf(await payer.client.call(getWithdrawal, { id }))
    expect(seen).toMatchObject({ status: 'paid', reference: 'tx 77', holder: '' })
    expect(seen.steps.map((step) => [step.kind, step.role])).toEqual([
      ['asked', 'you'],
      ['approved', 'finance'],
      ['paid', 'finance'],
    ])
    expect(await payer.funds()).toEqual({ available: units(600), frozen: 0n })
    expect(await kindsOf(payer)).toEqual(['withdrawalFee', 'withdrawalPaid', 'withdrawalHeld', 'deposit'])
    const subjects = async () => (await sentTo(server(), payer.email)).map(({ subject }) => subject)
    for (const step of [`${id}`, `${id} is approved`, `${id} is paid`])
      await expect.poll(subjects).toContain(`Your withdrawal ${step}`)
  })

  test('that is rejected is free again whole, with the reason', async () => {
    const payer = await readyPayer(500)
    const { id } = valueOf(await payer.ask(500))
    await finance.ask(refuseWithdrawal, { id, reason: 'the name does not fit' })
    const seen = valueOf(await payer.client.call(getWithdrawal, { id }))
    expect(seen).toMatchObject({ status: 'rejected', remark: 'the name does not fit' })
    expect(seen.steps.at(-1)).toMatchObject({ kind: 'rejected', role: 'finance' })
    expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
  })

  test('can be taken back while it waits, and not once it is approved', async () => {
    const payer = await readyPayer(500)
    const { id } = valueOf(await payer.ask(200))
    const back = valueOf(await payer.client.call(takeBackWithdrawal, { id }))
    expect(back).toMatchObject({ status: 'cancelled' })
    expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('caseEnded')
    const { id: other } = valueOf(await payer.ask(200))
    await finance.ask(approveWithdrawal, { id: other, reason: REASON })
    const tooLate = await payer.client.call(takeBackWithdrawal, { id: other })
    expect(tooLate).toMatchObject({ ok: false, reason: 'withdrawalApproved' })
  })

  test('above the limit is paid by somebody other than who approved it', async () => {
    const payer = await readyPayer(30_000)
    const { id } = valueOf(await payer.ask(20_000))
    await finance.ask(approveWithdrawal, { id, reason: REASON })
    const paid = { id, reference: 'tx 1', reason: REASON }
    expect(await finance.refusalOf(payWithdrawal, paid)).toBe('secondOperatorNeeded')
    expect(await payer.funds()).toMatchObject({ frozen: units(20_000) })
    const second = await atDesk(server(), 'administrator')
    await second.ask(payWithdrawal, paid)
    expect(await payer.funds()).toMatchObject({ frozen: 0n })
  })

  test('is refused for anybody whose identity nobody has seen', async () => {
    const payer = await readyPayer(500)
    const compliance = await atDesk(server(), 'compliance')
    const mark = { accountId: payer.user.id, reason: 'the papers have run out' }
    await compliance.ask(verifyPerson, { ...mark, outcome: 'unverified' })
    expect(await payer.refusalOf(100)).toBe('identityUnverified')
    await compliance.ask(verifyPerson, { ...mark, outcome: 'verified' })
    expect(await payer.refusalOf(100)).toBeNull()
    const { activities } = valueOf(await payer.client.call(listActivity, { page: 1 }))
    expect(activities.filter(({ text }) => text === 'Identity check decided')).toMatchObject([
      { by: 'operator', role: 'compliance', reason: mark.reason },
      { by: 'operator', role: 'compliance', reason: mark.reason },
    ])
  })

  test('beyond what one person may ask for on a day is refused, and what is left is shown', async () => {
    const { queries } = server().deployment.database
    const limit = (most: bigint | null) =>
      queries
        .updateTable('withdrawal_currency')
        .set({ person_day_limit: most })
        .where('id', '=', 1n)
        .execute()
    const payer = await readyPayer(500)
    await limit(units(300))
    const left = async () =>
      valueOf(await payer.client.call(listPayoutCurrencies, { kind: 'coin' }))[0]?.leftToday
    const both = await Promise.all([payer.refusalOf(200), payer.refusalOf(200)])
    expect(new Set(both)).toEqual(new Set(['payoutDayLimitReached', null]))
    expect(await left()).toBe(units(100))
    const [asked] = valueOf(await payer.client.call(listWithdrawals, { kind: 'coin', page: 1 })).withdrawals
    await payer.client.call(takeBackWithdrawal, { id: asked?.id ?? 0 })
    expect(await left()).toBe(units(300))
    await limit(null)
  })

  test('to a new method has to wait', async () => {
    const payer = await newPayer(server())
    await fund(payer, 500)
    const method = valueOf(await payer.client.call(bindReceivingMethod, methodForm()))
    const outcome = await payer.client.call(askWithdrawal, {
      ...{ currencyId: 1, amount: units(100), memo: '', methodId: method.id, authCode: null },
    })
    expect(outcome).toMatchObject({ ok: false, reason: 'methodTooNew' })
  })

  test('takes only what is there, within the limits of its currency', async () => {
    const payer = await readyPayer(500)
    expect(await payer.refusalOf(500.000001)).toBe('notEnoughMoney')
    expect(await payer.refusalOf(9.99)).toBe('amountBelowMinimum')
    expect(await payer.refusalOf(12)).toBe('amountBelowFee')
    expect(await payer.refusalOf(100_001)).toBe('amountAboveMaximum')
    expect(await payer.refusalOf(0)).toBe('amountInvalid')
    expect(await payer.refusalOf(100, { currencyId: 2 })).toBe('methodNotFound')
    expect(await payer.refusalOf(100, { currencyId: 9 })).toBe('currencyNotFound')
    expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
  })

  test.each([
    [{ number: '1e309' }, 'amountMalformed'],
    [{ number: '-100' }, 'amountInvalid'],
    [{ number: '100.0000001' }, 'amountMalformed'],
    [{ number: '1'.repeat(60) }, 'amountMalformed'],
    [{ number: '' }, 'amountMalformed'],
    [{ memo: 'm'.repeat(201) }, 'textTooLong'],
    [{ draw_method_id: '-1' }, 'idInvalid'],
  ])('with %j is refused', async (given, reason) => {
    const payer = await readyPayer(500)
    const body = { draw_currency_id: '1', number: '100', memo: '', draw_method_id: `${payer.methodId}` }
    expect(reasonOf(await post(server(), '/api/account/draw', { ...body, ...given }, payer.token))).toBe(
      reason,
    )
    expect(await payer.funds()).toMatchObject({ frozen: 0n })
  })

  test("never uses somebody else's method, and never shows somebody else's record", async () => {
    const [owner, stranger] = [await readyPayer(500), await readyPayer(500)]
    expect(await stranger.refusalOf(100, { methodId: owner.methodId })).toBe('methodNotFound')
    const { id } = valueOf(await owner.ask(100))
    for (const call of [getWithdrawal, takeBackWithdrawal])
      expect(await stranger.client.call(call, { id })).toMatchObject({ ok: false, reason: 'caseNotFound' })
    expect(valueOf(await stranger.client.call(listWithdrawals, { kind: 'coin', page: 1 })).total).toBe(0)
    expect(valueOf(await owner.client.call(getWithdrawal, { id })).status).toBe('waiting')
  })

  test('asked for fifty times at once for the whole balance is held once', async () => {
    const payer = await readyPayer(1_000)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => payer.ask(1_000)))
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    expect(await payer.funds()).toEqual({ available: 0n, frozen: units(1_000) })
  })

  test('sent twice under one name is held once', async () => {
    const payer = await readyPayer(1_000)
    const body = { draw_currency_id: 1, number: 100, memo: '', draw_method_id: payer.methodId }
    const send = () => post(server(), '/api/account/draw', body, payer.token, { 'idempotency-key': 'once' })
    const [first, again] = await Promise.all([send(), send()])
    expect(dataOf<{ id: number }>(again).id).toBe(dataOf<{ id: number }>(first).id)
    expect(await payer.funds()).toMatchObject({ frozen: units(100) })
  })

  test('approved, rejected and taken back at once ends once, and the money is there once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const payer = await readyPayer(300)
      const { id } = valueOf(await payer.ask(300))
      await Promise.all([
        finance.try(approveWithdrawal, { id, reason: REASON }),
        payer.client.call(takeBackWithdrawal, { id }),
        finance.try(refuseWithdrawal, { id, reason: REASON }),
      ])
      const paid = await finance.try(payWithdrawal, { id, reference: 'tx', reason: REASON })
      const { available, frozen } = await payer.funds()
      expect(frozen).toBe(0n)
      expect(available).toBe(paid.ok ? 0n : units(300))
    }
  })

  test('waits at the desk with what decides it, and whoever has it decides', async () => {
    const payer = await readyPayer(20_000)
    const { id } = valueOf(await payer.ask(15_000))
    const caseKey = `withdrawal:${id}`
    const { cases } = await finance.ask(listWaiting, { ...EVERYTHING, kind: 'withdrawal', search: caseKey })
    expect(cases).toMatchObject([{ caseKey, needsSecond: true, amount: units(15_000) }])
    const seen = await finance.ask(getWaitingCase, { caseKey })
    expect(seen.facts).toContainEqual(expect.objectContaining({ label: 'Fee, all of it', value: '12' }))
    expect(seen.steps.map((step) => step.state)).toEqual(['done', 'now', 'next'])
    expect(await finance.ask(getPayment, { id })).toMatchObject({
      ...{ kind: 'withdrawal', payTo: TRON_ADDRESS, received: '14988 USDT', isApproved: false },
    })
    const other = await atDesk(server(), 'administrator')
    await other.ask(takeCase, { caseKey, from: null })
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('caseHeld')
    await other.ask(approveWithdrawal, { id, reason: REASON })
  })

  test('is closed to demo accounts and to what a role may not do', async () => {
    const support = await atDesk(server(), 'support')
    const asked = { id: 1, reason: REASON }
    expect(await support.refusalOf(approveWithdrawal, asked)).toBe('roleRefused')
    expect(await support.refusalOf(finishDeposit, { ...asked, amount: units(1) })).toBe('roleRefused')
    const finding = {
      accountId: (await newMember(server())).user.id,
      outcome: 'verified',
      reason: REASON,
    } as const
    expect(await finance.refusalOf(verifyPerson, finding)).toBe('roleRefused')
  })

  test('reaches the screens of its owner with every step', async () => {
    const payer = await readyPayer(500)
    const reader = await openSocket(server(), {}, '?lang=en')
    reader.send({ type: 'login', params: payer.token })
    reader.send({ type: 'sub', params: ['FOREX_FUNDS', 'NOTICE'] })
    await reader.next('FOREX_FUNDS')
    const { id } = valueOf(await payer.ask(100))
    await reader.next('FOREX_FUNDS', ({ lock_balance: frozen }) => frozen === 100)
    await finance.ask(approveWithdrawal, { id, reason: REASON })
    const approved = await reader.next('FOREX_FUNDS', ({ changes }) => (changes as unknown[]).length === 0)
    expect(approved).toMatchObject({ balance: 400, lock_balance: 100 })
    const said = async () => (await reader.next('NOTICE'))['notice']
    expect(await said()).toMatchObject({ kind: 'withdrawalApproved', title: `Withdrawal ${id} is approved` })
    await finance.ask(payWithdrawal, { id, reference: 'tx 9', reason: REASON })
    await reader.next('FOREX_FUNDS', ({ lock_balance: frozen }) => frozen === 0)
    expect(await said()).toMatchObject({ kind: 'withdrawalEnded', title: `Withdrawal ${id} is paid` })
    const deposit = await openedDeposit(server(), payer.user.id, units(20))
    await finance.ask(refuseDeposit, { id: deposit, outcome: 'rejected', reason: 'nothing came' })
    expect(await said()).toMatchObject({
      ...{ title: `Deposit ${deposit} was rejected`, text: 'Nothing was credited. Reason: nothing came' },
    })
    const { id: second } = valueOf(await payer.ask(100))
    await finance.ask(refuseWithdrawal, { id: second, reason: 'another name' })
    expect(await said()).toMatchObject({
      text: 'The whole amount is yours to use again. Reason: another name',
    })
    await fund(payer, 5)
    expect(await said()).toMatchObject({ text: '5.00 were credited to your account.' })
  })

  test('leaves a ledger that adds up, and tables that follow from the journal', async () => {
    const { engine, database } = server().deployment
    expect([...violations(engine.core())]).toEqual([])
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })
})

import {
  requestWithdrawal,
  bindReceivingMethod,
  getWithdrawal,
  listActivity,
  listLedgerRecords,
  listPayoutCurrencies,
  listWithdrawals,
  getFunds,
  cancelWithdrawal,
  valueOf,
  type WithdrawalForm,
} from '@fairlot/contract'
import {
  approveWithdrawal,
  confirmDeskFactor,
  decideApproval,
  findReference,
  finishDeposit,
  getPayment,
  getPaymentSetup,
  getWaitingCase,
  listAuditEntries,
  listWaiting,
  logInToDesk,
  payWithdrawal,
  prepareDeskFactor,
  refuseDeposit,
  refuseWithdrawal,
  saveWithdrawalCurrency,
  takeCase,
  verifyPerson,
} from '@fairlot/contract/desk'
import { PAYOUT_PRICE_DECIMALS, readDecimal, violations } from '@fairlot/core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newUser, post, sentTo } from '../../testing/accounts.ts'
import { dataOf } from '../../testing/calls.ts'
import { TEST_OPERATOR } from '../../../../../testing/test-world.ts'
import { totpCode } from '../../platform/security/second-factor.ts'
import { atDesk, callsAs, DESK_PASSWORD, type AtDesk } from '../../testing/desk.ts'
import {
  methodForm,
  newPayer,
  oldMethod,
  openedDeposit,
  setUpPayments,
  TRON_ADDRESS,
  sentUnits,
  units,
  type Payer,
  NO_QUOTE,
} from '../../testing/payments.ts'
import { openSocket } from '../../testing/sockets.ts'
import { verify } from '../../verify/verify.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const REASON = 'as it should be'
const decimal = (text: string) => readDecimal(text, PAYOUT_PRICE_DECIMALS)
/** The most that one operator may decide alone, in whole units. */
const ONE_OPERATOR_MAX = 10_000
const EVERYTHING = { kind: null, held: null, search: null, page: 1, before: null }

describe.each(DATABASES)('a withdrawal, %s', (kind) => {
  const server = serverOn(kind)
  let finance: AtDesk
  /** Pays what finance has approved. */
  let cashier: AtDesk
  beforeAll(async () => {
    await setUpPayments(server())
    finance = await atDesk(server(), 'finance')
    cashier = await atDesk(server(), 'finance')
  })

  /** Credits so many whole units, in deposits that one operator may decide alone. */
  const fund = async ({ user }: Payer, whole: number) => {
    for (let left = whole; left > 0; left -= ONE_OPERATOR_MAX) {
      const amount = units(Math.min(left, ONE_OPERATOR_MAX))
      const id = await openedDeposit(server(), user.id, amount)
      const { approvalId } = await finance.request(finishDeposit, {
        id,
        amount: sentUnits(Math.min(left, ONE_OPERATOR_MAX)),
        arrivedAt: null,
        reason: REASON,
      })
      if (approvalId !== null)
        await cashier.request(decideApproval, { id: approvalId, isApproved: true, reason: REASON })
    }
  }
  /** A user with money and a receiving method that is old enough. */
  const readyPayer = async (whole: number) => {
    const payer = await newPayer(server())
    await fund(payer, whole)
    const { id } = await oldMethod(server(), payer)
    const form = (amount: number, given: Partial<WithdrawalForm> = {}) => ({
      currencyId: 1,
      amount: units(amount),
      memo: '',
      methodId: id,
      authCode: null,
      ...NO_QUOTE,
      ...given,
    })
    const request = (amount: number, given: Partial<WithdrawalForm> = {}) =>
      payer.client.call(requestWithdrawal, form(amount, given))
    const refusalOf = async (amount: number, given: Partial<WithdrawalForm> = {}) => {
      const outcome = await request(amount, given)
      return outcome.ok ? null : outcome.reason
    }
    const funds = async () => valueOf(await payer.client.call(getFunds, null))
    return { ...payer, methodId: id, request, refusalOf, funds }
  }
  const kindsOf = async (payer: Payer) =>
    valueOf(await payer.client.call(listLedgerRecords, { before: null, page: 1, group: null })).records.map(
      (record) => record.kind,
    )

  test('shows its fee and price before it is requested', async () => {
    const payer = await newPayer(server())
    expect(valueOf(await payer.client.call(listPayoutCurrencies, { kind: 'coin' }))).toMatchObject([
      { id: 1, code: 'USDT', network: 'TRC20', feeType: 'fixed', feeRate: units(12), price: 1 },
      { id: 2, code: 'BTC', feeType: 'rate', feeRate: 10_000n, price: 0.00001 },
    ])
    expect(valueOf(await payer.client.call(listPayoutCurrencies, { kind: 'bank' }))).toHaveLength(1)
  })

  test('is refused at another fee, price or payout than its owner was shown, with the current ones', async () => {
    const payer = await readyPayer(500)
    const quote = { quotedFee: units(12), quotedPrice: decimal('1'), quotedReceived: decimal('88') }
    for (const stale of [
      { quotedFee: units(11) },
      { quotedPrice: decimal('10') },
      { quotedReceived: decimal('880') },
    ]) {
      const outcome = await payer.request(100, { ...quote, ...stale })
      expect(outcome).toMatchObject({ ok: false, reason: 'payoutQuoteChanged' })
      expect(JSON.stringify(outcome)).toContain('88')
    }
    expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
    expect(await payer.refusalOf(100, quote)).toBeNull()
  })

  test('is refused at a price that operators changed while it was checked', async () => {
    const payer = await readyPayer(500)
    const { database, engine } = server().deployment
    const currency = (change: object) =>
      database.queries.updateTable('withdrawal_currency').set(change).where('id', '=', 1n).execute()
    const quote = { quotedFee: units(12), quotedPrice: decimal('1'), quotedReceived: decimal('88') }
    const between = vi.spyOn(engine, 'caughtUp').mockImplementationOnce(async () => {
      await currency({ usd_price: '10' })
    })
    try {
      expect(await payer.refusalOf(100, quote)).toBe('payoutQuoteChanged')
      expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
    } finally {
      between.mockRestore()
      await currency({ usd_price: '1' })
    }
  })

  test('and a change of its currency happen one after the other', async () => {
    const { engine, payments } = server().deployment
    const payer = await readyPayer(500)
    const row = async () => {
      const { currencies } = await finance.request(getPaymentSetup, null)
      const found = currencies.find(({ id }) => id === 1)
      if (!found) throw new Error('no currency')
      return found
    }
    const switchTo = async (isOn: boolean) => {
      const form = { ...(await row()), isOn, isUnlistedNetwork: false, reason: REASON }
      return finance.request(saveWithdrawalCurrency, form)
    }
    const waiting = vi.spyOn(payments, 'withCurrency')
    const execute = engine.execute
    let change: Promise<unknown> = Promise.resolve()
    const taking = vi.spyOn(engine, 'execute').mockImplementation(async (command) => {
      if (command.type !== 'requestWithdrawal') return execute(command)
      // The quote is read; the engine has not taken it.
      change = switchTo(false)
      await vi.waitFor(() => expect(waiting).toHaveBeenCalled())
      expect(await row()).toMatchObject({ isOn: true })
      return execute(command)
    })
    try {
      expect(await payer.refusalOf(100)).toBeNull()
      await change
      expect(await row()).toMatchObject({ isOn: false })
      expect(await payer.refusalOf(100)).toBe('currencyNotFound')
    } finally {
      taking.mockRestore()
      waiting.mockRestore()
      const { approvalId } = await switchTo(true)
      await cashier.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: REASON })
    }
  })

  test('keeps fee, price and payout of its request, whatever two operators change until it is paid', async () => {
    const { queries } = server().deployment.database
    const payer = await readyPayer(500)
    const currency = (change: object) =>
      queries.updateTable('withdrawal_currency').set(change).where('id', '=', 1n).execute()
    const { id } = valueOf(await payer.request(100))
    await currency({ usd_price: '10', fee: units(50) })
    try {
      expect(server().deployment.engine.state().cases.get(id)).toMatchObject({
        fee: units(12),
        payout: { currencyId: 1, price: 10_000_000_000n, received: 8_800_000_000n },
      })
      await finance.request(approveWithdrawal, { id, reason: REASON })
      expect(await cashier.request(getPayment, { id })).toMatchObject({ received: '88 USDT' })
      await cashier.request(payWithdrawal, { id, reference: 'tx 5', reason: REASON })
      const seen = valueOf(await payer.client.call(getWithdrawal, { id }))
      expect(seen).toMatchObject({ fee: units(12), price: 1, received: 88, status: 'paid' })
    } finally {
      await currency({ usd_price: '1', fee: units(12) })
    }
  })

  test('is frozen at once, approved and paid, and its owner is notified of each step', async () => {
    const payer = await readyPayer(1_000)
    const requested = valueOf(await payer.request(400, { memo: 'for the rent' }))
    expect(requested).toMatchObject({
      amount: units(400),
      fee: units(12),
      received: 388,
      status: 'waiting',
      memo: 'for the rent',
      address: TRON_ADDRESS,
      holder: 'finance',
      statusName: 'Waiting for approval',
    })
    expect(await payer.funds()).toEqual({ available: units(600), frozen: units(400) })

    const { id } = requested
    const paid = { id, reference: 'tx 77', reason: REASON }
    expect(await finance.refusalOf(payWithdrawal, paid)).toBe('withdrawalNotApproved')
    await finance.request(approveWithdrawal, { id, reason: REASON })
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('withdrawalApproved')
    const activities = async () =>
      valueOf(await payer.client.call(listActivity, { page: 1 })).activities.map(({ text }) => text)
    expect(await activities()).toContain(`Withdrawal ${id} approved`)
    expect((await activities()).join(' ')).not.toContain('Account changed')
    expect(valueOf(await payer.client.call(getWithdrawal, { id }))).toMatchObject({ status: 'approved' })
    for (const reference of [' ', '-', '\u202e'])
      expect(await finance.refusalOf(payWithdrawal, { ...paid, reference })).toBe('referenceMissing')
    expect(await finance.refusalOf(payWithdrawal, paid)).toBe('sameOperator')
    await cashier.request(payWithdrawal, paid)
    expect(await cashier.refusalOf(payWithdrawal, paid)).toBe('caseEnded')

    expect(await finance.request(findReference, { id, reference: 'tx 77' })).toEqual({ cases: [] })
    expect(await finance.request(findReference, { id: id + 1, reference: 'TX 77' })).toMatchObject({
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

  test('that is rejected releases the whole amount, with the reason', async () => {
    const payer = await readyPayer(500)
    const { id } = valueOf(await payer.request(500))
    await finance.request(refuseWithdrawal, { id, reason: 'the name does not fit' })
    const seen = valueOf(await payer.client.call(getWithdrawal, { id }))
    expect(seen).toMatchObject({ status: 'rejected', remark: 'the name does not fit' })
    expect(seen.steps.at(-1)).toMatchObject({ kind: 'rejected', role: 'finance' })
    expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
  })

  test('can be cancelled until it is approved', async () => {
    const payer = await readyPayer(500)
    const { id } = valueOf(await payer.request(200))
    const back = valueOf(await payer.client.call(cancelWithdrawal, { id }))
    expect(back).toMatchObject({ status: 'cancelled' })
    expect(await payer.funds()).toEqual({ available: units(500), frozen: 0n })
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('caseEnded')
    const { id: other } = valueOf(await payer.request(200))
    await finance.request(approveWithdrawal, { id: other, reason: REASON })
    const tooLate = await payer.client.call(cancelWithdrawal, { id: other })
    expect(tooLate).toMatchObject({ ok: false, reason: 'withdrawalApproved' })
  })

  test('of any amount is paid by another operator than its approver', async () => {
    const payer = await readyPayer(30_000)
    const { id } = valueOf(await payer.request(20_000))
    await finance.request(approveWithdrawal, { id, reason: REASON })
    const paid = { id, reference: 'tx 1', reason: REASON }
    expect(await finance.refusalOf(payWithdrawal, paid)).toBe('sameOperator')
    expect(await payer.funds()).toMatchObject({ frozen: units(20_000) })
    const second = await atDesk(server(), 'administrator')
    await second.request(payWithdrawal, paid)
    expect(await payer.funds()).toMatchObject({ frozen: 0n })
  })

  test('is refused to users whose identity is not verified', async () => {
    const payer = await readyPayer(500)
    const compliance = await atDesk(server(), 'compliance')
    const mark = { accountId: payer.user.id, reason: 'the papers have run out' }
    await compliance.request(verifyPerson, { ...mark, outcome: 'unverified' })
    expect(await payer.refusalOf(100)).toBe('identityUnverified')
    const requested = await compliance.request(verifyPerson, { ...mark, outcome: 'verified' })
    expect(await payer.refusalOf(100)).toBe('identityUnverified')
    const second = await atDesk(server(), 'compliance')
    await second.request(decideApproval, { id: requested.approvalId ?? 0, isApproved: true, reason: REASON })
    expect(await payer.refusalOf(100)).toBeNull()
    const { activities } = valueOf(await payer.client.call(listActivity, { page: 1 }))
    expect(activities.filter(({ text }) => text === 'Identity check decided')).toMatchObject([
      { by: 'operator', role: 'compliance', reason: mark.reason },
      { by: 'operator', role: 'compliance', reason: mark.reason },
      { by: 'operator', role: 'compliance', reason: 'seen' },
    ])
  })

  test('above the daily limit of its user is refused, and the rest is shown', async () => {
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
    const [requested] = valueOf(
      await payer.client.call(listWithdrawals, { kind: 'coin', before: null, page: 1 }),
    ).withdrawals
    await payer.client.call(cancelWithdrawal, { id: requested?.id ?? 0 })
    expect(await left()).toBe(units(300))
    await limit(null)
  })

  test('to a new receiving method is refused', async () => {
    const payer = await newPayer(server())
    await fund(payer, 500)
    const method = valueOf(await payer.client.call(bindReceivingMethod, methodForm()))
    const outcome = await payer.client.call(requestWithdrawal, {
      currencyId: 1,
      amount: units(100),
      memo: '',
      methodId: method.id,
      authCode: null,
      ...NO_QUOTE,
    })
    expect(outcome).toMatchObject({ ok: false, reason: 'methodTooNew' })
  })

  test('is refused above the balance and outside the limits of its currency', async () => {
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
    [{ number: '500.000001' }, 'notEnoughMoney'],
    [{ memo: 'm'.repeat(201) }, 'textTooLong'],
    [{ draw_method_id: '-1' }, 'idInvalid'],
  ])('with %j is refused', async (given, reason) => {
    const payer = await readyPayer(500)
    const body = { draw_currency_id: '1', number: '100', memo: '', draw_method_id: `${payer.methodId}` }
    const answer = await post(server(), '/api/account/draw', { ...body, ...given }, payer.token)
    expect(dataOf(answer)).toMatchObject({ reason, field: Object.keys(given)[0] })
    expect(await payer.funds()).toMatchObject({ frozen: 0n })
  })

  test("cannot use another user's method, nor be seen or cancelled by another user", async () => {
    const [owner, stranger] = [await readyPayer(500), await readyPayer(500)]
    expect(await stranger.refusalOf(100, { methodId: owner.methodId })).toBe('methodNotFound')
    const { id } = valueOf(await owner.request(100))
    for (const call of [getWithdrawal, cancelWithdrawal])
      expect(await stranger.client.call(call, { id })).toMatchObject({ ok: false, reason: 'caseNotFound' })
    expect(
      valueOf(await stranger.client.call(listWithdrawals, { kind: 'coin', before: null, page: 1 })).total,
    ).toBe(0)
    expect(valueOf(await owner.client.call(getWithdrawal, { id })).status).toBe('waiting')
  })

  test('requested fifty times at once for the whole balance is frozen once', async () => {
    const payer = await readyPayer(1_000)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => payer.request(1_000)))
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    expect(await payer.funds()).toEqual({ available: 0n, frozen: units(1_000) })
  })

  test('sent twice with one request id is frozen once', async () => {
    const payer = await readyPayer(1_000)
    const body = { draw_currency_id: 1, number: 100, memo: '', draw_method_id: payer.methodId }
    const send = () => post(server(), '/api/account/draw', body, payer.token, { 'idempotency-key': 'once' })
    const [first, again] = await Promise.all([send(), send()])
    expect(dataOf<{ id: number }>(again).id).toBe(dataOf<{ id: number }>(first).id)
    expect(await payer.funds()).toMatchObject({ frozen: units(100) })
  })

  test('that is approved, rejected and cancelled at once ends once, with the money in one place', async () => {
    for (let round = 0; round < 5; round += 1) {
      const payer = await readyPayer(300)
      const { id } = valueOf(await payer.request(300))
      await Promise.all([
        finance.try(approveWithdrawal, { id, reason: REASON }),
        payer.client.call(cancelWithdrawal, { id }),
        finance.try(refuseWithdrawal, { id, reason: REASON }),
      ])
      const paid = await cashier.try(payWithdrawal, { id, reference: 'tx', reason: REASON })
      const { available, frozen } = await payer.funds()
      expect(frozen).toBe(0n)
      expect(available).toBe(paid.ok ? 0n : units(300))
    }
  })

  test('to an address that another user has bound in other letters says so to operators', async () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    await oldMethod(server(), await newPayer(server()), { currencyId: 2, address })
    const payer = await readyPayer(500)
    const method = await oldMethod(server(), payer, { currencyId: 2, address: address.toUpperCase() })
    expect(method.address).toBe(address.toUpperCase())
    const { id } = valueOf(await payer.request(100, { currencyId: 2, methodId: method.id }))
    const search = `withdrawal:${id}`
    const { cases } = await finance.request(listWaiting, { ...EVERYTHING, kind: 'withdrawal', search })
    expect(cases).toMatchObject([
      { riskReasons: expect.arrayContaining(['1 other users have the same receiving account']) as unknown },
    ])
  })

  test('is paid with the tag that belongs to its address', async () => {
    const { queries } = server().deployment.database
    const bitcoin = queries.updateTable('withdrawal_currency').where('id', '=', 2n)
    const { code, protocol } = await queries
      .selectFrom('withdrawal_currency')
      .select(['code', 'protocol'])
      .where('id', '=', 2n)
      .executeTakeFirstOrThrow()
    await bitcoin.set({ code: 'XRP', protocol: 'XRP' }).execute()
    const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
    const payer = await readyPayer(500)
    const method = await oldMethod(server(), payer, { currencyId: 2, address, tag: '0077' })
    const sent = valueOf(await payer.request(100, { currencyId: 2, methodId: method.id }))
    expect(sent).toMatchObject({ address, tag: '77' })
    const { facts } = await finance.request(getWaitingCase, { caseKey: `withdrawal:${sent.id}` })
    expect(facts).toContainEqual(expect.objectContaining({ label: 'To', value: address }))
    expect(facts).toContainEqual(expect.objectContaining({ label: 'Tag or memo', value: '77' }))
    const payment = await finance.request(getPayment, { id: sent.id })
    expect(payment).toMatchObject({ payTo: `${address}, tag or memo 77` })
    await bitcoin.set({ code, protocol }).execute()
  })

  test('is shown to operators with its facts, and decided by the operator who took it', async () => {
    const payer = await readyPayer(20_000)
    const { id } = valueOf(await payer.request(15_000))
    const caseKey = `withdrawal:${id}`
    const { cases } = await finance.request(listWaiting, {
      ...EVERYTHING,
      kind: 'withdrawal',
      search: caseKey,
    })
    expect(cases).toMatchObject([{ caseKey, needsSecond: true, amount: units(15_000) }])
    const seen = await finance.request(getWaitingCase, { caseKey })
    expect(seen.facts).toContainEqual(expect.objectContaining({ label: 'Total fee', value: '12' }))
    expect(seen.steps.map((step) => step.state)).toEqual(['done', 'now', 'next'])
    expect(await finance.request(getPayment, { id })).toMatchObject({
      kind: 'withdrawal',
      payTo: TRON_ADDRESS,
      received: '14988 USDT',
      isApproved: false,
    })
    const other = await atDesk(server(), 'administrator')
    await other.request(takeCase, { caseKey, from: null })
    expect(await finance.refusalOf(approveWithdrawal, { id, reason: REASON })).toBe('caseHeld')
    await other.request(approveWithdrawal, { id, reason: REASON })
  })

  test('is decided only by roles that may', async () => {
    const support = await atDesk(server(), 'support')
    const requested = { id: 1, reason: REASON }
    expect(await support.refusalOf(approveWithdrawal, requested)).toBe('roleRefused')
    expect(
      await support.refusalOf(finishDeposit, { ...requested, amount: sentUnits(1), arrivedAt: null }),
    ).toBe('roleRefused')
    const finding = {
      accountId: (await newUser(server())).user.id,
      outcome: 'verified',
      reason: REASON,
    } as const
    expect(await finance.refusalOf(verifyPerson, finding)).toBe('roleRefused')
  })

  test('is pushed to its owner with every step', async () => {
    const payer = await readyPayer(500)
    const reader = await openSocket(server(), {}, '?lang=en')
    reader.send({ type: 'login', params: payer.token })
    reader.send({ type: 'sub', params: ['FOREX_FUNDS', 'NOTICE'] })
    await reader.next('FOREX_FUNDS')
    const { id } = valueOf(await payer.request(100))
    await reader.next('FOREX_FUNDS', ({ lock_balance: frozen }) => frozen === 100)
    await finance.request(approveWithdrawal, { id, reason: REASON })
    const approved = await reader.next('FOREX_FUNDS', ({ changes }) => (changes as unknown[]).length === 0)
    expect(approved).toMatchObject({ balance: 400, lock_balance: 100 })
    const nextNotice = async () => (await reader.next('NOTICE'))['notice']
    expect(await nextNotice()).toMatchObject({
      kind: 'withdrawalApproved',
      title: `Withdrawal ${id} is approved`,
    })
    await cashier.request(payWithdrawal, { id, reference: 'tx 9', reason: REASON })
    await reader.next('FOREX_FUNDS', ({ lock_balance: frozen }) => frozen === 0)
    expect(await nextNotice()).toMatchObject({ kind: 'withdrawalEnded', title: `Withdrawal ${id} is paid` })
    const deposit = await openedDeposit(server(), payer.user.id, units(20))
    await finance.request(refuseDeposit, { id: deposit, outcome: 'rejected', reason: 'nothing came' })
    expect(await nextNotice()).toMatchObject({
      title: `Deposit ${deposit} was rejected`,
      text: 'Nothing was credited. Reason: nothing came',
    })
    const { id: second } = valueOf(await payer.request(100))
    await finance.request(refuseWithdrawal, { id: second, reason: 'another name' })
    expect(await nextNotice()).toMatchObject({
      text: 'The full amount is available again. Reason: another name',
    })
    await fund(payer, 5)
    expect(await nextNotice()).toMatchObject({ text: '5.00 were credited to your account.' })
  })

  test('leaves a ledger that adds up, and tables that follow from the journal', async () => {
    const { engine, database } = server().deployment
    expect([...violations(engine.core())]).toEqual([])
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })
})

describe.each(DATABASES)('a withdrawal of money from before the two-operator rules, %s', (kind) => {
  let caseId = 0
  const server = serverOn(kind, {
    env: { DESK_PASSWORD },
    prepare: async ({ engine }) => {
      await engine.execute({ type: 'openAccount', ledger: 'real' })
      await engine.execute({ type: 'openDeposit', accountId: 1, amount: units(500) })
      const by = TEST_OPERATOR
      await engine.execute({ type: 'endDeposit', caseId: 1, outcome: 'finished', amount: units(500), by })
      const withdrawal = {
        type: 'requestWithdrawal',
        accountId: 1,
        fee: units(1),
        amount: units(50),
      } as const
      await engine.execute(withdrawal)
      await engine.execute(withdrawal)
      caseId = 2
    },
  })

  test('is paid by the only operator and marked, until a second one has joined', async () => {
    const anyone = callsAs(server().url, null)
    const { token } = await anyone.request(logInToDesk, {
      name: 'admin',
      password: DESK_PASSWORD,
      code: null,
    })
    const admin = callsAs(server().url, token)
    const { secret } = await admin.request(prepareDeskFactor, null)
    await admin.request(confirmDeskFactor, { code: totpCode(secret, Date.now()) })
    for (const id of [caseId, caseId + 1]) await admin.request(approveWithdrawal, { id, reason: REASON })
    await admin.request(payWithdrawal, { id: caseId, reference: 'tx 1', reason: REASON })
    const marked = async () => {
      const { acts } = await admin.request(listAuditEntries, {
        operatorId: null,
        act: 'decideWithdrawal',
        subject: null,
        accountId: null,
        outcome: 'done',
        since: null,
        until: null,
        search: 'paid by one operator',
        page: 1,
      })
      return acts.map(({ subject }) => subject)
    }
    expect(await marked()).toEqual([`withdrawal:${caseId}`])
    const second = await atDesk(server(), 'compliance')
    const payment = { id: caseId + 1, reference: 'tx 2', reason: REASON }
    expect(await admin.refusalOf(payWithdrawal, payment)).toBe('sameOperator')
    expect(await second.refusalOf(payWithdrawal, payment)).toBe('roleRefused')
    const cashier = await atDesk(server(), 'finance')
    await cashier.request(payWithdrawal, payment)
    expect(await marked()).toEqual([`withdrawal:${caseId}`])
  })
})

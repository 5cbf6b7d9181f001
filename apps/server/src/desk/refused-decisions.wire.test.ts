import { valueOf } from '@fairlot/contract'
import {
  approveWithdrawal,
  changeDeskPassword,
  changeOperator,
  confirmDeskFactor,
  decideAdjustment,
  decideApproval,
  finishDeposit,
  inviteOperator,
  logInToDesk,
  payWithdrawal,
  prepareDeskFactor,
  renewDeskFactor,
  requestAdjustment,
  setCreditScore,
  type DeskEndpoint,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { totpCode } from '../platform/security/second-factor.ts'
import { movablePace, newUser } from '../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD, type AtDesk } from '../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, units } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { verify } from '../verify/verify.ts'

const REASON = 'as it should be'
const STEP_MS = 30_000

describe.each(DATABASES)('a refused decision of an operator, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD } })
  let [finance, colleague, administrator]: [AtDesk, AtDesk, AtDesk] = [] as never
  beforeAll(async () => {
    finance = await atDesk(server(), 'finance')
    colleague = await atDesk(server(), 'administrator')
    administrator = await atDesk(server(), 'administrator')
  })

  /** All that a decision could change: money, cases, operators and their log-ins. */
  const snapshot = async () => {
    const { engine, database } = server().deployment
    await engine.caughtUp()
    const { accounts, cases, operators } = engine.state()
    const { queries } = database
    return {
      balances: [...accounts.values()].map(({ available, frozen }) => [available.balance, frozen.balance]),
      cases: [...cases].map(([id, each]) => [id, { ...each }]),
      operators: [...operators],
      logIns: await queries
        .selectFrom('operator')
        .select(['id', 'password_hash', 'totp_last_step', 'invitation_hash'])
        .orderBy('id')
        .execute(),
      approvals: await queries.selectFrom('approval').selectAll().orderBy('id').execute(),
    }
  }
  const entries = async () =>
    server().deployment.database.queries.selectFrom('desk_act').selectAll().orderBy('id').execute()

  /** Makes a call that is refused: with a field if one was wrong, changing nothing but the audit log. */
  const refused = async <Input, Output>(
    by: Pick<AtDesk, 'try'>,
    [endpoint, input, requestId]: readonly [DeskEndpoint<Input, Output>, Input, string?],
    expected: { readonly reason: string; readonly field?: string; readonly act: string; readonly id: number },
  ) => {
    const before = await snapshot()
    const { length } = await entries()
    const outcome = await by.try(endpoint, input, requestId === undefined ? {} : { requestId })
    const { reason, field, act, id } = expected
    expect(outcome).toMatchObject({ ok: false, reason, details: field === undefined ? {} : { field } })
    expect((await entries()).slice(length)).toMatchObject([{ operator_id: BigInt(id), act, outcome: reason }])
    expect(await snapshot()).toEqual(before)
  }

  const credited = async () => {
    const { user } = await newPayer(server())
    const deposit = await openedDeposit(server(), user.id, units(500))
    await finance.request(finishDeposit, {
      id: deposit,
      amount: sentUnits(500),
      arrivedAt: null,
      reason: REASON,
    })
    return user.id
  }
  const heldWithdrawal = async () => {
    const answer = await server().deployment.engine.execute({
      type: 'requestWithdrawal',
      accountId: await credited(),
      amount: units(200),
      fee: units(0),
    })
    const [held] = 'entry' in answer ? answer.entry.events : []
    return held?.type === 'withdrawalHeld' ? held.caseId : 0
  }

  test('on an adjustment of zero names the amount', async () => {
    const zero = { id: await credited(), amount: units(0), reason: REASON }
    const expected = { reason: 'amountInvalid', field: 'amount', act: 'askAdjustment', id: finance.id }
    await refused(finance, [requestAdjustment, zero], expected)
  })

  test('on a code that was used before is recorded, wherever the code is given', async () => {
    const anyone = callsAs(server().url, null)
    const credentials = { name: 'admin', password: DESK_PASSWORD }
    const { token, self } = await anyone.request(logInToDesk, { ...credentials, code: null })
    const admin = callsAs(server().url, token)
    const { secret } = await admin.request(prepareDeskFactor, null)
    const confirming = totpCode(secret, pace.wall())
    await admin.request(confirmDeskFactor, { code: confirming })
    const wrong = { reason: 'secondFactorWrong', field: 'code', act: 'ownAccess', id: self.id } as const
    await refused(anyone, [logInToDesk, { ...credentials, code: confirming }], wrong)
    pass(STEP_MS)
    const code = totpCode(secret, pace.wall())
    await admin.request(renewDeskFactor, { code })
    await refused(admin, [renewDeskFactor, { code }], wrong)
    await refused(anyone, [logInToDesk, { ...credentials, code }], wrong)
    const password = { oldPassword: DESK_PASSWORD, password: 'another brass weight', code }
    await refused(admin, [changeDeskPassword, password], wrong)
  })

  test('to pay is given when the approver was demoted after the approval', async () => {
    const id = await heldWithdrawal()
    const approver = await atDesk(server(), 'finance')
    await approver.request(approveWithdrawal, { id, reason: REASON })
    const demotion = { id: approver.id, role: 'support', isOn: null, reason: REASON } as const
    const { approvalId } = await administrator.request(changeOperator, demotion)
    await colleague.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: REASON })
    const expected = { reason: 'withdrawalNotApproved', act: 'decideWithdrawal', id: finance.id }
    await refused(finance, [payWithdrawal, { id, reference: 'tx 1', reason: REASON }], expected)
  })

  test('goes to the second of two who decide at once, and the case ends once', async () => {
    const invited = await administrator.request(inviteOperator, {
      name: 'Noor Two',
      role: 'support',
      reason: REASON,
    })
    const approval = { id: invited.approvalId ?? 0, isApproved: true, reason: REASON }
    const asked = { id: await credited(), amount: units(5), reason: REASON }
    const { caseId } = await finance.request(requestAdjustment, asked)
    const adjustment = { id: caseId, isApproved: true, reason: REASON }
    const compliance = await atDesk(server(), 'compliance')
    const second = await atDesk(server(), 'finance')
    const { length } = await entries()
    const outcomes = await Promise.all([
      compliance.try(decideApproval, approval),
      colleague.try(decideApproval, approval),
      second.try(decideAdjustment, adjustment),
      colleague.try(decideAdjustment, adjustment),
    ])
    const reasons = outcomes.map((outcome) => (outcome.ok ? null : outcome.reason))
    for (const pair of [reasons.slice(0, 2), reasons.slice(2)])
      expect(new Set(pair)).toEqual(new Set([null, 'caseEnded']))
    const late = (await entries()).slice(length).filter(({ outcome }) => outcome !== 'done')
    const expected = [
      `operator:new ${reasons[0] === null ? colleague.id : compliance.id} caseEnded`,
      `adjustment:${caseId} ${reasons[2] === null ? colleague.id : second.id} caseEnded`,
    ]
    expect(
      new Set(late.map(({ subject, operator_id: id, outcome }) => `${subject} ${id} ${outcome}`)),
    ).toEqual(new Set(expected))
    expect(late).toHaveLength(2)
    const { accounts } = server().deployment.engine.state()
    expect(accounts.get(asked.id)?.available.balance).toBe(units(505))
  })

  test('on a request id that was used for something else is recorded', async () => {
    const asked = { id: (await newUser(server())).user.id, amount: units(5), reason: REASON }
    const reused = { reason: 'requestIdReused', id: finance.id } as const
    await finance.try(requestAdjustment, asked, { requestId: 'one tap' })
    const other = { ...asked, amount: units(6) }
    await refused(finance, [requestAdjustment, other, 'one tap'], { ...reused, act: 'askAdjustment' })
    const invitation = { name: 'Nia Key', role: 'support', reason: REASON } as const
    await administrator.try(inviteOperator, invitation, { requestId: 'one tap' })
    const role = { ...invitation, role: 'administrator' } as const
    const expected = { ...reused, act: 'changeOperators', id: administrator.id }
    await refused(administrator, [inviteOperator, role, 'one tap'], expected)
  })

  test('is not due to a request id that another call has used: each call has ids of its own', async () => {
    const { user } = await newPayer(server())
    const deposit = await openedDeposit(server(), user.id, units(20_000))
    const correction = { id: user.id, amount: units(5), reason: REASON }
    const credit = { id: deposit, amount: sentUnits(20_000), arrivedAt: null, reason: REASON }
    const requestId = 'one tap for two calls'
    const send = async () => [
      valueOf(await finance.try(requestAdjustment, correction, { requestId })).caseId,
      valueOf(await finance.try(finishDeposit, credit, { requestId })).approvalId,
    ]
    const before = await snapshot()
    const answers = await send()
    const after = await snapshot()
    expect(after.cases.length - before.cases.length).toBe(1)
    expect(after.approvals.length - before.approvals.length).toBe(1)
    expect(await send()).toEqual(answers)
    expect(await snapshot()).toEqual(after)
    const reused = { reason: 'requestIdReused', id: finance.id } as const
    const another = { ...correction, amount: units(6) }
    await refused(finance, [requestAdjustment, another, requestId], { ...reused, act: 'askAdjustment' })
    const less = { ...credit, amount: sentUnits(19_999) }
    await refused(finance, [finishDeposit, less, requestId], { ...reused, act: 'decideDeposit' })
  })

  test('on a form that shows an old state is recorded', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const score = { id: (await newUser(server())).user.id, before: 99, score: 50, reason: REASON }
    const expected = { reason: 'formOutdated', act: 'setCreditScore', id: compliance.id }
    await refused(compliance, [setCreditScore, score], expected)
  })

  test('leaves a journal and an audit log that agree', async () => {
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})

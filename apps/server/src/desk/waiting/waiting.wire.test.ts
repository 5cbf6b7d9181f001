import {
  changeOperator,
  requestHalt,
  decideAdjustment,
  decideApproval,
  getWaitingCase,
  handOnCase,
  letCaseGo,
  listAuditEntries,
  listWaiting,
  takeCase,
  withdrawApproval,
} from '@fairlot/contract/desk'
import { isRejection, money, type Operator } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { isNotDone, isUnavailable } from '../../engine/engine.ts'
import { movablePace, newUser } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const HOUR_MS = 3_600_000
const EVERYTHING = { kind: null, held: null, search: null, page: 1, before: null }
const ALL_ENTRIES = {
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

describe.each(DATABASES)('the waiting list, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace })
  const reason = 'as agreed on the phone'

  /** Requests an adjustment as an operator would, and returns its number. Amount in whole units. */
  const requestAdjustment = async (by: AtDesk, accountId: number, amount: number) => {
    const { engine } = server().deployment
    const author: Operator = {
      type: 'operator',
      id: by.id,
      role: by.role,
      reason: 'a fee too much',
      second: null,
    }
    const answer = await engine.execute({
      type: 'askAdjustment',
      accountId,
      amount: money(BigInt(amount) * 1_000_000n),
      by: author,
    })
    if (isRejection(answer) || isUnavailable(answer) || isNotDone(answer)) throw new Error('not requested')
    await engine.caughtUp()
    const [event] = answer.entry.events
    return event?.type === 'adjustmentAsked' ? event.caseId : 0
  }
  const balanceOf = (accountId: number) =>
    server().deployment.engine.state().accounts.get(accountId)?.available.balance

  test('lists the highest risk first; an adjustment of any amount needs a second operator', async () => {
    const finance = await atDesk(server(), 'finance')
    const { user } = await newUser(server())
    const small = await requestAdjustment(finance, user.id, 25)
    const large = await requestAdjustment(finance, user.id, 20_000)
    const listed = await finance.request(listWaiting, { ...EVERYTHING, search: String(user.id) })
    expect(listed.cases).toMatchObject([
      { caseKey: `adjustment:${large}`, risk: 'raised', needsSecond: true, amount: 20_000_000_000n },
      { caseKey: `adjustment:${small}`, risk: 'usual', needsSecond: true, askedBy: finance.name },
    ])
    expect(listed.kinds).toContainEqual({ kind: 'adjustment', name: 'Adjustments', count: listed.all })
    expect(await finance.request(getWaitingCase, { caseKey: `adjustment:${small}` })).toMatchObject({
      barrier: 'sameOperator',
    })
    pass(5 * HOUR_MS)
    const later = await (await atDesk(server(), 'finance')).request(listWaiting, EVERYTHING)
    expect(later.cases[0]).toMatchObject({ caseKey: `adjustment:${large}`, risk: 'high' })
  })

  test('refuses the requester above the limit, with an audit entry', async () => {
    const maker = await atDesk(server(), 'finance')
    const checker = await atDesk(server(), 'administrator')
    const { user } = await newUser(server())
    const id = await requestAdjustment(maker, user.id, 15_000)
    const caseKey = `adjustment:${id}`
    const seen = await maker.request(getWaitingCase, { caseKey })
    expect(seen).toMatchObject({ barrier: 'sameOperator', decision: 'adjustment', reason: 'a fee too much' })
    expect(await maker.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('sameOperator')
    expect(balanceOf(user.id)).toBe(0n)
    const { acts } = await checker.request(listAuditEntries, { ...ALL_ENTRIES, search: caseKey })
    expect(acts[0]).toMatchObject({ operator: maker.name, outcome: 'sameOperator', accountId: user.id })

    await checker.request(decideAdjustment, { id, isApproved: true, reason })
    expect(balanceOf(user.id)).toBe(15_000_000_000n)
    expect(await checker.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('caseEnded')
    expect(await checker.refusalOf(getWaitingCase, { caseKey })).toBe('caseEnded')
  })

  test('accepts one of two concurrent decisions', async () => {
    const maker = await atDesk(server(), 'finance')
    const one = await atDesk(server(), 'finance')
    const other = await atDesk(server(), 'administrator')
    const { user } = await newUser(server())
    const id = await requestAdjustment(maker, user.id, 40)
    const outcomes = await Promise.all([
      one.refusalOf(decideAdjustment, { id, isApproved: true, reason }),
      other.refusalOf(decideAdjustment, { id, isApproved: true, reason }),
    ])
    expect(outcomes.filter((refusal) => refusal !== null)).toEqual(['caseEnded'])
    expect(balanceOf(user.id)).toBe(40_000_000n)
  })

  test('books nothing for a refused case, and needs a reason', async () => {
    const finance = await atDesk(server(), 'finance')
    const { user } = await newUser(server())
    const id = await requestAdjustment(finance, user.id, 30)
    expect(await finance.refusalOf(decideAdjustment, { id, isApproved: false, reason: ' ' })).toBe(
      'reasonMissing',
    )
    await finance.request(decideAdjustment, { id, isApproved: false, reason })
    expect(balanceOf(user.id)).toBe(0n)
  })

  test('shows a case with its facts and the texts for its user', async () => {
    const finance = await atDesk(server(), 'finance')
    const { user } = await newUser(server())
    const first = await requestAdjustment(finance, user.id, 100)
    const other = await atDesk(server(), 'finance')
    await other.request(decideAdjustment, { id: first, isApproved: true, reason })
    const id = await requestAdjustment(finance, user.id, -150)
    const seen = await finance.request(getWaitingCase, { caseKey: `adjustment:${id}` })
    const facts = new Map(seen.facts.map(({ label, value, tone }) => [label, [value, tone]]))
    expect(facts.get('Balance')).toEqual(['100', 'plain'])
    expect(facts.get('Balance afterwards')).toEqual(['-50', 'bad'])
    expect(facts.get('Total adjustments')).toEqual(['100', 'plain'])
    expect(seen.words).toContainEqual({
      when: 'approved',
      language: 'en',
      text: 'Balance adjustment booked',
    })
    expect(seen.acts[0]).toMatchObject({ act: 'decideAdjustment', outcome: 'done', reason })
    expect(seen.steps.map(({ state }) => state)).toEqual(['done', 'now', 'next'])
    // The balance is too small.
    expect(await other.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('notEnoughMoney')
  })

  test('assigns a case only to roles that may decide it, and finds it by the user’s number', async () => {
    const [support, finance] = [await atDesk(server(), 'support'), await atDesk(server(), 'finance')]
    const { user } = await newUser(server())
    const id = await requestAdjustment(support, user.id, 12_000)
    const caseKey = `adjustment:${id}`
    expect(await support.refusalOf(takeCase, { caseKey, from: null })).toBe('roleRefused')
    await finance.request(takeCase, { caseKey, from: null })
    expect(await finance.refusalOf(handOnCase, { caseKey, operatorId: support.id, note: null })).toBe(
      'deciderNeeded',
    )
    const seen = await support.request(getWaitingCase, { caseKey })
    expect(seen.deciders).toEqual(['finance', 'administrator'])
    expect(seen.case.heldBy?.id).toBe(finance.id)
    expect(seen.case.riskReasons).toContain('above 10,000.00 USD: needs a second operator')
    const search = String(100_000 + user.id)
    expect((await finance.request(listWaiting, { ...EVERYTHING, search })).total).toBe(1)
  })

  test('lets only the assignee decide a case, hand it over or release it', async () => {
    const maker = await atDesk(server(), 'finance')
    const one = await atDesk(server(), 'finance')
    const other = await atDesk(server(), 'administrator')
    const { user } = await newUser(server())
    const id = await requestAdjustment(maker, user.id, 10)
    const caseKey = `adjustment:${id}`
    await one.request(takeCase, { caseKey, from: null })
    expect(await other.refusalOf(takeCase, { caseKey, from: null })).toBe('caseHeld')
    expect(await other.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('caseHeld')
    expect(await other.request(getWaitingCase, { caseKey })).toMatchObject({
      barrier: 'caseHeld',
      case: { heldBy: { id: one.id, name: one.name } },
    })
    expect(await other.refusalOf(handOnCase, { caseKey, operatorId: other.id, note: null })).toBe(
      'caseNotHeld',
    )
    expect(await other.refusalOf(letCaseGo, { caseKey })).toBe('caseNotHeld')
    await one.request(handOnCase, { caseKey, operatorId: other.id, note: 'your client' })
    const mine = await other.request(listWaiting, { ...EVERYTHING, held: 'mine' })
    expect(mine.cases.map((each) => each.caseKey)).toEqual([caseKey])
    // Another operator may take it over, naming the present assignee.
    await one.request(takeCase, { caseKey, from: other.id })
    await one.request(letCaseGo, { caseKey })
    const free = await other.request(listWaiting, { ...EVERYTHING, held: 'nobody', search: caseKey })
    expect(free.total).toBe(1)
    const { acts } = await other.request(listAuditEntries, {
      ...ALL_ENTRIES,
      act: 'takeCase',
      subject: caseKey,
      outcome: 'done',
    })
    expect(acts.map(({ operator }) => operator)).toEqual([one.name, one.name, one.name, one.name])
    await other.request(decideAdjustment, { id, isApproved: false, reason })
    expect(await one.refusalOf(takeCase, { caseKey, from: null })).toBe('caseEnded')
  })

  test.each([
    ['is switched off', { role: null, isOn: false }],
    ['has another role', { role: 'support', isOn: null }],
  ] as const)('releases the cases of an assignee who %s', async (_name, change) => {
    const [administrator, compliance] = [
      await atDesk(server(), 'administrator'),
      await atDesk(server(), 'compliance'),
    ]
    const [assignee, other] = [await atDesk(server(), 'finance'), await atDesk(server(), 'finance')]
    const { user } = await newUser(server())
    const id = await requestAdjustment(administrator, user.id, 10)
    const caseKey = `adjustment:${id}`
    await assignee.request(takeCase, { caseKey, from: null })
    const { approvalId } = await administrator.request(changeOperator, {
      id: assignee.id,
      ...change,
      reason,
    })
    if (approvalId !== null)
      await compliance.request(decideApproval, { id: approvalId, isApproved: true, reason })
    expect((await other.request(getWaitingCase, { caseKey })).case.heldBy).toBeNull()
    await other.request(decideAdjustment, { id, isApproved: true, reason })
  })

  test('carries out a halt requested by one role and approved by another, with both names', async () => {
    const support = await atDesk(server(), 'support')
    const dealing = await atDesk(server(), 'dealing')
    const { approvalId: id } = await support.request(requestHalt, {
      instrumentId: 1,
      reason: 'prices look wrong',
    })
    const { cases } = await dealing.request(listWaiting, { ...EVERYTHING, kind: 'halt' })
    expect(cases).toMatchObject([{ caseKey: `approval:${id}`, risk: 'high', askedBy: support.name }])
    const seen = await support.request(getWaitingCase, { caseKey: `approval:${id}` })
    expect(seen).toMatchObject({ barrier: 'roleRefused', mayWithdraw: true })
    expect(seen.changes).toEqual([{ field: 'trading', before: 'on', after: 'halted: prices look wrong' }])
    expect(await support.refusalOf(decideApproval, { id, isApproved: true, reason })).toBe('roleRefused')
    await dealing.request(decideApproval, { id, isApproved: true, reason })
    expect(server().deployment.engine.state().halts.get(1)).toBe('prices look wrong')
    const { acts } = await dealing.request(listAuditEntries, { ...ALL_ENTRIES, act: 'halt', outcome: 'done' })
    expect(acts.some((act) => act.operator === support.name && act.second === dealing.name)).toBe(true)
    // The form shows the state before the halt.
    expect(await support.refusalOf(requestHalt, { instrumentId: 1, reason })).toBe('formOutdated')
  })

  test('lets only the requester withdraw a request', async () => {
    const support = await atDesk(server(), 'support')
    const finance = await atDesk(server(), 'finance')
    const { approvalId: id } = await support.request(requestHalt, { instrumentId: 2, reason: 'a rumour' })
    expect(await finance.refusalOf(withdrawApproval, { id, reason })).toBe('caseNotFound')
    await support.request(withdrawApproval, { id, reason: 'it was none' })
    expect(await support.refusalOf(withdrawApproval, { id, reason })).toBe('caseEnded')
  })

  test('refuses unknown cases', async () => {
    const support = await atDesk(server(), 'support')
    for (const caseKey of ['adjustment:999999', 'nothing:1', 'adjustment', 'approval:x'])
      expect(await support.refusalOf(takeCase, { caseKey, from: null })).toMatch(/^case(Ended|NotFound)$/)
  })
})

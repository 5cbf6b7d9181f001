import {
  askHalt,
  decideAdjustment,
  decideApproval,
  getWaitingCase,
  handOnCase,
  letCaseGo,
  listActs,
  listWaiting,
  takeCase,
  withdrawApproval,
} from '@fairlot/contract/desk'
import { isRejection, money, type Operator } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { isNotDone, isUnavailable } from '../../engine/engine.ts'
import { movablePace, newMember } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const HOUR_MS = 3_600_000
const EVERYTHING = { kind: null, held: null, search: null, page: 1 }
const ALL_ACTS = {
  ...{ operatorId: null, act: null, subject: null, accountId: null, outcome: null },
  ...{ since: null, until: null, search: null, page: 1 },
}

describe.each(DATABASES)('what waits, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace })
  const reason = 'as agreed on the phone'

  /** Asks for a correction as an operator would, and answers its number. Amount in whole units. */
  const asked = async (by: AtDesk, accountId: number, amount: number) => {
    const { engine } = server().deployment
    const author: Operator = {
      type: 'operator',
      id: by.id,
      role: by.role,
      reason: 'a fee too much',
      second: null,
    }
    const answer = await engine.execute({
      ...{ type: 'askAdjustment', accountId, amount: money(BigInt(amount) * 1_000_000n), by: author },
    })
    if (isRejection(answer) || isUnavailable(answer) || isNotDone(answer)) throw new Error('not asked')
    await engine.caughtUp()
    const [event] = answer.entry.events
    return event?.type === 'adjustmentAsked' ? event.caseId : 0
  }
  const balanceOf = (accountId: number) =>
    server().deployment.engine.state().accounts.get(accountId)?.available.balance

  test('the highest risk comes first, and above the limit a second person is needed', async () => {
    const finance = await atDesk(server(), 'finance')
    const { user } = await newMember(server())
    const small = await asked(finance, user.id, 25)
    const large = await asked(finance, user.id, 20_000)
    const listed = await finance.ask(listWaiting, { ...EVERYTHING, search: String(user.id) })
    expect(listed.cases).toMatchObject([
      { caseKey: `adjustment:${large}`, risk: 'raised', needsSecond: true, amount: 20_000_000_000n },
      { caseKey: `adjustment:${small}`, risk: 'usual', needsSecond: false, askedBy: finance.name },
    ])
    expect(listed.kinds).toContainEqual({ kind: 'adjustment', name: 'Adjustments', count: listed.all })
    pass(5 * HOUR_MS)
    const later = await (await atDesk(server(), 'finance')).ask(listWaiting, EVERYTHING)
    expect(later.cases[0]).toMatchObject({ caseKey: `adjustment:${large}`, risk: 'high' })
  })

  test('whoever asked cannot approve above the limit, and the attempt is written down', async () => {
    const maker = await atDesk(server(), 'finance')
    const checker = await atDesk(server(), 'administrator')
    const { user } = await newMember(server())
    const id = await asked(maker, user.id, 15_000)
    const caseKey = `adjustment:${id}`
    const seen = await maker.ask(getWaitingCase, { caseKey })
    expect(seen).toMatchObject({ barrier: 'sameOperator', decision: 'adjustment', reason: 'a fee too much' })
    expect(await maker.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('sameOperator')
    expect(balanceOf(user.id)).toBe(0n)
    const { acts } = await checker.ask(listActs, { ...ALL_ACTS, search: caseKey })
    expect(acts[0]).toMatchObject({ operator: maker.name, outcome: 'sameOperator', accountId: user.id })

    await checker.ask(decideAdjustment, { id, isApproved: true, reason })
    expect(balanceOf(user.id)).toBe(15_000_000_000n)
    expect(await checker.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('caseEnded')
    expect(await checker.refusalOf(getWaitingCase, { caseKey })).toBe('caseEnded')
  })

  test('of two who decide at once, one does', async () => {
    const maker = await atDesk(server(), 'finance')
    const one = await atDesk(server(), 'finance')
    const other = await atDesk(server(), 'administrator')
    const { user } = await newMember(server())
    const id = await asked(maker, user.id, 40)
    const outcomes = await Promise.all([
      one.refusalOf(decideAdjustment, { id, isApproved: true, reason }),
      other.refusalOf(decideAdjustment, { id, isApproved: true, reason }),
    ])
    expect(outcomes.filter((refusal) => refusal !== null)).toEqual(['caseEnded'])
    expect(balanceOf(user.id)).toBe(40_000_000n)
  })

  test('what is refused books nothing, and asks for a reason', async () => {
    const finance = await atDesk(server(), 'finance')
    const { user } = await newMember(server())
    const id = await asked(finance, user.id, 30)
    expect(await finance.refusalOf(decideAdjustment, { id, isApproved: false, reason: ' ' })).toBe(
      'reasonMissing',
    )
    await finance.ask(decideAdjustment, { id, isApproved: false, reason })
    expect(balanceOf(user.id)).toBe(0n)
  })

  test('a case shows what decides it, and the words that the trader reads in both languages', async () => {
    const finance = await atDesk(server(), 'finance')
    const { user } = await newMember(server())
    const first = await asked(finance, user.id, 100)
    await finance.ask(decideAdjustment, { id: first, isApproved: true, reason })
    const id = await asked(finance, user.id, -150)
    const seen = await finance.ask(getWaitingCase, { caseKey: `adjustment:${id}` })
    const facts = new Map(seen.facts.map(({ label, value, tone }) => [label, [value, tone]]))
    expect(facts.get('Balance')).toEqual(['100', 'plain'])
    expect(facts.get('Balance after it')).toEqual(['-50', 'bad'])
    expect(facts.get('Adjustments so far')).toEqual(['100', 'plain'])
    expect(seen.words).toContainEqual({
      ...{ when: 'approved', language: 'en', text: 'Correction of the balance booked' },
    })
    expect(seen.acts[0]).toMatchObject({ act: 'decideAdjustment', outcome: 'done', reason })
    expect(seen.steps.map(({ state }) => state)).toEqual(['done', 'now', 'next'])
    // What it would take is not there.
    expect(await finance.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('notEnoughMoney')
  })

  test('a case that is taken is decided by whoever has it', async () => {
    const maker = await atDesk(server(), 'finance')
    const one = await atDesk(server(), 'finance')
    const other = await atDesk(server(), 'administrator')
    const { user } = await newMember(server())
    const id = await asked(maker, user.id, 10)
    const caseKey = `adjustment:${id}`
    await one.ask(takeCase, { caseKey, from: null })
    expect(await other.refusalOf(takeCase, { caseKey, from: null })).toBe('caseHeld')
    expect(await other.refusalOf(decideAdjustment, { id, isApproved: true, reason })).toBe('caseHeld')
    expect(await other.ask(getWaitingCase, { caseKey })).toMatchObject({
      ...{ barrier: 'caseHeld', case: { heldBy: { id: one.id, name: one.name } } },
    })
    expect(await other.refusalOf(handOnCase, { caseKey, operatorId: other.id, note: null })).toBe(
      'caseNotHeld',
    )
    expect(await other.refusalOf(letCaseGo, { caseKey })).toBe('caseNotHeld')
    await one.ask(handOnCase, { caseKey, operatorId: other.id, note: 'your client' })
    const mine = await other.ask(listWaiting, { ...EVERYTHING, held: 'mine' })
    expect(mine.cases.map((each) => each.caseKey)).toEqual([caseKey])
    // Taken over by who knows who had it.
    await one.ask(takeCase, { caseKey, from: other.id })
    await one.ask(letCaseGo, { caseKey })
    const free = await other.ask(listWaiting, { ...EVERYTHING, held: 'nobody', search: caseKey })
    expect(free.total).toBe(1)
    const { acts } = await other.ask(listActs, {
      ...ALL_ACTS,
      act: 'takeCase',
      subject: caseKey,
      outcome: 'done',
    })
    expect(acts.map(({ operator }) => operator)).toEqual([one.name, one.name, one.name, one.name])
    await other.ask(decideAdjustment, { id, isApproved: false, reason })
    expect(await one.refusalOf(takeCase, { caseKey, from: null })).toBe('caseEnded')
  })

  test('a halt is asked for by those who may not, and done with both names by those who may', async () => {
    const support = await atDesk(server(), 'support')
    const dealing = await atDesk(server(), 'dealing')
    const { approvalId: id } = await support.ask(askHalt, { instrumentId: 1, reason: 'prices look wrong' })
    const { cases } = await dealing.ask(listWaiting, { ...EVERYTHING, kind: 'halt' })
    expect(cases).toMatchObject([{ caseKey: `approval:${id}`, risk: 'high', askedBy: support.name }])
    const seen = await support.ask(getWaitingCase, { caseKey: `approval:${id}` })
    expect(seen).toMatchObject({ barrier: 'roleRefused', mayWithdraw: true })
    expect(seen.changes).toEqual([{ field: 'trading', before: 'on', after: 'halted: prices look wrong' }])
    expect(await support.refusalOf(decideApproval, { id, isApproved: true, reason })).toBe('roleRefused')
    await dealing.ask(decideApproval, { id, isApproved: true, reason })
    expect(server().deployment.engine.state().halts.get(1)).toBe('prices look wrong')
    const { acts } = await dealing.ask(listActs, { ...ALL_ACTS, act: 'halt', outcome: 'done' })
    expect(acts.some((act) => act.operator === support.name && act.second === dealing.name)).toBe(true)
    // A form from before it was halted.
    expect(await support.refusalOf(askHalt, { instrumentId: 1, reason })).toBe('formOutdated')
  })

  test('what was asked for is taken back by whoever asked, and by nobody else', async () => {
    const support = await atDesk(server(), 'support')
    const finance = await atDesk(server(), 'finance')
    const { approvalId: id } = await support.ask(askHalt, { instrumentId: 2, reason: 'a rumour' })
    expect(await finance.refusalOf(withdrawApproval, { id, reason })).toBe('caseNotFound')
    await support.ask(withdrawApproval, { id, reason: 'it was none' })
    expect(await support.refusalOf(withdrawApproval, { id, reason })).toBe('caseEnded')
  })

  test('a case that never was is refused', async () => {
    const support = await atDesk(server(), 'support')
    for (const caseKey of ['adjustment:999999', 'nothing:1', 'adjustment', 'approval:x'])
      expect(await support.refusalOf(takeCase, { caseKey, from: null })).toMatch(/^case(Ended|NotFound)$/)
  })
})

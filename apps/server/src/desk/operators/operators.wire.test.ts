import {
  changeDeskPassword,
  changeOperator,
  confirmDeskFactor,
  decideApproval,
  getDeskSelf,
  getWaitingCase,
  inviteOperator,
  joinDesk,
  listAuditEntries,
  listOperators,
  logInToDesk,
  logOutOfDesk,
  type OperatorRole,
  prepareDeskFactor,
  resetOperator,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../platform/security/second-factor.ts'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

/** Wrong passwords or codes allowed for each account. */
const TRIES = 8
const STEP_MS = 30_000
const MINUTE_MS = 60_000

describe.each(DATABASES)('operators, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD, SETTING_FAILED_LOGINS_PER_ACCOUNT: String(TRIES) },
  })
  const anyone = () => callsAs(server().url, null)
  const logIn = (code: string | null = null, password = DESK_PASSWORD, name = 'admin') =>
    anyone().try(logInToDesk, { name, password, code })

  test('must set up a second factor before anything else', async () => {
    const { token, self } = await anyone().request(logInToDesk, {
      name: 'Admin',
      password: DESK_PASSWORD,
      code: null,
    })
    expect(self).toMatchObject({ name: 'admin', role: 'administrator', needsSecondFactor: true })
    const admin = callsAs(server().url, token)
    expect(await admin.refusalOf(listOperators, null)).toBe('secondFactorUnset')
    const { secret, address } = await admin.request(prepareDeskFactor, null)
    expect(address).toContain(`secret=${secret}`)
    expect(await admin.refusalOf(confirmDeskFactor, { code: '000000' })).toBe('secondFactorWrong')
    const { recoveryCodes } = await admin.request(confirmDeskFactor, { code: totpCode(secret, pace.wall()) })
    expect(recoveryCodes).toHaveLength(10)
    const { operators } = await admin.request(listOperators, null)
    expect(operators[0]).toMatchObject({ name: 'admin', status: 'active', hasSecondFactor: true })

    expect(await logIn()).toMatchObject({ reason: 'secondFactorNeeded' })
    expect(await logIn(totpCode(secret, pace.wall()))).toMatchObject({ reason: 'secondFactorWrong' })
    pass(STEP_MS)
    const asShown = totpCode(secret, pace.wall()).replace(/^.../, '$& ')
    expect(await logIn(asShown)).toMatchObject({ ok: true })
    expect(await logIn(recoveryCodes[0])).toMatchObject({ ok: true })
    expect(await logIn(recoveryCodes[0])).toMatchObject({ reason: 'secondFactorWrong' })
  })

  test('get the same answer for a wrong name and a wrong password', async () => {
    expect(await logIn(null, 'not the password')).toMatchObject({ reason: 'credentialsWrong' })
    expect(await logIn(null, DESK_PASSWORD, 'nobody')).toMatchObject({ reason: 'credentialsWrong' })
  })

  test('have sessions that end after 20 minutes without use, and after 12 hours', async () => {
    const support = await atDesk(server(), 'support')
    const idle = await atDesk(server(), 'support')
    for (let minutes = 0; minutes < 12 * 60 - 15; minutes += 15) {
      expect(await support.refusalOf(getDeskSelf, null)).toBeNull()
      pass(15 * MINUTE_MS)
    }
    expect(await idle.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    expect(await support.refusalOf(getDeskSelf, null)).toBeNull()
    pass(15 * MINUTE_MS)
    expect(await support.refusalOf(getDeskSelf, null)).toBe('sessionGone')
  })

  test('lose their sessions at once when they log out or are switched off', async () => {
    const administrator = await atDesk(server(), 'administrator')
    const dealing = await atDesk(server(), 'dealing')
    const support = await atDesk(server(), 'support')
    await support.request(logOutOfDesk, null)
    expect(await support.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    const off = { id: dealing.id, role: null, isOn: false, reason: 'left the firm' }
    expect(await administrator.request(changeOperator, off)).toEqual({ approvalId: null })
    expect(await dealing.refusalOf(getDeskSelf, null)).toBe('sessionGone')
  })

  test('need the old password and a code to change their password', async () => {
    const finance = await atDesk(server(), 'finance')
    const requested = { oldPassword: 'wrong', password: 'another brass weight', code: '000000' }
    expect(await finance.refusalOf(changeDeskPassword, requested)).toBe('passwordWrong')
    const right = { ...requested, oldPassword: DESK_PASSWORD }
    expect(await finance.refusalOf(changeDeskPassword, right)).toBe('secondFactorWrong')
    // After too many wrong passwords the right one is refused too.
    let tries = 1
    while ((await finance.refusalOf(changeDeskPassword, requested)) === 'passwordWrong') tries += 1
    expect(tries).toBe(TRIES)
    expect(await finance.refusalOf(changeDeskPassword, right)).toBe('tooManyRequests')
  })

  test('have a lost password or second factor reset by two others', async () => {
    const [requester, second] = [
      await atDesk(server(), 'administrator'),
      await atDesk(server(), 'compliance'),
    ]
    const lost = await atDesk(server(), 'administrator')
    const reset = { id: lost.id, reason: 'the phone is gone' }
    expect(await second.refusalOf(resetOperator, reset)).toBe('roleRefused')
    expect(await lost.refusalOf(resetOperator, reset)).toBe('ownReset')
    expect(await requester.refusalOf(resetOperator, { ...reset, reason: ' ' })).toBe('reasonMissing')
    expect(await requester.refusalOf(resetOperator, { ...reset, id: 999 })).toBe('operatorUnknown')
    const requested = await requester.request(resetOperator, reset)
    const { approvalId, invitation } = requested
    expect(requested).toEqual({ approvalId, invitation: expect.any(String), confirmation: null })
    const decision = { id: approvalId ?? 0, isApproved: true, reason: 'called back' }
    expect(await requester.refusalOf(decideApproval, decision)).toBe('sameOperator')
    expect(await lost.refusalOf(decideApproval, decision)).toBe('ownReset')
    expect(await lost.refusalOf(getDeskSelf, null)).toBeNull()
    const password = 'a quiet paper scale'
    const early = { invitation: invitation ?? '', confirmation: '', password }
    expect(await anyone().refusalOf(joinDesk, early)).toBe('invitationInvalid')

    const { confirmation } = await second.request(decideApproval, decision)
    expect(await lost.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    expect(await logIn(null, DESK_PASSWORD, lost.name)).toMatchObject({ reason: 'credentialsWrong' })
    expect(await requester.refusalOf(resetOperator, reset)).toBe('operatorNotJoined')
    const again = { invitation: invitation ?? '', confirmation: confirmation ?? '', password }
    const { token, self } = await anyone().request(joinDesk, again)
    expect(self).toMatchObject({ id: lost.id, role: 'administrator', needsSecondFactor: true })
    expect(await callsAs(server().url, token).refusalOf(listOperators, null)).toBe('secondFactorUnset')
    expect(await anyone().refusalOf(joinDesk, again)).toBe('invitationInvalid')
    const { acts } = await second.request(listAuditEntries, {
      operatorId: null,
      act: 'changeOperators',
      subject: `operator:${lost.id}`,
      accountId: null,
      outcome: 'done',
      since: null,
      until: null,
      search: 'set up',
      page: 1,
    })
    expect(acts[0]).toMatchObject({
      operator: requester.name,
      second: second.name,
      caseKey: `approval:${approvalId}`,
    })
  })

  test('are named in the case of a change, which is refused if they have changed since', async () => {
    const [requester, second] = [
      await atDesk(server(), 'administrator'),
      await atDesk(server(), 'compliance'),
    ]
    const { id, name } = await atDesk(server(), 'support')
    const requestRole = async (role: OperatorRole) =>
      (await requester.request(changeOperator, { id, role, isOn: null, reason: 'moves' })).approvalId ?? 0
    const [first, later] = [await requestRole('finance'), await requestRole('dealing')]
    const { case: row, facts } = await second.request(getWaitingCase, { caseKey: `approval:${first}` })
    expect(row.what).toBe(`Operator ${name}: moves`)
    expect(facts).toMatchObject([{ label: 'Concerns', value: `Operator ${name}` }])
    await second.request(decideApproval, { id: first, isApproved: true, reason: 'agreed' })
    const stale = { id: later, isApproved: true, reason: 'agreed' }
    expect(await second.refusalOf(decideApproval, stale)).toBe('formOutdated')
    const { operators } = await requester.request(listOperators, null)
    expect(operators.find((each) => each.id === id)).toMatchObject({ role: 'finance', status: 'active' })
  })

  test('are invited under a valid, unused name, and cannot join with unknown keys', async () => {
    const administrator = await atDesk(server(), 'administrator')
    const bad = { name: '<b>', role: 'support', reason: 'help' } as const
    expect(await administrator.refusalOf(inviteOperator, bad)).toBe('operatorNameInvalid')
    expect(await administrator.refusalOf(inviteOperator, { ...bad, name: 'ADMIN' })).toBe('operatorNameTaken')
    expect(await administrator.refusalOf(inviteOperator, { ...bad, name: 'Nia', reason: ' ' })).toBe(
      'reasonMissing',
    )
    const madeUp = { invitation: 'made up', confirmation: 'made up', password: DESK_PASSWORD }
    expect(await anyone().refusalOf(joinDesk, madeUp)).toBe('invitationInvalid')
  })
})

describe.each(DATABASES)('the only administrator, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })

  test('invites alone until a second operator has joined', async () => {
    const { queries } = server().deployment.database
    await queries.deleteFrom('operator').execute()
    const administrator = await atDesk(server(), 'administrator', 'Ada')
    const invited = await administrator.request(inviteOperator, {
      name: 'Bo',
      role: 'compliance',
      reason: 'a second operator',
    })
    expect(invited).toMatchObject({ approvalId: null })
    const keys = { invitation: invited.invitation ?? '', confirmation: invited.confirmation ?? '' }
    const { acts } = await administrator.request(listAuditEntries, {
      operatorId: null,
      act: 'changeOperators',
      subject: null,
      accountId: null,
      outcome: 'done',
      since: null,
      until: null,
      search: 'single-operator mode',
      page: 1,
    })
    expect(acts).toMatchObject([{ operator: 'Ada', second: null, subject: 'operator:new' }])
    const anyone = callsAs(server().url, null)
    const { self } = await anyone.request(joinDesk, { ...keys, password: 'a quiet paper scale' })
    expect(self).toMatchObject({ name: 'Bo', role: 'compliance', needsSecondFactor: true })
    const next = { name: 'Cy', role: 'finance', reason: 'more work' } as const
    expect(await administrator.request(inviteOperator, next)).toMatchObject({
      approvalId: 1,
      confirmation: null,
    })
    // Switching the other one off does not bring single-operator mode back.
    await administrator.request(changeOperator, { id: self.id, role: null, isOn: false, reason: 'away' })
    expect(await administrator.request(inviteOperator, { ...next, name: 'Di' })).toMatchObject({
      approvalId: 2,
    })
    const own = { id: administrator.id, role: null, isOn: false, reason: 'tired' }
    expect(await administrator.refusalOf(changeOperator, own)).toBe('lastAdministrator')
  })
})

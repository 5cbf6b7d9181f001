import {
  changeDeskPassword,
  changeOperator,
  confirmDeskFactor,
  decideApproval,
  getDeskSelf,
  getWaitingCase,
  inviteOperator,
  joinDesk,
  listActs,
  listOperators,
  logInToDesk,
  logOutOfDesk,
  type OperatorRole,
  prepareDeskFactor,
  renewInvitation,
  resetOperator,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../auth/totp.ts'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

/** Wrong passwords or codes of one account. */
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

  test('the first administrator sets up a second factor before anything else', async () => {
    const { token, self } = await anyone().ask(logInToDesk, {
      name: 'Admin',
      password: DESK_PASSWORD,
      code: null,
    })
    expect(self).toMatchObject({ name: 'admin', role: 'administrator', needsSecondFactor: true })
    const admin = callsAs(server().url, token)
    expect(await admin.refusalOf(listOperators, null)).toBe('secondFactorUnset')
    const { secret, address } = await admin.ask(prepareDeskFactor, null)
    expect(address).toContain(`secret=${secret}`)
    expect(await admin.refusalOf(confirmDeskFactor, { code: '000000' })).toBe('secondFactorWrong')
    const { recoveryCodes } = await admin.ask(confirmDeskFactor, { code: totpCode(secret, pace.wall()) })
    expect(recoveryCodes).toHaveLength(10)
    const { operators } = await admin.ask(listOperators, null)
    expect(operators[0]).toMatchObject({ name: 'admin', status: 'active', hasSecondFactor: true })

    expect(await logIn()).toMatchObject({ reason: 'secondFactorNeeded' })
    expect(await logIn(totpCode(secret, pace.wall()))).toMatchObject({ reason: 'secondFactorWrong' })
    pass(STEP_MS)
    expect(await logIn(totpCode(secret, pace.wall()))).toMatchObject({ ok: true })
    expect(await logIn(recoveryCodes[0])).toMatchObject({ ok: true })
    expect(await logIn(recoveryCodes[0])).toMatchObject({ reason: 'secondFactorWrong' })
  })

  test('a wrong name and a wrong password are told by the same word', async () => {
    expect(await logIn(null, 'not the password')).toMatchObject({ reason: 'credentialsWrong' })
    expect(await logIn(null, DESK_PASSWORD, 'nobody')).toMatchObject({ reason: 'credentialsWrong' })
  })

  test('a session ends after 20 minutes without use, and after 12 hours whatever is done', async () => {
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

  test('who logs out, or is switched off, is out at once', async () => {
    const administrator = await atDesk(server(), 'administrator')
    const dealing = await atDesk(server(), 'dealing')
    const support = await atDesk(server(), 'support')
    await support.ask(logOutOfDesk, null)
    expect(await support.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    const off = { id: dealing.id, role: null, isOn: false, reason: 'left the house' }
    expect(await administrator.ask(changeOperator, off)).toEqual({ approvalId: null })
    expect(await dealing.refusalOf(getDeskSelf, null)).toBe('sessionGone')
  })

  test('a change of the own password asks for the old one and a code', async () => {
    const finance = await atDesk(server(), 'finance')
    const asked = { oldPassword: 'wrong', password: 'another brass weight', code: '000000' }
    expect(await finance.refusalOf(changeDeskPassword, asked)).toBe('passwordWrong')
    const right = { ...asked, oldPassword: DESK_PASSWORD }
    expect(await finance.refusalOf(changeDeskPassword, right)).toBe('secondFactorWrong')
    // So often may the old one be wrong; who goes on guessing is not told when it is right.
    let tries = 1
    while ((await finance.refusalOf(changeDeskPassword, asked)) === 'passwordWrong') tries += 1
    expect(tries).toBe(TRIES)
    expect(await finance.refusalOf(changeDeskPassword, right)).toBe('tooManyRequests')
  })

  test('a lost password or second factor is reset by two colleagues, neither of them oneself', async () => {
    const [asker, second] = [await atDesk(server(), 'administrator'), await atDesk(server(), 'compliance')]
    const lost = await atDesk(server(), 'administrator')
    const reset = { id: lost.id, reason: 'the phone is gone' }
    expect(await second.refusalOf(resetOperator, reset)).toBe('roleRefused')
    expect(await lost.refusalOf(resetOperator, reset)).toBe('ownReset')
    expect(await asker.refusalOf(resetOperator, { ...reset, reason: ' ' })).toBe('reasonMissing')
    expect(await asker.refusalOf(resetOperator, { ...reset, id: 999 })).toBe('operatorUnknown')
    const { approvalId, invitation: none } = await asker.ask(resetOperator, reset)
    expect(none).toBeNull()
    const word = { id: approvalId ?? 0, isApproved: true, reason: 'called back' }
    expect(await asker.refusalOf(decideApproval, word)).toBe('sameOperator')
    expect(await lost.refusalOf(decideApproval, word)).toBe('ownReset')
    expect(await lost.refusalOf(getDeskSelf, null)).toBeNull()

    await second.ask(decideApproval, word)
    expect(await lost.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    expect(await logIn(null, DESK_PASSWORD, lost.name)).toMatchObject({ reason: 'credentialsWrong' })
    expect(await asker.refusalOf(resetOperator, reset)).toBe('operatorNotJoined')
    const { invitation } = await asker.ask(renewInvitation, reset)
    const again = { invitation, password: 'a quiet paper scale' }
    const { token, self } = await anyone().ask(joinDesk, again)
    expect(self).toMatchObject({ id: lost.id, role: 'administrator', needsSecondFactor: true })
    expect(await callsAs(server().url, token).refusalOf(listOperators, null)).toBe('secondFactorUnset')
    expect(await anyone().refusalOf(joinDesk, again)).toBe('invitationInvalid')
    const { acts } = await second.ask(listActs, {
      ...{ operatorId: null, act: 'changeOperators', subject: `operator:${lost.id}`, accountId: null },
      ...{ outcome: 'done', since: null, until: null, search: 'set up', page: 1 },
    })
    expect(acts[0]).toMatchObject({
      operator: asker.name,
      second: second.name,
      caseKey: `approval:${approvalId}`,
    })
  })

  test('a change is shown with the name of whom it is about, and refused once that one is not as it was shown', async () => {
    const [asker, second] = [await atDesk(server(), 'administrator'), await atDesk(server(), 'compliance')]
    const { id, name } = await atDesk(server(), 'support')
    const ask = async (role: OperatorRole) =>
      (await asker.ask(changeOperator, { id, role, isOn: null, reason: 'moves' })).approvalId ?? 0
    const [first, later] = [await ask('finance'), await ask('dealing')]
    const { case: row, facts } = await second.ask(getWaitingCase, { caseKey: `approval:${first}` })
    expect(row.what).toBe(`Operator ${name}: moves`)
    expect(facts).toMatchObject([{ label: 'Concerns', value: `Operator ${name}` }])
    await second.ask(decideApproval, { id: first, isApproved: true, reason: 'agreed' })
    const stale = { id: later, isApproved: true, reason: 'agreed' }
    expect(await second.refusalOf(decideApproval, stale)).toBe('formOutdated')
    const { operators } = await asker.ask(listOperators, null)
    expect(operators.find((each) => each.id === id)).toMatchObject({ role: 'finance', status: 'active' })
  })

  test('an invitation is for a name that nobody had, and is taken once', async () => {
    const administrator = await atDesk(server(), 'administrator')
    const bad = { name: '<b>', role: 'support', reason: 'help' } as const
    expect(await administrator.refusalOf(inviteOperator, bad)).toBe('operatorNameInvalid')
    expect(await administrator.refusalOf(inviteOperator, { ...bad, name: 'ADMIN' })).toBe('operatorNameTaken')
    expect(await administrator.refusalOf(inviteOperator, { ...bad, name: 'Nia', reason: ' ' })).toBe(
      'reasonMissing',
    )
    expect(await anyone().refusalOf(joinDesk, { invitation: 'made up', password: DESK_PASSWORD })).toBe(
      'invitationInvalid',
    )
  })
})

describe.each(DATABASES)('the only administrator, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })

  test('invites alone, but nobody after that who could agree', async () => {
    const { queries } = server().deployment.database
    await queries.deleteFrom('operator').execute()
    const administrator = await atDesk(server(), 'administrator', 'Ada')
    const invited = await administrator.ask(inviteOperator, {
      ...{ name: 'Bo', role: 'compliance', reason: 'a second person' },
    })
    expect(invited).toMatchObject({ approvalId: null })
    const invitation = invited.invitation ?? ''
    const anyone = callsAs(server().url, null)
    const { self } = await anyone.ask(joinDesk, { invitation, password: 'a quiet paper scale' })
    expect(self).toMatchObject({ name: 'Bo', role: 'compliance', needsSecondFactor: true })
    expect(await anyone.refusalOf(joinDesk, { invitation, password: 'a quiet paper scale' })).toBe(
      'invitationInvalid',
    )
    const next = { name: 'Cy', role: 'finance', reason: 'more work' } as const
    expect(await administrator.ask(inviteOperator, next)).toEqual({ approvalId: 1, invitation: null })
    // Putting the other one out does not make them alone.
    await administrator.ask(changeOperator, { id: self.id, role: null, isOn: false, reason: 'away' })
    expect(await administrator.ask(inviteOperator, { ...next, name: 'Di' })).toMatchObject({ approvalId: 2 })
    const own = { id: administrator.id, role: null, isOn: false, reason: 'tired' }
    expect(await administrator.refusalOf(changeOperator, own)).toBe('lastAdministrator')
  })
})

import {
  changeOperator,
  confirmDeskFactor,
  decideApproval,
  getDeskSelf,
  inviteOperator,
  joinDesk,
  listAuditEntries,
  listOperators,
  logInToDesk,
  type OperatorRole,
  prepareDeskFactor,
  renewInvitation,
  resetOperator,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../platform/security/second-factor.ts'
import { secretHash } from '../../platform/security/secrets.ts'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD, invitedColleague, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { changeOperatorRow } from './operators.ts'

const DAY_MS = 86_400_000
const STEP_MS = 30_000
/** Wrong confirmations allowed for each invitation. */
const TRIES = 10
const REASON = 'as agreed'
const PASSWORD = 'a quiet paper scale'

describe.each(DATABASES)('the two keys of an invitation, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: {
      FEED: 'ws://127.0.0.1:9',
      DESK_PASSWORD,
      SETTING_FAILED_LOGINS_PER_ACCOUNT: '1000',
      SETTING_FAILED_LOGINS_PER_ADDRESS: '1000',
    },
  })
  const anyone = () => callsAs(server().url, null)
  const two = async () =>
    [await atDesk(server(), 'administrator'), await atDesk(server(), 'compliance')] as const
  const approve = async (by: AtDesk, id: number | null) =>
    by.request(decideApproval, { id: id ?? 0, isApproved: true, reason: REASON })
  let count = 0
  const name = () => `Newcomer ${String.fromCharCode(65 + (count += 1))}`

  /** The keys of an operator whom two operators have invited, and the form that uses them. */
  async function keysOf(role: OperatorRole = 'support') {
    const [requester, second] = await two()
    const invited = name()
    const requested = await requester.request(inviteOperator, { name: invited, role, reason: REASON })
    const { confirmation } = await approve(second, requested.approvalId)
    return {
      requester,
      second,
      name: invited,
      keys: {
        invitation: requested.invitation ?? '',
        confirmation: confirmation ?? '',
        password: PASSWORD,
      },
    }
  }

  test('are shown once, one to each of two operators', async () => {
    const [requester, second] = await two()
    const requested = await requester.request(inviteOperator, {
      name: name(),
      role: 'support',
      reason: REASON,
    })
    expect(requested).toEqual({
      approvalId: expect.any(Number),
      invitation: expect.any(String),
      confirmation: null,
    })
    expect(await approve(second, requested.approvalId)).toEqual({ confirmation: expect.any(String) })
    const again = { id: requested.approvalId ?? 0, isApproved: true, reason: REASON }
    expect(await second.refusalOf(decideApproval, again)).toBe('caseEnded')
  })

  test('are not shown again, and no second case is opened, for a repeated request', async () => {
    const [requester] = await two()
    const requested = { name: name(), role: 'support', reason: REASON } as const
    const send = async () =>
      requester.try(inviteOperator, requested, { requestId: `invite ${requested.name}` })
    const first = await send()
    const again = await send()
    expect(first).toMatchObject({ ok: true, value: { invitation: expect.any(String) } })
    const approvalId = first.ok ? first.value.approvalId : null
    expect(again).toMatchObject({ ok: true, value: { approvalId, invitation: null, confirmation: null } })
  })

  test('are not valid before the second operator has approved', async () => {
    const [requester, second] = await two()
    const { approvalId, invitation } = await requester.request(inviteOperator, {
      name: name(),
      role: 'compliance',
      reason: REASON,
    })
    const early = { invitation: invitation ?? '', confirmation: '', password: PASSWORD }
    expect(await anyone().refusalOf(joinDesk, early)).toBe('invitationInvalid')
    await second.request(decideApproval, { id: approvalId ?? 0, isApproved: false, reason: 'unknown here' })
    expect(await anyone().refusalOf(joinDesk, early)).toBe('invitationInvalid')
  })

  test('are valid once and only together, however the confirmation is typed', async () => {
    const { keys, name: invited } = await keysOf()
    expect(await anyone().refusalOf(joinDesk, { ...keys, confirmation: '' })).toBe('confirmationWrong')
    expect(await anyone().refusalOf(joinDesk, { ...keys, confirmation: keys.invitation })).toBe(
      'confirmationWrong',
    )
    expect(await anyone().refusalOf(joinDesk, { ...keys, invitation: keys.confirmation })).toBe(
      'invitationInvalid',
    )
    const typed = ` ${keys.confirmation.toUpperCase().replaceAll('-', ' ')} `
    const { self } = await anyone().request(joinDesk, { ...keys, confirmation: typed })
    expect(self).toMatchObject({ name: invited, needsSecondFactor: true })
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
  })

  test('admit one of several concurrent uses', async () => {
    const { keys } = await keysOf()
    const outcomes = await Promise.all([0, 1, 2].map(() => anyone().refusalOf(joinDesk, keys)))
    expect(outcomes.filter((refusal) => refusal === null)).toHaveLength(1)
    expect(outcomes.filter((refusal) => refusal === 'invitationInvalid')).toHaveLength(2)
  })

  test(`expire after ${TRIES} wrong confirmations, and not before`, async () => {
    const { keys } = await keysOf()
    const spared = await keysOf()
    const wrong = { ...keys, confirmation: 'aaaaa-aaaaa-aaaaa-aaaaa' }
    const tries = Array.from({ length: TRIES }, () => anyone().refusalOf(joinDesk, wrong))
    expect(await Promise.all(tries)).toEqual(Array.from({ length: TRIES }, () => 'confirmationWrong'))
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
    for (let count = 1; count < TRIES; count += 1)
      await anyone().refusalOf(joinDesk, { ...spared.keys, confirmation: 'x' })
    expect(await anyone().refusalOf(joinDesk, spared.keys)).toBeNull()
  })

  test('expire after three days', async () => {
    const { keys } = await keysOf()
    pass(3 * DAY_MS)
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
  })

  test.each(['requester', 'second'] as const)('are void once their %s was switched off', async (giver) => {
    const given = await keysOf()
    const other = await keysOf()
    const [by, agreeing] = await two()
    await by.request(changeOperator, { id: given[giver].id, role: null, isOn: false, reason: 'an inquiry' })
    expect(await anyone().refusalOf(joinDesk, given.keys)).toBe('invitationInvalid')
    // They stay void, and two operators make new ones; the keys of others are as they were.
    const back = { id: given[giver].id, role: null, isOn: true, reason: 'it is over' }
    await approve(agreeing, (await by.request(changeOperator, back)).approvalId)
    expect(await anyone().refusalOf(joinDesk, given.keys)).toBe('invitationInvalid')
    expect(await anyone().refusalOf(joinDesk, other.keys)).toBeNull()
  })

  test('are void once one of the two who gave them has another role or a new log-in', async () => {
    const [demoted, reset] = [await keysOf(), await keysOf()]
    const [by, agreeing] = await two()
    const change = { id: demoted.second.id, role: 'support', isOn: null, reason: 'moves' } as const
    await approve(agreeing, (await by.request(changeOperator, change)).approvalId)
    expect(await anyone().refusalOf(joinDesk, demoted.keys)).toBe('invitationInvalid')
    const lost = { id: reset.requester.id, reason: 'the phone is gone' }
    await approve(agreeing, (await by.request(resetOperator, lost)).approvalId)
    expect(await anyone().refusalOf(joinDesk, reset.keys)).toBe('invitationInvalid')
  })

  test('are renewed by two operators, and the old keys become invalid', async () => {
    const { requester, second, name: invited, keys } = await keysOf('compliance')
    const { operators } = await requester.request(listOperators, null)
    const id = operators.find((operator) => operator.name === invited)?.id ?? 0
    const requested = await requester.request(renewInvitation, { id, reason: 'the link was lost' })
    expect(requested).toMatchObject({ approvalId: expect.any(Number), confirmation: null })
    const renewed = { ...keys, invitation: requested.invitation ?? '' }
    expect(await anyone().refusalOf(joinDesk, renewed)).toBe('invitationInvalid')
    const decision = { id: requested.approvalId ?? 0, isApproved: true, reason: REASON }
    expect(await requester.refusalOf(decideApproval, decision)).toBe('sameOperator')
    const { confirmation } = await second.request(decideApproval, decision)
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
    expect(await anyone().refusalOf(joinDesk, renewed)).toBe('confirmationWrong')
    const { self } = await anyone().request(joinDesk, { ...renewed, confirmation: confirmation ?? '' })
    expect(self).toMatchObject({ id, role: 'compliance' })
    expect(await requester.refusalOf(renewInvitation, { id, reason: REASON })).toBe('operatorJoined')
  })

  test('are invalid if they are from a release with only one key', async () => {
    const { id } = await invitedColleague(server())
    const invitation = 'an older link'
    await changeOperatorRow(server().deployment.database.queries, id, {
      invitation_hash: secretHash(invitation),
      invited_until: BigInt(Math.floor(pace.wall()) + DAY_MS),
    })
    const keys = { invitation, confirmation: '', password: PASSWORD }
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
  })

  test('are stored as hashes only', async () => {
    const { keys } = await keysOf()
    const { queries } = server().deployment.database
    const rows = [
      ...(await queries.selectFrom('operator').selectAll().execute()),
      ...(await queries.selectFrom('approval').selectAll().execute()),
      ...(await queries.selectFrom('desk_act').selectAll().execute()),
    ]
    const text = rows.map((row) => Object.values(row).join('\n')).join('\n')
    expect(text).not.toContain(keys.invitation)
    expect(text).not.toContain(keys.confirmation)
    expect(text).not.toContain(keys.confirmation.replaceAll('-', ''))
  })

  test('give nobody a way to approve their own role', async () => {
    const [requester, second] = await two()
    const own = { id: second.id, role: 'administrator', isOn: null, reason: 'more duties' } as const
    const { approvalId } = await requester.request(changeOperator, own)
    const decision = { id: approvalId ?? 0, isApproved: true, reason: REASON }
    expect(await second.refusalOf(decideApproval, decision)).toBe('sameOperator')
    const { operators } = await requester.request(listOperators, null)
    expect(operators.find(({ id }) => id === second.id)).toMatchObject({ role: 'compliance' })
    const { acts } = await requester.request(listAuditEntries, {
      operatorId: null,
      act: null,
      subject: `operator:${second.id}`,
      accountId: null,
      outcome: null,
      since: null,
      until: null,
      search: null,
      page: 1,
    })
    expect(acts[0]).toMatchObject({ operator: second.name, act: 'decideOperators', outcome: 'sameOperator' })
  })
})

describe.each(DATABASES)('setting up the second factor, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD } })
  const tryLogIn = (code: string | null = null) =>
    callsAs(server().url, null).try(logInToDesk, { name: 'admin', password: DESK_PASSWORD, code })
  const logIn = async () => {
    const entered = await tryLogIn()
    if (!entered.ok) throw new Error(entered.reason)
    return callsAs(server().url, entered.value.token)
  }

  test('belongs to the latest log-in: an earlier one with the same password is ended', async () => {
    const stranger = await logIn()
    const { secret: ofStranger } = await stranger.request(prepareDeskFactor, null)
    const owner = await logIn()
    expect(await stranger.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    const early = { code: totpCode(ofStranger, pace.wall()) }
    expect(await stranger.refusalOf(confirmDeskFactor, early)).toBe('sessionGone')
    expect(await owner.refusalOf(confirmDeskFactor, early)).toBe('secondFactorWrong')

    const { secret } = await owner.request(prepareDeskFactor, null)
    const code = totpCode(secret, pace.wall())
    const outcomes = await Promise.all([0, 1, 2].map(() => owner.refusalOf(confirmDeskFactor, { code })))
    expect(outcomes.filter((refusal) => refusal === null)).toHaveLength(1)
    expect(await owner.refusalOf(prepareDeskFactor, null)).toBe('secondFactorOn')
    const unused = totpCode(secret, pace.wall() + STEP_MS)
    expect(await owner.refusalOf(confirmDeskFactor, { code: unused })).toBe('secondFactorOn')
    expect(await tryLogIn()).toMatchObject({ reason: 'secondFactorNeeded' })
    expect(await owner.refusalOf(listOperators, null)).toBeNull()

    // The code that switched it on is used up.
    expect(await tryLogIn(code)).toMatchObject({ reason: 'secondFactorWrong' })
    pass(STEP_MS)
    const next = totpCode(secret, pace.wall())
    const entered = await Promise.all([0, 1, 2, 3].map(() => tryLogIn(next)))
    expect(entered.filter(({ ok }) => ok)).toHaveLength(1)
    expect(entered.flatMap((outcome) => (outcome.ok ? [] : outcome.reason))).toEqual(
      Array.from({ length: 3 }, () => 'secondFactorWrong'),
    )
    // A log-in with a code ends no other session.
    expect(await owner.refusalOf(listOperators, null)).toBeNull()
  })
})

describe.each(DATABASES)('several log-ins before a second factor is set up, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD } })

  test('leave one session, also if they are concurrent', async () => {
    const entered = await Promise.all(
      [0, 1, 2, 3].map(() =>
        callsAs(server().url, null).request(logInToDesk, {
          name: 'admin',
          password: DESK_PASSWORD,
          code: null,
        }),
      ),
    )
    const left = await Promise.all(
      entered.map(({ token }) => callsAs(server().url, token).refusalOf(getDeskSelf, null)),
    )
    expect(left.filter((refusal) => refusal === null)).toHaveLength(1)
    expect(left.filter((refusal) => refusal === 'sessionGone')).toHaveLength(3)
  })
})

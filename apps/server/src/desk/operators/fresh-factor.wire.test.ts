import {
  changeDeskPassword,
  changeSetting,
  confirmDeskFactor,
  DESK_ENDPOINTS,
  inviteOperator,
  listAuditEntries,
  listOperators,
  logInToDesk,
  prepareDeskFactor,
  renewDeskFactor,
  ROLES,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../platform/security/second-factor.ts'
import { movablePace } from '../../testing/accounts.ts'
import { call } from '../../testing/calls.ts'
import { atDesk, callsAs, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const FRESH_MS = 5 * 60_000
const STEP_MS = 30_000
/** Wrong codes allowed for each account. */
const TRIES = 8

/** Calls that move money or rights, listed by hand: credits, approvals, payments, roles, receiving accounts, settings, own passkeys. */
const WITH_FRESH_FACTOR = [
  'askPersonAdjustment',
  'closePersonOrder',
  'decideAdjustment',
  'decideApproval',
  'finishDeposit',
  'approveWithdrawal',
  'startPayment',
  'payWithdrawal',
  'refuseWithdrawal',
  'inviteOperator',
  'renewInvitation',
  'resetOperator',
  'changeOperator',
  'saveDepositChannel',
  'saveWireAccount',
  'saveWithdrawalCurrency',
  'changeSetting',
  'changeTerms',
  'prepareDeskPasskey',
  'addDeskPasskey',
  'removeDeskPasskey',
]

/**
 * Calls with the same permissions that need no fresh code, and why: they move nothing, withdraw something, protect
 * urgently, or ask a code themselves. A new call with these permissions must be added to one of the two lists; one that
 * adds or removes a means of logging in belongs to the first, unless it asks a code itself.
 */
const WITHOUT_FRESH_FACTOR = {
  withdrawApproval: 'withdraws what waits',
  refuseDeposit: 'moves no money',
  switchOffReceiving: 'protects urgently',
  previewTerms: 'changes nothing',
  withdrawTerms: 'withdraws what is planned',
  logOutOfDesk: 'ends its own session only',
  prepareDeskFactor: 'is refused once a factor is on',
  confirmDeskFactor: 'checks a code, and is refused once a factor is on',
  renewDeskFactor: 'checks a code or signature: it is what makes the factor fresh',
  prepareDeskPasskeyProof: 'answers the challenge to sign for a fresh factor, and changes nothing',
  changeDeskPassword: 'checks the old password and a code or signature',
} as const

// One database is enough: the check comes before any table but the sessions is read.
describe.each(DATABASES.slice(0, 1))('a code of the last five minutes, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', TRUST_PROXY: 'loopback' } })

  test('is needed by the listed calls, and by no others', async () => {
    const tokens = new Map<string, string>()
    for (const role of ROLES) tokens.set(role, (await atDesk(server(), role)).token)
    pass(FRESH_MS)
    const stale: string[] = []
    for (const [number, { name, method, path, permission }] of DESK_ENDPOINTS.entries()) {
      // It would end the session of the next call.
      if (permission === null || name === 'logOutOfDesk') continue
      for (const role of ROLES) {
        const headers = { authorization: tokens.get(role) ?? '', 'x-forwarded-for': `198.18.${number}.1` }
        const body = method === 'POST' ? { body: {} } : {}
        const answer = await call(server(), path, { method, headers, ...body })
        const reason = (answer.body?.data as { reason?: string } | null)?.reason
        if (reason === 'secondFactorStale' && !stale.includes(name)) stale.push(name)
      }
    }
    expect(stale.toSorted()).toEqual(WITH_FRESH_FACTOR.toSorted())
  })

  test('is considered for every call with the same permission', () => {
    const permissions = new Set(
      DESK_ENDPOINTS.flatMap(({ name, permission }) =>
        WITH_FRESH_FACTOR.includes(name) ? [permission] : [],
      ),
    )
    const calls = DESK_ENDPOINTS.filter(
      ({ permission, method }) => permissions.has(permission) && method === 'POST',
    )
    expect(calls.map(({ name }) => name).toSorted()).toEqual(
      [...WITH_FRESH_FACTOR, ...Object.keys(WITHOUT_FRESH_FACTOR)].toSorted(),
    )
  })
})

describe.each(DATABASES)('a second factor, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD, SETTING_FAILED_LOGINS_PER_ACCOUNT: String(TRIES) },
  })
  const anyone = () => callsAs(server().url, null)
  const invitation = { name: 'Nia', role: 'support', reason: 'help' } as const
  /** Refused for its name, if the factor is fresh. */
  const taken = { ...invitation, name: 'Admin' }

  test('is fresh for five minutes after a log-in or a confirmation, in that session only', async () => {
    const credentials = { name: 'admin', password: DESK_PASSWORD, code: null }
    const { token } = await anyone().request(logInToDesk, credentials)
    const admin = callsAs(server().url, token)
    const { secret } = await admin.request(prepareDeskFactor, null)
    const code = () => totpCode(secret, pace.wall())
    await admin.request(confirmDeskFactor, { code: code() })
    const isFresh = async () => (await admin.refusalOf(inviteOperator, taken)) === 'operatorNameTaken'
    const isStale = async () => (await admin.refusalOf(inviteOperator, taken)) === 'secondFactorStale'
    expect(await isFresh()).toBe(true)
    pass(FRESH_MS - 60_000)
    expect(await isFresh()).toBe(true)
    pass(60_000)
    expect(await isStale()).toBe(true)
    // Reading is still allowed.
    expect(await admin.refusalOf(listOperators, null)).toBeNull()

    expect(await admin.refusalOf(renewDeskFactor, { code: '000000' })).toBe('secondFactorWrong')
    expect(await admin.refusalOf(renewDeskFactor, { code: ' ' })).toBe('secondFactorNeeded')
    // Slips are no guesses: more of them than wrong codes are allowed leave the operator free to confirm.
    for (let count = 0; count < TRIES; count += 1)
      expect(await admin.refusalOf(renewDeskFactor, { code: '123 45' })).toBe('secondFactorWrong')
    expect(await isStale()).toBe(true)
    const first = code()
    const outcomes = await Promise.all([0, 1, 2].map(() => admin.refusalOf(renewDeskFactor, { code: first })))
    expect(outcomes.filter((refusal) => refusal === null)).toHaveLength(1)
    expect(outcomes.filter((refusal) => refusal === 'secondFactorWrong')).toHaveLength(2)
    expect(await isFresh()).toBe(true)
    expect(await admin.refusalOf(renewDeskFactor, { code: first })).toBe('secondFactorWrong')

    pass(FRESH_MS)
    expect(await isStale()).toBe(true)
    const entered = await anyone().request(logInToDesk, { ...credentials, code: code() })
    const elsewhere = callsAs(server().url, entered.token)
    expect(await elsewhere.refusalOf(inviteOperator, taken)).toBe('operatorNameTaken')
    expect(await isStale()).toBe(true)
    pass(FRESH_MS)
    await elsewhere.request(renewDeskFactor, { code: code() })
    expect(await elsewhere.refusalOf(inviteOperator, taken)).toBe('operatorNameTaken')
    expect(await isStale()).toBe(true)

    pass(STEP_MS)
    const password = { oldPassword: DESK_PASSWORD, password: 'another brass weight', code: code() }
    await admin.request(changeDeskPassword, password)
    expect(await isFresh()).toBe(true)
    const { acts } = await admin.request(listAuditEntries, {
      operatorId: null,
      act: null,
      subject: null,
      accountId: null,
      outcome: null,
      since: null,
      until: null,
      search: null,
      page: 1,
    })
    const outcomesOf = (act: string) => acts.filter((each) => each.act === act).map(({ outcome }) => outcome)
    expect(outcomesOf('ownAccess')).toContain('secondFactorWrong')
    expect(outcomesOf('changeOperators')).toContain('secondFactorStale')
  })

  test('allows no change while it is stale', async () => {
    const { queries } = server().deployment.database
    const { token } = await atDesk(server(), 'administrator')
    const stale = callsAs(server().url, token)
    pass(FRESH_MS)
    expect(await stale.refusalOf(inviteOperator, invitation)).toBe('secondFactorStale')
    const setting = { name: 'failed_logins_per_account', value: '9', was: '8', reason: 'more tries' }
    expect(await stale.refusalOf(changeSetting, setting)).toBe('secondFactorStale')
    const { count } = await queries
      .selectFrom('approval')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(0)
    expect((await stale.request(listOperators, null)).operators.map(({ name }) => name)).not.toContain('Nia')
  })

  test('is refused after as many wrong codes as wrong passwords', async () => {
    const { token } = await atDesk(server(), 'finance')
    const guessing = callsAs(server().url, token)
    let tries = 0
    while ((await guessing.refusalOf(renewDeskFactor, { code: '000000' })) === 'secondFactorWrong') tries += 1
    expect(tries).toBe(TRIES)
    expect(await guessing.refusalOf(renewDeskFactor, { code: '000000' })).toBe('tooManyRequests')
  })

  test('cannot be guessed by changes of the password either', async () => {
    const { token } = await atDesk(server(), 'finance')
    const guessing = callsAs(server().url, token)
    const guess = { oldPassword: DESK_PASSWORD, password: 'another brass weight', code: '000000' }
    const answers: (string | null)[] = []
    for (let count = 0; count < TRIES + 1; count += 1)
      answers.push(await guessing.refusalOf(changeDeskPassword, guess))
    expect(answers).toEqual([...Array.from({ length: TRIES }, () => 'secondFactorWrong'), 'tooManyRequests'])
    expect(await guessing.refusalOf(renewDeskFactor, { code: '000000' })).toBe('tooManyRequests')
  })
})

import {
  changeDeskPassword,
  changeOperator,
  decideApproval,
  getDeskSelf,
  listOperators,
  logInToDesk,
  type OperatorRole,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { newRecoveryCodes, recoveryHash, totpCode } from '../../platform/security/second-factor.ts'
import { operatorSecret } from '../../platform/database/data-key.ts'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const STEP_MS = 30_000
/** Whether two calls collide is a matter of microseconds, so it is tried several times. */
const ROUNDS = 4

describe.each(DATABASES)('a dishonest operator, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })

  const roleOf = async (id: number): Promise<OperatorRole | undefined> => {
    const witness = await atDesk(server(), 'support')
    return (await witness.request(listOperators, null)).operators.find((each) => each.id === id)?.role
  }

  /** The secret in the operator's authenticator. */
  const secretOf = async (id: number): Promise<string> => {
    const { database, vault } = server().deployment
    const row = await database.queries
      .selectFrom('operator')
      .select('totp_secret')
      .where('id', '=', BigInt(id))
      .executeTakeFirstOrThrow()
    return vault.open(row.totp_secret ?? '', operatorSecret(id))
  }

  test('loses every other session by a change of password, but not the one that made it', async () => {
    const { id, name, request, refusalOf } = await atDesk(server(), 'finance')
    const secret = await secretOf(id)
    const anyone = callsAs(server().url, null)
    pass(STEP_MS)
    const code = totpCode(secret, pace.wall())
    const elsewhere = await anyone.request(logInToDesk, { name, password: DESK_PASSWORD, code })
    const other = callsAs(server().url, elsewhere.token)
    expect(await other.refusalOf(getDeskSelf, null)).toBeNull()
    pass(STEP_MS)
    const change = { oldPassword: DESK_PASSWORD, password: 'a quiet paper scale' }
    await request(changeDeskPassword, { ...change, code: totpCode(secret, pace.wall()) })
    expect(await refusalOf(getDeskSelf, null)).toBeNull()
    expect(await other.refusalOf(getDeskSelf, null)).toBe('sessionGone')
    pass(STEP_MS)
    const old = { name, password: DESK_PASSWORD, code: totpCode(secret, pace.wall()) }
    expect(await anyone.refusalOf(logInToDesk, old)).toBe('credentialsWrong')
  })

  test('cannot approve their own new role', async () => {
    const [requester, third] = [
      await atDesk(server(), 'administrator'),
      await atDesk(server(), 'administrator'),
    ]
    const climber = await atDesk(server(), 'compliance')
    const change = { id: climber.id, role: 'administrator', isOn: null, reason: 'more to do' } as const
    const { approvalId } = await requester.request(changeOperator, change)
    const decision = { id: approvalId ?? 0, isApproved: true, reason: 'agreed' }
    expect(await climber.refusalOf(decideApproval, decision)).toBe('sameOperator')
    expect(await requester.refusalOf(decideApproval, decision)).toBe('sameOperator')
    expect(await roleOf(climber.id)).toBe('compliance')
    expect(await climber.refusalOf(changeOperator, change)).toBe('roleRefused')
    // The case stays open for another operator.
    await third.request(decideApproval, decision)
    expect(await roleOf(climber.id)).toBe('administrator')
  })

  test('can log in once with a code, also concurrently', async () => {
    const { queries } = server().deployment.database
    const { id, name } = await atDesk(server(), 'finance')
    const secret = await secretOf(id)
    const anyone = callsAs(server().url, null)
    const together = async (code: string) => {
      const logIn = { name, password: DESK_PASSWORD, code }
      const outcomes = await Promise.all([1, 2, 3].map(() => anyone.try(logInToDesk, logIn)))
      const tokens = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.token] : []))
      const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]))
      return { tokens, refusals }
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      pass(STEP_MS)
      const { tokens, refusals } = await together(totpCode(secret, pace.wall()))
      expect(refusals).toEqual(['secondFactorWrong', 'secondFactorWrong'])
      expect(tokens).toHaveLength(1)
      expect(await callsAs(server().url, tokens[0] ?? '').refusalOf(getDeskSelf, null)).toBeNull()
    }
    const [code = ''] = newRecoveryCodes()
    const recovery = { code_hash: recoveryHash(`operator ${id}`, code), operator_id: BigInt(id) }
    await queries.insertInto('operator_recovery_code').values(recovery).execute()
    const { tokens, refusals } = await together(code)
    expect(refusals).toEqual(['secondFactorWrong', 'secondFactorWrong'])
    expect(tokens).toHaveLength(1)
  })
})

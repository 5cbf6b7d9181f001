import {
  decideApproval,
  getBrokerFigures,
  inviteOperator,
  joinDesk,
  logInToDesk,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { post, reasonOf } from '../../testing/accounts.ts'
import { atDesk, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, serverOn, type RunningServer } from '../../testing/running-server.ts'
import { createKnownLogins } from './desk-login.ts'

const LIMITS = {
  DESK_PASSWORD,
  SETTING_FAILED_LOGINS_PER_ACCOUNT: '5',
  SETTING_FAILED_LOGINS_PER_ADDRESS: '20',
}

const logInFrom =
  (server: () => RunningServer) =>
  async (address: string, device: string, password: string, name = 'admin', code = '') => {
    const headers = { 'x-forwarded-for': address, 'user-agent': device }
    return reasonOf(await post(server(), logInToDesk.path, { name, password, code }, undefined, headers))
  }

describe.each(DATABASES)('wrong passwords at the desk, %s', (kind) => {
  const server = serverOn(kind, { env: { ...LIMITS, TRUST_PROXY: 'loopback' } })
  const logIn = logInFrom(server)

  /** The keys of an operator whom two others have invited. */
  const invitedNewcomer = async () => {
    const [requester, second] = [
      await atDesk(server(), 'administrator'),
      await atDesk(server(), 'compliance'),
    ]
    const name = 'Newcomer'
    const asked = await requester.request(inviteOperator, { name, role: 'support', reason: 'new' })
    const decision = { id: asked.approvalId ?? 0, isApproved: true, reason: 'met' }
    const { confirmation } = await second.request(decideApproval, decision)
    return {
      name,
      password: 'a quiet paper scale',
      invitation: asked.invitation ?? '',
      confirmation: confirmation ?? '',
    }
  }

  // First of all: nobody has logged in yet.
  test('of strangers do not lock out the first administrator before the first log-in', async () => {
    for (let count = 0; count < 60; count += 1)
      expect(await logIn(`198.51.100.${count}`, 'Early/1', 'wrong')).toBe('credentialsWrong')
    // A network that has used up its own attempts stays locked.
    for (let count = 0; count < 5; count += 1) await logIn('198.51.100.200', 'Early/1', 'wrong')
    expect(await logIn('198.51.100.200', 'Early/1', DESK_PASSWORD)).toBe('tooManyRequests')
    expect(await logIn('192.0.2.9', 'First/1', DESK_PASSWORD)).toBeNull()
  })

  test('of strangers do not lock out an operator in a known browser', async () => {
    const [home, own] = ['192.0.2.1', 'Own/1']
    expect(await logIn(home, own, DESK_PASSWORD)).toBeNull()
    const answers: Record<string, (string | null)[]> = { admin: [], nobody: [] }
    for (const name of ['admin', 'nobody'])
      for (let count = 0; count < 60; count += 1)
        answers[name]?.push(await logIn(`198.51.100.${count}`, 'Strange/1', 'wrong', name))
    // The answers do not reveal who is an operator.
    expect(answers['admin']).toEqual(answers['nobody'])
    expect(answers['admin']?.filter((reason) => reason === 'credentialsWrong')).toHaveLength(50)
    expect(await logIn('203.0.113.8', own, DESK_PASSWORD)).toBe('tooManyRequests')
    expect(await logIn(home, own, DESK_PASSWORD)).toBeNull()
    for (let count = 0; count < 5; count += 1) await logIn(home, own, 'wrong')
    expect(await logIn(home, own, DESK_PASSWORD)).toBe('tooManyRequests')
  })

  test('of strangers do not lock out an operator who has just joined, in that browser', async () => {
    const { name, password, invitation, confirmation } = await invitedNewcomer()
    const own = { 'x-forwarded-for': '192.0.2.5', 'user-agent': 'Joined/1' }
    const join = { invitation, confirmation, password }
    expect(reasonOf(await post(server(), joinDesk.path, join, undefined, own))).toBeNull()
    for (let count = 0; count < 60; count += 1) await logIn(`198.51.100.${count}`, 'Strange/1', 'wrong', name)
    expect(await logIn('203.0.113.9', 'Joined/1', password, name)).toBe('tooManyRequests')
    expect(await logIn('192.0.2.5', 'Joined/1', password, name)).toBeNull()
  })

  test('do not include right passwords without a code, but wrong codes', async () => {
    const { name } = await atDesk(server(), 'finance')
    const from = (code: string) => logIn('192.0.2.77', 'New/1', DESK_PASSWORD, name, code)
    for (let count = 0; count < 8; count += 1) expect(await from('')).toBe('secondFactorNeeded')
    // What can be no code is no guess.
    for (let count = 0; count < 8; count += 1) expect(await from('12 345')).toBe('secondFactorWrong')
    for (let count = 0; count < 5; count += 1) expect(await from('000 000')).toBe('secondFactorWrong')
    expect(await from('')).toBe('tooManyRequests')
  })

  test('do not lock out known browsers after a restart either: they are read from the audit log', async () => {
    const known = createKnownLogins(server().deployment.database.queries)
    const origin = { address: '192.0.2.1', network: '192.0.2.1', device: 'Own/1' }
    expect(await known.has(1, origin)).toBe(true)
    expect(await known.has(1, { ...origin, device: 'Strange/1' })).toBe(false)
    expect(await known.has(2, origin)).toBe(false)
    expect(await known.has(0, origin)).toBe(false)
  })
})

describe('the desk behind a proxy that TRUST_PROXY does not name', () => {
  const server = serverOn('sqlite', { env: LIMITS })
  const logIn = logInFrom(server)

  test('stays open to its operators whatever strangers try, and reports the unknown proxy', async () => {
    const reasons: (string | null)[] = []
    for (let count = 0; count < 30; count += 1)
      reasons.push(await logIn('198.51.100.7', 'Same/1', 'wrong', `name ${count}`))
    expect(reasons.filter((reason) => reason === 'credentialsWrong')).toHaveLength(20)
    expect(await logIn('192.0.2.1', 'Same/1', DESK_PASSWORD)).toBeNull()
    const operator = await atDesk(server(), 'support')
    expect(await operator.request(getBrokerFigures, null)).toMatchObject({ unnamedProxies: ['127.0.0.1'] })
  })
})

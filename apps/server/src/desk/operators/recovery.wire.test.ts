import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getBasicInfo, valueOf } from '@fairlot/contract'
import {
  callOffRecovery,
  changeOperator,
  decideApproval,
  getDeskSelf,
  getOperatorMode,
  inviteOperator,
  joinDesk,
  listAuditEntries,
  listOperators,
  logInToDesk,
} from '@fairlot/contract/desk'
import type { Event } from '@fairlot/core'
import { afterEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { TEST_DATA_KEY } from '../../../../../testing/data-key.ts'
import type { DatabasePlace } from '../../platform/database/open.ts'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, makePlace, startServer, type RunningServer } from '../../testing/running-server.ts'
import { differenceWith, forgeEvent } from '../../verify/test-kit.ts'
import { verify } from '../../verify/verify.ts'

const HOUR_MS = 3_600_000
const COMMAND = fileURLToPath(new URL('../../commands/recover-operator.ts', import.meta.url))
const FEED = 'ws://127.0.0.1:9'
const PASSWORD = 'a quiet paper scale'

const EVERYTHING = {
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

/** Runs the command in its own process, as on a server. Returns its output. */
async function recover(place: DatabasePlace, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    FEED,
    DATA_DIR: place.dataDir || '.',
    DATABASE_URL: place.databaseUrl ?? '',
    DATA_KEY: place.databaseUrl === null ? '' : TEST_DATA_KEY,
    MARKET_HOURS: 'always',
  }
  const run = promisify(execFile)(process.execPath, [COMMAND, ...args], { env })
  const { stdout, stderr } = await run.catch((error: unknown) => error as { stdout: string; stderr: string })
  return stdout + stderr
}

const keysIn = (printed: string) => ({
  invitation: /invitation=(\S+)/.exec(printed)?.[1] ?? '',
  confirmation: /confirmation key (\S+)/.exec(printed)?.[1] ?? '',
  password: PASSWORD,
})

describe.each(DATABASES)('a recovery, %s', (kind) => {
  const { pace, pass } = movablePace()
  const opened: { server: RunningServer | null; remove: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const { server, remove } of opened.splice(0)) {
      await server?.stop()
      await remove()
    }
  })
  /** A server that can be restarted on its database. */
  const openVenue = async () => {
    const { remove, ...place } = await makePlace(kind)
    const venue = { server: null as RunningServer | null, remove }
    opened.push(venue)
    return {
      place,
      start: async () => (venue.server = await startServer(place, { pace, env: { FEED, DESK_PASSWORD } })),
      stop: async () => {
        await venue.server?.stop()
        venue.server = null
      },
    }
  }
  /** Every session is as if it had begun, with a code, at this moment. */
  const renewFactors = async ({ deployment: { database, wallClock } }: RunningServer) => {
    const at = BigInt(wallClock())
    await database.queries
      .updateTable('operator_session')
      .set({ created_at: at, seen_at: at, factor_at: at })
      .execute()
  }
  const infoOf = async ({ url }: RunningServer) => valueOf(await clientOf(url, null).call(getBasicInfo, null))

  test('admits a locked-out operator after 72 hours of public notice', async () => {
    const venue = await openVenue()
    let server = await venue.start()
    const lost = await atDesk(server, 'compliance', 'Ada')
    await venue.stop()

    const printed = await recover(venue.place, '--operator', 'ada', '--reason', 'the phone is lost')
    const keys = keysIn(printed)
    expect(keys.invitation).not.toBe('')

    server = await venue.start()
    const anyone = () => callsAs(server.url, null)
    const info = await infoOf(server)
    expect(info).toMatchObject({ recoveryReason: 'the phone is lost', isSingleOperator: false })
    const effectiveAt = info.recoveryAt ?? 0
    expect(Math.abs(effectiveAt - server.deployment.market.now() - 72 * HOUR_MS)).toBeLessThan(120_000)
    const support = await atDesk(server, 'support')
    expect((await support.request(getOperatorMode, null)).recovery).toEqual({
      name: 'Ada',
      role: 'compliance',
      isNew: false,
      effectiveAt,
      reason: 'the phone is lost',
    })

    pass(71 * HOUR_MS)
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
    await venue.stop()
    server = await venue.start()
    pass(2 * HOUR_MS)
    const before = await callsAs(server.url, null).refusalOf(joinDesk, {
      ...keys,
      confirmation: 'k7m2p-aaaaa',
    })
    expect(before).toBe('invitationInvalid')
    const { token, self } = await anyone().request(joinDesk, keys)
    expect(self).toMatchObject({ id: lost.id, name: 'Ada', role: 'compliance', needsSecondFactor: true })
    expect(await callsAs(server.url, lost.token).refusalOf(getDeskSelf, null)).toBe('sessionGone')
    expect(await callsAs(server.url, token).refusalOf(getDeskSelf, null)).toBeNull()
    const old = { name: 'Ada', password: DESK_PASSWORD, code: null }
    expect(await anyone().refusalOf(logInToDesk, old)).toBe('credentialsWrong')
    expect(await anyone().refusalOf(joinDesk, keys)).toBe('invitationInvalid')
    expect((await infoOf(server)).recoveryAt).toBeNull()

    const witness = await atDesk(server, 'administrator')
    const { acts } = await witness.request(listAuditEntries, {
      ...EVERYTHING,
      subject: `operator:${lost.id}`,
    })
    expect(acts.map(({ reason }) => reason)).toContain('joined by the keys of a recovery')
    const { database, engine } = server.deployment
    await engine.caughtUp()
    expect((await verify(database, null)).difference).toBeNull()

    // A shorter notice or another operator, forged in the database, is found.
    const forged = (edit: (event: Event) => Event | null) =>
      differenceWith(database, (queries) => forgeEvent(queries, edit))
    const sooner = await forged((event) =>
      event.type === 'recoveryAnnounced' ? { ...event, effectiveAt: event.effectiveAt - 1 } : null,
    )
    expect(sooner).toMatch(/recoveryAnnounced|effectiveAt/)
    const another = await forged((event) =>
      event.type === 'recoveryUsed' ? { ...event, operatorId: witness.id } : null,
    )
    expect(another).toMatch(/recoveryNotOpen/)
  })

  test('voids requests and keys that may have been made with the lost log-in', async () => {
    const venue = await openVenue()
    let server = await venue.start()
    const lost = await atDesk(server, 'administrator', 'Ada')
    const second = await atDesk(server, 'compliance')
    await venue.stop()
    const printed = await recover(venue.place, '--operator', 'ada', '--reason', 'the phone is stolen')
    server = await venue.start()
    // The one who has the log-in uses it to the last, so that its keys would outlive it.
    pass(71 * HOUR_MS)
    const as = (token: string | null) => callsAs(server.url, token)
    const invite = (name: string) =>
      as(lost.token).request(inviteOperator, { name, role: 'finance', reason: 'a colleague' })
    const approve = (id: number | null) => ({ id: id ?? 0, isApproved: true, reason: 'as agreed' })
    await renewFactors(server)
    const given = await invite('Given')
    const { confirmation } = await as(second.token).request(decideApproval, approve(given.approvalId))
    const waiting = await invite('Waiting')
    pass(2 * HOUR_MS)
    await as(null).request(joinDesk, keysIn(printed))

    const keys = { invitation: given.invitation ?? '', confirmation: confirmation ?? '', password: PASSWORD }
    expect(await as(null).refusalOf(joinDesk, keys)).toBe('invitationInvalid')
    await renewFactors(server)
    expect(await as(second.token).refusalOf(decideApproval, approve(waiting.approvalId))).toBe(
      'operatorNotEntitled',
    )
    expect(await as(second.token).refusalOf(decideApproval, approve(waiting.approvalId))).toBe('caseEnded')
    await server.deployment.engine.caughtUp()
    expect((await verify(server.deployment.database, null)).difference).toBeNull()
  })

  test('adds a second operator when only one is left', async () => {
    const venue = await openVenue()
    let server = await venue.start()
    const left = await atDesk(server, 'administrator')
    const gone = await atDesk(server, 'compliance')
    await left.request(changeOperator, { id: gone.id, role: null, isOn: false, reason: 'has left' })
    await left.request(changeOperator, { id: 1, role: null, isOn: false, reason: 'nobody uses it' })
    const help = { id: gone.id, role: null, isOn: true, reason: 'we need two' }
    const { approvalId } = await left.request(changeOperator, help)
    const own = { id: approvalId ?? 0, isApproved: true, reason: 'yes' }
    expect(await left.refusalOf(decideApproval, own)).toBe('sameOperator')
    await venue.stop()
    expect(await recover(venue.place, '--operator', 'Cy', '--reason', 'two needed')).toContain('--role')
    const printed = await recover(
      venue.place,
      '--operator',
      'Cy',
      '--role',
      'administrator',
      '--reason',
      'two needed',
    )
    server = await venue.start()
    pass(73 * HOUR_MS)
    const { token, self } = await callsAs(server.url, null).request(joinDesk, keysIn(printed))
    expect(self).toMatchObject({ name: 'Cy', role: 'administrator' })
    expect(server.deployment.engine.state().operators.get(self.id)).toEqual({
      role: 'administrator',
      isActive: true,
      hasJoined: true,
    })
    expect(await callsAs(server.url, token).refusalOf(getDeskSelf, null)).toBeNull()
    await server.deployment.engine.caughtUp()
    expect((await verify(server.deployment.database, null)).difference).toBeNull()
  })

  test('can be cancelled by any operator, with an audit entry, and its keys are then invalid', async () => {
    const venue = await openVenue()
    let server = await venue.start()
    const support = await atDesk(server, 'support', 'Sam')
    expect(await support.refusalOf(callOffRecovery, { reason: 'nobody lost a thing' })).toBe(
      'recoveryNotOpen',
    )
    expect(await recover(venue.place, '--operator', 'admin', '--reason', 'mine now')).toContain(
      'another Fairlot is running',
    )
    await venue.stop()
    const printed = await recover(venue.place, '--operator', 'admin', '--reason', 'mine now')
    server = await venue.start()
    const again = callsAs(server.url, support.token)
    expect(await again.refusalOf(callOffRecovery, { reason: ' ' })).toBe('reasonMissing')
    await again.request(callOffRecovery, { reason: 'nobody lost a thing' })
    expect((await infoOf(server)).recoveryAt).toBeNull()
    pass(73 * HOUR_MS)
    expect(await callsAs(server.url, null).refusalOf(joinDesk, keysIn(printed))).toBe('invitationInvalid')
    const witness = await atDesk(server, 'administrator')
    const { acts } = await witness.request(listAuditEntries, {
      ...EVERYTHING,
      act: 'callOffRecovery',
      outcome: 'done',
    })
    expect(acts).toMatchObject([{ operator: 'Sam', reason: 'nobody lost a thing' }])
    expect((await witness.request(listOperators, null)).operators.find(({ id }) => id === 1)?.status).toBe(
      'active',
    )
    await server.deployment.engine.caughtUp()
    expect((await verify(server.deployment.database, null)).difference).toBeNull()
  })
})

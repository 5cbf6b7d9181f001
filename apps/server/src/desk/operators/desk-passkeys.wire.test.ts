import { logInByPasskey, preparePasskeyLogin, valueOf } from '@fairlot/contract'
import {
  addDeskPasskey,
  changeDeskPassword,
  getDeskSelf,
  listDeskPasskeys,
  logInToDeskByPasskey,
  passkeyCode,
  prepareDeskPasskey,
  prepareDeskPasskeyLogIn,
  prepareDeskPasskeyProof,
  removeDeskPasskey,
  renewDeskFactor,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import {
  createPasskeyDevice,
  PASSKEY_ORIGIN,
  type PasskeyDevice,
} from '../../../../../testing/passkey-device.ts'
import { atDesk, callsAs, DESK_PASSWORD, type AtDesk } from '../../testing/desk.ts'
import { movablePace } from '../../testing/accounts.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const FRESH_MS = 5 * 60_000

describe.each(DATABASES)("operators' passkeys, %s", (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: { FEED: 'ws://127.0.0.1:9', PASSKEY_ORIGINS: PASSKEY_ORIGIN },
  })
  const add = async (operator: AtDesk, name = 'Laptop') => {
    const device = createPasskeyDevice()
    const challenge = await operator.request(prepareDeskPasskey, null)
    await operator.request(addDeskPasskey, { name, passkey: device.make(challenge) })
    return device
  }
  const anyone = () => callsAs(server().url, null)
  const logIn = async (device: PasskeyDevice) =>
    anyone().try(logInToDeskByPasskey, {
      passkey: device.sign(await anyone().request(prepareDeskPasskeyLogIn, null)),
    })
  /** The calls of a session whose code may be too old. */
  const sessionOf = async (device: PasskeyDevice) => callsAs(server().url, valueOf(await logIn(device)).token)
  const signFor = async (
    session: Pick<AtDesk, 'request'>,
    device: PasskeyDevice,
    purpose: 'confirm' | 'password',
  ) => passkeyCode(device.sign(await session.request(prepareDeskPasskeyProof, { purpose })))
  /** What the audit log says about an operator's own access, the latest last. */
  const entriesOf = async ({ id }: AtDesk) => {
    const rows = await server()
      .deployment.database.queries.selectFrom('desk_act')
      .select('after')
      .where('operator_id', '=', BigInt(id))
      .where('act', '=', 'ownAccess')
      .where('outcome', '=', 'done')
      .orderBy('id')
      .execute()
    return rows.map(({ after }) => JSON.parse(after ?? 'null') as unknown)
  }

  test('log in without name, password and code, and count as a fresh code', async () => {
    const admin = await atDesk(server(), 'administrator')
    const device = await add(admin)
    const session = await sessionOf(device)
    expect(await session.request(getDeskSelf, null)).toMatchObject({ id: admin.id, role: 'administrator' })
    expect((await session.request(listDeskPasskeys, null)).passkeys).toMatchObject([{ name: 'Laptop' }])
    expect(await session.refusalOf(prepareDeskPasskey, null)).toBeNull()
    expect(await entriesOf(admin)).toMatchObject([{ passkeyAdded: 'Laptop' }, { loggedInBy: 'passkey' }])
  })

  test('confirm in place of a code, once and for this purpose', async () => {
    const admin = await atDesk(server(), 'administrator')
    const device = await add(admin)
    const session = await sessionOf(device)
    pass(FRESH_MS)
    expect(await session.refusalOf(prepareDeskPasskey, null)).toBe('secondFactorStale')
    const forPassword = await signFor(session, device, 'password')
    expect(await session.refusalOf(renewDeskFactor, { code: forPassword })).toBe('passkeyExpired')
    const code = await signFor(session, device, 'confirm')
    expect(await session.refusalOf(renewDeskFactor, { code })).toBeNull()
    expect(await session.refusalOf(renewDeskFactor, { code })).toBe('passkeyExpired')
    expect(await session.refusalOf(prepareDeskPasskey, null)).toBeNull()
    const change = {
      oldPassword: DESK_PASSWORD,
      password: 'stacked brass weights 6',
      code: await signFor(session, device, 'password'),
    }
    expect(await session.refusalOf(changeDeskPassword, change)).toBeNull()
  })

  test('adding and removing one needs a fresh code or passkey, and is in the audit log', async () => {
    const admin = await atDesk(server(), 'support')
    const device = await add(admin)
    const session = await sessionOf(device)
    pass(FRESH_MS)
    expect(await session.refusalOf(removeDeskPasskey, { id: device.id })).toBe('secondFactorStale')
    await session.request(renewDeskFactor, { code: await signFor(session, device, 'confirm') })
    expect(await session.refusalOf(removeDeskPasskey, { id: device.id })).toBeNull()
    expect(await session.refusalOf(removeDeskPasskey, { id: device.id })).toBe('passkeyUnknown')
    expect(await logIn(device)).toMatchObject({ reason: 'passkeyUnknown' })
    expect(await entriesOf(admin)).toContainEqual({ passkeyRemoved: 'Laptop' })
  })

  test('open nothing of a user or of another operator, nor after their owner is switched off', async () => {
    const admin = await atDesk(server(), 'finance')
    const device = await add(admin)
    const visitor = clientOf(server().url)
    const passkey = device.sign(valueOf(await visitor.call(preparePasskeyLogin, null)))
    expect(await visitor.call(logInByPasskey, { passkey })).toMatchObject({ reason: 'passkeyUnknown' })
    const other = await atDesk(server(), 'finance')
    const others = await add(other)
    const forOther = await other.request(prepareDeskPasskeyProof, { purpose: 'confirm' })
    expect(await other.refusalOf(renewDeskFactor, { code: passkeyCode(device.sign(forOther)) })).toBe(
      'passkeyUnknown',
    )
    expect(
      await other.refusalOf(renewDeskFactor, { code: await signFor(other, others, 'confirm') }),
    ).toBeNull()
    await server()
      .deployment.database.queries.updateTable('operator')
      .set({ is_on: 0n })
      .where('id', '=', BigInt(admin.id))
      .execute()
    expect(await logIn(device)).toMatchObject({ reason: 'passkeyUnknown' })
  })
})

import { listInvited, valueOf } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { newUser } from '../testing/accounts.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { maskedContact } from './invitations.ts'

describe.each(DATABASES)('invitations, %s', (kind) => {
  const server = serverOn(kind)
  const invitedBy = async (token: string | null, page = 1) =>
    clientOf(server().url, token).call(listInvited, { page })

  test('are listed for the inviter only, with masked contact and date', async () => {
    const [inviter, other] = [await newUser(server()), await newUser(server())]
    const friends = [
      await newUser(server(), { invite_code: inviter.user.invite_code }),
      await newUser(server(), { invite_code: ` ${inviter.user.invite_code.toLowerCase()} ` }),
    ]
    const { invited, total } = valueOf(await invitedBy(inviter.token))
    expect(invited).toEqual(
      friends.toReversed().map(({ email }) => ({
        name: maskedContact(email, null),
        joinedAt: expect.any(Number) as number,
      })),
    )
    expect(total).toBe(2)
    expect(valueOf(await invitedBy(inviter.token, 2)).invited).toEqual([])
    for (const { token } of [other, ...friends])
      expect(valueOf(await invitedBy(token))).toEqual({ invited: [], total: 0 })
  })

  test('refuse the code of a frozen or closed account like an unknown one', async () => {
    const inviter = await newUser(server())
    const { engine } = server().deployment
    const by = {
      type: 'operator',
      id: 1,
      role: 'administrator',
      reason: 'a question is open',
      second: null,
    } as const
    const accountId = inviter.user.id
    const set = (status: 'active' | 'closeOnly' | 'frozen') =>
      engine.execute({ type: 'setAccountStatus', accountId, status, by })
    const register = () => newUser(server(), { invite_code: inviter.user.invite_code })
    await set('frozen')
    await expect(register()).rejects.toThrow('inviteCodeUnknown')
    await set('closeOnly')
    await register()
    await set('active')
    await register()
    await engine.execute({ type: 'closeAccount', accountId, leftMax: money(0n) })
    await expect(register()).rejects.toThrow('inviteCodeUnknown')
    expect(valueOf(await invitedBy(inviter.token)).total).toBe(2)
  })

  test('are for real accounts only', async () => {
    expect(await invitedBy(null)).toMatchObject({ reason: 'sessionGone' })
    expect(await invitedBy((await newTrader(server())).token)).toMatchObject({ reason: 'realOnly' })
  })
})

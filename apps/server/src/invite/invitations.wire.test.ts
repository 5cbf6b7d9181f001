import { listInvited, valueOf } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { newMember } from '../testing/accounts.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { maskedContact } from './masked-contact.ts'

describe.each(DATABASES)('invitations, %s', (kind) => {
  const server = serverOn(kind)
  const invitedBy = async (token: string | null, page = 1) =>
    clientOf(server().url, token).call(listInvited, { page })

  test('whoever invited somebody sees them masked with the date, and nobody else does', async () => {
    const [inviter, other] = [await newMember(server()), await newMember(server())]
    const friends = [
      await newMember(server(), { invite_code: inviter.user.invite_code }),
      await newMember(server(), { invite_code: ` ${inviter.user.invite_code.toLowerCase()} ` }),
    ]
    const { invited, total } = valueOf(await invitedBy(inviter.token))
    expect(invited).toEqual(
      friends.toReversed().map(({ email }) => ({
        ...{ name: maskedContact(email, null), joinedAt: expect.any(Number) as number },
      })),
    )
    expect(total).toBe(2)
    expect(valueOf(await invitedBy(inviter.token, 2)).invited).toEqual([])
    for (const { token } of [other, ...friends])
      expect(valueOf(await invitedBy(token))).toEqual({ invited: [], total: 0 })
  })

  test('visitors and demo accounts invite nobody', async () => {
    expect(await invitedBy(null)).toMatchObject({ reason: 'sessionGone' })
    expect(await invitedBy((await newTrader(server())).token)).toMatchObject({ reason: 'realOnly' })
  })
})

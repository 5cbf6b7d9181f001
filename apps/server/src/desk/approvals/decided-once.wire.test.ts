import { requestHalt, requestAdjustment, listAuditEntries, listWaiting } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../../testing/accounts.ts'
import { atDesk } from '../../testing/desk.ts'
import { endSingleOperatorMode } from '../../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const ADJUSTMENT_REQUESTS = {
  operatorId: null,
  act: 'askAdjustment',
  subject: null,
  accountId: null,
  outcome: null,
  since: null,
  until: null,
  search: null,
  page: 1,
}

// As decision 0007 says, at the desk: a request whose answer was lost is sent again with the same id.
describe.each(DATABASES)("an operator's request, %s", (kind) => {
  const server = serverOn(kind)

  test('opens one case, however often it is sent', async () => {
    await endSingleOperatorMode(server())
    const finance = await atDesk(server(), 'finance')
    const { id } = (await newUser(server())).user
    const input = { id, amount: money(5_000_000n), reason: 'a fee too much' }
    const named = { requestId: 'a tap' }
    const [one, other] = await Promise.all([
      finance.try(requestAdjustment, input, named),
      finance.try(requestAdjustment, input, named),
    ])
    const later = await finance.try(requestAdjustment, input, named)
    expect(one).toMatchObject({ ok: true, value: { caseId: expect.any(Number) } })
    expect([other, later]).toEqual([one, one])
    const changed = { ...input, amount: money(6_000_000n) }
    expect(await finance.try(requestAdjustment, changed, named)).toMatchObject({
      reason: 'requestIdReused',
    })
    const list = { kind: 'adjustment', held: null, search: null, page: 1, before: null }
    expect((await finance.request(listWaiting, list)).total).toBe(1)
    const { acts } = await finance.request(listAuditEntries, ADJUSTMENT_REQUESTS)
    expect(acts.map(({ outcome }) => outcome)).toEqual(['requestIdReused', 'done'])
    // Request ids are each operator's own, and a request without one opens a new case each time.
    const colleague = await atDesk(server(), 'finance')
    expect(await colleague.try(requestAdjustment, input, named)).toMatchObject({ ok: true })
    await finance.request(requestAdjustment, input)
    expect((await finance.request(listWaiting, list)).total).toBe(3)
  })

  test('opens one case also if it needs a second operator', async () => {
    const support = await atDesk(server(), 'support')
    const send = () => support.try(requestHalt, { instrumentId: 1, reason: 'odd' }, { requestId: 'a tap' })
    const [first, second] = [await send(), await send()]
    expect(first).toMatchObject({ ok: true })
    expect(second).toEqual(first)
    const tooLong = { requestId: 'x'.repeat(65) }
    expect(await support.try(requestHalt, { instrumentId: 2, reason: 'odd' }, tooLong)).toMatchObject({
      reason: 'requestIdTooLong',
    })
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})

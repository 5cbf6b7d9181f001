import { askHalt, askPersonAdjustment, listActs, listWaiting } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { newMember } from '../../testing/accounts.ts'
import { atDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const ALL_ACTS = {
  ...{ operatorId: null, act: 'askAdjustment', subject: null, accountId: null, outcome: null },
  ...{ since: null, until: null, search: null, page: 1 },
}

// The rules of 0007, at the desk: a lost answer is asked for again by the same name.
describe.each(DATABASES)('what an operator asks for, %s', (kind) => {
  const server = serverOn(kind)

  test('is one case, however often the same request comes', async () => {
    const finance = await atDesk(server(), 'finance')
    const { id } = (await newMember(server())).user
    const input = { id, amount: money(5_000_000n), reason: 'a fee too much' }
    const named = { requestId: 'a tap' }
    const [one, other] = await Promise.all([
      finance.try(askPersonAdjustment, input, named),
      finance.try(askPersonAdjustment, input, named),
    ])
    const later = await finance.try(askPersonAdjustment, input, named)
    expect(one).toMatchObject({ ok: true, value: { caseId: expect.any(Number) } })
    expect([other, later]).toEqual([one, one])
    const changed = { ...input, amount: money(6_000_000n) }
    expect(await finance.try(askPersonAdjustment, changed, named)).toMatchObject({
      reason: 'requestIdReused',
    })
    const list = { kind: 'adjustment', held: null, search: null, page: 1 }
    expect((await finance.ask(listWaiting, list)).total).toBe(1)
    const { acts } = await finance.ask(listActs, ALL_ACTS)
    expect(acts.map(({ outcome }) => outcome)).toEqual(['requestIdReused', 'done'])
    // Names are each operator's own, and a case without one is new each time.
    const colleague = await atDesk(server(), 'finance')
    expect(await colleague.try(askPersonAdjustment, input, named)).toMatchObject({ ok: true })
    await finance.ask(askPersonAdjustment, input)
    expect((await finance.ask(listWaiting, list)).total).toBe(3)
  })

  test('is one case also where a second person is asked', async () => {
    const support = await atDesk(server(), 'support')
    const ask = () => support.try(askHalt, { instrumentId: 1, reason: 'odd' }, { requestId: 'a tap' })
    const [first, second] = [await ask(), await ask()]
    expect(first).toMatchObject({ ok: true })
    expect(second).toEqual(first)
    const tooLong = { requestId: 'x'.repeat(65) }
    expect(await support.try(askHalt, { instrumentId: 2, reason: 'odd' }, tooLong)).toMatchObject({
      reason: 'requestIdTooLong',
    })
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})

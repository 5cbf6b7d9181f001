import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import { accountIdOf, marketOrder } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { createFollowUps, newRequest, type FollowUps } from './follow-ups.ts'

const KIND = 'count'

onEveryDatabase('work that follows a decision', (databases) => {
  test('is done once, even if two processes continue what a crash interrupted at the same time', async () => {
    const database = await databases.open()
    const { engine, tick } = await createHarness(database)
    await tick(100_000)
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
    let count = 0
    const opened = (isCrashing: boolean): FollowUps => {
      const followUps = createFollowUps({ queries: database.queries, engine, now: () => 1 })
      followUps.register(KIND, (_body, _decided, done) =>
        followUps.within(async (within) => {
          if (isCrashing) throw new Error('died')
          if (await done(within)) count += 1
        }),
      )
      return followUps
    }
    const request = newRequest(accountId, 'submitOrder')
    const command = { ...marketOrder(accountId), request }
    const outcome = await opened(true).execute({
      kind: KIND,
      body: null,
      request,
      command,
      mustFollow: false,
    })
    expect(outcome).toHaveProperty('entry')
    expect(count).toBe(0)
    await Promise.all([opened(false), opened(false)].map((each) => each.settle()))
    expect(count).toBe(1)
  })
  test('is forgotten if its command was rejected, or never reached the journal', async () => {
    const database = await databases.open()
    const { engine } = await createHarness(database)
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
    let count = 0
    const openedOn = (on: Pick<typeof engine, 'execute'>): FollowUps => {
      const followUps = createFollowUps({
        queries: database.queries,
        engine: { ...engine, ...on },
        now: () => 1,
      })
      followUps.register(KIND, () => Promise.resolve(void (count += 1)))
      return followUps
    }
    const orderBy = (followUps: FollowUps) => {
      const request = newRequest(accountId, 'submitOrder')
      const command = { ...marketOrder(accountId), request }
      return followUps.execute({ kind: KIND, body: null, request, command, mustFollow: false })
    }
    const stored = () => database.queries.selectFrom('follow_up').select('id').execute()
    // Without a price no order is opened.
    expect(await orderBy(openedOn(engine))).toHaveProperty('rejected')
    expect(await stored()).toEqual([])
    await expect(orderBy(openedOn({ execute: () => Promise.reject(new Error('killed')) }))).rejects.toThrow(
      'killed',
    )
    expect(await stored()).toHaveLength(1)
    expect(await openedOn(engine).settle()).toBe(0)
    expect(await stored()).toEqual([])
    expect(count).toBe(0)
  })
  test('is refused with another amount under its request id, and keeps the first amount', async () => {
    const database = await databases.open()
    const { engine } = await createHarness(database)
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
    const carriedOut: unknown[] = []
    const report = (amount: bigint, on: Pick<typeof engine, 'execute'> = engine) => {
      const followUps = createFollowUps({
        queries: database.queries,
        engine: { ...engine, ...on },
        now: () => 1,
      })
      followUps.register(KIND, (body, _decided, done) =>
        followUps.within(async (within) => {
          if (await done(within)) carriedOut.push(body)
        }),
      )
      const request = { accountId, call: 'reportDeposit', id: 'one tap', digest: String(amount) }
      const command = { type: 'openDeposit', accountId, amount: money(amount), request } as const
      return followUps.execute({ kind: KIND, body: amount, request, command, mustFollow: false })
    }
    // Killed after the first was stored, and before the engine had it: only the stored row knows its amount.
    const killed = { execute: () => Promise.reject(new Error('killed')) }
    await expect(report(1_000_000n, killed)).rejects.toThrow('killed')
    expect(await report(2_000_000n)).toEqual({
      rejected: 'requestIdReused',
      details: { requestId: 'one tap' },
    })
    expect(engine.state().cases.size).toBe(0)
    expect(carriedOut).toEqual([])
    expect(await report(1_000_000n)).toHaveProperty('entry')
    expect(carriedOut).toEqual([1_000_000n])
    expect([...engine.state().cases.values()]).toMatchObject([{ kind: 'deposit', amount: 1_000_000n }])
  })
})

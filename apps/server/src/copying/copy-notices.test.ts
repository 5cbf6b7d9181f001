import { lots, ratio } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entryOf, marketOrder } from '../../../../testing/test-world.ts'
import type { CopyDigest, NoticeFact } from '../engine/projection/notice-facts.ts'
import { writeNotice } from '../engine/projection/notice-facts.ts'
import type { Notices } from '../notices/notices.ts'
import { buyOneLot, publishStrategy, usd } from '../testing/copying-setup.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { startCopyNotices } from './copy-notices.ts'

const MINUTE_MS = 60_000
const NOTHING: CopyDigest = { kind: 'copiesChanged', started: '', ended: '', stopped: '', moved: '' }

describe.each(everyDatabase)('notices to copiers, $kind', (databases) => {
  const open = async (copies = 1) => {
    const database = await databases.open()
    const { queries } = database
    const harness = await createHarness(database)
    const provider = await publishStrategy(harness, copies)
    const sent: [userId: number, NoticeFact][] = []
    let [now, mayWrite] = [1_000_000, true]
    const notices: Notices = {
      write: async (within, userId, fact) => {
        await writeNotice(within, { userId, at: now, fact })
        if (!mayWrite) throw new Error('the process ends here')
      },
      publish: (userId, fact) => void sent.push([userId, fact]),
    }
    const errors: unknown[] = []
    const start = async () => {
      const { engine } = harness
      const running = await startCopyNotices({
        engine,
        queries,
        notices,
        now: () => now,
        onError: (error) => errors.push(error),
      })
      onTestFinished(running.stop)
      return running
    }
    const until = async (expected: readonly unknown[]) => {
      const byUser = () => sent.toSorted(([one], [other]) => one - other)
      await expect.poll(byUser, { timeout: 5_000 }).toEqual(expected)
      sent.length = 0
    }
    return {
      ...harness,
      ...provider,
      queries,
      sent,
      errors,
      start,
      until,
      pass: (ms: number) => void (now += ms),
      setWritable: (isWritable: boolean) => void (mayWrite = isWritable),
    }
  }
  const first = <T>([one]: readonly T[]): T => {
    if (one === undefined) throw new Error('there is none')
    return one
  }

  it('say what happened within a minute, once, also about copies that started before the server did', async () => {
    const { copies, start, until, sent, engine, pass, queries } = await open(2)
    const { ownerId, copyId } = first(copies)
    const running = await start()
    await until(copies.map((copy) => [copy.ownerId, { ...NOTHING, started: '#1' }]))
    entryOf(await engine.execute({ type: 'stopCopy', accountId: ownerId, copyId }))
    await engine.caughtUp()
    await running.stop()
    pass(MINUTE_MS)
    const again = await start()
    await until([[ownerId, { ...NOTHING, ended: '#1' }]])
    await again.stop()
    pass(MINUTE_MS)
    await (await start()).stop()
    expect(sent).toEqual([])
    const rows = await queries.selectFrom('notice').select('id').where('kind', '=', 'copiesChanged').execute()
    expect(rows).toHaveLength(3)
  })

  it('are written again where the server ended before they were', async () => {
    const { copies, start, until, errors, setWritable, queries, sent } = await open()
    setWritable(false)
    const running = await start()
    await expect.poll(() => errors.length, { timeout: 5_000 }).toBeGreaterThan(0)
    await running.stop()
    expect(sent).toEqual([])
    expect(await queries.selectFrom('notice').select('id').execute()).toEqual([])
    setWritable(true)
    await start()
    await until([[first(copies).ownerId, { ...NOTHING, started: '#1' }]])
  })

  it('tell of the copy stop loss', async () => {
    const { copies, start, until, engine, accountId, tick, pass } = await open()
    const { ownerId, copyId } = first(copies)
    await start()
    await until([[ownerId, { ...NOTHING, started: '#1' }]])
    pass(MINUTE_MS)
    entryOf(await engine.execute({ type: 'setCopyStopLoss', accountId: ownerId, copyId, stopLoss: 95 }))
    entryOf(await engine.execute(buyOneLot(accountId)))
    // The copy of 20,000 has 0.2 lots: 600 pips cost it 1,200.
    await tick(102_469)
    await until([[ownerId, { ...NOTHING, stopped: '#1' }]])
  })

  it('tell of a provider who moves more than a tenth of the balance, and not of less', async () => {
    const { accountId, copies, start, until, engine, pass, openAccount, sent, clock } = await open()
    const { ownerId } = first(copies)
    await start()
    await until([[ownerId, { ...NOTHING, started: '#1' }]])
    clock.at += 1
    const other = await openAccount()
    entryOf(await engine.execute({ type: 'publishStrategy', accountId: other, feeShare: ratio(0) }))
    const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 10 }
    const put = { strategyId: 2, terms, isWithOpenOrders: false, accountId } as const
    // A tenth of 50,000 exactly, and then more than a tenth of the rest.
    const answer = await engine.execute({ ...put, type: 'startCopy', amount: usd(5_000) })
    pass(MINUTE_MS)
    await until([[accountId, { ...NOTHING, started: '#2' }]])
    expect(sent).toEqual([])
    const [started] = entryOf(answer).events
    const copyId = started?.type === 'copyStarted' ? started.accountId : 0
    entryOf(await engine.execute({ type: 'addToCopy', accountId, copyId, amount: usd(4_501) }))
    await until([[ownerId, { ...NOTHING, moved: '#1' }]])
  })

  it('tell of flows that are a tenth of the balance together, on one day', async () => {
    const { accountId, copies, start, until, engine, pass, openAccount, clock } = await open()
    const { ownerId } = first(copies)
    await start()
    await until([[ownerId, { ...NOTHING, started: '#1' }]])
    clock.at += 1
    const other = await openAccount()
    entryOf(await engine.execute({ type: 'publishStrategy', accountId: other, feeShare: ratio(0) }))
    const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 10 }
    const put = { strategyId: 2, terms, isWithOpenOrders: false, accountId } as const
    pass(MINUTE_MS)
    // 8 % of 50,000, and an hour later 8 % again.
    const answer = await engine.execute({ ...put, type: 'startCopy', amount: usd(4_000) })
    const [started] = entryOf(answer).events
    const copyId = started?.type === 'copyStarted' ? started.accountId : 0
    await until([[accountId, { ...NOTHING, started: '#2' }]])
    clock.at += 3_600_000
    entryOf(await engine.execute({ type: 'addToCopy', accountId, copyId, amount: usd(4_000) }))
    await until([[ownerId, { ...NOTHING, moved: '#1' }]])
  })

  it('do not tell of negative balance protection, which is no flow', async () => {
    const { accountId, copies, start, until, engine, pass, tick, sent, queries, clock } = await open()
    const { ownerId, copyId } = first(copies)
    await start()
    await until([[ownerId, { ...NOTHING, started: '#1' }]])
    clock.at += 1
    const change = { multiplier: ratio(100_000), accountId: ownerId, copyId } as const
    entryOf(await engine.execute({ type: 'setCopyTerms', ...change }))
    entryOf(await engine.execute(marketOrder(accountId, { lots: lots(100_000) })))
    await tick(90_000)
    await engine.caughtUp()
    const lifts = await queries.selectFrom('transfer').select('id').where('kind', '=', 'protection').execute()
    expect(lifts).toHaveLength(1)
    expect(engine.state().copies.size).toBe(1)
    clock.at += 1
    pass(MINUTE_MS)
    // The next notice tells of the end and of nothing else.
    entryOf(await engine.execute({ type: 'stopCopy', accountId: ownerId, copyId }))
    await expect.poll(() => sent.length, { timeout: 5_000 }).toBe(1)
    expect(sent).toEqual([[ownerId, { ...NOTHING, ended: '#1' }]])
  })
})

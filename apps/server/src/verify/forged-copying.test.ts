import { lots, money, ratio, type Event, type PositionOpened } from '@fairlot/core'
import { expect, it } from 'vitest'
import { entryOf } from '../../../../testing/test-world.ts'
import type { Database } from '../platform/database/open.ts'
import { buyOneLot, publishStrategy, usd } from '../testing/copying-setup.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith, forgeEntry, forgeEvent, type EventEdit } from './test-kit.ts'

const TIMEOUT_MS = 90_000

/** Two copies of 20,000 beside a provider of 50,000; the second is paused for the last two orders, and does not hold them. */
async function copiedDatabase(database: Database): Promise<void> {
  const harness = await createHarness(database)
  const { engine } = harness
  const { accountId, copies } = await publishStrategy(harness, 2)
  const [first, second] = copies
  if (!first || !second) throw new Error('no copies')
  const to = { accountId: first.ownerId, copyId: first.copyId }
  entryOf(await engine.execute({ type: 'setStrategyFee', accountId, feeShare: ratio(100_000) }))
  await startAnother(harness)
  entryOf(await engine.execute(buyOneLot(accountId)))
  entryOf(await engine.execute({ type: 'closePosition', accountId, orderId: 1, lots: lots(5_000) }))
  await harness.tick(110_469)
  entryOf(await engine.execute({ type: 'closePosition', accountId, orderId: 1 }))
  entryOf(await engine.execute({ type: 'takeFromCopy', ...to, amount: usd(1_000) }))
  entryOf(await engine.execute({ type: 'setCopyTerms', ...to, multiplier: ratio(500_000), excluded: [] }))
  entryOf(await engine.execute({ type: 'pauseCopy', accountId: second.ownerId, copyId: second.copyId }))
  entryOf(await engine.execute(buyOneLot(accountId)))
  entryOf(await engine.execute(buyOneLot(accountId)))
  // One journal row with an entry of copies for each of the two.
  entryOf(await engine.execute({ type: 'closeAll', accountId }))
  entryOf(await engine.execute({ type: 'stopCopy', ...to }))
  await engine.caughtUp()
  expect(harness.errors).toEqual([])
}

/** A third copy, after the fee of the strategy has changed. */
async function startAnother({
  engine,
  openAccount,
}: Awaited<ReturnType<typeof createHarness>>): Promise<void> {
  const ownerId = await openAccount()
  const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 10 }
  const started = { accountId: ownerId, strategyId: 1, amount: usd(1_000), terms, isWithOpenOrders: false }
  const [event] = entryOf(await engine.execute({ type: 'startCopy', ...started })).events
  if (event?.type !== 'copyStarted') throw new Error('no copy')
  expect(event.feeShare).toBe(100_000)
  entryOf(await engine.execute({ type: 'stopCopy', accountId: ownerId, copyId: event.accountId }))
}

const copiedOpening =
  (edit: (event: PositionOpened) => Event | readonly Event[]): EventEdit =>
  (event) =>
    event.type === 'positionOpened' && event.copied ? edit(event) : null

const of =
  <Type extends Event['type']>(
    type: Type,
    edit: (event: Extract<Event, { type: Type }>) => Event | readonly Event[] | null,
  ): EventEdit =>
  (event) =>
    event.type === type ? edit(event as Extract<Event, { type: Type }>) : null

/** Mistakes of an engine, each with what verify says. */
const FORGERIES: Record<string, { edit: EventEdit; difference: RegExp }> = {
  'a copy one step too large': {
    edit: copiedOpening((event) => ({ ...event, lots: lots(event.lots + 100) })),
    difference: /positionOpened.*(margin|lots) is/,
  },
  'an equity of the provider that makes copies smaller': {
    edit: of('positionOpened', (event) =>
      event.strategyEquity === undefined ? null : { ...event, strategyEquity: usd(90_000) },
    ),
    difference: /equity of the strategy is "90000000000", it should be "50000000000"/,
  },
  'an order skipped for a wrong reason': {
    edit: copiedOpening((event) => ({
      type: 'copySkipped',
      accountId: event.accountId,
      source: event.receipt.copied ?? { accountId: 0, orderId: 0 },
      reason: 'notEnoughMargin',
      equity: event.copied?.equity ?? null,
    })),
    difference: /copySkipped: type is "copySkipped", it should be "positionOpened"/,
  },
  'an order that a copy passes over in silence': {
    edit: of('copySkipped', () => []),
    difference: /copy \d+ has not followed order \d+/,
  },
  'the end of an order that a copy never had, called too small': {
    edit: of('copySkipped', (event) =>
      event.reason === 'notHeld' ? { ...event, reason: 'belowStep' } : null,
    ),
    difference: /copySkipped: reason is "belowStep", it should be "notHeld"/,
  },
  'a reduction to another step': {
    edit: of('positionReduced', (event) =>
      event.reason === 'providerClosed' ? { ...event, lots: lots(event.lots - 100) } : null,
    ),
    difference: /positionReduced.*(margin|lots|profit) is/,
  },
  'another multiplier than the owner chose': {
    edit: of('copyTermsSet', (event) => ({ ...event, multiplier: ratio(400_000) })),
    difference: /positionOpened.*(multiplier|lots|copied|margin) is/,
  },
  'a multiplier that nobody can choose': {
    edit: of('copyTermsSet', (event) => ({ ...event, multiplier: ratio(20_000_000) })),
    difference: /copyTermsSet: multiplier in its range is false/,
  },
  'another fee of the strategy than its user set': {
    edit: of('strategyFeeSet', (event) => ({ ...event, feeShare: ratio(90_000) })),
    difference: /copyStarted: fee share is "?100000"?, it should be "?90000"?/,
  },
  'a fee of the strategy above the highest': {
    edit: of('strategyFeeSet', (event) => ({ ...event, feeShare: ratio(300_001) })),
    difference: /strategyFeeSet: fee share is false/,
  },
  'a change of the fee to the one it has': {
    edit: of('strategyFeeSet', (event) => ({ ...event, feeShare: ratio(200_000) })),
    difference: /strategyFeeSet: fee share as before is true/,
  },
  'the fee of another strategy': {
    edit: of('strategyFeeSet', (event) => ({ ...event, strategyId: 2 })),
    difference: /strategyFeeSet: strategy is "?2"?, it should be "?1"?/,
  },
  'a copy that starts at the fee of before': {
    edit: of('copyStarted', (event) =>
      event.feeShare === 100_000 ? { ...event, feeShare: ratio(200_000) } : null,
    ),
    difference: /copyStarted: fee share is "?200000"?, it should be "?100000"?/,
  },
  'a fee on taking out money': {
    edit: of('copyReduced', (event) => ({ ...event, fee: money(event.fee + 1n) })),
    difference: /copyReduced: fee is/,
  },
  'a high-water mark that stays too low': {
    edit: of('copyReduced', (event) => ({ ...event, mark: money(event.mark - 1n) })),
    difference: /copyReduced: mark is/,
  },
  'a fee at the end': {
    edit: of('copyEnded', (event) => ({ ...event, fee: money(event.fee + 1n) })),
    difference: /copyEnded: fee is/,
  },
}

onEveryDatabase('verify of forged copies', (databases) => {
  it('finds wrong sizes, reasons, fees and marks, and copies left out', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await copiedDatabase(database)
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const missed: string[] = []
    for (const [name, { edit, difference: pattern }] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, (queries) => forgeEvent(queries, edit))
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })

  it('finds copies that close before one that was there first', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await copiedDatabase(database)
    const isCopied = (event: Event) => event.type === 'positionClosed' && event.reason === 'providerClosed'
    const difference = await differenceWith(database, (queries) =>
      forgeEntry(queries, (entry) => {
        if (entry.events.filter(isCopied).length < 2) return null
        const copied = entry.events.filter(isCopied).toReversed()
        const events = entry.events.map((event) => (isCopied(event) ? (copied.shift() ?? event) : event))
        return { ...entry, events }
      }),
    )
    expect(difference).toMatch(/order of the copies is/)
  })

  it('finds changed rows of strategies, copies and skipped orders', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await copiedDatabase(database)
    const found = [
      await differenceWith(database, (queries) =>
        queries.updateTable('strategy').set({ fee_share: 1n }).execute(),
      ),
      await differenceWith(database, (queries) => queries.updateTable('copy').set({ amount: 1n }).execute()),
      await differenceWith(database, (queries) => queries.deleteFrom('copy_skip').execute()),
      await differenceWith(database, (queries) =>
        queries.updateTable('copy_skip').set({ reason: 'noPrice' }).execute(),
      ),
      await differenceWith(database, (queries) =>
        queries
          .insertInto('copy_skip')
          .columns(['id', 'account_id', 'provider_order_id', 'reason', 'equity', 'at'])
          .expression((from) =>
            from
              .selectFrom('copy_skip')
              .select(({ val }) => val('9999.0').as('id'))
              .select(['account_id', 'provider_order_id', 'reason', 'equity', 'at'])
              .where('reason', '=', 'copyPaused')
              .limit(1),
          )
          .execute(),
      ),
    ]
    expect(found).toEqual([
      'strategy 1: fee_share is "1", it should be 100000',
      expect.stringMatching(/^copy \d+: amount is "1", it should be "20000000000"$/),
      expect.stringMatching(/^skipped order \d+\.0: it is missing from the table$/),
      expect.stringMatching(/^skipped order \d+\.0: reason is "noPrice", it should be "copyPaused"$/),
      'there are 5 skipped orders in the table, the journal knows 4',
    ])
  })
})

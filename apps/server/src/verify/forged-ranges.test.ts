import { money, seededCore, type EquityRangeNoted, type Event } from '@fairlot/core'
import { expect, it } from 'vitest'
import { entryOf, testSeed } from '../../../../testing/test-world.ts'
import type { Database } from '../platform/database/open.ts'
import { buyOneLot, publishStrategy, usd } from '../testing/copying-setup.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { momentFigures } from './clock-figures.ts'
import { differenceWith, forgeEntry, forgeEvent, type EventEdit } from './test-kit.ts'

const TIMEOUT_MS = 90_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A provider with one lot, whose price falls for five minutes and comes back before the hour ends. */
async function fallenDatabase(database: Database): Promise<void> {
  const harness = await createHarness(database)
  const { accountId } = await publishStrategy(harness, 0)
  entryOf(await harness.engine.execute(buyOneLot(accountId)))
  for (const [wait, bid] of [
    [MINUTE_MS, 109_000],
    [5 * MINUTE_MS, 110_400],
    [HOUR_MS, 110_300],
  ] as const) {
    harness.clock.at += wait
    await harness.tick(bid)
  }
  await harness.engine.caughtUp()
  expect(harness.errors).toEqual([])
}

const range =
  (edit: (event: EquityRangeNoted) => Event | readonly Event[]): EventEdit =>
  (event) =>
    event.type === 'equityRangeNoted' ? edit(event) : null

/** Mistakes of an engine, each with what verify says. */
const FORGERIES: Record<string, { edit: EventEdit; difference: RegExp }> = {
  'a lowest equity above that of the hour': {
    edit: range((event) => ({ ...event, lowest: money(event.equity + 1n) })),
    difference: /equityRangeNoted: lowest is/,
  },
  'a highest equity below that of the hour': {
    edit: range((event) => ({ ...event, highest: money(event.equity - 1n) })),
    difference: /equityRangeNoted: highest is/,
  },
  'a range without a width': {
    edit: range((event) => ({ ...event, lowest: event.equity, highest: event.equity })),
    difference: /lowest and highest is "one", it should be "apart"/,
  },
  'another equity than that at the prices of the hour': {
    edit: range((event) => ({ ...event, equity: money(event.equity - 1n) })),
    difference: /equityRangeNoted: equity is/,
  },
  'an account without a strategy': {
    edit: range((event) => ({ ...event, accountId: event.accountId + 1 })),
    difference: /equityRangeNoted: (strategy is "none"|account)/,
  },
  'another hour': {
    edit: range((event) => ({ ...event, moment: event.moment - HOUR_MS })),
    difference: /equityRangeNoted: moment is/,
  },
  'two ranges of one hour': {
    edit: range((event) => [event, event]),
    difference: /what follows is "equityRangeNoted", it should be "in order"/,
  },
}

onEveryDatabase('verify of forged ranges of equity', (databases) => {
  it('finds figures, accounts and hours that cannot be', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await fallenDatabase(database)
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const missed: string[] = []
    for (const [name, { edit, difference: pattern }] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, (queries) => forgeEvent(queries, edit))
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })

  it('finds ranges by another author', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await fallenDatabase(database)
    const difference = await differenceWith(database, (queries) =>
      forgeEntry(queries, (entry) =>
        entry.events[0]?.type === 'equityRangeNoted' ? { ...entry, author: { type: 'market' } } : null,
      ),
    )
    expect(difference).toMatch(/equityRangeNoted: author is "market", it should be "clock"/)
  })

  it('finds changed, missing and invented rows of the table', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await fallenDatabase(database)
    const row = await database.queries.selectFrom('equity_range').selectAll().executeTakeFirstOrThrow()
    const found = [
      await differenceWith(database, (queries) =>
        queries
          .updateTable('equity_range')
          .set({ lowest: usd(1) })
          .execute(),
      ),
      await differenceWith(database, (queries) => queries.deleteFrom('equity_range').execute()),
      await differenceWith(database, (queries) =>
        queries
          .insertInto('equity_range')
          .values({ ...row, moment: row.moment + 1n })
          .execute(),
      ),
    ]
    const key = `${row.account_id} ${row.moment}`
    expect(found).toEqual([
      `equity range ${key}: lowest is "${usd(1)}", it should be "${row.lowest}"`,
      `equity range ${key}: it is missing from the table`,
      'there are 2 equity ranges in the table, the journal knows 1',
    ])
  })
})

it('finds a range by rules before version 5', () => {
  const { state } = seededCore(testSeed())
  Object.assign(state, { lastPriceSnapshot: HOUR_MS, rulesVersion: 4 })
  const event = {
    type: 'equityRangeNoted',
    accountId: 1,
    moment: 2 * HOUR_MS,
    lowest: usd(1),
    highest: usd(3),
    equity: usd(2),
  } as const
  const entry = { at: 2 * HOUR_MS, author: { type: 'clock' }, request: null, events: [event] } as const
  const rulesOf = () => momentFigures(state, event, entry).find(([name]) => name === 'rules')
  expect(rulesOf()).toEqual(['rules', 4, 'with ranges'])
  state.rulesVersion = 5
  expect(rulesOf()).toEqual(['rules', 'with ranges', 'with ranges'])
})

it('finds a range of an hour before the announced start', () => {
  const { state } = seededCore(testSeed())
  Object.assign(state, { lastPriceSnapshot: HOUR_MS, equityRangesFrom: 1.5 * HOUR_MS })
  const figuresAt = (moment: number) =>
    momentFigures(
      state,
      { type: 'equityRangeNoted', accountId: 1, moment, lowest: usd(1), highest: usd(3), equity: usd(2) },
      { at: moment, author: { type: 'clock' }, request: null, events: [] },
    )
  const early = ['hour before the announced start', true, false]
  expect(figuresAt(2 * HOUR_MS)).toContainEqual(early)
  state.lastPriceSnapshot = 2 * HOUR_MS
  expect(figuresAt(3 * HOUR_MS)).not.toContainEqual(early)
})

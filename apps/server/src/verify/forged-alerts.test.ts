import { price, type AlertFired, type AlertSet, type Event } from '@fairlot/core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { entryOf, EURUSD, marketOrder } from '../../../../testing/test-world.ts'
import { lots } from '@fairlot/core'
import type { Database, Queries } from '../platform/database/open.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith, forgeEntry, forgeEvent } from './test-kit.ts'

onEveryDatabase('verify of alerts', (databases) => {
  it('finds nothing in an honest journal, and each forgery', { timeout: 300_000 }, async () => {
    const database = await databases.open()
    await simulateAlerts(database)
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const missed: string[] = []
    for (const [name, [forge, pattern]] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, forge).catch(String)
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })
})

/**
 * Alerts of every kind that fire, one that fires twice, one that is removed, a demo reset that ends two, and one that
 * expires.
 */
async function simulateAlerts(database: Database): Promise<void> {
  const harness = await createHarness(database)
  const { engine, clock, tick } = harness
  const accountId = await harness.openAccount()
  const set = async (
    condition: Parameters<typeof alertCommand>[1],
    pauseMs: number | null = null,
    expiresAt: number | null = null,
  ) => entryOf(await engine.execute({ ...alertCommand(accountId, condition, pauseMs), expiresAt }))
  await tick(108_000)
  clock.at += 3_600_000
  await tick(108_000)
  const up = { kind: 'price', instrumentId: EURUSD.id, side: 'bid', direction: 'above' } as const
  await set({ ...up, price: price(108_100) }, 60_000)
  await set({ kind: 'dayMove', instrumentId: EURUSD.id, direction: 'below', move: 5_000 as never })
  await engine.execute(marketOrder(accountId, { lots: lots(50_000), leverage: 30 }))
  await set({ kind: 'marginLevel', level: 250 })
  await tick(108_150)
  clock.at += 60_000
  await tick(108_150)
  await tick(108_099)
  await tick(108_150)
  await tick(107_400)
  await tick(106_500)
  const removed = await set({ ...up, price: price(200_000) })
  const alertId = removed.events.find((event): event is AlertSet => event.type === 'alertSet')?.alertId ?? 0
  entryOf(await engine.execute({ type: 'removeAlert', accountId, alertId }))
  await set({ ...up, price: price(200_000) })
  entryOf(await engine.execute({ type: 'resetDemo', accountId }))
  await set({ ...up, price: price(200_000) }, null, clock.at + 60_000)
  clock.at += 60_000
  await tick(106_500)
  await engine.caughtUp()
  expect(harness.errors).toEqual([])
  const rows = await database.queries.selectFrom('alert').select(['id', 'state']).orderBy('id').execute()
  expect(rows.map(({ state }) => state)).toEqual([
    'removed',
    'fired',
    'fired',
    'removed',
    'removed',
    'expired',
  ])
  await engine.stop()
}

const alertCommand = (
  accountId: number,
  condition: Extract<Parameters<Engine['execute']>[0], { type: 'setAlert' }>['condition'],
  pauseMs: number | null,
) => ({ type: 'setAlert', accountId, condition, pauseMs }) as const

type Engine = Awaited<ReturnType<typeof createHarness>>['engine']
type Forge = (queries: Queries) => Promise<unknown>

const fired =
  (kind: AlertFired['condition']['kind'], edit: (event: AlertFired) => Event | readonly Event[]): Forge =>
  (queries) =>
    forgeEvent(queries, (event) =>
      event.type === 'alertFired' && event.condition.kind === kind ? edit(event) : null,
    )

const run = (statement: string) => (queries: Queries) => sql.raw(statement).execute(queries)

const FORGERIES: Readonly<Record<string, readonly [Forge, RegExp]>> = {
  'fired at a price that does not reach it': [
    fired('price', (event) => ({ ...event, tick: { ...event.tick, bid: price(108_099) } })),
    /^journal row \d+: alertFired of alert 1: alert is "not reached"/,
  ],
  'fired twice on one tick': [
    fired('price', (event) => [event, event]),
    /alertFired of alert 1: pause is \d+, it should be \d+/,
  ],
  'fired again after it has ended': [
    fired('dayMove', (event) => [event, event]),
    /alertFired of alert 2: alert is "not set"/,
  ],
  'fired by an old price': [
    fired('price', (event) => ({
      ...event,
      tick: { ...event.tick, time: event.tick.time - 600_000, receivedAt: event.tick.receivedAt - 600_000 },
    })),
    /alertFired of alert 1: age of the tick/,
  ],
  'fired at another condition': [
    fired('price', (event) => ({
      ...event,
      condition: { ...event.condition, price: price(108_050) } as never,
    })),
    /alertFired of alert 1: condition price/,
  ],
  'fired again before the price was on the other side': [
    (queries) =>
      forgeEntry(queries, (entry) =>
        entry.events.some(({ type }) => type === 'alertRearmed')
          ? { ...entry, events: entry.events.filter(({ type }) => type !== 'alertRearmed') }
          : null,
      ),
    /alertFired of alert 1: price on the other side is "not yet"/,
  ],
  'rearmed by a price that is not on the other side': [
    (queries) =>
      forgeEvent(queries, (event) =>
        event.type === 'alertRearmed' ? { ...event, tick: { ...event.tick, bid: price(108_100) } } : null,
      ),
    /alertRearmed of alert 1: price is "not there"/,
  ],
  'not made to wait for the other side': [
    fired('price', ({ awaitsReturn: _, ...event }) => event),
    /alertFired of alert 1: waits for the other side/,
  ],
  'fired for good instead of a pause': [
    fired('price', (event) => ({ ...event, wakesAt: null })),
    /alertFired of alert 1: end of the pause/,
  ],
  'measured from another price': [
    fired('dayMove', (event) => ({ ...event, reference: { bid: price(109_000), ask: price(109_000) } })),
    /alertFired of alert 2: reference/,
  ],
  'with another equity': [
    fired('marginLevel', (event) => ({
      ...event,
      margin: { ...event.margin, equity: 1n } as never,
    })),
    /alertFired of alert 3: equity/,
  ],
  'without the prices behind the margin level': [
    fired('marginLevel', (event) => ({ ...event, margin: { ...event.margin, prices: [] } as never })),
    /alertFired of alert 3: prices of the margin level/,
  ],
  'set although it was reached': [
    (queries) =>
      forgeEvent(queries, (event) =>
        event.type === 'alertSet' && event.tick
          ? { ...event, tick: { ...event.tick, bid: price(108_200), ask: price(108_203) } }
          : null,
      ),
    /alertSet of alert 1: (decision is "refused: alertAlreadyMet"|tick)/,
  ],
  'not removed by a demo reset': [
    (queries) =>
      forgeEntry(queries, (entry) =>
        entry.events.some(({ type }) => type === 'demoReset')
          ? { ...entry, events: entry.events.filter(({ type }) => type !== 'alertRemoved') }
          : null,
      ),
    /demoReset: alerts is 2, it should be 0/,
  ],
  'removed by somebody else': [
    (queries) =>
      forgeEntry(queries, (entry) =>
        entry.events[0]?.type === 'alertRemoved' ? { ...entry, author: { type: 'market' } } : null,
      ),
    /alertRemoved of alert 4: author is "market"/,
  ],
  'ended before its expiry': [
    (queries) =>
      forgeEvent(queries, (event) =>
        event.type === 'alertSet' && event.expiresAt ? { ...event, expiresAt: event.expiresAt + 1 } : null,
      ),
    /alertEnded of alert 6: reason is "expired", it should be "none"/,
  ],
  'ended for another reason': [
    (queries) =>
      forgeEvent(queries, (event) =>
        event.type === 'alertEnded' ? { ...event, reason: 'instrumentOff' } : null,
      ),
    /alertEnded of alert 6: reason is "instrumentOff", it should be "expired"/,
  ],
  'a row without its expiry': [
    run('update alert set expires_at = null where id = 6'),
    /^alert 6: expires_at/,
  ],
  'a row that says it fired': [
    run("update alert set state = 'fired' where id = 4"),
    /^alert 4: state is "fired", it should be "removed"/,
  ],
  'a row with another condition': [
    run(`update alert set condition = '{"kind":"marginLevel","level":251}' where id = 3`),
    /^alert 3: condition/,
  ],
  'a row with another tick': [
    run('update alert set firing = replace(firing, \'"seq":\', \'"seq":1\') where id = 2'),
    /^alert 2: firing/,
  ],
  'a deleted row': [run('delete from alert where id = 5'), /^alert 5/],
}

import { DEPLOYMENT, type Quote } from '@fairlot/core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { accountIdOf, entryOf, EURUSD, marketOrder, quoteAt } from '../../../../testing/test-world.ts'
import { createCandleBuilder, loadFirstTimes, loadNewestCandles } from '../market/candles.ts'
import { saveQuotes } from '../market/quote-store.ts'
import type { Database, Queries } from '../platform/database/open.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith } from './test-kit.ts'
import { verify } from './verify.ts'

/** Each forgery is verified separately. */
const TIMEOUT_MS = 300_000
const MINUTE_MS = 60_000

/** A Tuesday, 12:00 UTC. */
const START = Date.UTC(2026, 0, 6, 12)
const SOURCE = { kind: 'live', hours: 'always', freshnessMs: null } as const

/** A change by somebody with full access to the database, and the difference that `verify` must report. */
type Forgery = readonly [forge: (queries: Queries) => Promise<unknown>, difference: RegExp]

onEveryDatabase('verify of candles', (databases) => {
  it('names each forged one', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await simulateMarket(database, { from: START, steps: 600 })
    expect((await verify(database)).difference).toBeNull()
    const missed: string[] = []
    for (const [name, [forge, pattern]] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, forge).catch(String)
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })

  it('takes the bars of a moment at which the server crashed', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    const crashedAt = await simulateMarket(database, { from: START, steps: 100 })
    // A crash between two statements: the shorter bars have a price that the longer ones have not.
    await change('set high = high + 50, volume = volume + 1', '1min', crashedAt)(database.queries)
    await simulateMarket(database, { from: crashedAt + MINUTE_MS, steps: 100 })
    expect((await verify(database)).difference).toBeNull()
  })
})

type Stretch = { readonly from: number; readonly steps: number }

/** A run of the server: a price every seven minutes, and an order at every tenth. Returns the start of its last minute. */
async function simulateMarket(database: Database, { from, steps }: Stretch): Promise<number> {
  const { queries } = database
  const { engine, clock } = await createHarness(database, { startAt: from })
  const terms = { kind: 'source', instrumentId: EURUSD.id, source: SOURCE } as const
  await engine.execute({ type: 'setTerms', change: terms, effectiveAt: null, by: DEPLOYMENT })
  const newest = await loadNewestCandles(queries)
  const candles = createCandleBuilder({
    queries,
    registry: {
      byId: new Map([[EURUSD.id, { instrument: EURUSD, referencePrice: 0 }]]),
      dayRolloverOf: () => 'newYorkClose',
    } as never,
    newest,
    firstTimes: await loadFirstTimes(queries, newest),
    kindOf: () => 'live',
    sourceOf: () => 'live',
    onError: (error) => {
      throw error
    },
  })
  const quotes: Quote[] = []
  engine.onQuote((quote) => {
    candles.fold(quote)
    quotes.push(quote)
  })
  const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
  for (let step = 1; step <= steps; step += 1) {
    clock.at = from + step * 7 * MINUTE_MS
    // Up and down, with the highest price in the middle of the stretch.
    const bid = 108_000 + (step % 17) * 3 - (step % 5) * 7 + (step === Math.floor(steps / 2) ? 90 : 0)
    engine.tick(quoteAt(bid, clock.at, step))
    await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    if (step % 10 === 0) entryOf(await engine.execute(marketOrder(accountId)))
  }
  await engine.caughtUp()
  await engine.stop()
  await candles.flush()
  await saveQuotes(queries, quotes.slice(-1))
  return Math.floor(clock.at / MINUTE_MS) * MINUTE_MS
}

const run = (statement: string) => (queries: Queries) => sql.raw(statement).execute(queries)

/** Changes the bar of a period that contains a moment. */
const change = (what: string, period: string, at: number) => (queries: Queries) =>
  sql
    .raw(
      `update candle ${what} where period = '${period}' and time =
        (select max(time) from candle where period = '${period}' and time <= ${at})`,
    )
    .execute(queries)
const remove = (period: string, at: number) => (queries: Queries) =>
  sql
    .raw(
      `delete from candle where period = '${period}' and time =
        (select max(time) from (select time from candle where period = '${period}') as known where time <= ${at})`,
    )
    .execute(queries)

/** The moments of an order and of a price without one; of that five-minute bar it is the only price. */
const NAMED = START + 400 * 7 * MINUTE_MS
const UNNAMED = START + 403 * 7 * MINUTE_MS

const PERIODS = ['5min', '15min', '30min', '60min', '1day'] as const
const ofEach = (
  name: string,
  forge: (period: string) => (queries: Queries) => Promise<unknown>,
  pattern: (period: string) => RegExp,
): Record<string, Forgery> =>
  Object.fromEntries(PERIODS.map((period) => [`${name}, ${period}`, [forge(period), pattern(period)]]))

const differs = (figure: string) => (period: string) =>
  new RegExp(
    `^candle ${period} of instrument 1 \\(live\\) at \\d+: ${figure} is "\\d+", it should be "\\d+" as`,
  )

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'a minute whose prices are not those of the journal': [
    change('set open = open + 9, high = high + 9, low = low + 9, close = close + 9', '1min', NAMED),
    /^candle 1min of instrument 1 at \d+ is from \d+ to \d+, the journal names prices from \d+ to \d+$/,
  ],
  'a deleted minute whose price the journal names': [
    remove('1min', NAMED),
    /^candle 1min of instrument 1 at \d+ is missing, the journal names tick 400 of that minute$/,
  ],
  'a minute with a spike': [change('set high = high + 500', '1min', UNNAMED), differs('high')('5min')],
  'a minute with a drop': [change('set low = low - 500', '1min', UNNAMED), differs('low')('5min')],
  'the volume of a minute': [change('set volume = volume + 1', '1min', UNNAMED), differs('volume')('5min')],
  'a deleted minute': [
    remove('1min', UNNAMED),
    /^candle 5min of instrument 1 \(live\) at \d+: there are no shorter ones of its time$/,
  ],
  'an invented minute': [
    run(`insert into candle (instrument_id, source, period, time, open, high, low, close, volume)
      select instrument_id, source, period, time + 60000, open, high, low, close, volume
      from candle where period = '1min' and time = ${UNNAMED}`),
    differs('volume')('5min'),
  ],
  'an invented minute where there was no price': [
    run(`insert into candle (instrument_id, source, period, time, open, high, low, close, volume)
      select instrument_id, source, period, time + 600000, open, high, low, close, volume
      from candle where period = '1min' and time = ${UNNAMED}`),
    /^candle 5min of instrument 1 \(live\) at \d+ is missing, shorter ones of its time are there$/,
  ],
  ...ofEach(
    'a longer bar with a spike',
    (period) => change('set high = high + 5', period, UNNAMED),
    differs('high'),
  ),
  ...ofEach(
    'a longer bar with a drop',
    (period) => change('set low = low - 5', period, UNNAMED),
    differs('low'),
  ),
  ...ofEach(
    'a longer bar that opens elsewhere',
    (period) => change('set open = high + 1, high = high + 1', period, UNNAMED),
    differs('open'),
  ),
  'an hour that closes elsewhere': [change('set close = low', '60min', UNNAMED), differs('close')('60min')],
  ...ofEach(
    'more volume of a longer bar',
    (period) => change('set volume = volume + 1', period, UNNAMED),
    differs('volume'),
  ),
  ...ofEach(
    'a deleted longer bar',
    (period) => remove(period, UNNAMED),
    (period) =>
      period === '1day'
        ? /^candle 1day of instrument 1 \(live\) of the hour \d+ is missing$/
        : new RegExp(
            `^candle ${period} of instrument 1 \\(live\\) at \\d+ is missing, shorter ones of its time are there$`,
          ),
  ),
  'a last price far from its minute': [
    run('update quote set bid = bid + 700, ask = ask + 700, seq = seq + 1, received_at = received_at + 1'),
    /^quote of instrument 1: no candle of its minute holds its mid \d+$/,
  ],
  'a last price from the future': [
    run('update quote set time = time + 3600000, seq = seq + 1'),
    /^quote of instrument 1: time is "\d+", long after received_at "\d+"$/,
  ],
}

import { sql } from 'kysely'
import {
  BAR_MS,
  larger,
  midPrice,
  price,
  type Entry,
  type Period,
  type ReceiptTick,
  type State,
} from '@fairlot/core'
import type { FeedKind } from '../market/feeds/feed.ts'
import type { CandleTable, QuoteTable } from '../platform/database/market-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { firstDifference } from './figure.ts'
import { ticksOf } from './price-figures.ts'

const MINUTE_MS = BAR_MS['1min']
const HOUR_MS = BAR_MS['60min']
/** Days around a change of New York's clocks are this long. */
const DAY_MAX_MS = 25 * HOUR_MS
/** A server writes its bars every second; this much before the end of its run none is unwritten, ms. */
const WRITTEN_WITHIN_MS = 600_000
/** The market clock of a recording may run faster than the seconds in which bars are written. */
const RECORDED_WITHIN_MS = 24 * HOUR_MS
/** While the database is unreachable nothing is journaled either, and in the end bars are dropped. */
const OUTAGE_MS = 12 * HOUR_MS
/** A price's own time may be this much before the moment at which it arrived. */
const LATE_MS = HOUR_MS
/** By how much the own time of a price may be ahead. */
const AHEAD_MS = 5_000

/** Minutes compared in one query. */
const CHUNK = 400
/** Differences read of one series; those of crashes are skipped. */
const DIFFERENCES_MAX = 10_000

const SOURCES: readonly FeedKind[] = ['live', 'recorded', 'simulated']
/** Each period with the next finer one. */
const FINER = { '5min': '1min', '15min': '5min', '30min': '15min', '60min': '30min' } as const
const LONGER = ['5min', '15min', '30min', '60min'] as const

/** The mids that the journal names of an instrument in a minute. */
type Named = {
  readonly instrumentId: number
  readonly minute: number
  readonly low: number
  readonly high: number
  readonly tick: number
  /** When the last of them arrived, and when one was last named. Epoch ms. */
  readonly receivedAt: number
  readonly at: number
  readonly kind: FeedKind | null
}

/** From one moment to another, both included. Epoch ms. */
type Span = { readonly from: number; readonly until: number }

/**
 * Bars: each holds the prices of its minute that the journal names, and each longer one is made from shorter ones. A
 * crash may have left bars of one moment that disagree, so those across the end of a run are not compared.
 */
export function createCandleRows(queries: Queries) {
  const pricedUntil = createPricedInstruments(queries)
  /** By how long their bars may take to be written; in the order in which they were last named. */
  const pending = new Map<number, Map<string, Named>>([
    [WRITTEN_WITHIN_MS, new Map()],
    [RECORDED_WITHIN_MS, new Map()],
  ])
  const due: Named[] = []
  let run = ''
  let last = 0
  const ends: Span[] = []
  /** Since when the terms say that an instrument has live prices. */
  const liveSince = new Map<number, number>()
  const sessions = new Map<number, string>()
  /** Changes after which days of some instrument may begin at another moment. */
  const dayChanges: Span[] = []

  const note = (tick: ReceiptTick, at: number, kind: FeedKind | null) => {
    const { instrumentId } = tick
    const minute = Math.floor(tick.time / MINUTE_MS) * MINUTE_MS
    const mid = midPrice(tick)
    const key = `${instrumentId} ${minute}`
    const within = kind === 'live' || kind === 'simulated' ? WRITTEN_WITHIN_MS : RECORDED_WITHIN_MS
    const named = pending.get(within)
    const { low, high, receivedAt } = named?.get(key) ?? { low: mid, high: mid, receivedAt: 0 }
    named?.delete(key)
    named?.set(key, {
      instrumentId,
      minute,
      at,
      kind,
      tick: tick.seq,
      low: Math.min(low, mid),
      high: Math.max(high, mid),
      receivedAt: Math.max(receivedAt, tick.receivedAt),
    })
  }
  const compareDue = async function* (isLast: boolean): AsyncGenerator<string> {
    while (due.length >= (isLast ? 1 : CHUNK)) yield* namedFaults(queries, due.splice(0, CHUNK), pricedUntil)
  }

  return {
    /** Takes an entry and the run that wrote it, on the state before it. */
    take: async function* (state: State, { at, events }: Entry, writer: string): AsyncGenerator<string> {
      const isNext = writer !== run || at - last > OUTAGE_MS
      if (isNext && run !== '') ends.push({ from: last - LATE_MS, until: at + AHEAD_MS })
      if (isNext) for (const named of pending.values()) named.clear()
      run = writer
      last = at
      for (const [within, named] of pending) {
        for (const [key, each] of named) {
          if (at - each.at <= within) break
          named.delete(key)
          due.push(each)
        }
      }
      for (const event of events) {
        for (const tick of ticksOf(event)) note(tick, at, state.sources.get(tick.instrumentId)?.kind ?? null)
        if (event.type !== 'termsSet') continue
        const { change, effectiveAt } = event
        if (change.kind === 'source' && change.source.kind === 'live' && !liveSince.has(change.instrumentId))
          liveSince.set(change.instrumentId, at)
        const isMoved =
          change.kind === 'calendar' ||
          (change.kind === 'instrument' && sessions.get(change.instrument.id) !== change.instrument.session)
        if (change.kind === 'instrument') sessions.set(change.instrument.id, change.instrument.session)
        if (isMoved)
          dayChanges.push({ from: Math.min(at, effectiveAt), until: Math.max(at, effectiveAt) + DAY_MAX_MS })
      }
      yield* compareDue(false)
    },
    finish: async function* ({ instruments }: Pick<State, 'instruments'>): AsyncGenerator<string> {
      yield* compareDue(true)
      yield* quoteFaults(queries)
      const unsure: Span[] = [...ends, { from: last - LATE_MS, until: Infinity }]
      for (const instrumentId of instruments.keys()) {
        for (const source of SOURCES) {
          const since = source === 'live' ? (liveSince.get(instrumentId) ?? Infinity) : Infinity
          const of = { instrumentId, source, since, unsure }
          for (const period of LONGER) yield* mergedFaults(queries, of, period)
          yield* dayFaults(queries, { ...of, unsure: [...unsure, ...dayChanges] })
        }
      }
    },
  }
}

/**
 * When the last price of each instrument arrived whose bars are written: they are before it. Tests of the engine alone
 * have none.
 */
function createPricedInstruments(queries: Queries): () => Promise<ReadonlyMap<number, number>> {
  let known: ReadonlyMap<number, number> | null = null
  return async () => {
    known ??= new Map(
      (await pricedQuotes(queries)).map((row) => [Number(row.instrument_id), Number(row.received_at)]),
    )
    return known
  }
}

/** A row without a price holds only the number. */
const pricedQuotes = (queries: Queries): Promise<QuoteTable[]> =>
  queries.selectFrom('quote').selectAll().where('received_at', '>', 0n).orderBy('instrument_id').execute()

type MinuteBar = Pick<CandleTable, 'instrument_id' | 'time' | 'low' | 'high'>

/** Whatever source they came from: a price may have arrived just before the terms named its source. */
async function minuteBars(
  queries: Queries,
  wanted: readonly { readonly instrumentId: number; readonly minute: number }[],
): Promise<(instrumentId: number, minute: number) => readonly MinuteBar[]> {
  const found: MinuteBar[] = []
  for (const [instrumentId, minutes] of Map.groupBy(wanted, (each) => each.instrumentId))
    found.push(
      ...(await queries
        .selectFrom('candle')
        .select(['instrument_id', 'time', 'low', 'high'])
        .where('instrument_id', '=', BigInt(instrumentId))
        .where('source', 'in', SOURCES)
        .where('period', '=', '1min')
        .where(
          'time',
          'in',
          minutes.map(({ minute }) => BigInt(minute)),
        )
        .execute()),
    )
  const byPlace = Map.groupBy(found, (bar) => `${bar.instrument_id} ${bar.time}`)
  return (instrumentId, minute) => byPlace.get(`${instrumentId} ${minute}`) ?? []
}

async function* namedFaults(
  queries: Queries,
  named: readonly Named[],
  pricedUntil: () => Promise<ReadonlyMap<number, number>>,
): AsyncGenerator<string> {
  const written = await pricedUntil()
  const barsAt = await minuteBars(queries, named)
  for (const { instrumentId, minute, low, high, tick, receivedAt, kind } of named) {
    if (receivedAt > (written.get(instrumentId) ?? -Infinity)) continue
    const bars = barsAt(instrumentId, minute)
    const name = `candle 1min of instrument ${instrumentId} at ${minute}`
    if (bars.length === 0 && kind !== null)
      yield `${name} is missing, the journal names tick ${tick} of that minute`
    if (bars.length > 0 && !bars.some((bar) => bar.low <= low && bar.high >= high))
      yield `${name} is from ${bars[0]?.low} to ${bars[0]?.high}, the journal names prices from ${low} to ${high}`
  }
}

/** Bars are written before the quotes that they hold. */
async function* quoteFaults(queries: Queries): AsyncGenerator<string> {
  const quotes = await pricedQuotes(queries)
  const minuteOf = ({ time }: QuoteTable) => Math.floor(Number(time) / MINUTE_MS) * MINUTE_MS
  const barsAt = await minuteBars(
    queries,
    quotes.map((row) => ({ instrumentId: Number(row.instrument_id), minute: minuteOf(row) })),
  )
  for (const row of quotes) {
    const name = `quote of instrument ${row.instrument_id}`
    const mid = midPrice({ bid: price(Number(row.bid)), ask: price(Number(row.ask)) })
    const bars = barsAt(Number(row.instrument_id), minuteOf(row))
    if (row.time > row.received_at + BigInt(AHEAD_MS))
      yield `${name}: time is "${row.time}", long after received_at "${row.received_at}"`
    if (!bars.some((bar) => bar.low <= mid && bar.high >= mid))
      yield `${name}: no candle of its minute holds its mid ${mid}`
  }
}

type SeriesToCompare = {
  readonly instrumentId: number
  readonly source: FeedKind
  /** From when on every bar comes from ticks: there is no history before a live source. */
  readonly since: number
  /** Bars that reach into one of these are not compared. */
  readonly unsure: readonly Span[]
}

const isUnsure = (unsure: readonly Span[], { from, until }: Span): boolean =>
  unsure.some((span) => span.from <= until && from <= span.until)

type Figures = {
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  readonly volume: bigint
}

/** A longer bar, null for none, and what the shorter ones in it make. */
type Pair = { readonly start: number; readonly bar: Figures | null; readonly merged: Figures }

const FIGURES = ['open', 'high', 'low', 'close', 'volume'] as const

/**
 * How a bar differs from its shorter ones, or null. History may lack shorter ones, which shows in the volume: then
 * the others are within the longer one.
 */
function mergedFault({ bar, merged }: Pair, isFromTicks: boolean): string | null {
  if (!bar) return isFromTicks ? ' is missing, shorter ones of its time are there' : null
  const isComplete = isFromTicks || bar.volume === merged.volume
  const expected = isComplete
    ? merged
    : {
        ...bar,
        high: larger(bar.high, merged.high),
        low: -larger(-bar.low, -merged.low),
        volume: larger(bar.volume, merged.volume),
      }
  for (const figure of FIGURES) {
    const difference = firstDifference(bar[figure], expected[figure], `: ${figure}`)
    if (difference !== null) return `${difference} as in its shorter ones`
  }
  return null
}

type DifferingRow = { readonly start: bigint } & { readonly [Name in keyof Figures]: bigint | null } & {
  readonly [Name in keyof Figures as `merged_${Name}`]: bigint
}

async function* mergedFaults(
  queries: Queries,
  { instrumentId, source, since, unsure }: SeriesToCompare,
  period: keyof typeof FINER,
): AsyncGenerator<string> {
  const length = BAR_MS[period]
  const name = (start: number) => `candle ${period} of instrument ${instrumentId} (${source}) at ${start}`
  const isSure = (start: number) => !isUnsure(unsure, { from: start, until: start + length })
  const finer = FINER[period]
  const begin = sql.lit(Math.min(since, Number.MAX_SAFE_INTEGER))
  const of = (table: string, bars: Period) =>
    sql`${sql.ref(`${table}.instrument_id`)} = ${instrumentId} and ${sql.ref(`${table}.source`)} = ${source}
      and ${sql.ref(`${table}.period`)} = ${bars}`
  const isDifferent = sql`bar.open <> opening.open or bar.high <> merged.high or bar.low <> merged.low
    or bar.close <> closing.close or bar.volume <> merged.volume`
  const { rows } = await sql<DifferingRow>`
    with merged as (
      select time - time % ${sql.lit(length)} as start, min(time) as first_time, max(time) as last_time,
        max(high) as high, min(low) as low, cast(sum(volume) as bigint) as volume
      from candle where ${of('candle', finer)} group by 1
    )
    select merged.start, bar.open, bar.high, bar.low, bar.close, bar.volume, opening.open as merged_open,
      merged.high as merged_high, merged.low as merged_low, closing.close as merged_close,
      merged.volume as merged_volume
    from merged
    join candle as opening on ${of('opening', finer)} and opening.time = merged.first_time
    join candle as closing on ${of('closing', finer)} and closing.time = merged.last_time
    left join candle as bar on ${of('bar', period)} and bar.time = merged.start
    where (merged.start >= ${begin} and (bar.time is null or ${isDifferent}))
      or bar.high < merged.high or bar.low > merged.low or bar.volume < merged.volume
      or (bar.volume = merged.volume and (${isDifferent}))
    order by merged.start limit ${sql.lit(DIFFERENCES_MAX)}
  `.execute(queries)
  for (const row of rows) {
    const start = Number(row.start)
    const fault = isSure(start) ? mergedFault(pairOf(row), start >= since) : null
    if (fault !== null) yield `${name(start)}${fault}`
  }
  if (since === Infinity) return
  const alone = await sql<{ readonly time: bigint }>`
    select bar.time from candle as bar where ${of('bar', period)} and bar.time >= ${begin}
      and not exists (select 1 from candle as shorter where ${of('shorter', finer)}
        and shorter.time >= bar.time and shorter.time < bar.time + ${sql.lit(length)})
    order by bar.time limit ${sql.lit(DIFFERENCES_MAX)}
  `.execute(queries)
  for (const { time } of alone.rows)
    if (isSure(Number(time))) yield `${name(Number(time))}: there are no shorter ones of its time`
}

function pairOf(row: DifferingRow): Pair {
  const { open, high, low, close, volume } = row
  const isThere = open !== null && high !== null && low !== null && close !== null && volume !== null
  return {
    start: Number(row.start),
    bar: isThere ? { open, high, low, close, volume } : null,
    merged: {
      open: row.merged_open,
      high: row.merged_high,
      low: row.merged_low,
      close: row.merged_close,
      volume: row.merged_volume,
    },
  }
}

type Bar = Figures & { readonly time: bigint }

/** Days begin at 17:00 New York or at midnight UTC: an hour belongs to the last day that has begun. */
async function* dayFaults(
  queries: Queries,
  { instrumentId, source, since, unsure }: SeriesToCompare,
): AsyncGenerator<string> {
  const barsOf = (period: Period) =>
    queries
      .selectFrom('candle')
      .select(['time', ...FIGURES])
      .where('instrument_id', '=', BigInt(instrumentId))
      .where('source', '=', source)
      .where('period', '=', period)
      .orderBy('time')
  const days = await barsOf('1day').execute()
  const named = (start: number) => `candle 1day of instrument ${instrumentId} (${source}) at ${start}`
  const isSure = (start: number) => !isUnsure(unsure, { from: start, until: start + DAY_MAX_MS })
  const merged = new Map<Bar, Figures>()
  let place = -1
  for (let after = -1n; ;) {
    const hours = await barsOf('60min').where('time', '>', after).limit(HOURS_PER_PAGE).execute()
    for (const hour of hours) {
      while ((days[place + 1]?.time ?? Infinity) <= hour.time) place += 1
      const day = days[place]
      const at = Number(hour.time)
      const isInDay = day !== undefined && Number(hour.time - day.time) < DAY_MAX_MS
      if (isInDay) merged.set(day, joined(merged.get(day), hour))
      else if (at >= since && !isUnsure(unsure, { from: at - DAY_MAX_MS, until: at + HOUR_MS }))
        yield `candle 1day of instrument ${instrumentId} (${source}) of the hour ${at} is missing`
    }
    const last = hours.at(-1)
    if (!last) break
    after = last.time
  }
  for (const day of days) {
    const start = Number(day.time)
    const made = merged.get(day)
    const isFromTicks = start >= since
    if (!isSure(start)) continue
    if (!made && isFromTicks) yield `${named(start)}: there are no shorter ones of its time`
    const fault = made ? mergedFault({ start, bar: day, merged: made }, isFromTicks) : null
    if (fault !== null) yield `${named(start)}${fault}`
  }
}

const HOURS_PER_PAGE = 5_000

const joined = (before: Figures | undefined, { open, high, low, close, volume }: Figures): Figures =>
  before
    ? {
        open: before.open,
        high: larger(before.high, high),
        low: -larger(-before.low, -low),
        close,
        volume: before.volume + volume,
      }
    : { open, high, low, close, volume }

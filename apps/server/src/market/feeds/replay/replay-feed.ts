import { basename } from 'node:path'
import {
  createBuckets,
  createTradingDays,
  foldTick,
  midPrice,
  PERIODS,
  type Buckets,
  type Candle,
  type Period,
} from '@fairlot/core'
import { createReplayClock, type Pace, type ReplayClock } from '../clock.ts'
import {
  priceInTicks,
  type Feed,
  type FeedInstrument,
  type InstrumentHistory,
  type RawTick,
} from '../feed.ts'
import { mergeRecording, type MergedTick } from './merge.ts'
import { openRecording, type Recording } from './recording.ts'

const WEEK_MS = 604_800_000

/** How a recording is played. */
export type ReplaySetting = {
  /** A file or a folder. */
  readonly path: string
  /** Market ms per real ms; above 0. */
  readonly speed: number
  /** Start of play, epoch ms of the recording; ticks before it are history. Null: at the first tick. */
  readonly from: number | null
  readonly isLooping: boolean
}

type ReplayOptions = {
  readonly instruments: readonly FeedInstrument[]
  readonly pace: Pace
  /** The last time this market has seen, epoch ms: the recording is shifted past it by full weeks. */
  readonly notBefore: number
}

/** An opened replay. Its clock stays at the start of play until the feed is started. */
export type Replay = {
  readonly feed: Feed
  readonly clock: ReplayClock
  /** Files of the folder that are not played. */
  readonly ignored: readonly string[]
  /** Bars from before `from` that exceed the limit of charts. */
  readonly droppedBars: readonly DroppedBars[]
}

/**
 * Opens a recording and folds the ticks before `from` into bars. Returns a problem as a text if the recording is missing, has
 * no known instrument or ends before `from`.
 */
export async function openReplay(
  setting: ReplaySetting,
  options: ReplayOptions,
): Promise<Replay | { readonly problem: string }> {
  const recording = await openRecording(setting.path, options.instruments)
  if ('problem' in recording) return recording
  const firstTime = recording.files[0]?.firstTime ?? 0
  const start = Math.max(setting.from ?? firstTime, firstTime)
  const shiftMs = fullWeeks(options.notBefore - start)
  const past = createPast(options.instruments)
  if (setting.from !== null && !(await foldUntil(start, recording, past, shiftMs))) {
    return {
      problem: `the recording "${setting.path}" has no tick at or after ${new Date(start).toISOString()}`,
    }
  }
  const clock = createReplayClock(options.pace, start + shiftMs, setting.speed)
  const feed = createReplayFeed({ recording, setting, start, shiftMs, clock, past, pace: options.pace })
  return { feed, clock, ignored: recording.ignored, droppedBars: past.droppedBars() }
}

/** Folds all ticks before `start`; false if there is none at or after it. */
async function foldUntil(start: number, recording: Recording, past: Past, shiftMs: number): Promise<boolean> {
  for await (const batch of mergeRecording(recording, () => undefined)) {
    for (const tick of batch) {
      if (tick.time >= start) return true
      past.add(tick, tick.time + shiftMs)
    }
  }
  return false
}

/** `ms` rounded up to full weeks, in ms; 0 for zero or less. */
const fullWeeks = (ms: number): number => Math.max(0, Math.ceil(ms / WEEK_MS)) * WEEK_MS

type Playable = {
  readonly recording: Recording
  readonly setting: ReplaySetting
  readonly start: number
  readonly shiftMs: number
  readonly clock: ReplayClock
  readonly past: Past
  readonly pace: Pace
}

function createReplayFeed(playable: Playable): Feed {
  const { recording, setting, past } = playable
  const name = `replay:${basename(setting.path)}`
  const codes = new Set(recording.files.map(({ code }) => code))
  const stopping = new AbortController()
  const counts = { received: 0, broken: 0 }
  let playing: Promise<void> = Promise.resolve()
  return {
    name,
    kind: 'recorded',
    covers: (wanted) => wanted.filter((code) => codes.has(code)),
    freshnessMs: (code) => barFreshnessMs(recording, code),
    counters: () => ({ ...counts }),
    history: (wanted) => historyOf(wanted, past),
    start(emit, reopen = () => undefined) {
      const send = (tick: Omit<RawTick, 'source'>) => {
        counts.received++
        emit({ ...tick, source: name })
      }
      const sinks: Sinks = { send, reopen: () => codes.forEach(reopen), onBroken: () => counts.broken++ }
      playing = play(playable, sinks, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await playing
    },
  }
}

/** A recording of bars has one new price per bar: prices stay fresh for two bars (trading-rules §9). */
function barFreshnessMs({ files }: Recording, code: string): number | null {
  const longest = Math.max(...files.filter((file) => file.code === code).map(({ barMs }) => barMs))
  return longest > 0 ? 2 * longest : null
}

async function* historyOf(
  instruments: readonly FeedInstrument[],
  past: Past,
): AsyncGenerator<InstrumentHistory> {
  for (const { code } of instruments) {
    const history = past.of(code)
    if (history) yield history
  }
}

type Sinks = {
  readonly send: (tick: Omit<RawTick, 'source'>) => void
  readonly reopen: () => void
  readonly onBroken: () => void
}

/** Plays until it is stopped or, without looping, to the end. Each loop is full weeks after the one before. */
async function play(playable: Playable, sinks: Sinks, signal: AbortSignal): Promise<void> {
  const { start, clock, setting } = playable
  let begin = () => clock.run()
  for (let shiftMs = playable.shiftMs; ;) {
    const last = await playOnce({ ...playable, shiftMs }, begin, sinks, signal)
    if (last === null || signal.aborted || !setting.isLooping) return
    shiftMs += fullWeeks(last + 1 - start)
    const loopStart = start + shiftMs
    begin = () => {
      clock.jump(loopStart)
      sinks.reopen()
    }
  }
}

/**
 * Plays the recording once. `begin` is called when its first tick has been found, which may take a while: the clock must not
 * run in the meantime. Returns the time of the last tick played, epoch ms of the recording; null when it was stopped.
 */
async function playOnce(
  { recording, start, shiftMs, clock, pace }: Playable,
  begin: () => void,
  { send, onBroken }: Sinks,
  signal: AbortSignal,
): Promise<number | null> {
  let last: number | null = null
  for await (const batch of mergeRecording(recording, onBroken)) {
    for (const { code, bid, ask, time } of batch) {
      if (time < start) continue
      if (last === null) begin()
      const at = time + shiftMs
      for (let ms = clock.msUntil(at); ms > 0 && !signal.aborted; ms = clock.msUntil(at)) {
        await pace.wait(ms, signal)
      }
      if (signal.aborted) return null
      send({ code, bid, ask, time: at })
      last = Math.max(last ?? time, time)
    }
  }
  return last
}

/** Most bars kept of each period: more than a trading week of minutes. */
export const MAX_BARS = 10_000

/** Folds ticks before the start of play into bars of the mid. */
type Past = {
  /** Takes a tick at `time` (epoch ms on the market clock). Ignores crossed, zero and negative quotes. */
  add(tick: MergedTick, time: number): void
  /** The newest bars of an instrument; null without a tick. */
  of(code: string): InstrumentHistory | null
  /** The number of bars that were dropped, by instrument and period. */
  droppedBars(): readonly DroppedBars[]
}

/** The number of bars not shown, and the time of the first shown one (epoch ms on the market clock). */
type DroppedBars = {
  readonly code: string
  readonly period: Period
  readonly count: number
  readonly shownFrom: number
}

type Entry = {
  readonly instrument: FeedInstrument
  readonly buckets: Buckets
  readonly bars: Record<Period, Candle[]>
  /** Number of dropped bars. */
  readonly dropped: Record<Period, number>
}

function createPast(instruments: readonly FeedInstrument[]): Past {
  const tradingDays = createTradingDays()
  const entries = new Map<string, Entry>(
    instruments.map((instrument) => [
      instrument.code,
      {
        instrument,
        buckets: createBuckets(instrument.dayRollover, tradingDays),
        bars: { '1min': [], '5min': [], '15min': [], '30min': [], '60min': [], '1day': [] },
        dropped: { '1min': 0, '5min': 0, '15min': 0, '30min': 0, '60min': 0, '1day': 0 },
      },
    ]),
  )
  return {
    add(tick, time) {
      const entry = entries.get(tick.code)
      if (entry) fold(entry, tick, time)
    },
    of(code) {
      const bars = entries.get(code)?.bars
      if (!bars || bars['1min'].length === 0) return null
      return {
        code,
        bars: {
          '1min': newest(bars['1min']),
          '5min': newest(bars['5min']),
          '15min': newest(bars['15min']),
          '30min': newest(bars['30min']),
          '60min': newest(bars['60min']),
          '1day': newest(bars['1day']),
        },
      }
    },
    droppedBars: () => [...entries.values()].flatMap(droppedBarsOf),
  }
}

const newest = (bars: readonly Candle[]): readonly Candle[] => bars.slice(-MAX_BARS)

const droppedBarsOf = ({ instrument: { code }, bars, dropped }: Entry): DroppedBars[] =>
  PERIODS.flatMap((period) => {
    const shown = newest(bars[period])
    const count = dropped[period] + bars[period].length - shown.length
    return count > 0 ? [{ code, period, count, shownFrom: shown[0]?.time ?? 0 }] : []
  })

function fold({ instrument, buckets, bars, dropped }: Entry, tick: MergedTick, time: number): void {
  const bid = priceInTicks(tick.bid, instrument.priceDecimals)
  const ask = priceInTicks(tick.ask, instrument.priceDecimals)
  if (bid === null || ask === null || bid <= 0 || bid > ask) return
  const mid = midPrice({ bid, ask })
  for (const period of PERIODS) {
    const known = bars[period]
    const last = known.at(-1) ?? null
    const bar = foldTick(last, mid, time, period, buckets)
    if (bar.time === last?.time) known.pop()
    known.push(bar)
    // In blocks: dropping them one by one would move all the others each time.
    if (known.length >= 2 * MAX_BARS) dropped[period] += known.splice(0, MAX_BARS).length
  }
}

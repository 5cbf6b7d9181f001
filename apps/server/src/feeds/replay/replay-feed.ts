import { basename } from 'node:path'
import { createReplayClock, type ReplayClock } from '../clock.ts'
import type { Feed, FeedInstrument, InstrumentHistory, RawTick } from '../feed.ts'
import type { Pace } from '../pace.ts'
import { mergeRecording } from './merge.ts'
import { createPast, type Past } from './past.ts'
import { openRecording, type Recording } from './recording.ts'

const WEEK_MS = 604_800_000

/** How a recording is to be played. */
export type ReplaySetting = {
  /** A file or a folder. */
  readonly path: string
  /** Market ms for each real one; above 0. */
  readonly speed: number
  /** Where play begins, epoch ms of the recording; what lies before is history. Null: at its first tick. */
  readonly from: number | null
  readonly isLooping: boolean
}

export type ReplayOptions = {
  readonly instruments: readonly FeedInstrument[]
  readonly pace: Pace
  /** The last moment this market has seen, epoch ms: the recording is shifted past it by whole weeks. */
  readonly notBefore: number
}

/** An opened replay. Its clock stands where play begins until the feed is started. */
export type Replay = {
  readonly feed: Feed
  readonly clock: ReplayClock
  /** Files of the folder that are not played. */
  readonly ignored: readonly string[]
}

/**
 * Opens a recording and folds what lies before `from` into bars. A recording that is missing, of no known instrument or over
 * before `from` is answered with a problem in words.
 */
export async function openReplay(
  setting: ReplaySetting,
  options: ReplayOptions,
): Promise<Replay | { readonly problem: string }> {
  const recording = await openRecording(setting.path, options.instruments)
  if ('problem' in recording) return recording
  const firstTime = recording.files[0]?.firstTime ?? 0
  const start = Math.max(setting.from ?? firstTime, firstTime)
  const shiftMs = wholeWeeks(options.notBefore - start)
  const past = createPast(options.instruments)
  if (setting.from !== null && !(await foldUntil(start, recording, past, shiftMs))) {
    return {
      problem: `the recording "${setting.path}" has no tick at or after ${new Date(start).toISOString()}`,
    }
  }
  const clock = createReplayClock(options.pace, start + shiftMs, setting.speed)
  const feed = createReplayFeed({ recording, setting, start, shiftMs, clock, past, pace: options.pace })
  return { feed, clock, ignored: recording.ignored }
}

/** Folds all ticks before `start`; false when there is none at or after it. */
async function foldUntil(start: number, recording: Recording, past: Past, shiftMs: number): Promise<boolean> {
  for await (const batch of mergeRecording(recording, () => undefined)) {
    for (const tick of batch) {
      if (tick.time >= start) return true
      past.add(tick, tick.time + shiftMs)
    }
  }
  return false
}

/** The whole weeks (in ms) that reach at least as far as `ms`; none for a span of zero or less. */
const wholeWeeks = (ms: number): number => Math.max(0, Math.ceil(ms / WEEK_MS)) * WEEK_MS

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
    covers: (asked) => asked.filter((code) => codes.has(code)),
    freshnessMs: (code) => barFreshnessMs(recording, code),
    counters: () => ({ ...counts }),
    history: (asked) => historyOf(asked, past),
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

/** A recording made of bars says something new once a bar: two of them is fresh (trading-rules §9). */
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

/** Plays until it is stopped or, without looping, to the end. Each loop lies whole weeks after the one before. */
async function play(playable: Playable, sinks: Sinks, signal: AbortSignal): Promise<void> {
  const { start, clock, setting } = playable
  let begin = () => clock.run()
  for (let shiftMs = playable.shiftMs; ;) {
    const last = await playOnce({ ...playable, shiftMs }, begin, sinks, signal)
    if (last === null || signal.aborted || !setting.isLooping) return
    shiftMs += wholeWeeks(last + 1 - start)
    const loopStart = start + shiftMs
    begin = () => {
      clock.jump(loopStart)
      sinks.reopen()
    }
  }
}

/**
 * Plays the recording once. `begin` is called when its first tick has been found, which may take a while: the clock must not
 * run away meanwhile. Answers with the time of the last tick played, epoch ms of the recording; null when it was stopped.
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

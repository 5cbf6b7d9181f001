import { randomUUID } from 'node:crypto'
import { createRealClock } from './clock.ts'
import type { Clock, Feed, FeedInstrument } from './feed.ts'
import { createFeedRouter, type FeedRouter } from './feed-router.ts'
import { parseFeedSetting, type FeedSource } from './feed-setting.ts'
import { realPace, type Pace } from './pace.ts'
import type { SourceTermsOf } from './source-order.ts'
import { openReplay, type Replay } from './replay/replay-feed.ts'
import { createSimulatedFeed } from './simulated/simulated-feed.ts'
import { createWebsocketFeed } from './websocket/websocket-feed.ts'

export type OpenFeedsOptions = {
  /** Everything that may be traded. */
  readonly instruments: readonly FeedInstrument[]
  /** Last mids by code, in units of the quote currency: simulated prices go on from them. */
  readonly startFrom?: ReadonlyMap<string, number>
  /** The last moment this market has seen (epoch ms on its clock): the clock begins no earlier. */
  readonly notBefore?: number
  readonly pace?: Pace
  /** The order of an instrument's sources; left out: the setting's own for all. */
  readonly sourceTermsOf?: SourceTermsOf
}

export type OpenFeeds = FeedRouter & {
  /** The market clock: real time, or the recording's when a replay is among the feeds. */
  readonly clock: Clock
  /** What an operator should know at start; may be empty. */
  readonly notices: readonly string[]
}

/**
 * The feeds that the setting FEED names, not started yet. A wrong setting, or a recording that cannot be played, is
 * answered with a problem: a sentence that says what is allowed.
 */
export async function openFeeds(
  setting: string,
  options: OpenFeedsOptions,
): Promise<OpenFeeds | { readonly problem: string }> {
  const sources = parseFeedSetting(setting)
  if ('problem' in sources) return sources
  const { instruments, startFrom, notBefore = 0, pace = realPace } = options
  const replaySource = sources.find((source) => source.kind === 'replay')
  const replay = replaySource ? await openReplay(replaySource, { instruments, pace, notBefore }) : null
  if (replay && 'problem' in replay) return replay
  const clock = replay?.clock ?? createRealClock(pace, notBefore)
  const speed = replaySource?.speed ?? 1
  const openSource = (source: FeedSource): Feed | null => {
    if (source.kind === 'websocket') return createWebsocketFeed({ url: source.url, pace })
    if (source.kind === 'replay') return replay?.feed ?? null
    const seed = source.seed ?? randomUUID()
    return createSimulatedFeed({ instruments, seed, clock, pace, speed, ...(startFrom && { startFrom }) })
  }
  const feeds = sources.flatMap((source) => openSource(source) ?? [])
  const router = createFeedRouter(
    feeds,
    instruments.map(({ code }) => code),
    pace,
    options.sourceTermsOf,
  )
  return { ...router, clock, notices: noticesOf(replay, clock, notBefore, pace) }
}

function noticesOf(replay: Replay | null, clock: Clock, notBefore: number, pace: Pace): string[] {
  const notices: string[] = []
  if (replay && replay.ignored.length > 0) {
    notices.push(`not played, because they are no recordings of an instrument: ${replay.ignored.join(', ')}`)
  }
  if (!replay && notBefore > pace.wall()) {
    notices.push(
      `the market clock goes on from ${new Date(clock.now()).toISOString()}, which is ahead of real time`,
    )
  }
  return notices
}

import { randomUUID } from 'node:crypto'
import { createRealClock, realPace, type Pace } from './clock.ts'
import { createFeedRouter, type FeedRouter, type SourceTermsOf } from './feed-router.ts'
import type { Clock, Feed, FeedInstrument } from './feed.ts'
import { MAX_BARS, openReplay, type Replay, type ReplaySetting } from './replay/replay-feed.ts'
import { createSimulatedFeed } from './simulated/simulated-feed.ts'
import { createWebsocketFeed } from './websocket/websocket-feed.ts'

type OpenFeedsOptions = {
  /** Everything that may be traded. */
  readonly instruments: readonly FeedInstrument[]
  /** Last mids by code, in units of the quote currency, from which simulated prices continue. */
  readonly startFrom?: ReadonlyMap<string, number>
  /** The last time this market has seen (epoch ms on its clock): the clock starts no earlier. */
  readonly notBefore?: number
  readonly pace?: Pace
  /** The order of an instrument's sources; by default that of the setting. */
  readonly sourceTermsOf?: SourceTermsOf
}

export type OpenFeeds = FeedRouter & {
  /** The market clock: real time, or the recording's when a replay is among the feeds. */
  readonly clock: Clock
  /** What an operator should know at start; may be empty. */
  readonly notices: readonly string[]
}

/**
 * Opens the feeds named in the setting FEED without starting them. An invalid setting, or a recording that cannot be played,
 * returns a problem: a sentence that names what is allowed.
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
    notices.push(`not played, because they are not recordings of an instrument: ${replay.ignored.join(', ')}`)
  }
  if (replay && replay.droppedBars.length > 0) notices.push(droppedBarsNotice(replay.droppedBars))
  if (!replay && notBefore > pace.wall()) {
    notices.push(
      `the market clock continues from ${new Date(clock.now()).toISOString()}, which is ahead of real time`,
    )
  }
  return notices
}

/** Reports missing minutes only: longer periods are missing further back. */
function droppedBarsNotice(droppedBars: Replay['droppedBars']): string {
  const minutes = droppedBars.filter(({ period }) => period === '1min')
  const missing = minutes.map(
    ({ code, count, shownFrom }) =>
      `${code} ${count} bars of a minute before ${new Date(shownFrom).toISOString()}`,
  )
  return `the recording's past is longer than charts show (${MAX_BARS} bars of each period); not shown: ${missing.join(', ')}`
}

/** One source named in the setting FEED. */
type FeedSource =
  /** Null: a random seed at each start. */
  | { readonly kind: 'simulated'; readonly seed: string | null }
  | ({ readonly kind: 'replay' } & ReplaySetting)
  | { readonly kind: 'websocket'; readonly url: string }

type Problem = { readonly problem: string }

const ALLOWED =
  'auto, simulated, simulated:<seed>, replay:<file or folder>[@speed] or ws://host:port, several separated by commas'
const REPLAY = /^replay:(?<path>.+?)(?:@(?<speed>[^@/\\?]*))?(?:\?(?<options>[^?]*))?$/
const SPEED = /^\d{1,5}(?:\.\d{1,3})?$/
const SEED = /^[\w.-]{1,64}$/
/** The zone is required, since the machine's own zone must not matter. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Parses the setting FEED; the problem is a sentence for the operator. */
export function parseFeedSetting(setting: string): readonly FeedSource[] | Problem {
  const sources: FeedSource[] = []
  for (const part of setting.split(',').map((text) => text.trim())) {
    const source = parseSource(part)
    if ('problem' in source) return source
    sources.push(source)
  }
  return contradiction(sources) ?? sources
}

function parseSource(text: string): FeedSource | Problem {
  // No public source has an adapter yet, so `auto` is the simulated market.
  if (text === 'auto' || text === 'simulated') return { kind: 'simulated', seed: null }
  if (text.startsWith('simulated:')) return parseSeed(text.slice('simulated:'.length))
  if (text.startsWith('replay:')) return parseReplay(text)
  if (/^wss?:\/\//.test(text)) return parseUrl(text)
  return { problem: `FEED must be ${ALLOWED}; "${text}" is none of these` }
}

const parseSeed = (seed: string): FeedSource | Problem =>
  SEED.test(seed)
    ? { kind: 'simulated', seed }
    : { problem: 'FEED: a seed has 1 to 64 letters, digits, dots, dashes or underscores' }

function parseUrl(text: string): FeedSource | Problem {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || url.hash) return { problem: `FEED: "${text}" is not an address of the form ws://host:port` }
  return { kind: 'websocket', url: text }
}

function parseReplay(text: string): FeedSource | Problem {
  const { path, speed = '1', options = '' } = REPLAY.exec(text)?.groups ?? {}
  if (!path) return { problem: 'FEED: replay: needs a file or a folder' }
  if (!SPEED.test(speed) || Number(speed) === 0) {
    return { problem: `FEED: a replay's speed is a number above 0 and below 100000, not "${speed}"` }
  }
  const given = new URLSearchParams(options)
  const unknown = [...given.keys()].find((key) => key !== 'from' && key !== 'loop')
  if (unknown) return { problem: `FEED: a replay has the options from and loop, not "${unknown}"` }
  const loop = given.get('loop') ?? 'on'
  if (loop !== 'on' && loop !== 'off') return { problem: `FEED: loop is on or off, not "${loop}"` }
  const from = parseFrom(given.get('from'))
  if (Number.isNaN(from)) {
    return { problem: 'FEED: from is a time such as 2014-05-02T12:25:00Z (with its zone) or epoch ms' }
  }
  return { kind: 'replay', path, speed: Number(speed), from, isLooping: loop === 'on' }
}

/** Epoch ms; null when not given, NaN when invalid. URL parsing turns the "+" of a zone into a space. */
function parseFrom(text: string | null): number | null {
  if (text === null) return null
  const time = text.replace(' ', '+')
  if (/^\d{1,15}$/.test(time)) return Number(time)
  return ISO_TIME.test(time) ? Date.parse(time) : Number.NaN
}

function contradiction(sources: readonly FeedSource[]): Problem | null {
  const count = (kind: FeedSource['kind']) => sources.filter((source) => source.kind === kind).length
  if (count('simulated') > 1) return { problem: 'FEED may name one simulated market only' }
  if (count('replay') > 1) return { problem: 'FEED may name one replay only: put its files into one folder' }
  if (count('replay') > 0 && count('websocket') > 0) {
    return { problem: 'FEED: a replay sets the market clock, so it cannot stand beside a live source' }
  }
  return null
}

import type { ReplaySetting } from './replay/replay-feed.ts'

/** One source named in the setting FEED. */
export type FeedSource =
  /** Null: a seed that nobody knows, made at start. */
  | { readonly kind: 'simulated'; readonly seed: string | null }
  | ({ readonly kind: 'replay' } & ReplaySetting)
  | { readonly kind: 'websocket'; readonly url: string }

type Problem = { readonly problem: string }

const ALLOWED =
  'auto, simulated, simulated:<seed>, replay:<file or folder>[@speed] or ws://host:port, several separated by commas'
const REPLAY = /^replay:(?<path>.+?)(?:@(?<speed>[^@/\\?]*))?(?:\?(?<options>[^?]*))?$/
const SPEED = /^\d{1,5}(?:\.\d{1,3})?$/
const SEED = /^[\w.-]{1,64}$/
/** A time without a zone would mean another moment on every machine. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Reads the setting FEED; the problem is a sentence for the operator. */
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
  // No public source has an adapter yet, so the best that can be had is the simulated market.
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
  if (!url || url.hash) return { problem: `FEED: "${text}" is no address of the form ws://host:port` }
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

/** Epoch ms; null when none is given, NaN when it is no time. A "+" of a zone reads as a space in options. */
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

import { WebSocket } from 'ws'
import type { Feed, RawTick } from '../feed.ts'
import type { Pace } from '../clock.ts'

/** A parsed line: fields as sent, not yet validated. */
export type FrameTick = {
  readonly code: string
  readonly bid: string | number
  readonly ask: string | number
  readonly time: number | null
}

const LONGEST_CODE = 32

/** The ticks of a text frame: one JSON object per line. `broken` counts the lines that are not ticks. */
export function readFrame(text: string): { ticks: FrameTick[]; broken: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const ticks = lines.flatMap((line) => readLine(line) ?? [])
  return { ticks, broken: lines.length - ticks.length }
}

function readLine(line: string): FrameTick | null {
  const { symbol, bid, ask, time = null } = fieldsOf(line)
  if (typeof symbol !== 'string' || symbol === '' || symbol.length > LONGEST_CODE) return null
  if (!isNumeric(bid) || !isNumeric(ask)) return null
  if (time !== null && (typeof time !== 'number' || !Number.isFinite(time))) return null
  return { code: symbol, bid, ask, time: time === null ? null : Math.floor(time) }
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const isNumeric = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_CODE)

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const HANDSHAKE_MS = 5_000
/** Interval of pings to a silent source, ms; without an answer by the next one the connection is closed. */
const PING_MS = 15_000
const LARGEST_FRAME_BYTES = 1_048_576

export type WebsocketFeedOptions = { readonly url: string; readonly pace: Pace }

/** Prices of any source that sends JSON lines `{"symbol","bid","ask","time"}` over a WebSocket; `time` is optional. */
export function createWebsocketFeed({ url, pace }: WebsocketFeedOptions): Feed {
  const name = `ws:${new URL(url).host}`
  const stopping = new AbortController()
  const counts = { received: 0, broken: 0 }
  let running: Promise<void> = Promise.resolve()

  async function run(emit: (tick: RawTick) => void): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      const before = counts.received
      await listen(url, stopping.signal, (text) => {
        const { ticks, broken } = text === null ? { ticks: [], broken: 1 } : readFrame(text)
        counts.broken += broken
        counts.received += ticks.length
        for (const tick of ticks) emit({ ...tick, source: name })
      })
      if (counts.received > before) failures = 0
      await pace.wait(pauseMs(failures, Math.random()), stopping.signal)
    }
  }

  return {
    name,
    kind: 'live',
    covers: (codes) => codes,
    freshnessMs: () => null,
    counters: () => ({ ...counts }),
    start(emit) {
      running = run(emit)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Doubles with each consecutive failure, up to ten seconds; `chance` (0 to 1) spreads it from half to all of that. */
export const pauseMs = (failures: number, chance: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20)) * (0.5 + chance / 2)

/** One connection: passes on each text frame, null for other frames; resolves when it ends for any reason. */
function listen(url: string, signal: AbortSignal, onFrame: (text: string | null) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      maxPayload: LARGEST_FRAME_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      // The library has unpacked frames outside of error handling in the past.
      perMessageDeflate: false,
    })
    let isAlive = true
    const watch = setInterval(() => {
      if (!isAlive) return socket.terminate()
      isAlive = false
      if (socket.readyState === WebSocket.OPEN) socket.ping()
    }, PING_MS)
    const stop = () => socket.terminate()
    signal.addEventListener('abort', stop)
    socket.on('pong', () => (isAlive = true))
    socket.on('message', (data, isBinary) => {
      isAlive = true
      onFrame(isBinary ? null : String(data))
    })
    // `close` follows. Frames that are too large or violate the protocol have an error code of the library.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('WS_ERR_')) onFrame(null)
    })
    socket.on('close', () => {
      clearInterval(watch)
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}

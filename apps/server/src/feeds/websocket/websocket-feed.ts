import { WebSocket } from 'ws'
import type { Feed, RawTick } from '../feed.ts'
import type { Pace } from '../pace.ts'
import { readFrame } from './frame-reader.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const HANDSHAKE_MS = 5_000
/** A silent source is asked whether it is still there; one that says nothing until the next time has gone. */
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
    covers: (asked) => asked,
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

/** Doubles with each failure in a row, up to ten seconds; `chance` (0 to 1) spreads it from one half to all of that. */
export const pauseMs = (failures: number, chance: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20)) * (0.5 + chance / 2)

/** One connection: hands on each text frame, null for one that is none; resolves when it has ended for whatever reason. */
function listen(url: string, signal: AbortSignal, onFrame: (text: string | null) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      ...{ maxPayload: LARGEST_FRAME_BYTES, handshakeTimeout: HANDSHAKE_MS },
      // Its library has unpacked frames outside of any error handling before.
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
    // The close that ends this connection follows. Frames too large or against the protocol have a code of the library's.
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

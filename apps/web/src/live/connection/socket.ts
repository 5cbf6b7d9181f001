import { createHeartbeat } from './heartbeat.ts'
import { clientMessage, encode, SOCKET } from '@fairlot/contract'
import type { ClientMessage, ServerMessage } from '@fairlot/contract'

/** Where the connection stands. `waiting` is the pause between two attempts. */
export type ConnectionState = 'idle' | 'connecting' | 'open' | 'waiting'

export type SocketTiming = {
  connectTimeoutMs: number
  pingEveryMs: number
  /** Unanswered pings after which the connection counts as dead. */
  missedPongsMax: number
  firstRetryMs: number
  longestRetryMs: number
}

export const SOCKET_TIMING: SocketTiming = {
  connectTimeoutMs: SOCKET.connectTimeoutMs,
  pingEveryMs: SOCKET.pingEveryMs,
  missedPongsMax: SOCKET.missedPongsMax,
  firstRetryMs: 500,
  longestRetryMs: 15_000,
}

export type SocketOptions = {
  /** Asked with every connection. */
  url: () => string
  timing?: SocketTiming
  /** 0 to 1, for the jitter of the back-off. */
  random: () => number
  onState: (state: ConnectionState) => void
  /** A connection stands: send what it needs. `isAgain` tells a reconnect, when something may have been missed. */
  onOpen: (isAgain: boolean) => void
  /** Reads a frame; null for one that is none of ours: the server's fault, and none of the reader's business. */
  read: (frame: unknown) => ServerMessage | null
  onMessage: (message: ServerMessage) => void
}

export type Socket = {
  /** Connects unless connected or on the way; a pending retry is brought forward. */
  start: () => void
  /** Closes and stays closed until the next start. */
  stop: () => void
  /** Sends a message if the connection stands; otherwise drops it, because onOpen will say everything again. */
  send: (message: ClientMessage) => void
}

/** A WebSocket that stays up: connect time-out, heartbeat, back-off with jitter. It knows nothing of topics. */
export function createSocket(options: SocketOptions): Socket {
  const timing = options.timing ?? SOCKET_TIMING
  let state: ConnectionState = 'idle'
  let connection: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let hasBeenOpen = false

  const enter = (next: ConnectionState) => options.onState((state = next))

  const heartbeat = createHeartbeat(timing, { ping: () => send({ type: 'ping' }), onDead: retryLater })

  function drop() {
    clearTimeout(timer)
    heartbeat.stop()
    const old = connection
    connection = null
    old?.close()
  }

  function retryLater() {
    drop()
    enter('waiting')
    timer = setTimeout(connect, retryPauseMs(failures, timing, options.random()))
    failures += 1
  }

  function opened() {
    clearTimeout(timer)
    failures = 0
    enter('open')
    options.onOpen(hasBeenOpen)
    hasBeenOpen = true
    heartbeat.start()
  }

  function connect() {
    drop()
    enter('connecting')
    const mine = new WebSocket(options.url())
    connection = mine
    // What an abandoned connection still says is not heard.
    const ifMine = (act: () => void) => connection === mine && act()
    mine.onopen = () => ifMine(opened)
    mine.onclose = () => ifMine(retryLater)
    mine.onmessage = ({ data }) => {
      const message = options.read(parsed(data))
      if (message?.type === 'pong') heartbeat.answered()
      else if (message) ifMine(() => options.onMessage(message))
    }
    timer = setTimeout(retryLater, timing.connectTimeoutMs)
  }

  function send(message: ClientMessage) {
    // Its end may be on the way already.
    if (state === 'open' && connection?.readyState === connection?.OPEN)
      connection?.send(JSON.stringify(encode(clientMessage, message)))
  }

  return {
    start: () => {
      if (state === 'idle' || state === 'waiting') connect()
    },
    stop: () => {
      drop()
      enter('idle')
    },
    send,
  }
}

/** Twice as long after each failure, up to the longest; the last half of it by chance (`random` is 0 to 1). */
export function retryPauseMs(
  failures: number,
  { firstRetryMs, longestRetryMs }: Pick<SocketTiming, 'firstRetryMs' | 'longestRetryMs'>,
  random: number,
): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** failures) * (0.5 + random / 2)
}

/** Null for what is no JSON. */
function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return null
  }
}

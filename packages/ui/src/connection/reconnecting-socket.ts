/** State of the connection. `waiting` is the pause between two attempts. */
export type ConnectionState = 'idle' | 'connecting' | 'open' | 'waiting'

export type SocketTiming = {
  connectTimeoutMs: number
  pingEveryMs: number
  /** Unanswered pings after which the connection counts as dead. */
  missedPongsMax: number
  /** After this long without a message an extra ping is sent; never if Infinity. */
  quietMs: number
  /** After this long without an answer to that ping the connection counts as silent, though not yet as dead. */
  answerMs: number
  firstRetryMs: number
  longestRetryMs: number
}

export type SocketOptions<Message> = {
  /** Called for every connection. */
  url: () => string
  timing: SocketTiming
  /** The frame that the server answers with a pong. */
  ping: string
  /** 0 to 1, for the jitter of the back-off. */
  random: () => number
  /** `heardAt`: when the last message arrived, epoch ms; null before the first. */
  onState: (state: ConnectionState, heardAt: number | null) => void
  /** An open connection receives nothing any more, or receives again. */
  onSilent?: (isSilent: boolean, heardAt: number | null) => void
  /** The connection is open. `isAgain`: after an earlier connection or failed attempt, when messages may have been missed. */
  onOpen: (isAgain: boolean) => void
  /** Decodes parsed JSON; null for an unknown message, which is ignored. */
  read: (frame: unknown) => Message | 'pong' | null
  onMessage: (message: Message) => void
}

export type Socket = {
  /** Connects unless connected or connecting; a pending retry is made at once. */
  start: () => void
  /** Closes and stays closed until the next start. */
  stop: () => void
  /** Sends a frame if the connection is open; otherwise drops it, because `onOpen` sends everything again. */
  send: (frame: string) => void
}

/** A WebSocket that reconnects: connect time-out, heartbeat, back-off with jitter. It knows nothing of what is sent. */
export function createSocket<Message>(options: SocketOptions<Message>): Socket {
  const { timing } = options
  let state: ConnectionState = 'idle'
  let connection: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isAgain = false
  let quiet: ReturnType<typeof setTimeout> | undefined
  let isSilent = false
  let heardAt: number | null = null

  const enter = (next: ConnectionState) => options.onState((state = next), heardAt)

  const heartbeat = createHeartbeat(timing, { ping: () => send(options.ping), onDead: retryLater })

  function setSilent(next: boolean) {
    if (next !== isSilent) options.onSilent?.((isSilent = next), heardAt)
  }

  /** A message has arrived: restarts the timers for silence. */
  function onReceived() {
    clearTimeout(quiet)
    setSilent(false)
    if (timing.quietMs === Infinity) return
    quiet = setTimeout(() => {
      send(options.ping)
      quiet = setTimeout(() => setSilent(true), timing.answerMs)
    }, timing.quietMs)
  }

  function drop() {
    clearTimeout(timer)
    clearTimeout(quiet)
    isSilent = false
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
    isAgain = true
  }

  function opened() {
    clearTimeout(timer)
    enter('open')
    onReceived()
    options.onOpen(isAgain)
    isAgain = true
    heartbeat.start()
  }

  function connect() {
    drop()
    enter('connecting')
    const mine = new WebSocket(options.url())
    connection = mine
    // Messages of an abandoned connection are ignored.
    const ifMine = (callback: () => void) => connection === mine && callback()
    mine.onopen = () => ifMine(opened)
    mine.onclose = () => ifMine(retryLater)
    mine.onmessage = ({ data }) => {
      if (connection !== mine) return
      // Not when it opens: a server that accepts and closes at once would be called again without a pause.
      failures = 0
      heardAt = Date.now()
      onReceived()
      const message = options.read(parsed(data))
      if (message === 'pong') heartbeat.answered()
      else if (message !== null) options.onMessage(message)
    }
    timer = setTimeout(retryLater, timing.connectTimeoutMs)
  }

  function send(frame: string) {
    // The socket may already be closing.
    if (state === 'open' && connection?.readyState === connection?.OPEN) connection?.send(frame)
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

/** Pause before the next attempt in ms: doubles with each failure up to the longest; half of it is random (`random`: 0 to 1). */
export function retryPauseMs(
  failures: number,
  { firstRetryMs, longestRetryMs }: Pick<SocketTiming, 'firstRetryMs' | 'longestRetryMs'>,
  random: number,
): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** failures) * (0.5 + random / 2)
}

/** The parsed frame; null when it is not JSON. */
function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return null
  }
}

export type HeartbeatTiming = {
  pingEveryMs: number
  /** Unanswered pings after which the other end counts as dead. */
  missedPongsMax: number
}

export type Heartbeat = { start: () => void; answered: () => void; stop: () => void }

/** Pings at a steady interval and calls `onDead` when too many pings stayed unanswered. */
function createHeartbeat(
  { pingEveryMs, missedPongsMax }: HeartbeatTiming,
  { ping, onDead }: { ping: () => void; onDead: () => void },
): Heartbeat {
  let timer: ReturnType<typeof setTimeout> | undefined
  let unanswered = 0

  function beat() {
    if (unanswered >= missedPongsMax) return onDead()
    unanswered += 1
    ping()
    timer = setTimeout(beat, pingEveryMs)
  }

  return {
    start: () => {
      unanswered = 0
      timer = setTimeout(beat, pingEveryMs)
    },
    answered: () => {
      unanswered = 0
    },
    stop: () => clearTimeout(timer),
  }
}

import {
  accept,
  clientMessage,
  type ClientMessage,
  type Codec,
  encode,
  publicMessage,
  type ServerMessage,
  SOCKET,
} from '@fairlot/contract'
import {
  type ConnectionState,
  createSocket,
  type SocketTiming,
} from '@fairlot/ui/connection/reconnecting-socket.ts'

export const SOCKET_TIMING: SocketTiming = {
  connectTimeoutMs: SOCKET.connectTimeoutMs,
  pingEveryMs: SOCKET.pingEveryMs,
  missedPongsMax: SOCKET.missedPongsMax,
  quietMs: 1_000,
  answerMs: 1_500,
  firstRetryMs: 500,
  longestRetryMs: 15_000,
}

const frameOf = (message: ClientMessage): string => JSON.stringify(encode(clientMessage, message))

type Listener<Type extends ServerMessage['type']> = (message: Extract<ServerMessage, { type: Type }>) => void

export type HubOptions = {
  /** Called for every connection. */
  url: () => string
  timing?: SocketTiming
  random: () => number
  /** The current session token; null for a visitor. */
  token: () => string | null
  onState: (state: ConnectionState, heardAt: number | null) => void
  /** An open connection receives nothing any more, or receives again. */
  onSilent?: (isSilent: boolean, heardAt: number | null) => void
  /** Connected again: messages sent in between were missed. */
  onReconnected: () => void
}

/** Codec and topics of private messages; they come with the code of the account (`live/account/start.ts`). */
export type PrivatePart = {
  /** Decodes every message, public and private. */
  readonly messages: Pick<Codec<ServerMessage>, 'read'>
  readonly topics: readonly string[]
}

export type Hub = {
  /** Listens to every live message of a type until the returned function is called. */
  on: <Type extends ServerMessage['type']>(type: Type, listener: Listener<Type>) => () => void
  /** Subscribes to a topic until the returned function is called. */
  subscribe: (topic: string) => () => void
  /** Connects unless connected or connecting. */
  start: () => void
  /** Closes and connects again, because the address has changed. */
  reconnect: () => void
  /** From now on the socket is logged in while there is a session. */
  listenToPrivate: (part: PrivatePart) => void
  /** Logs the socket in or out when the session begins, ends or changes. */
  sendLogin: () => void
  stop: () => void
}

/** One socket with its subscribed topics and listeners. Private topics are subscribed while there is a session. */
export function createHub({
  token,
  onState,
  onReconnected,
  timing = SOCKET_TIMING,
  ...options
}: HubOptions): Hub {
  const listeners = new Map<string, Set<(message: never) => void>>()
  let privatePart: PrivatePart | null = null

  const socket = createSocket<ServerMessage>({
    ...options,
    timing,
    ping: frameOf({ type: 'ping' }),
    onState,
    onOpen: (isAgain) => {
      logInAndSubscribe()
      if (isAgain) onReconnected()
    },
    read: (frame) => {
      const read = accept<ServerMessage>(privatePart?.messages ?? publicMessage, frame)
      if (!read.ok) return null
      return read.value.type === 'pong' ? 'pong' : read.value
    },
    onMessage: (message) => {
      for (const listener of listeners.get(message.type) ?? []) listener(message as never)
    },
  })

  const send = (message: ClientMessage) => socket.send(frameOf(message))

  const topics = createTopics(({ type, topics }) =>
    send({ type: type === 'sub' ? 'subscribe' : 'unsubscribe', topics }),
  )

  /** Logs in before it subscribes: the server handles messages in order, and private topics need the login. */
  function logInAndSubscribe() {
    const key = privatePart && token()
    if (key !== null) send({ type: 'login', token: key })
    const all = [...topics.subscribed(), ...((key !== null && privatePart?.topics) || [])]
    if (all.length > 0) send({ type: 'subscribe', topics: all })
  }

  function sendLogin() {
    if (!privatePart) return
    const { topics } = privatePart
    const key = token()
    if (key === null) {
      send({ type: 'unsubscribe', topics })
      send({ type: 'logout' })
    } else {
      send({ type: 'login', token: key })
      send({ type: 'subscribe', topics })
    }
  }

  return {
    on: (type, listener) => {
      const ofType = listeners.get(type) ?? new Set()
      listeners.set(type, ofType.add(listener))
      return () => void ofType.delete(listener)
    },
    subscribe: topics.subscribe,
    start: socket.start,
    reconnect: () => {
      socket.stop()
      socket.start()
    },
    stop: socket.stop,
    listenToPrivate: (part) => {
      privatePart = part
      if (token() !== null) sendLogin()
    },
    sendLogin,
  }
}

/** Counts subscribers by topic: the first one subscribes at the server, the last one to leave unsubscribes. */
export type Topics = {
  /** Subscribes to a topic until the returned function is called. */
  subscribe: (topic: string) => () => void
  /** All topics with a subscriber. */
  subscribed: () => string[]
}

export type TopicChange = { type: 'sub' | 'unsub'; topics: string[] }

/**
 * Counts subscribers and reports changes once per turn of the event loop, so that two screens that replace each other and need the
 * same topic cause no traffic.
 */
export function createTopics(report: (change: TopicChange) => void): Topics {
  const counts = new Map<string, number>()
  let reported = new Set<string>()
  let isQueued = false

  const subscribed = () => [...counts.keys()]

  function settle() {
    isQueued = false
    const now = new Set(subscribed())
    const added = [...now].filter((topic) => !reported.has(topic))
    const removed = [...reported].filter((topic) => !now.has(topic))
    reported = now
    if (added.length > 0) report({ type: 'sub', topics: added })
    if (removed.length > 0) report({ type: 'unsub', topics: removed })
  }

  function change(topic: string, by: 1 | -1) {
    const count = (counts.get(topic) ?? 0) + by
    if (count > 0) counts.set(topic, count)
    else counts.delete(topic)
    if (isQueued) return
    isQueued = true
    queueMicrotask(settle)
  }

  return {
    subscribe: (topic) => {
      change(topic, 1)
      let isSubscribed = true
      return () => {
        if (isSubscribed) change(topic, -1)
        isSubscribed = false
      }
    },
    subscribed,
  }
}

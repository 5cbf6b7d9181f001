import { PRIVATE_CHANNELS, topicOf } from '@fairlot/contract'
import type { ServerMessage } from '@fairlot/contract'
import { createSocket } from './socket.ts'
import type { ConnectionState, SocketTiming } from './socket.ts'
import { createTopics } from './topics.ts'

type Listener<Type extends ServerMessage['type']> = (message: Extract<ServerMessage, { type: Type }>) => void

export type HubOptions = {
  /** Asked with every connection. */
  url: () => string
  timing?: SocketTiming
  random: () => number
  /** The key of the session now; null for a visitor. */
  token: () => string | null
  onState: (state: ConnectionState) => void
  /** Connected again: messages sent in between were missed. */
  onReconnected: () => void
}

export type Hub = {
  /** Listens to every live message of a type until the returned function is called. */
  on: <Type extends ServerMessage['type']>(type: Type, listener: Listener<Type>) => () => void
  /** Subscribes to a topic until the returned function is called. */
  subscribe: (topic: string) => () => void
  /** Makes sure that the connection is up or on its way. */
  start: () => void
  /** Connects anew: what the address says has changed. */
  reconnect: () => void
  /** Logs the socket in or out when the session begins, ends or changes. */
  sendLogin: () => void
  stop: () => void
}

const PRIVATE = PRIVATE_CHANNELS.map((channel) => topicOf(channel))

/** One socket, the topics that are wanted on it, and who listens. The private topics come with the session. */
export function createHub({ token, onState, onReconnected, ...options }: HubOptions): Hub {
  const listeners = new Map<string, Set<(message: never) => void>>()

  const socket = createSocket({
    ...options,
    onState,
    onOpen: (isAgain) => {
      introduce()
      if (isAgain) onReconnected()
    },
    onMessage: (message) => {
      for (const listener of listeners.get(message.type) ?? []) listener(message as never)
    },
  })

  const topics = createTopics(({ type, topics }) =>
    socket.send({ type: type === 'sub' ? 'subscribe' : 'unsubscribe', topics }),
  )

  /** Says who is there and what is wanted, in this order: the server answers strictly in turn. */
  function introduce() {
    const key = token()
    if (key !== null) socket.send({ type: 'login', token: key })
    const wanted = key === null ? topics.wanted() : [...topics.wanted(), ...PRIVATE]
    if (wanted.length > 0) socket.send({ type: 'subscribe', topics: wanted })
  }

  function sendLogin() {
    const key = token()
    if (key === null) {
      socket.send({ type: 'unsubscribe', topics: PRIVATE })
      socket.send({ type: 'logout' })
    } else {
      socket.send({ type: 'login', token: key })
      socket.send({ type: 'subscribe', topics: PRIVATE })
    }
  }

  return {
    on: (type, listener) => {
      const hearing = listeners.get(type) ?? new Set()
      listeners.set(type, hearing.add(listener))
      return () => void hearing.delete(listener)
    },
    subscribe: topics.want,
    start: socket.start,
    reconnect: () => {
      socket.stop()
      socket.start()
    },
    stop: socket.stop,
    sendLogin,
  }
}

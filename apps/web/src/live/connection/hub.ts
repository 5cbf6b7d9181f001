import { accept, publicMessage } from '@fairlot/contract'
import type { Codec, ServerMessage } from '@fairlot/contract'
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

/** What it takes to hear private messages: it comes with the code of the account, see `live/account/start.ts`. */
export type PrivatePart = {
  /** Reads every message. */
  readonly messages: Pick<Codec<ServerMessage>, 'read'>
  readonly topics: readonly string[]
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
  /** Whoever hears private messages is there: from now on the socket is logged in while there is a session. */
  hearPrivate: (part: PrivatePart) => void
  /** Logs the socket in or out when the session begins, ends or changes. */
  sendLogin: () => void
  stop: () => void
}

/** One socket, the topics that are wanted on it, and who listens. The private topics come with the session. */
export function createHub({ token, onState, onReconnected, ...options }: HubOptions): Hub {
  const listeners = new Map<string, Set<(message: never) => void>>()
  let privatePart: PrivatePart | null = null

  const socket = createSocket({
    ...options,
    onState,
    onOpen: (isAgain) => {
      introduce()
      if (isAgain) onReconnected()
    },
    read: (frame) => {
      const read = accept<ServerMessage>(privatePart?.messages ?? publicMessage, frame)
      return read.ok ? read.value : null
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
    const key = privatePart && token()
    if (key !== null) socket.send({ type: 'login', token: key })
    const wanted = [...topics.wanted(), ...((key !== null && privatePart?.topics) || [])]
    if (wanted.length > 0) socket.send({ type: 'subscribe', topics: wanted })
  }

  function sendLogin() {
    if (!privatePart) return
    const { topics } = privatePart
    const key = token()
    if (key === null) {
      socket.send({ type: 'unsubscribe', topics })
      socket.send({ type: 'logout' })
    } else {
      socket.send({ type: 'login', token: key })
      socket.send({ type: 'subscribe', topics })
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
    hearPrivate: (part) => {
      privatePart = part
      if (token() !== null) sendLogin()
    },
    sendLogin,
  }
}

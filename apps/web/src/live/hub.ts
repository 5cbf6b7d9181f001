import { accountChannel, closedChannel, quotesChannel, SOCKET, topicOf } from '@fairlot/contract'
import type { ServerMessage } from '@fairlot/contract'
import { setConnectionState } from './connection.ts'
import { queryClient } from './query-client.ts'
import { createSocket } from './socket.ts'
import { currentToken, onTokenChange } from './token.ts'
import { createTopics } from './topics.ts'

type Listener<Type extends ServerMessage['type']> = (message: Extract<ServerMessage, { type: Type }>) => void

const listeners = new Map<string, Set<(message: never) => void>>()

/** Hears every live message of a type until the returned function is called. */
export function onLive<Type extends ServerMessage['type']>(type: Type, listener: Listener<Type>): () => void {
  const hearing = listeners.get(type) ?? new Set()
  listeners.set(type, hearing.add(listener))
  return () => void hearing.delete(listener)
}

const url = (): string => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET.path}`

const PRIVATE = [accountChannel, closedChannel].map((channel) => topicOf(channel))

const topics = createTopics(({ type, topics }) =>
  socket.send({ type: type === 'sub' ? 'subscribe' : 'unsubscribe', topics }),
)

const socket = createSocket({
  url: typeof location === 'undefined' ? '' : url(),
  random: Math.random,
  onState: (state) => setConnectionState(state, Date.now()),
  onOpen: (isAgain) => {
    introduce()
    // What came in between was missed: REST is the truth.
    if (isAgain) void queryClient.invalidateQueries()
  },
  onMessage: (message) => {
    for (const listener of listeners.get(message.type) ?? []) listener(message as never)
  },
})

/** Says who is there and what is wanted, in this order: the server answers strictly in turn. */
function introduce() {
  const token = currentToken()
  if (token !== null) socket.send({ type: 'login', token })
  const wanted = token === null ? topics.wanted() : [...topics.wanted(), ...PRIVATE]
  if (wanted.length > 0) socket.send({ type: 'subscribe', topics: wanted })
}

/** Wants a topic until the returned function is called. */
export const wantTopic = topics.want

/** Makes sure that the connection is up or on its way; called with every navigation. */
export const startLive = (): void => socket.start()

/** Keeps the connection with the page: prices wanted always, private topics with the session. Called once. */
export function openLive(): void {
  topics.want(topicOf(quotesChannel))
  onTokenChange((token) => {
    if (token === null) {
      socket.send({ type: 'unsubscribe', topics: PRIVATE })
      socket.send({ type: 'logout' })
    } else {
      socket.send({ type: 'login', token })
      socket.send({ type: 'subscribe', topics: PRIVATE })
    }
  })
  addEventListener('online', startLive)
  document.addEventListener('visibilitychange', () => document.hidden || startLive())
  startLive()
}

import { quotesChannel, SOCKET, topicOf } from '@fairlot/contract'
import { setConnectionState } from './connection.ts'
import { createHub } from './hub.ts'
import { queryClient } from './query-client.ts'
import { currentToken, onTokenChange } from './token.ts'

const url = (): string =>
  typeof location === 'undefined'
    ? ''
    : `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET.path}`

const hub = createHub({
  url: url(),
  random: Math.random,
  token: currentToken,
  onState: (state) => setConnectionState(state, Date.now()),
  // REST is the truth: everything on the screen is fetched again.
  onAgain: () => void queryClient.invalidateQueries(),
})

/** Hears every live message of a type until the returned function is called. */
export const onLive = hub.on

/** Wants a topic until the returned function is called. */
export const wantTopic = hub.want

/** Makes sure that the connection is up or on its way; called with every navigation. */
export const startLive = hub.start

/** Keeps the connection with the page: prices always, private topics with the session. Called once. */
export function openDoor(): void {
  hub.want(topicOf(quotesChannel))
  onTokenChange(hub.tellSession)
  addEventListener('online', startLive)
  document.addEventListener('visibilitychange', () => document.hidden || startLive())
  startLive()
}

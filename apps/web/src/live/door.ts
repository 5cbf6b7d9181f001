import { marketStateChannel, quotesChannel, SOCKET, topicOf } from '@fairlot/contract'
import { setConnectionState } from './connection.ts'
import { createHub } from './hub.ts'
import { currentLanguage, onLanguageChange } from './language.ts'
import { queryClient } from './query-client.ts'
import { currentToken, onTokenChange } from './token.ts'

/** The server words its notices in the language of the socket. */
const url = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET.path}?lang=${currentLanguage()}`

const hub = createHub({
  url,
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
  hub.want(topicOf(marketStateChannel))
  onTokenChange(hub.tellSession)
  onLanguageChange(hub.reconnect)
  addEventListener('online', startLive)
  document.addEventListener('visibilitychange', () => document.hidden || startLive())
  startLive()
}

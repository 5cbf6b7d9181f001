import { marketStateChannel, quotesChannel, SOCKET, topicOf } from '@fairlot/contract'
import { setConnectionState } from './connection-state.ts'
import { createHub } from './hub.ts'
import { currentLanguage, onLanguageChange } from '../device/language.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { currentToken, onTokenChange } from '../auth/token.ts'

/** The server words its notices in the language of the socket. */
const url = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET.path}?lang=${currentLanguage()}`

const reconnectListeners = new Set<() => void>()

/** Calls back when the connection is up again, before anything is heard on it. */
export const onReconnected = (listener: () => void): void => void reconnectListeners.add(listener)

const hub = createHub({
  url,
  random: Math.random,
  token: currentToken,
  onState: (state) => setConnectionState(state, Date.now()),
  onReconnected: () => {
    for (const hear of reconnectListeners) hear()
    // REST is the truth: everything on the screen is fetched again.
    void fetchAgain()
  },
})

/** Listens to every live message of a type until the returned function is called. */
export const onServerMessage = hub.on

/** Subscribes to a topic until the returned function is called. */
export const subscribeTopic = hub.subscribe

/** Lets the socket log in while there is a session; called once, by whoever hears private messages. */
export const hearPrivate = hub.hearPrivate

/** Makes sure that the connection is up or on its way; called with every navigation. */
export const ensureConnected = hub.start

/** Keeps the connection with the page: prices always, private topics with the session. Called once. */
export function startConnection(): void {
  hub.subscribe(topicOf(quotesChannel))
  hub.subscribe(topicOf(marketStateChannel))
  onTokenChange(hub.sendLogin)
  onLanguageChange(hub.reconnect)
  addEventListener('online', ensureConnected)
  document.addEventListener('visibilitychange', () => document.hidden || ensureConnected())
  ensureConnected()
}

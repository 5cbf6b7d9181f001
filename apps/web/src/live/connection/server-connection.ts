import { marketStateChannel, quotesChannel, SOCKET, topicOf } from '@fairlot/contract'
import { checkBeforeChanges } from '../requests/request.ts'
import { obstacleToChanges } from './reachability.ts'
import { setConnectionSilent, setConnectionState } from './connection-state.ts'
import { createHub } from './hub.ts'
import { currentLanguage, onLanguageChange } from '../device/language.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { currentToken, onTokenChange } from '../device/token.ts'

/** The server writes notices in the language of the socket's address. */
const url = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET.path}?lang=${currentLanguage()}`

const reconnectListeners = new Set<() => void>()

/** Calls back after a reconnect, before the first message. */
export const onReconnected = (listener: () => void): void => void reconnectListeners.add(listener)

const hub = createHub({
  url,
  random: Math.random,
  token: currentToken,
  // A device that slept for an hour has prices of an hour ago.
  onState: (state, heardAt) => setConnectionState(state, heardAt ?? Date.now()),
  onSilent: (isSilent, heardAt) => setConnectionSilent(isSilent, heardAt ?? Date.now()),
  onReconnected: () => {
    for (const listener of reconnectListeners) listener()
    // Messages may have been missed: everything on the screen is fetched again.
    void fetchAgain()
  },
})

/** Listens to every live message of a type until the returned function is called. */
export const onServerMessage = hub.on

/** Subscribes to a topic until the returned function is called. */
export const subscribeTopic = hub.subscribe

/** Lets the socket log in while there is a session. Called once, when the code of the account has loaded. */
export const listenToPrivate = hub.listenToPrivate

/** Connects unless connected or connecting. Called with every navigation. */
export const ensureConnected = hub.start

/** Opens the connection and keeps it while the page is open. Called once. */
export function startConnection(): void {
  checkBeforeChanges(obstacleToChanges)
  hub.subscribe(topicOf(quotesChannel))
  hub.subscribe(topicOf(marketStateChannel))
  onTokenChange(hub.sendLogin)
  onLanguageChange(hub.reconnect)
  addEventListener('online', ensureConnected)
  document.addEventListener('visibilitychange', () => document.hidden || ensureConnected())
  ensureConnected()
}

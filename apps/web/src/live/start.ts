import { SESSION_GONE } from '@fairlot/contract'
import { forgetUser } from './session/user.ts'
import { onServerMessage, startConnection } from './connection/server-connection.ts'
import { onLanguageChange } from './device/language.ts'
import { fetchAgain } from './requests/query-client.ts'
import { startInstrumentUpdates } from './market/instruments.ts'
import { receiveQuote } from './market/quotes.ts'
import { showSeen, startKeepingSeen } from './seen.ts'

/** Opens the connection and routes public messages to their stores. Called once; `account/start.ts` does it for private ones. */
export function startLiveData(): void {
  showSeen()
  startKeepingSeen()
  onServerMessage('quotes', ({ quotes }) => {
    const receivedAt = Date.now()
    for (const quote of quotes) receiveQuote(quote, receivedAt)
  })
  onServerMessage('loginResult', ({ code }) => {
    if (code === SESSION_GONE) forgetUser()
  })
  startInstrumentUpdates()
  // The server's texts come in the language of the request.
  onLanguageChange(() => void fetchAgain())
  startConnection()
  if (import.meta.env.PROD) startWorkerWhenUsed()
}

/**
 * Prepares the app for a start without a connection, which loads all of its files: not before it was touched, unless the device
 * has it already, and then when the browser has nothing else to do.
 */
function startWorkerWhenUsed(): void {
  const start = () => {
    for (const type of FIRST_USE) removeEventListener(type, start)
    whenIdle(
      () =>
        void import('./connection/app-worker.ts').then(({ appWorker }) => appWorker()).catch(() => undefined),
    )
  }
  if (navigator.serviceWorker?.controller || matchMedia('(display-mode: standalone)').matches) return start()
  for (const type of FIRST_USE) addEventListener(type, start)
}

const FIRST_USE = ['pointerdown', 'keydown'] as const
const IDLE_WITHIN_MS = 2_000

/** Safari has no idle callback. */
const whenIdle = (work: () => void): unknown =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(work) : setTimeout(work, IDLE_WITHIN_MS)

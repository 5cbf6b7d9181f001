import { SESSION_GONE } from '@fairlot/contract'
import { forgetUser } from './auth/user.ts'
import { onServerMessage, startConnection } from './connection/server-connection.ts'
import { startInstrumentUpdates } from './market/instruments.ts'
import { receiveQuote } from './market/quotes.ts'
import { startTermsUpdates } from './market/terms-updates.ts'

/**
 * Starts the connection and routes what concerns everybody to the stores. Called once, at the start of the app. What concerns an
 * account: `account/start.ts`.
 */
export function startLiveData(): void {
  onServerMessage('quotes', ({ quotes }) => {
    const receivedAt = Date.now()
    for (const quote of quotes) receiveQuote(quote, receivedAt)
  })
  onServerMessage('loginResult', ({ code }) => {
    if (code === SESSION_GONE) forgetUser()
  })
  startInstrumentUpdates()
  startTermsUpdates()
  startConnection()
}

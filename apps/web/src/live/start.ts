import { startAccountUpdates } from './account/account.ts'
import { startChatUpdates } from './account/chat.ts'
import { startEnds } from './account/ends.ts'
import { forgetRequestIdsOnLogin } from './requests/change.ts'
import { onServerMessage, startConnection } from './connection/server-connection.ts'
import { startInstrumentUpdates } from './market/instruments.ts'
import { startTermsUpdates } from './market/terms-changes.ts'
import { startNoticeUpdates } from './notices.ts'
import { startOrderUpdates } from './account/orders.ts'
import { receiveQuote } from './market/quotes.ts'
import { forgetUser, startUserUpdates } from './auth/session.ts'
import { startTellingLanguage } from './auth/tell-language.ts'

const SESSION_GONE = 999

/** Starts the connection and routes server messages to the stores. Called once, at the start of the app. */
export function startLiveData(): void {
  onServerMessage('quotes', ({ quotes }) => {
    const receivedAt = Date.now()
    for (const quote of quotes) receiveQuote(quote, receivedAt)
  })
  onServerMessage('loginResult', ({ code }) => {
    if (code === SESSION_GONE) forgetUser()
  })
  forgetRequestIdsOnLogin()
  startUserUpdates()
  startAccountUpdates()
  startOrderUpdates()
  startEnds()
  startChatUpdates()
  startNoticeUpdates()
  startInstrumentUpdates()
  startTermsUpdates()
  startTellingLanguage()
  startConnection()
}

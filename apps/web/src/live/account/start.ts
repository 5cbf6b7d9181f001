import { chooseLanguage, PRIVATE_CHANNELS, serverMessage, topicOf } from '@fairlot/contract'
import { listenToPrivate, onServerMessage } from '../connection/server-connection.ts'
import { startNoticeUpdates } from './notices.ts'
import { forgetRequestIdsOnLogin } from '../requests/change.ts'
import { startAlertUpdates } from './alerts.ts'
import { startAccountUpdates } from './account.ts'
import { startChatUpdates } from './chat.ts'
import { startClosedOrderUpdates } from './closed-orders.ts'
import { startCopyUpdates } from './copies.ts'
import { startPush } from './push.ts'
import { startOrderUpdates } from './orders.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { currentLanguage, onLanguageChange } from '../device/language.ts'
import { readStored, writeStored } from '../device/storage.ts'
import { request } from '../requests/request.ts'
import { currentToken, onTokenChange } from '../device/token.ts'

let isStarted = false

/** Starts every listener for an account's messages and only then lets the socket log in, so that no message is missed. */
export function startAccount(): void {
  if (isStarted) return
  isStarted = true
  forgetRequestIdsOnLogin()
  startUserUpdates()
  startAccountUpdates()
  startOrderUpdates()
  startClosedOrderUpdates()
  startChatUpdates()
  startCopyUpdates()
  startNoticeUpdates()
  startAlertUpdates()
  startPush()
  startLanguageReports()
  listenToPrivate({ messages: serverMessage, topics: PRIVATE_CHANNELS.map((channel) => topicOf(channel)) })
}

/** Kinds of notices after which the user's own data has changed. */
const ABOUT_USER: readonly string[] = [
  'accountStatus',
  'freezeExpired',
  'orderClosedByOperator',
  'identityVerified',
  'identityRejected',
  'identityUnverified',
]

/** Fetches the user again after an operator has changed what the account may do. */
function startUserUpdates(): void {
  onServerMessage('notice', ({ notice: { kind } }) => {
    if (ABOUT_USER.includes(kind)) void fetchAgain({ queryKey: ['user'] })
  })
}

/**
 * Reports the chosen language to the server, which writes mails and text messages in it. A visitor's choice is sent after the
 * log-in; one that did not arrive is sent again at the next start.
 */
function startLanguageReports(): void {
  onLanguageChange(reportLanguage)
  onTokenChange(reportLanguage)
  reportLanguage()
}

function reportLanguage(): void {
  if (currentToken() === null || readStored('languageToReport') === null) return
  const language = currentLanguage()
  request(chooseLanguage, { language }, { isSilent: true, isInitial: true }).then(
    () => currentLanguage() === language && writeStored('languageToReport', null),
    () => undefined,
  )
}

import { PRIVATE_CHANNELS, serverMessage, topicOf } from '@fairlot/contract'
import { startTellingLanguage } from '../auth/tell-language.ts'
import { startUserUpdates } from '../auth/user-updates.ts'
import { hearPrivate } from '../connection/server-connection.ts'
import { startNoticeUpdates } from '../notices.ts'
import { forgetRequestIdsOnLogin } from '../requests/change.ts'
import { startAccountUpdates } from './account.ts'
import { startChatUpdates } from './chat.ts'
import { startEnds } from './ends.ts'
import { startOrderUpdates } from './orders.ts'

let isStarted = false

/** Listens to all that concerns an account, and only then lets the socket log in: nothing comes that nobody hears. */
export function startAccount(): void {
  if (isStarted) return
  isStarted = true
  forgetRequestIdsOnLogin()
  startUserUpdates()
  startAccountUpdates()
  startOrderUpdates()
  startEnds()
  startChatUpdates()
  startNoticeUpdates()
  startTellingLanguage()
  hearPrivate({ messages: serverMessage, topics: PRIVATE_CHANNELS.map((channel) => topicOf(channel)) })
}

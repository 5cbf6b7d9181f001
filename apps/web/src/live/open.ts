import { openAccount } from './account.ts'
import { onLive, openLive } from './hub.ts'
import { openOrders } from './orders.ts'
import { receiveQuote } from './quotes.ts'
import { forgetUser } from './session.ts'

const SESSION_GONE = 999

/** Opens the door to live data: once, at the start of the app. */
export function openDoor(): void {
  onLive('quotes', ({ quotes }) => {
    const receivedAt = Date.now()
    for (const quote of quotes) receiveQuote(quote, receivedAt)
  })
  onLive('loginResult', ({ code }) => {
    if (code === SESSION_GONE) forgetUser()
  })
  openAccount()
  openOrders()
  openLive()
}

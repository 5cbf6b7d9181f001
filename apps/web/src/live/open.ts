import { openAccount } from './account.ts'
import { openChanges } from './change.ts'
import { onLive, openDoor } from './door.ts'
import { openInstruments } from './instruments.ts'
import { openOrders } from './orders.ts'
import { receiveQuote } from './quotes.ts'
import { forgetUser } from './session.ts'

const SESSION_GONE = 999

/** Opens the door to live data and leads what comes through it to its place: once, at the start of the app. */
export function openLive(): void {
  onLive('quotes', ({ quotes }) => {
    const receivedAt = Date.now()
    for (const quote of quotes) receiveQuote(quote, receivedAt)
  })
  onLive('loginResult', ({ code }) => {
    if (code === SESSION_GONE) forgetUser()
  })
  openChanges()
  openAccount()
  openOrders()
  openInstruments()
  openDoor()
}

import {
  CallError,
  closeAccount,
  createDemoAccount,
  type LoggedIn,
  logIn,
  type LoginRequest,
  logOut,
  logOutEverywhere,
  type OwnProof,
  register,
  type Registration,
  type User,
} from '@fairlot/contract'
import { queryClient } from '../requests/query-client.ts'
import { startAccount } from '../account/start.ts'
import { carryWatched, shownWatched } from '../market/watch-list.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { endSessionOf } from './end-session.ts'
import { request, showFailure } from '../requests/request.ts'
import { currentToken, setToken } from './token.ts'
import { forgetOwn, keepDemo, keptDemo, USER_KEY } from './user.ts'

/** What a user logs in with, as one would write it down; null for a demo account. */
export const contactOf = ({ email, phone, areaCode }: User): string | null =>
  email ?? (phone !== null && areaCode !== null ? `+${areaCode} ${phone}` : phone)

/** `watched` comes along: the list of a visitor, where nothing else is said. */
function enter({ token, user }: LoggedIn, watched = currentToken() === null ? shownWatched() : []): void {
  const replaced = currentToken()
  forgetOwn()
  startAccount()
  queryClient.setQueryData(USER_KEY, user)
  setToken(token)
  carryWatched(watched).catch(() => undefined)
  if (replaced !== null) endReplaced(replaced)
}

/** Nobody would come back to it. Not before the socket has gone over to the new one: it would hear that it is thrown out. */
function endReplaced(token: string): void {
  const silence = onServerMessage('loginResult', () => {
    silence()
    endSessionOf(token)
  })
}

/** Opens the demo account of this device, a new one when there is none. Rejects when refused; the refusal was shown then. */
export async function startDemo(): Promise<void> {
  if (await openKeptDemo()) return
  const key = await request(createDemoAccount, null, { isWaitedFor: true })
  keepDemo(key.demoId)
  enter(await request(logIn, key, { isWaitedFor: true }))
}

/** False when there is none, or the server does not know it any more. */
async function openKeptDemo(): Promise<boolean> {
  const demoId = keptDemo()
  if (demoId === null) return false
  try {
    enter(await request(logIn, { demoId }, { isWaitedFor: true, isSilent: true }))
    return true
  } catch (error) {
    if (!(error instanceof CallError) || error.failure.reason !== 'demoIdUnknown') {
      if (error instanceof CallError) showFailure(error.failure)
      throw error
    }
    keepDemo(null)
    return false
  }
}

/** Logs in to a real account. Rejects when refused, without showing it. The demo of this device can still be opened. */
export async function logInWith(credentials: LoginRequest): Promise<void> {
  enter(await request(logIn, credentials, { isSilent: true, isWaitedFor: true }))
}

/** Opens a real account and logs in to it; the own list comes along, of a demo too. Rejects when refused, without showing it. */
export async function registerAccount(registration: Registration): Promise<void> {
  enter(await request(register, registration, { isSilent: true, isWaitedFor: true }), shownWatched())
}

/** The user wished to leave: a demo account goes for good. */
function forgetLeft(): void {
  if (queryClient.getQueryData<User>(USER_KEY)?.isDemo) keepDemo(null)
  setToken(null, true)
  forgetOwn()
}

/** Logs out. The device forgets the user whatever the server answers. */
export async function logOutHere(): Promise<void> {
  await request(logOut, null, { isSilent: true, isWaitedFor: true }).catch(() => undefined)
  forgetLeft()
}

/** Ends every session of the user, this one too. Rejects when that was refused; the refusal was shown then. */
export async function logOutOnAllDevices(): Promise<void> {
  await request(logOutEverywhere, null, { isWaitedFor: true })
  forgetLeft()
}

/** Closes the account for good; this device forgets it. Rejects when that was refused, without showing it. */
export async function closeOwnAccount(proof: OwnProof, requestId: string): Promise<void> {
  await request(closeAccount, proof, { isSilent: true, isTold: true, isWaitedFor: true, requestId })
  forgetLeft()
}

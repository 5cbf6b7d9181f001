import {
  CallError,
  closeAccount,
  createClient,
  createDemoAccount,
  type LoggedIn,
  logIn,
  logInByPasskey,
  type LoginRequest,
  logOut,
  logOutEverywhere,
  type OwnProof,
  type PasskeySignature,
  register,
  type Registration,
  type User,
} from '@fairlot/contract'
import { currentAddress } from '@fairlot/ui/navigation/router.tsx'
import { queryClient } from '../requests/query-client.ts'
import { startAccount } from '../account/start.ts'
import { addToAccountList, shownWatched } from '../market/watchlist.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { request, setup, showFailure } from '../requests/request.ts'
import { currentToken, setToken } from '../device/token.ts'
import { storeUser } from './fetch-user.ts'
import { forgetDemo, forgetOwn, keepDemo, keptDemo, USER_KEY } from './user.ts'

/** E-mail address or phone number that a user logs in with; null for a demo account. */
export const contactOf = ({ email, phone, areaCode }: User): string | null =>
  email ?? (phone !== null && areaCode !== null ? `+${areaCode} ${phone}` : phone)

/** Starts a session. `watched` is added to the account's watchlist; by default it is that of a visitor. */
function enter({ token, user }: LoggedIn, watched = currentToken() === null ? shownWatched() : []): void {
  const replaced = currentToken()
  forgetOwn(user)
  startAccount()
  setToken(token)
  storeUser(user, token)
  addToAccountList(watched).catch(() => undefined)
  if (replaced !== null) endReplaced(replaced)
}

/** Ends the session that was replaced, after the socket has logged in with the new one: else the socket would be logged out. */
function endReplaced(token: string): void {
  const stopListening = onServerMessage('loginResult', () => {
    stopListening()
    endSessionOf(token)
  })
}

/** Opens the demo account of this device, or a new one. Rejects if the server does; the message was already shown. */
export async function startDemo(): Promise<void> {
  if (await openKeptDemo()) return
  const key = await request(createDemoAccount, null, { isWaitedFor: true })
  keepDemo(key.demoId)
  enter(await request(logIn, key, { isWaitedFor: true }))
}

/** Opens the stored demo account; false when there is none or the server no longer knows it. */
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
    forgetDemo()
    return false
  }
}

/** Logs in to a real account. Rejects if the server does, without showing a message. The demo account of this device stays available. */
export async function logInWith(credentials: LoginRequest): Promise<void> {
  enter(await request(logIn, credentials, { isSilent: true, isWaitedFor: true }))
}

/** The same by the signature of a passkey. */
export async function logInWithPasskey(passkey: PasskeySignature): Promise<void> {
  enter(await request(logInByPasskey, { passkey }, { isSilent: true, isWaitedFor: true }))
}

/** Opens a real account and logs in to it, with the current watchlist. Rejects if the server does, without showing a message. */
export async function registerAccount(registration: Registration): Promise<void> {
  enter(await request(register, registration, { isSilent: true, isWaitedFor: true }), shownWatched())
}

/** Forgets the user after a log-out, and a demo account's key unless it is kept, so that the account can be opened again. */
function forgetLoggedOutUser(keepsDemo = false): void {
  if (!keepsDemo && queryClient.getQueryData<User>(USER_KEY)?.isDemo) forgetDemo()
  setToken(null, currentAddress())
  forgetOwn()
}

/** Logs out. The device forgets the user even when the call fails. `keepsDemo`: a demo account can be opened again here. */
export async function logOutHere(keepsDemo: boolean): Promise<void> {
  await request(logOut, null, { isSilent: true, isWaitedFor: true }).catch(() => undefined)
  forgetLoggedOutUser(keepsDemo)
}

/** Ends every session of the user, including this one. Rejects if the server does; the message was already shown. */
export async function logOutOnAllDevices(): Promise<void> {
  await request(logOutEverywhere, null, { isWaitedFor: true })
  forgetLoggedOutUser()
}

/** Closes the account permanently. Rejects if the server does, without showing a message. */
export async function closeOwnAccount(proof: OwnProof, requestId: string): Promise<void> {
  await request(closeAccount, proof, {
    isSilent: true,
    showsConfirmation: true,
    isWaitedFor: true,
    requestId,
  })
  forgetLoggedOutUser()
}

/** Ends a session that this page no longer uses. A failure is ignored: the session then expires by its age. */
export const endSessionOf = (token: string): void =>
  void createClient<AbortSignal>({ ...setup, token: () => token }).call(logOut, null, { silent: true })

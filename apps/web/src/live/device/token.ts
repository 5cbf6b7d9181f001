import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

type TokenState = {
  token: string | null
  /** The address at which the user has just logged out; null after a session that the server ended. */
  logOutAddress: string | null
  /** The server has ended the session that was used here, and no other has begun. */
  hasEnded: boolean
}

/** The session token; null for a visitor. Stored on this device until the user logs out. */
const useToken = create<TokenState>(() => ({
  token: readStored('token'),
  logOutAddress: null,
  hasEnded: false,
}))

export const currentToken = (): string | null => useToken.getState().token

/**
 * Stores the session token; null removes it, and the user stored beside it, unless another tab has stored the token of a newer
 * session. `logOutAddress`: the address at which the user logged out.
 */
export function setToken(token: string | null, logOutAddress: string | null = null): void {
  if (token !== null) writeStored('token', token)
  else if (readStored('token') === currentToken()) {
    writeStored('token', null)
    writeStored('user', null)
  }
  useToken.setState({ token, logOutAddress, hasEnded: false })
}

/** Removes the token of a session that the server has ended. `isReported`: the user should learn why a log-in is needed. */
export function endToken(isReported: boolean): void {
  const { token, hasEnded } = useToken.getState()
  setToken(null)
  useToken.setState({ hasEnded: hasEnded || (isReported && token !== null) })
}

/** Whether the user must log in because the server has ended the session. */
export const useHasSessionEnded = (): boolean => useToken(({ hasEnded }) => hasEnded)

/** The address at which the user has just logged out; reset by the next navigation. */
export const useLogOutAddress = (): string | null => useToken((state) => state.logOutAddress)

export const forgetLogOutAddress = (): void => useToken.setState({ logOutAddress: null })

/** Whether a user is logged in on this device. */
export const useIsLoggedIn = (): boolean => useToken((state) => state.token !== null)

/** Calls back when the session begins, ends or changes. */
export const onTokenChange = (listener: (token: string | null) => void): (() => void) =>
  useToken.subscribe(({ token }, before) => token !== before.token && listener(token))

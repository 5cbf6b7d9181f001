import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

type TokenState = {
  token: string | null
  /** The address at which the user has just logged out; null after a session that the server ended. */
  logOutAddress: string | null
}

/** The session token; null for a visitor. Stored on this device until the user logs out. */
const useToken = create<TokenState>(() => ({ token: readStored('token'), logOutAddress: null }))

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
  useToken.setState({ token, logOutAddress })
}

/** The address at which the user has just logged out; reset by the next navigation. */
export const useLogOutAddress = (): string | null => useToken((state) => state.logOutAddress)

export const forgetLogOutAddress = (): void => useToken.setState({ logOutAddress: null })

/** Whether a user is logged in on this device. */
export const useIsLoggedIn = (): boolean => useToken((state) => state.token !== null)

/** Calls back when the session begins, ends or changes. */
export const onTokenChange = (listener: (token: string | null) => void): (() => void) =>
  useToken.subscribe(({ token }, before) => token !== before.token && listener(token))

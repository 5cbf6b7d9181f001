import { create } from 'zustand'
import { readStored, writeStored } from '../device/storage.ts'

type TokenState = {
  token: string | null
  /** The user has just logged out, and was not thrown out. */
  hasLeft: boolean
}

/** The key of the session; null for a visitor. Kept on this device until the user logs out. */
const useToken = create<TokenState>(() => ({ token: readStored('token'), hasLeft: false }))

export const currentToken = (): string | null => useToken.getState().token

/** Keeps the key of a session, or forgets it. `hasLeft` tells that the user wished it so. */
export function setToken(token: string | null, hasLeft = false): void {
  writeStored('token', token)
  useToken.setState({ token, hasLeft })
}

/** Whether the user has just logged out; over with the next navigation. */
export const useHasLeft = (): boolean => useToken((state) => state.hasLeft)

export const forgetLeaving = (): void => useToken.setState({ hasLeft: false })

/** Whether someone is logged in on this device. */
export const useIsLoggedIn = (): boolean => useToken((state) => state.token !== null)

/** Calls back when the session begins, ends or changes. */
export const onTokenChange = (listener: (token: string | null) => void): (() => void) =>
  useToken.subscribe(({ token }, before) => token !== before.token && listener(token))

import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

type TokenState = { token: string | null }

/** The key of the session; null for a visitor. Kept on this device until the user logs out. */
const useToken = create<TokenState>(() => ({ token: readStored('token') }))

export const currentToken = (): string | null => useToken.getState().token

export function setToken(token: string | null): void {
  writeStored('token', token)
  useToken.setState({ token })
}

/** Whether someone is logged in on this device. */
export const useIsLoggedIn = (): boolean => useToken((state) => state.token !== null)

/** Calls back when the session begins, ends or changes. */
export const onTokenChange = (listener: (token: string | null) => void): (() => void) =>
  useToken.subscribe(({ token }, before) => token !== before.token && listener(token))

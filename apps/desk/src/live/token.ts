import { create } from 'zustand'

/** Why a session ended: after inactivity, or because it has expired or was ended on the server. */
export type LogOutReason = 'idle' | 'expired'

type Session = { readonly token: string | null; readonly logOutReason: LogOutReason | null }

const KEY = 'fairlot.desk.token'

/** The stored token; null also where the browser forbids storage. */
function storedToken(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

function storeToken(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, token)
  } catch {
    // Storage is forbidden: the session lasts as long as the page.
  }
}

/** The session token, kept for this tab only, so that no session stays open on a shared computer. */
export const useSession = create<Session>(() => ({ token: storedToken(), logOutReason: null }))

export const currentToken = (): string | null => useSession.getState().token

const endListeners = new Set<() => void>()

/** Calls back when the session ends without the operator's doing, before its screens are gone; returns what stops that. */
export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

/** Stores the token of a session, or removes it and keeps the reason for the log-in screen. */
export function setToken(token: string | null, logOutReason: LogOutReason | null = null): void {
  if (token === null && logOutReason !== null && currentToken() !== null)
    for (const listener of endListeners) listener()
  storeToken(token)
  useSession.setState({ token, logOutReason })
}

/** Calls `listener` when an operator logs in or out. */
export const onTokenChange = (listener: (token: string | null) => void): (() => void) =>
  useSession.subscribe(({ token }, before) => token !== before.token && listener(token))
